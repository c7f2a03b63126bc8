"""The difference of two pooled rates."""

from __future__ import annotations

from collections.abc import Sequence

from ...evidence import Pooled
from ..comparison import PairedDifference
from .bootstrap import ratio_difference
from .errors import StatisticsError


def pooled_difference(base: Sequence[Pooled], candidate: Sequence[Pooled]) -> PairedDifference:
    """Return the difference of two pooled rates over the same samples, candidate less base.

    A pooled rate is the sum of parts over the sum of wholes: errors over words. Entry i of both is sample
    i's. Raises :class:`StatisticsError` unless both have the same number, at least two, and wholes that add
    up to more than 0: nothing over nothing is no rate. For the procedure see
    :func:`.bootstrap.ratio_difference`.
    """
    import numpy as np

    if len(base) != len(candidate) or len(base) < 2:
        raise StatisticsError(
            f"pooled counts of {len(base)} samples of the base and {len(candidate)} of the candidate; "
            f"accepted: as many of both, at least two"
        )
    rows = []
    for name, side in (("base", base), ("candidate", candidate)):
        counts = np.array([(one.part, one.whole) for one in side], dtype=float)
        if not counts[:, 1].sum() > 0:
            raise StatisticsError(
                f"the wholes of the {name} add up to 0; accepted: more, or there is no rate"
            )
        rows.append(counts)
    return ratio_difference(rows[0], rows[1])
