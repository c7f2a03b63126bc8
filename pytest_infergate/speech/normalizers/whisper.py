"""The normalizer ``whisper-english``: OpenAI's, as the package ``whisper-normalizer`` ships it.

For figures that stand beside published boards, which use it. It is known to lose signs (-5 is 5), decimal
commas, currencies at exactly 1, and every mark: see ``english`` for a gate.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution, version
from typing import Any
from unicodedata import category, normalize

from ...evidence import digest_bytes

NAME, PACKAGE = "whisper-english", "whisper-normalizer"
RULE = (
    "EnglishTextNormalizer of the package whisper-normalizer, which copies OpenAI's Whisper; white space "
    "around the words goes. It leaves out every mark, so that it is refused for a reference in a script "
    "whose vowels are marks."
)
#: Accents of alphabets, which Whisper's rules mean to leave out; marks elsewhere carry vowels and consonants.
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")


def installed_version() -> str | None:
    """Return the version of the package, ``None`` where it is not installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


def tables_digest() -> str:
    """Return the digest of the package's code and spelling table, which its version may not tell apart."""
    files = sorted(
        (
            path
            for path in distribution(PACKAGE).files or ()
            if path.name in ("basic.py", "english.py", "english.json")
        ),
        key=str,
    )
    return digest_bytes(b"".join(path.locate().read_bytes() for path in files))  # type: ignore[attr-defined]


def normalize_whisper_english(text: str) -> str:
    """Return the words of ``text``, parted by one space."""
    return " ".join(_normalizer()(text).split())


@lru_cache(maxsize=1)
def _normalizer() -> Any:
    from whisper_normalizer.english import EnglishTextNormalizer

    return EnglishTextNormalizer()


def has_spoken_marks(text: str) -> bool:
    """Whether marks of ``text`` are more than accents: vowel signs of Hindi, Thai, Arabic, Hebrew …"""
    decomposed = normalize("NFD", text)
    return any(category(char) in ("Mn", "Mc") for char in set(_ACCENTS.sub("", decomposed)))
