"""Text readers in the order of preference: the first that is there, sees its canary, and knows the script."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..evidence import Fallback, Missing, Reason
from .check import CheckResult
from .comparable_text import comparable
from .ocr_canary import ocr_canary_digest, ocr_canary_problem
from .rapidocr_backend import RapidOcr
from .tesseract_backend import Tesseract
from .text_reader import ReaderUnavailable, TextReader

_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenReader:
    """Who reads, or ``missing`` says why nobody does.

    With ``missing``, ``reader`` is the one that is preferred, or the fallback that is not allowed.
    """

    reader: TextReader
    fallback: Fallback | None
    missing: Missing | None

    @property
    def settings(self) -> dict[str, Any]:
        """Who reads, for the settings of a check: they decide what is comparable."""
        identity = self.reader.identity
        return {
            "language": identity.language,
            "options": dict(identity.options),
            "canary": ocr_canary_digest(),
        }

    def credited(self, result: CheckResult, seen: Mapping[str, Any]) -> CheckResult:
        """Return the result of a check with who read, in whose place, and what was seen."""
        backend = f"{result.backend}; {self.reader.identity}"
        return replace(result, backend=backend, fallback=self.fallback, seen=seen)


@dataclass(slots=True, eq=False)
class _Link:
    reader: TextReader
    is_known: bool = False
    #: Why it is not asked.
    problem: str | None = None
    alphabet: frozenset[str] = frozenset()


class Ocr:
    """Text readers, the preferred one first; threads may share it.

    Each has its canary before it reads anything that counts, once in this process.
    """

    def __init__(self, readers: Sequence[TextReader]) -> None:
        if not readers:
            raise ValueError("there are no text readers; give at least one")
        self._links = [_Link(reader) for reader in readers]
        self._lock = threading.RLock()

    def choose(self, text: str = "", *, allow_fallback: bool = False) -> ChosenReader:
        """Return the first reader that is fit and can read every character of ``text``.

        Any but the preferred one is a fallback. Reasons for missing: ``evaluator_unavailable`` where none is
        fit or knows the script, ``fallback_not_allowed``.
        """
        causes: list[str] = []
        for link in self._links:
            problem = self._problem(link, text)
            if problem is None:
                return self._chosen(link.reader, causes, allow_fallback=allow_fallback)
            causes.append(problem)
        return ChosenReader(
            reader=self._links[0].reader,
            fallback=None,
            missing=Missing(Reason.EVALUATOR_UNAVAILABLE, f"no text reader: {'; '.join(causes)}"),
        )

    def _chosen(self, reader: TextReader, causes: list[str], *, allow_fallback: bool) -> ChosenReader:
        if not causes:
            return ChosenReader(reader=reader, fallback=None, missing=None)
        preferred, because = self._links[0].reader.identity, "; ".join(causes)
        missing = None
        if not allow_fallback:
            missing = Missing(
                Reason.FALLBACK_NOT_ALLOWED,
                f"{reader.identity.engine} could read it in place of {preferred.engine}: {because}; put that "
                "right, or allow it with allow_fallback=True",
            )
        return ChosenReader(
            reader=reader, fallback=Fallback(preferred=str(preferred), because=because), missing=missing
        )

    def _problem(self, link: _Link, text: str) -> str | None:
        with self._lock:
            if not link.is_known:
                try:
                    link.alphabet = frozenset(
                        char for entry in link.reader.alphabet() for char in comparable(entry)
                    )
                    link.problem = ocr_canary_problem(link.reader)
                except ReaderUnavailable as error:
                    link.problem = str(error)
                link.is_known = True
        engine = link.reader.identity.engine
        if link.problem is not None:
            return link.problem if link.problem.startswith(engine) else f"{engine}: {link.problem}"
        unknown = sorted(set(comparable(text)) - link.alphabet)
        if unknown:
            shown = ", ".join(map(repr, unknown[:_SHOWN])) + (", ..." if unknown[_SHOWN:] else "")
            return f"script_unsupported: {engine} ({link.reader.identity.language}) cannot read {shown}"
        return None


@lru_cache(maxsize=1)
def installed_ocr() -> Ocr:
    """Return the readers of this process: RapidOCR, then Tesseract with its English data."""
    return Ocr([RapidOcr(), Tesseract()])
