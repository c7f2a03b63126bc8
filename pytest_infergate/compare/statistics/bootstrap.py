"""The difference of two ratios of sums over the same samples, with an interval for any distribution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..comparison import PairedDifference
from .tango import Z_ONE_SIDED, Z_TWO_SIDED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: Above so many samples the normal distribution of the jackknife does.
LARGEST_BOOTSTRAP = 5000
RESAMPLES = 1999
SEED = 20240
BOOTSTRAP = "studentised paired bootstrap over samples"
JACKKNIFE = "jackknife over samples"
_CELLS = 1_000_000


def ratio_difference(base: Array, candidate: Array) -> PairedDifference:
    """Return the candidate's ratio less the base's, each a sum of parts over a sum of wholes above 0.

    Both arrays have a row (part, whole) for every sample, at least two, in the same order. Up to 5,000
    samples: 1,999 resamples of whole pairs from a fixed seed, each one's deviation in units of its own
    standard error; the interval is the wider of theirs and Student's at either end, and the p-value the
    larger. Above: the normal distribution. The standard error is the infinitesimal jackknife's. The interval
    never ends nearer to the value than z²/(n + z²) times the largest influence of one sample: one more like
    it may have been missed. Where no sample has an influence there is nothing to go by, and the interval is
    the value itself.

    Source: B. Efron, "Nonparametric standard errors and confidence intervals", Canadian Journal of
    Statistics 9 (1981) 139-158; A. Davison, D. Hinkley, "Bootstrap Methods and their Application" (1997),
    sections 2.4 and 5.2.
    """
    import numpy as np
    from scipy.special import ndtr, stdtr, stdtrit

    n, is_large = len(base), len(base) > LARGEST_BOOTSTRAP
    method = JACKKNIFE if is_large else BOOTSTRAP
    # Rounding leaves traces of influence where there is none.
    trace = 1e-12 * sum(float(np.abs(side[:, 0]).max() / side[:, 1].mean()) for side in (base, candidate))
    found, influence = _influence(base, candidate, trace)
    value, error, largest = float(found), float(_error(influence)), float(np.abs(influence).max())
    if error == 0:
        is_equal = abs(value) <= trace
        value = 0.0 if is_equal else value
        p_value = 1.0 if is_equal else 2.0 ** (1 - n)
        return PairedDifference(
            value=value, low=value, high=value, lower_bound=value, p_value=p_value, method=method
        )
    ratio = value / error
    if is_large:
        deviations = None
        p_value = 2 * float(ndtr(-abs(ratio)))
    else:
        deviations = _deviations(base, candidate, value, trace)
        extreme = min(int((deviations >= ratio).sum()), int((deviations <= ratio).sum()))
        drawn = 2 * (1 + extreme) / (len(deviations) + 1)
        p_value = min(1.0, max(drawn, 2 * float(stdtr(n - 1, -abs(ratio)))))

    def reach(z: float, tail: float) -> tuple[float, float]:
        """Return how far the interval goes below and above the value."""
        floor = z * z / (n + z * z) * largest
        if deviations is None:
            return max(floor, z * error), max(floor, z * error)
        student = max(floor, float(stdtrit(n - 1, 1 - tail)) * error)
        rank = max(1, int((len(deviations) + 1) * tail))
        below, above = float(deviations[-rank]) * error, -float(deviations[rank - 1]) * error
        return (
            max(student, below) if math.isfinite(below) else student,
            max(student, above) if math.isfinite(above) else student,
        )

    below, above = reach(Z_TWO_SIDED, 0.025)
    return PairedDifference(
        value=value,
        low=value - below,
        high=value + above,
        lower_bound=value - reach(Z_ONE_SIDED, 0.05)[0],
        p_value=p_value,
        method=method,
    )


def _influence(base: Array, candidate: Array, trace: float) -> tuple[Array, Array]:
    """Return the difference of the ratios and each sample's influence; samples are the last but one axis."""
    import numpy as np

    ratios, influences = [], []
    for side in (base, candidate):
        part, whole = side[..., 0], side[..., 1]
        total = whole.sum(axis=-1, keepdims=True)
        ratio = part.sum(axis=-1, keepdims=True) / total
        ratios.append(ratio[..., 0])
        influences.append((part - ratio * whole) / total * part.shape[-1])
    influence = influences[1] - influences[0]
    return ratios[1] - ratios[0], np.where(np.abs(influence) <= trace, 0.0, influence)


def _error(influence: Array) -> Array:
    """Return the standard error by the infinitesimal jackknife."""
    import numpy as np

    n = influence.shape[-1]
    error: Array = np.sqrt(np.square(influence).sum(axis=-1) / (n - 1) / n)
    return error


def _deviations(base: Array, candidate: Array, value: float, trace: float) -> Array:
    """Return the sorted deviations of resamples from ``value``, each in units of its own standard error.

    A resample in which no sample has an influence has no error: it deviates infinitely, or not at all. One
    whose wholes are all 0 has no ratio and is left out.
    """
    import numpy as np

    n, draw = len(base), np.random.default_rng(SEED)
    step, found = max(1, _CELLS // n), []
    for start in range(0, RESAMPLES, step):
        rows = draw.integers(0, n, (min(step, RESAMPLES - start), n))
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn, influence = _influence(base[rows], candidate[rows], trace)
            away = np.where(np.abs(drawn - value) <= trace, 0.0, drawn - value)
            deviation = np.where(away == 0, 0.0, away / _error(influence))
        found.append(deviation[~np.isnan(deviation)])
    return np.sort(np.concatenate(found))
