"""What is raised where a file or bytes hold no audio, picture or video that is there whole."""

from __future__ import annotations

from typing import Any

from .errors import NoAnswer
from .reasons import Reason


class UndecodableMedia(NoAnswer):
    """There is no audio, picture or video to judge; ``detail`` says of what, and why.

    The reason is always ``undecodable_media``: absent, empty, no media, without the track, cut off, damaged,
    encrypted, past a limit, or with samples that are no numbers.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(Reason.UNDECODABLE_MEDIA, detail)

    def __reduce__(self) -> Any:
        return type(self), (self.detail,)
