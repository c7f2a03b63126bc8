"""Scripts that put no space between words: where a word ends, only a dictionary knows."""

from __future__ import annotations

import re

#: Han, kana, bopomofo, Yi, and Unicode's line-breaking class SA (UAX 14: Thai, Lao, Burmese, Khmer, Tai
#: scripts), with Tibetan, Javanese and Balinese. Not Hangul, nor Vietnamese: they have spaces.
_RANGES = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17ff\u19e0-\u19ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Tai Le, New Tai Lue, Tai Tham, Tai Viet
    "\u1b00-\u1b7f\ua980-\ua9df"  # Balinese, Javanese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303b"  # radicals and signs of Han
    "\u3041-\u3096\u3099-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3105-\u312f\u31a0-\u31bf"  # bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\ua000-\ua4cf"  # Yi
)
_WITHOUT = f"[{_RANGES}]"
_RUN = re.compile(f"{_WITHOUT}{{2,}}")
_SPACE_BESIDE = re.compile(rf"(?<={_WITHOUT})\s+|\s+(?={_WITHOUT})")


def unknown_words(text: str) -> str | None:
    """Return a stretch of ``text`` whose words cannot be told apart, ``None`` where there is none.

    It is two characters or more of a script without spaces between words; one alone is a word.
    """
    found = _RUN.search(text)
    return found[0] if found else None


def without_meaningless_spaces(text: str) -> str:
    """Return ``text`` without the spaces beside characters of such scripts: they are the typist's choice."""
    return _SPACE_BESIDE.sub("", text)
