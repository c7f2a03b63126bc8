"""The key of the fences around what a judge is to look at."""

from __future__ import annotations

from ..evidence import digest
from .case import Case
from .picture_case import PictureCase


def boundary_of(case: Case | PictureCase) -> str:
    """Return 24 hexadecimal digits that stand in none of the case's texts.

    Made out of those texts, so that whoever writes a reply cannot know the key of the fence that it will
    stand in (it would need a text that holds its own digest), while the same case is always asked in the
    same words: judge requests of two runs stay comparable, and stored ones can be replayed.
    """
    criteria = case.criteria if isinstance(case, Case) else None
    turn = 0
    while True:
        key = digest([turn, list(case.texts), criteria]).removeprefix("sha256:")[:24]
        if not any(key in text.lower() for text in case.texts):
            return key
        turn += 1
