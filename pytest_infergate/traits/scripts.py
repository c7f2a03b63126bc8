"""Replies that change into another script."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

#: Scripts that one language mixes: Japanese and Korean texts with Chinese characters.
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "HALFWIDTH", "FULLWIDTH", "IDEOGRAPHIC"}, {"CJK", "HANGUL"})


def unexpected_script_share(text: str, prompt: str) -> float | None:
    """Return the share of the text's letters that are of no script of the prompt, 0 to 1.

    ``None`` where either has no letters, so that nothing can be expected.
    """
    expected = {script for char in set(prompt) if (script := _script(char))}
    for together in _TOGETHER:
        if expected & together:
            expected |= together
    scripts = [script for char in text if (script := _script(char))]
    if not expected or not scripts:
        return None
    return sum(script not in expected for script in scripts) / len(scripts)


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """Return the script of a letter by the first word of its Unicode name, ``""`` for other characters."""
    if not char.isalpha():
        return ""
    return unicodedata.name(char, "").partition(" ")[0]
