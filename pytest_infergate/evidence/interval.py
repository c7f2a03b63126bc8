"""The interval shown beside a rate."""

from __future__ import annotations

from math import sqrt

_Z = 1.959963984540054  # the normal distribution's 97.5 % point


def wilson_interval(passed: float, planned: float) -> tuple[float, float]:
    """Return Wilson's 95 % score interval of ``passed / planned``, ``planned`` > 0.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927). Effective counts need not be whole. Unlike the textbook interval it holds at 0 and 1
    and for few samples.
    """
    rate, z2 = passed / planned, _Z * _Z
    centre = rate + z2 / (2 * planned)
    half = _Z * sqrt(rate * (1 - rate) / planned + z2 / (4 * planned * planned))
    scale = 1 + z2 / planned
    low = 0.0 if passed == 0 else (centre - half) / scale
    high = 1.0 if passed == planned else (centre + half) / scale
    return low, high
