"""The duration that a reply gives as its answer, in minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_infergate.extract import Extractor, GoldError

_DURATION = re.compile(
    r"(?<![a-z0-9.,])(?:"
    r"(?P<hours>\d{1,3}) ?h(?:ours?|rs?)?(?![a-z])"
    r"(?:,? (?:and )?(?P<rest>\d{1,2}) ?m(?:in(?:ute)?s?)?(?![a-z]))?"
    r"|(?P<minutes>\d{1,4}) ?min(?:ute)?s?(?![a-z]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Duration(Extractor[int]):
    """Read a duration in minutes; see ``rule``. ``parse`` takes minutes, or a text with a duration."""

    name = "duration"
    version = "1"
    rule = (
        "The last duration of the reply, in minutes: hours (h, hr, hour), minutes (min, minute), or hours "
        "and minutes ('1 h 30 min'), in digits. Seconds, days and parts of hours ('1.5 h') are not read."
    )

    def find(self, text: str, sample: Mapping[str, Any] | None) -> int:
        found = list(_DURATION.finditer(text))
        if not found:
            self.no_answer("duration, such as 1 h 30 min")
        last = found[-1]
        return int(last["minutes"] or 0) + 60 * int(last["hours"] or 0) + int(last["rest"] or 0)

    def parse(self, gold: object) -> int:
        if isinstance(gold, str) and gold.strip():
            return Extractor.parse(self, gold)
        if isinstance(gold, bool) or not isinstance(gold, int) or gold < 0:
            raise GoldError(self.name, gold, "minutes as an int, or a text with a duration")
        return gold


duration = Duration()
