"""When two texts are worded the same."""

from __future__ import annotations

import unicodedata


def same_wording(value: object, gold: object) -> bool:
    """Whether both are texts, not blank, and equal but for white space and Unicode composition."""
    if not isinstance(value, str) or not isinstance(gold, str):
        return False
    return _plain(value) == _plain(gold) != ""


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())
