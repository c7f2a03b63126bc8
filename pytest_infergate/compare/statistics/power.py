"""How many samples it takes to call a candidate no worse."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .equal_steps import equal_steps, whole_steps
from .errors import StatisticsError
from .tango import Z_ONE_SIDED, Z_TWO_SIDED, score_variance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

#: Where more discordant pairs are expected the normal approximation of the power is exact enough.
_LARGEST_SUM = 1000
#: More samples than this are no answer.
LARGEST_ANSWER = 100_000_000


def smallest_without_flips(margin: float) -> int | None:
    """Return the fewest samples with which a comparison without a single flip is no worse than ``margin``.

    Without a flip Tango's lower bound is -z²/(n + z²) with z = 1.645, so n is the first whole number above
    z² (1 - margin) / margin: 52 for a margin of 0.05. A task with fewer samples reaches its margin only if
    the candidate gains. ``None`` for a margin of 0, which no number of samples reaches.
    """
    _check(margin=margin)
    if margin == 0:
        return None
    square = Z_ONE_SIDED**2
    return max(1, math.floor(square * (1 - margin) / margin) + 1)


def power_of(n: int, *, margin: float, discordant_rate: float, difference: float = 0.0) -> float:
    """Return the chance that a comparison of ``n`` samples is no worse than ``margin``.

    ``discordant_rate`` is the share of samples whose verdict flips, ``difference`` the true difference of the
    rates, candidate less base. Exact (the sum over all tables that Tango's bound calls) up to 1,000 expected
    flips, else from the normal distribution of the score statistic.

    Source: J. Nam, "Establishing equivalence of two treatments and sample size requirements in matched-pairs
    design", Biometrics 53 (1997) 1422-1430; J. Liu et al., "Tests for equivalence or non-inferiority for
    paired binary data", Statistics in Medicine 21 (2002) 231-245.
    """
    _check(margin=margin, discordant_rate=discordant_rate, difference=difference)
    if n < 1:
        raise StatisticsError(f"n={n!r} samples; accepted: 1 or more")
    if n * discordant_rate <= _LARGEST_SUM:
        return _summed_power(n, margin, discordant_rate, difference)
    return _normal_power(n, margin, discordant_rate, difference)


def samples_to_decide(
    *, margin: float, discordant_rate: float, difference: float = 0.0, power: float = 0.8
) -> int | None:
    """Return the number of samples at which the chance of ``no_worse`` reaches ``power``.

    One sample fewer has less; since a few samples more can have slightly less again, the number is right to
    about ten. ``None`` where no number of samples does: the candidate is worse by the margin or more. For the
    rest see :func:`power_of`.
    """
    _check(margin=margin, discordant_rate=discordant_rate, difference=difference)
    if not 0 < power < 1:
        raise StatisticsError(f"power={power!r}; accepted: between 0 and 1, without either")
    if difference <= -margin:
        return None

    def reaches(n: int) -> bool:
        return power_of(n, margin=margin, discordant_rate=discordant_rate, difference=difference) >= power

    high = 1
    while not reaches(high):
        high *= 2
        if high > LARGEST_ANSWER:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def samples_to_decide_observed(
    lost: float, gained: float, n: int, margin: float, power: float = 0.8
) -> int | None:
    """Return how many samples would decide an inconclusive comparison, if they flip as the ``n`` seen did.

    The fewer of two numbers: those that call it no worse, and, where it lost more than it gained, those that
    make the loss significant (two-sided 5 %, without Holm), each with a chance of ``power``. Always more than
    ``n``; ``None`` where no number of samples does. Rates seen in few samples are rough, and so is the
    number.

    Source of the second: R. Connor, "Sample size for testing differences in proportions for the paired-sample
    design", Biometrics 43 (1987) 207-211.
    """
    from scipy.special import ndtri

    rate, difference = (lost + gained) / n, (gained - lost) / n
    found = [samples_to_decide(margin=margin, discordant_rate=rate, difference=difference, power=power)]
    if difference < 0:
        spread = math.sqrt(max(0.0, rate - difference**2))
        found.append(
            math.ceil(((Z_TWO_SIDED * math.sqrt(rate) + float(ndtri(power)) * spread) / difference) ** 2)
        )
    answers = [number for number in found if number is not None]
    return max(n + 1, min(answers)) if answers else None


def samples_to_decide_repeated(
    differences: Sequence[float], repeats: int, margin: float, power: float = 0.8
) -> int | None:
    """Return how many samples, each repeated as often, would decide an inconclusive comparison.

    ``differences`` as for :func:`.clustered.clustered_difference`; for the rest see
    :func:`samples_to_decide_observed`, which it is with one repeat.
    """
    _check(margin=margin)
    table = equal_steps(whole_steps(differences, repeats), repeats)
    found = samples_to_decide_observed(
        table.lost, table.gained, table.n, min(1.0, margin / table.size), power
    )
    # However small the steps are, the interval keeps the distance of samples that were not asked.
    fewest = smallest_without_flips(min(1.0, max(margin + table.value, -table.value)))
    return found if found is None or fewest is None else max(found, fewest)


def _normal_power(n: int, margin: float, rate: float, difference: float) -> float:
    from scipy.special import ndtr

    null = math.sqrt(score_variance((rate - difference) / 2, (rate + difference) / 2, 1.0, -margin))
    spread = math.sqrt(max(0.0, rate - difference**2))
    distance = math.sqrt(n) * (difference + margin) - Z_ONE_SIDED * null
    return float(ndtr(distance / spread)) if spread else float(distance > 0)


def _summed_power(n: int, margin: float, rate: float, difference: float) -> float:
    import numpy as np

    if rate == 0:
        smallest = smallest_without_flips(margin)
        return float(smallest is not None and n >= smallest)
    reach = 7 * math.sqrt(n * rate * (1 - rate)) + 8
    first, last = max(0, math.floor(n * rate - reach)), min(n, math.ceil(n * rate + reach))
    flips = np.arange(first, last + 1.0)[:, None]
    gained = np.arange(last + 1.0)[None, :]
    chances = _binomial(flips, n, rate) * _binomial(gained, flips, (rate + difference) / (2 * rate))
    lost = np.maximum(flips - gained, 0.0)
    variance = score_variance(lost, gained + 0.0 * lost, n, -margin)
    is_no_worse = gained - lost + n * margin > Z_ONE_SIDED * np.sqrt(np.maximum(n * variance, 0.0))
    return float(chances[is_no_worse].sum())


def _binomial(count: Array, trials: Array | int, rate: float) -> Array:
    """Return the chance of ``count`` of ``trials``; 0 where there are fewer trials."""
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    rest = np.maximum(trials - count, 0)
    ways = gammaln(trials + 1) - gammaln(count + 1) - gammaln(rest + 1)
    chance: Array = np.exp(ways + xlogy(count, rate) + xlog1py(rest, -rate))
    return np.where(count > trials, 0.0, chance)


def _check(*, margin: float, discordant_rate: float = 0.0, difference: float = 0.0) -> None:
    if not 0 <= margin <= 1:
        raise StatisticsError(f"margin={margin!r}; accepted: from 0 to 1; write 5 % as 0.05")
    if not abs(difference) <= discordant_rate <= 1:
        raise StatisticsError(
            f"discordant_rate={discordant_rate!r} with difference={difference!r}; accepted: a share from "
            f"0 to 1 that is no less than the difference it makes"
        )
