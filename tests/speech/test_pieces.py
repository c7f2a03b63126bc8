"""A long clip in pieces: all of it, none too long, cut where it is quiet."""

from __future__ import annotations

import numpy
import pytest
from numpy.typing import NDArray

from pytest_infergate.speech import Audio, open_audio
from pytest_infergate.speech.audio import RATE
from pytest_infergate.speech.pieces import pieces_of

from .clips import wav_at_16k


def _clip(samples: NDArray[numpy.float64]) -> Audio:
    return open_audio(wav_at_16k(samples))


@pytest.mark.parametrize("seconds", [0.3, 9.9, 10.0, 10.1, 35.0, 61.0])
def test_together_they_are_the_clip(seconds: float) -> None:
    noise = numpy.random.default_rng(7).uniform(-0.5, 0.5, round(seconds * RATE))
    audio = _clip(noise)
    pieces = list(pieces_of(audio, 10.0))
    assert all(0 < piece.size <= 10 * RATE for _, piece in pieces)
    assert numpy.array_equal(numpy.concatenate([piece for _, piece in pieces]), audio.samples())
    begins = numpy.cumsum([0, *(piece.size for _, piece in pieces)])[:-1] / RATE
    assert [at for at, _ in pieces] == pytest.approx(list(begins))


def test_one_that_fits_is_one_piece() -> None:
    assert len(list(pieces_of(_clip(numpy.full(10 * RATE, 0.1)), 10.0))) == 1


def test_a_cut_is_made_in_a_pause() -> None:
    samples = numpy.random.default_rng(7).uniform(-0.5, 0.5, 16 * RATE)
    samples[7 * RATE : 8 * RATE] = 0
    samples[2 * RATE : 3 * RATE] = 0  # earlier than the second half: the piece would be short for nothing
    (_, first), (second_at, _) = pieces_of(_clip(samples), 10.0)
    assert 7 <= first.size / RATE <= 8
    assert second_at == first.size / RATE
