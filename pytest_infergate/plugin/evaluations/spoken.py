"""What ``infer.speak`` returns: a clip that the server under test made."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...evidence import Artifact, Timing


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A clip as the server sent it; give it to ``wer.check(audio=…)``, or write ``content`` to a file.

    ``artifact`` is what the run keeps it as. ``duration_s`` is how long it is, ``None`` where it cannot be
    decoded or without the extra ``speech``; ``real_time_factor`` the time that it took, divided by that.
    """

    content: bytes = field(repr=False)
    artifact: Artifact
    timing: Timing
    duration_s: float | None = None
    real_time_factor: float | None = None
