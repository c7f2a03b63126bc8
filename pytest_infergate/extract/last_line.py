"""The last line of a reply."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from .extractor import Extractor, GoldError, Sample
from .wording import same_wording

_MOST = 10_000  # lines looked at, from the end
_RULE = re.compile(r"[`~*_=\-]{3,}[ \t]*\w{0,20}")


@dataclass(frozen=True, slots=True, repr=False)
class LastLine(Extractor[str]):
    """Read the last line with something on it; see ``rule``. ``parse`` takes a text of one line."""

    name = "last_line"
    version = "1"
    rule = (
        "The last line that is neither blank nor only a fence or a horizontal rule, stripped of white "
        "space and otherwise as written. `same` ignores differences of white space and of Unicode "
        "composition."
    )

    def find(self, text: str, sample: Sample | None) -> str:
        for line in islice(reversed(text.splitlines()), _MOST):
            if line.strip() and not _RULE.fullmatch(line.strip()):
                return line.strip()
        found: str = self.no_answer("line with text")
        return found

    def parse(self, gold: object) -> str:
        if not isinstance(gold, str) or not gold.strip() or len(gold.strip().splitlines()) > 1:
            raise GoldError(self.name, gold, "one line of text")
        return gold.strip()

    def same(self, value: object, gold: object) -> bool:
        return same_wording(value, gold)


last_line = LastLine()
