"""How many of a task's samples are asked for."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from ..evidence import InfergateError

_FORM = re.compile(r"([0-9]+)|([0-9]+(?:\.[0-9]+)?) ?%")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """The first ``count`` samples, or the first ``percent`` of them; exactly one is not ``None``."""

    count: int | None = None
    percent: Fraction | None = None

    def of(self, total: int) -> int:
        """Return how many of ``total`` samples stay. A share is rounded up: some are always left."""
        if self.count is not None:
            return min(self.count, total)
        assert self.percent is not None
        return math.ceil(total * self.percent / 100)

    def __str__(self) -> str:
        return str(self.count) if self.percent is None else f"{float(self.percent):g}%"


def parse_limit(text: str) -> Limit:
    """Read ``"50"`` (N >= 1) or ``"10%"`` (0 < P <= 100, decimals allowed).

    Raises ``InfergateError`` with the accepted form for anything else.
    """
    match = _FORM.fullmatch(text.strip())
    # Lengths are bounded, since int() refuses thousands of digits with an error of its own.
    if match and len(text) <= 30:
        if match[1] and int(match[1]) >= 1:
            return Limit(count=int(match[1]))
        if match[2] and 0 < Fraction(match[2]) <= 100:
            return Limit(percent=Fraction(match[2]))
    raise InfergateError(
        f"{text!r} is not a limit; accepted: N samples (N >= 1) such as 50, or P% (0 < P <= 100) such as 10%"
    )
