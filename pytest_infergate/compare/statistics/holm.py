"""Holm's correction for several tasks at once."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the adjusted p-values in the given order, each at most 1.

    Calling those at or below 5 % keeps the chance of any false call over all tasks at 5 %, whatever the tasks
    have to do with each other.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979) 65-70.
    """
    count, highest = len(p_values), 0.0
    adjusted = [1.0] * count
    for rank, index in enumerate(sorted(range(count), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (count - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
