"""How loud a clip is, and whether there is anything to hear in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Samples = NDArray[numpy.float32]
    Rows = NDArray[numpy.float64]

#: A clip is silent where no window of ``WINDOW_S`` seconds is louder than this (RMS, 1.0 is full scale, after
#: its mean is taken out): -65 dB, some 20 dB above the dither of 16 bits and 20 dB below soft speech.
SILENCE_RMS = 10 ** (-65 / 20)
WINDOW_S = 0.03
#: With 8 bits the dither itself is that loud: one step, -42 dB.
_STEP_OF_8_BITS = 1 / 128
#: The mean of the channels is heard unless it holds less than this share of the loudest one's energy:
#: channels that cancel each other out, or speech in one of many.
_KEPT_ENERGY = 0.1


@dataclass(slots=True, kw_only=True, eq=False)
class Loudness:
    """What was heard so far of a track with ``channels`` channels, each on its own and their mean.

    ``bits`` is 8 where samples have as few, else ``None``.
    """

    channels: int
    bits: int | None = None
    peak: float = 0.0
    _rms: list[float] = field(default_factory=list)
    _energy: list[float] = field(default_factory=list)
    _rest: Rows | None = None

    def __post_init__(self) -> None:
        self._rms = [0.0] * (self.channels + 1)
        self._energy = [0.0] * (self.channels + 1)

    def hear(self, samples: Samples, rate: int) -> None:
        """Add samples, channels by samples, of that rate."""
        import numpy

        if not samples.size:
            return
        self.peak = max(self.peak, float(numpy.abs(samples).max()))
        rows = numpy.vstack([samples, samples.mean(axis=0, keepdims=True)]).astype(numpy.float64)
        for row, energy in enumerate((rows**2).sum(axis=1)):
            self._energy[row] += float(energy)
        if self._rest is not None:
            rows = numpy.hstack([self._rest, rows])
        window = max(1, round(rate * WINDOW_S))
        whole = rows.shape[1] // window * window
        if whole:
            self._hear_windows(rows[:, :whole].reshape(len(rows), -1, window))
        self._rest = rows[:, whole:]

    def finish(self) -> None:
        """Hear what is left of the last window."""
        if self._rest is not None and self._rest.shape[1]:
            self._hear_windows(self._rest[:, None, :])
            self._rest = None

    @property
    def channel(self) -> int | None:
        """The channel to hear, from 0; ``None``: the mean of all."""
        loudest = max(range(self.channels), key=self._energy.__getitem__)
        is_kept = self._energy[-1] >= _KEPT_ENERGY * self._energy[loudest]
        return None if is_kept or self.channels == 1 else loudest

    @property
    def is_silent(self) -> bool:
        """Whether nothing in what is heard of the track is louder than silence."""
        threshold = max(SILENCE_RMS, _STEP_OF_8_BITS if self.bits == 8 else 0.0)
        heard = self.channel
        return self._rms[-1 if heard is None else heard] <= threshold

    def _hear_windows(self, windows: Rows) -> None:
        for row, loudest in enumerate(windows.std(axis=2).max(axis=1)):
            self._rms[row] = max(self._rms[row], float(loudest))
