"""What is raised where a file or bytes hold no audio that can be heard whole."""

from __future__ import annotations

from typing import Any

from ..evidence import NoAnswer, Reason


class UndecodableMedia(NoAnswer):
    """There is no audio to transcribe; ``detail`` says of what, and why.

    The reason is always ``undecodable_media``: absent, empty, no media, no audio track, cut off, damaged,
    encrypted, or with samples that are no numbers.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(Reason.UNDECODABLE_MEDIA, detail)

    def __reduce__(self) -> Any:
        return type(self), (self.detail,)
