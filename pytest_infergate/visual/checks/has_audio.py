"""Whether a clip has sound."""

from __future__ import annotations

from ..check import CheckResult
from ..clip import Clip
from ..measure import Measure, number_between
from ..picture import Picture
from ..sound import audible_seconds

HAS_AUDIO = Measure(name="has_audio", version="2", unit="s", higher_is_better=True)


def has_audio(media: Picture | Clip, *, limit: float = 0.1) -> CheckResult:
    """Hold the time in which a clip can be heard, in seconds, against ``limit``, the least that is accepted.

    A track of audio that is empty or silent throughout is no sound, see ``audible_seconds``.
    Raises ``UndecodableMedia`` where a track does not decode to its end, and ``CheckError`` for a limit of 0.
    """
    number_between("has_audio", "limit", limit, 0.001)
    if isinstance(media, Picture):
        return HAS_AUDIO.needs_clip(media)
    heard = audible_seconds(media.file)
    track = "a track of audio" if media.has_audio else "no track of audio"
    return HAS_AUDIO.of(media).hold(
        heard, limit, f"{track}, louder than -65 dB for {heard:.4g} s of {media.duration_s:.4g} s"
    )
