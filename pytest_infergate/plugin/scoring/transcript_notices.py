"""What deserves a look in a transcript, as by-products: none of it is a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from ...evidence import Score
from ...traits import byproduct
from .clip_score import ClipScore


def notices_of(clip: ClipScore) -> Iterator[Score]:
    """Yield a by-product for each flag of the transcript, and the share of it that is said again."""
    transcript = clip.heard.transcript if clip.heard is not None else None
    for flag in transcript.flags if transcript is not None else ():
        yield byproduct(f"transcript_{flag.value}", 1.0, unit="ratio")
    if clip.alignment is not None:
        from ...speech.repetition import find_repetition

        repetition = find_repetition(clip.alignment)
        if repetition is not None:
            yield byproduct("transcript_repetition", repetition.share, unit="ratio")
