"""The exact test of whole differences that are as likely up as down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

#: Below it a p-value out of a Fourier transform would be rounding.
SMALLEST = 1e-12


def sign_flip_exact(steps: Sequence[int]) -> float:
    """Return the two-sided p-value of no difference: how often random signs give as large a sum.

    ``steps`` are the differences of independent samples in whole units. Every sign is flipped with
    probability 1/2; the distribution of the sum is computed, not drawn. With steps of -1, 0 and 1 it is the
    exact McNemar test. A p-value below 1e-12 is given as 1e-12.

    Source: R. A. Fisher, "The Design of Experiments" (1935), section 21; the distribution from its
    characteristic function, the product of the cosines.
    """
    import numpy as np

    sizes = Counter(abs(step) for step in steps if step)
    reach, observed = sum(size * count for size, count in sizes.items()), abs(sum(steps))
    if observed == 0:
        return 1.0
    # The sum has the parity of its reach: count half steps above the lowest sum, 0 … reach.
    length = reach + 1
    angles = np.pi * np.arange(length // 2 + 1) / length
    wave = np.ones(len(angles), dtype=complex)
    for size, count in sizes.items():
        turn = np.exp(-2j * angles * size)
        wave *= ((1 + turn) / 2) ** count
    chances = np.clip(np.fft.irfft(wave, length), 0.0, None)
    tail = float(chances[: (reach - observed) // 2 + 1].sum())
    return min(1.0, max(SMALLEST, 2.0 * tail))
