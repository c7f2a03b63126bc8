"""Normalizers: which differences between two texts are none, each with a version and a written rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unicodedata import normalize

from ..evidence import InfergateError, Missing, Reason, digest
from .normalizers import basic, english, whisper

#: The names that ``parse_normalizer`` takes.
NORMALIZERS = ("none", "basic", "english", "whisper-english")

_NONE_VERSION = "1"
_NONE_RULE = (
    "The text as it is. Only how it is stored does not count: canonical composition (NFC), and which white "
    "space, and how much of it, parts two words."
)


class NormalizerError(InfergateError):
    """A normalizer does not exist, or cannot be used here.

    ``missing``: what its scores are where there are none for that reason; ``None`` where a name is wrong.
    """

    def __init__(self, message: str, missing: Missing | None = None) -> None:
        self.missing = missing
        super().__init__(message)

    def __reduce__(self) -> tuple[type[NormalizerError], tuple[str, Missing | None]]:
        return type(self), (str(self), self.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalizer:
    """A versioned rule that turns a text into its words, parted by one space; called with the text.

    ``settings`` is what the identity of a score holds of it, as JSON. ``digest`` is of the version and its
    tables: with the version it stands for the behaviour, but for characters that are newer than the Unicode
    of the Python in use. ``refuses``: why a reference cannot be measured with this normalizer, ``None``
    where it can. Idempotent, but for ``whisper-english``.
    """

    name: str
    version: str
    rule: str
    settings: Mapping[str, Any]
    digest: str
    apply: Callable[[str], str] = field(repr=False, compare=False)
    refuses: Callable[[str], str | None] = field(repr=False, compare=False, default=lambda reference: None)

    def __call__(self, text: str) -> str:
        """Return the words of ``text``, parted by one space; empty where it has none."""
        return self.apply(text)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the words of ``text``."""
        return tuple(self.apply(text).split())


def parse_normalizer(name: str) -> Normalizer:
    """Return the normalizer of that name.

    Raises ``NormalizerError``: no such name; or ``whisper-english`` where its package is not installed, which
    carries ``evaluator_unavailable``.
    """
    if name not in NORMALIZERS:
        raise NormalizerError(f"there is no normalizer {name!r}; accepted: {', '.join(NORMALIZERS)}")
    return _parse(name)


def is_spoken(text: str) -> bool:
    """Whether anything in ``text`` is spoken: a letter, a digit, or a sign that ``basic`` takes for a word.

    Dots, emoji and invisible characters alone are no words, also where a normalizer leaves them as they are:
    OpenAI's makes ``.`` of ``...``, and a transcriber says ``.`` of a clip without words.
    """
    return any(character.isalnum() for character in text) or bool(basic.normalize_basic(text))


@cache
def _parse(name: str) -> Normalizer:
    match name:
        case "none":
            return _normalizer(name, _NONE_VERSION, _NONE_RULE, (), _as_it_is)
        case "basic":
            return _normalizer(name, basic.VERSION, basic.RULE, basic.TABLES, basic.normalize_basic)
        case "english":
            return _normalizer(name, english.VERSION, english.RULE, english.TABLES, english.normalize_english)
    return _whisper_english()


def _normalizer(
    name: str, version: str, rule: str, tables: tuple[Any, ...], apply: Callable[[str], str]
) -> Normalizer:
    found = digest([name, version, tables])
    return Normalizer(
        name=name,
        version=version,
        rule=rule,
        settings={"normalizer": name, "normalizer_version": version, "normalizer_digest": found},
        digest=found,
        apply=apply,
    )


def _as_it_is(text: str) -> str:
    return " ".join(normalize("NFC", text).split())


def _whisper_english() -> Normalizer:
    version = whisper.installed_version()
    if version is None:
        detail = (
            f"the normalizer 'whisper-english' needs the package {whisper.PACKAGE}; "
            f"run: pip install {whisper.PACKAGE}"
        )
        raise NormalizerError(detail, Missing(Reason.EVALUATOR_UNAVAILABLE, detail))
    found = digest([whisper.NAME, version, whisper.tables_digest()])
    return Normalizer(
        name=whisper.NAME,
        version=version,
        rule=whisper.RULE,
        settings={"normalizer": whisper.NAME, "normalizer_version": version, "normalizer_digest": found},
        digest=found,
        apply=whisper.normalize_whisper_english,
        refuses=_refuses_marks,
    )


def _refuses_marks(reference: str) -> str | None:
    if not whisper.has_spoken_marks(reference):
        return None
    return (
        "the normalizer 'whisper-english' leaves out marks, which carry vowels in the script of this "
        "reference; use normalizer='basic'"
    )
