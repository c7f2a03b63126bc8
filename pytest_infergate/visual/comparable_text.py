"""Text as it is compared with what was read off a picture: what looks alike is alike, without spaces."""

from __future__ import annotations

import unicodedata

#: Names the rule of ``comparable`` in records.
TEXT_RULE = "no-spaces/1"

#: Compatibility forms that are drawn like the letters they stand for. Not ``<super>``, ``<sub>``,
#: ``<fraction>``, ``<circle>`` or ``<square>``: 10² is not 102.
_DRAWN_ALIKE = (
    *("<wide>", "<narrow>", "<font>", "<compat>", "<small>", "<vertical>"),
    *("<initial>", "<medial>", "<final>", "<isolated>"),
)
_QUOTES_AND_DASHES = {
    **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘", "-"),
}
_VARIATION_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


def comparable(text: str) -> str:
    """Return the characters of ``text`` that can be seen, in one spelling.

    Spaces of every kind, controls and marks without a shape of their own are left out: recognisers lose and
    invent spaces (RapidAI/RapidOCR#636). Composed to NFC; full-width letters, ligatures and the like become
    the letters they show; curly quotes and the dashes become ``'``, ``"`` and ``-``. Case, digits,
    superscripts and all other signs stay as they are.
    """
    seen = "".join(map(_one, unicodedata.normalize("NFC", text)))
    return unicodedata.normalize("NFC", seen)


def _one(char: str) -> str:
    if char in _QUOTES_AND_DASHES:
        return _QUOTES_AND_DASHES[char]
    kind = unicodedata.category(char)
    if kind[0] == "Z" or kind in ("Cc", "Cf") or ord(char) in _VARIATION_SELECTORS:
        return ""
    form, _, letters = unicodedata.decomposition(char).partition(" ")
    # A spacing accent stands for a space with an accent, which would slip onto the letter before it.
    if form not in _DRAWN_ALIKE or letters.startswith("0020"):
        return char
    return "".join(_one(chr(int(code, 16))) for code in letters.split())
