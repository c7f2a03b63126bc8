"""The error rate of a corpus: errors over reference length, never a mean of rates, and the tail beside it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from statistics import median
from typing import Any

from ..evidence import InfergateError, Pooled

#: Draws of the bootstrap, and the seed that makes the same clips give the same interval.
RESAMPLES, SEED = 2000, 20_261_130
#: With more blocks the normal distribution's interval is as good, and drawing takes longer than counting.
_MOST_DRAWN = 5000
_DRAWN_AT_ONCE = 1_000_000
_Z = 1.959963984540054  # the normal distribution's 97.5 % point


class CorpusError(InfergateError):
    """Counts do not add up: more clips were scored than were expected."""


class IntervalMethod(Enum):
    """How the interval was found."""

    BLOCK_BOOTSTRAP = "block_bootstrap"
    RATIO_OF_SUMS = "ratio_of_sums"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRate:
    """What the clips of a corpus come to together.

    ``expected`` clips were planned; ``scored`` + ``missing`` of them. ``without_rate`` of the scored ones
    have an empty reference: their insertions are among ``errors``. ``rate`` is ``errors`` /
    ``reference_length``, 0 or more and not clipped, ``None`` where nothing was to be said.

    ``interval`` is the 95 % interval of the rate over ``blocks``: stretches that depend on each other, such
    as the clips of one speaker, are drawn together. ``None`` below two blocks, and where all blocks have
    the same rate: how they could differ, nobody has seen. ``method``: how it was found.

    ``median`` and ``share_above_half`` are over the clips with a rate of their own, ``None`` where there is
    none: the pool hides a few clips that went wrong altogether.
    """

    expected: int
    scored: int
    missing: int
    without_rate: int
    errors: float
    reference_length: float
    rate: float | None
    interval: tuple[float, float] | None
    method: IntervalMethod | None
    blocks: int
    median: float | None
    share_above_half: float | None

    def as_json(self) -> dict[str, Any]:
        is_drawn = self.method is IntervalMethod.BLOCK_BOOTSTRAP
        return {
            "expected": self.expected,
            "scored": self.scored,
            "missing": self.missing,
            "without_rate": self.without_rate,
            "errors": self.errors,
            "reference_length": self.reference_length,
            "rate": self.rate,
            "interval": list(self.interval) if self.interval else None,
            "interval_method": self.method.value if self.method else None,
            "resamples": RESAMPLES if is_drawn else None,
            "seed": SEED if is_drawn else None,
            "blocks": self.blocks,
            "median": self.median,
            "share_above_half": self.share_above_half,
        }


class CorpusTally:
    """Adds up clips as they come: eight bytes for each, and two sums for each block."""

    def __init__(self) -> None:
        self._rates = array("d")
        self._blocks: dict[str, list[float]] = {}
        self._own = (array("d"), array("d"))
        self._without_rate = self._missing = 0

    def add(self, counts: Pooled, *, block: str | None = None) -> None:
        """Count a clip: its errors of its reference length. Without a ``block`` it is one by itself."""
        if counts.whole:
            self._rates.append(counts.part / counts.whole)
        else:
            self._without_rate += 1
        if block is None:
            self._own[0].append(counts.part)
            self._own[1].append(counts.whole)
        else:
            sums = self._blocks.setdefault(block, [0.0, 0.0])
            sums[0] += counts.part
            sums[1] += counts.whole

    def add_missing(self) -> None:
        """Count a clip that has no score."""
        self._missing += 1

    def rate(self, *, expected: int | None = None) -> CorpusRate:
        """Return the figures; clips that were ``expected`` and never counted are missing.

        Raises ``CorpusError`` where more were counted than expected.
        """
        scored = len(self._rates) + self._without_rate
        counted = scored + self._missing
        expected = counted if expected is None else expected
        if counted > expected:
            raise CorpusError(f"{counted} clips were counted; accepted: at most the {expected} expected")
        # In an order of their own, so that the order of the clips does not change what is drawn.
        blocks = sorted([*zip(*self._own, strict=True), *map(tuple, self._blocks.values())])
        errors = sum(block[0] for block in blocks)
        length = sum(block[1] for block in blocks)
        rate = errors / length if length else None
        interval, method = _interval(blocks, rate)
        return CorpusRate(
            expected=expected,
            scored=scored,
            missing=expected - scored,
            without_rate=self._without_rate,
            errors=errors,
            reference_length=length,
            rate=rate,
            interval=interval,
            method=method,
            blocks=len(blocks),
            median=median(self._rates) if self._rates else None,
            share_above_half=_share(self._rates),
        )


def _share(rates: array[float]) -> float | None:
    return sum(rate > 0.5 for rate in rates) / len(rates) if rates else None


_Blocks = list[tuple[float, ...]]


def _interval(
    blocks: _Blocks, rate: float | None
) -> tuple[tuple[float, float] | None, IntervalMethod | None]:
    if rate is None or len(blocks) < 2 or all(part == rate * whole for part, whole in blocks):
        return None, None
    if len(blocks) > _MOST_DRAWN:
        return _ratio_of_sums(blocks, rate), IntervalMethod.RATIO_OF_SUMS
    drawn = _block_bootstrap(blocks)
    return drawn, IntervalMethod.BLOCK_BOOTSTRAP if drawn else None


def _block_bootstrap(blocks: _Blocks) -> tuple[float, float] | None:
    """Return the percentiles of the pooled rate of blocks drawn with replacement.

    Sources: Bisani, Ney, "Bootstrap estimates for confidence intervals in ASR performance evaluation", ICASSP
    2004; for blocks, Liu, Peng, arXiv 1912.09508. A draw without a single word has no rate and is left out.
    """
    import numpy as np

    counts, draw = np.array(blocks), np.random.default_rng(SEED)
    found = []
    at_once = max(1, _DRAWN_AT_ONCE // len(blocks))
    for start in range(0, RESAMPLES, at_once):
        rows = min(at_once, RESAMPLES - start)
        sums = counts[draw.integers(0, len(blocks), size=(rows, len(blocks)))].sum(axis=1)
        sums = sums[sums[:, 1] > 0]
        found.append(sums[:, 0] / sums[:, 1])
    low, high = np.percentile(np.concatenate(found), (2.5, 97.5))
    return float(low), float(high)


def _ratio_of_sums(blocks: _Blocks, rate: float) -> tuple[float, float]:
    """Return the normal approximation: W. G. Cochran, "Sampling Techniques", 3rd edition, section 6.3."""
    n, length = len(blocks), sum(whole for _, whole in blocks)
    residual = sum((part - rate * whole) ** 2 for part, whole in blocks)
    half = _Z * sqrt(residual * n / (n - 1)) / length
    return max(0.0, rate - half), rate + half
