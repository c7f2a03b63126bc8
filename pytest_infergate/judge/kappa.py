"""Agreement beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa with its 95 % interval: 1 is full agreement, 0 what chance gives, below 0 less than that.

    ``standard_error``, ``low`` and ``high`` are ``None`` where the sample cannot tell them: its variance
    is 0 where all pairs agree, which would be an interval without width.
    """

    value: float
    standard_error: float | None
    low: float | None
    high: float | None


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> Kappa | None:
    """Return Cohen's kappa of pairs of categories; ``None`` where it is not defined.

    kappa = (po - pe) / (1 - pe), with po the share that agrees and pe the share that would by chance. It is
    not defined without pairs, nor where both sides know one and the same category alone (pe = 1).
    Source: J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20 (1960).

    The interval is kappa ± 1.96 standard errors, cut at -1 and 1, with the large-sample variance for a kappa
    that need not be 0: J. L. Fleiss, J. Cohen and B. S. Everitt, "Large sample standard errors of kappa and
    weighted kappa", Psychological Bulletin 72 (1969), equation 13. With cells p_ij, margins a_i and b_j::

        var = ( sum_i p_ii (1 - (a_i + b_i)(1 - kappa))^2
                + (1 - kappa)^2 sum_{i != j} p_ij (b_i + a_j)^2
                - (kappa - pe (1 - kappa))^2 ) / (n (1 - pe)^2)

    It is asymptotic: below some 50 pairs, or with a kappa near 1, it is too narrow.
    """
    n = len(pairs)
    if n == 0:
        return None
    cells = {pair: count / n for pair, count in Counter(pairs).items()}
    left = {name: count / n for name, count in Counter(one for one, _ in pairs).items()}
    right = {name: count / n for name, count in Counter(other for _, other in pairs).items()}
    observed = sum(share for (one, other), share in cells.items() if one == other)
    if left.keys() == right.keys() and len(left) == 1:
        return None
    chance = sum(share * right.get(name, 0.0) for name, share in left.items())
    kappa = (observed - chance) / (1 - chance)
    if all(one == other for one, other in cells):
        return Kappa(1.0, None, None, None)
    total = -((kappa - chance * (1 - kappa)) ** 2)
    for (one, other), share in cells.items():
        if one == other:
            total += share * (1 - (left[one] + right[one]) * (1 - kappa)) ** 2
        else:
            total += (1 - kappa) ** 2 * share * (right.get(one, 0.0) + left.get(other, 0.0)) ** 2
    error = sqrt(max(total, 0.0) / n) / (1 - chance)
    if error < 1e-9:
        return Kappa(kappa, None, None, None)
    return Kappa(kappa, error, max(-1.0, kappa - _Z * error), min(1.0, kappa + _Z * error))
