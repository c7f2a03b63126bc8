"""What a pattern of the user's finds in a reply."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .extractor import Extractor, ExtractorError, Sample


class PatternTimeout(ExtractorError):
    """A pattern took longer than its limit: a fault of the pattern, not of the reply."""


@dataclass(frozen=True, slots=True, repr=False)
class Regex(Extractor[str]):
    """Read the last match of ``pattern``, its first group where it has one; see ``rule``.

    ``pattern`` is in the syntax of ``re`` (inline flags such as ``(?i)`` included), run by the ``regex``
    library since that can be stopped; ``timeout`` is its limit in seconds for one reply. Raises
    ``ExtractorError`` for a pattern that does not compile and ``PatternTimeout`` at the limit.
    ``parse`` takes the gold answer as it is where the pattern does not match it.
    """

    name = "regex"
    version = "1"
    rule = (
        "The last match of the pattern in the text after its reasoning: the first group where the "
        "pattern has one and it took part, else the whole match; stripped of surrounding white space. An "
        "empty result is no answer."
    )

    pattern: str
    timeout: float = 1.0
    _compiled: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        import regex as engine  # not at the top: an eval without a pattern need not load it

        if not isinstance(self.pattern, str) or not self.pattern:
            raise ExtractorError(f"extract.regex takes a pattern as text; got {self.pattern!r}")
        if not isinstance(self.timeout, (int, float)) or not 0 < self.timeout <= 60:
            raise ExtractorError(f"extract.regex takes a timeout in 0 < seconds <= 60; got {self.timeout!r}")
        try:
            object.__setattr__(self, "_compiled", engine.compile(self.pattern))
        except (engine.error, RecursionError, OverflowError, ValueError) as error:
            raise ExtractorError(
                f"extract.regex: pattern {self.pattern!r} does not compile: {error}; correct it"
            ) from error

    def __reduce__(self) -> tuple[type[Regex], tuple[str, float]]:
        return type(self), (self.pattern, self.timeout)

    def _spelled_settings(self) -> str:
        limit = (
            ""
            if self.timeout == Regex.__dataclass_fields__["timeout"].default
            else f", timeout={self.timeout:g}"
        )
        return f"{self.pattern!r}{limit}"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"pattern": self.pattern, "timeout": self.timeout}

    def find(self, text: str, sample: Sample | None) -> str:
        found = self._last(text)
        return found if found else str(self.no_answer(f"match of {self.pattern!r}"))

    def parse(self, gold: object) -> str:
        text = self.gold_text(gold)
        return self._last(text) or text

    def _last(self, text: str) -> str | None:
        try:
            # Giving the interpreter away and back at each match costs a quarter of the time of all.
            found = self._compiled.finditer(text, timeout=self.timeout, concurrent=False)
            matches = deque(found, maxlen=1)
        except TimeoutError as error:
            raise PatternTimeout(
                f"extract.regex: pattern {self.pattern!r} took longer than {self.timeout:g} s on "
                f"{len(text)} characters; simplify it or raise its timeout"
            ) from error
        if not matches:
            return None
        last = matches[0]
        group = last.group(1) if self._compiled.groups else None
        return str(last.group() if group is None else group).strip()


regex = Regex
