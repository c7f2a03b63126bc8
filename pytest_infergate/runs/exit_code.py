"""How commands end that judge a run, or compare two."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """``UNUSABLE``: wrong usage, or what is no run of this tool, or of a newer one."""

    PASSED = 0
    FAILED = 1
    UNUSABLE = 2
    INCONCLUSIVE = 3
    INCOMPARABLE = 4
    MISSING = 5


def first_code(codes: Iterable[ExitCode]) -> ExitCode:
    """Return the first of 1, 4, 5, 3, 0 that is among ``codes``; missing where none of them is."""
    found = set(codes)
    return next((code for code in _RANKED if code in found), ExitCode.MISSING)


_RANKED = (
    ExitCode.FAILED,
    ExitCode.INCOMPARABLE,
    ExitCode.MISSING,
    ExitCode.INCONCLUSIVE,
    ExitCode.PASSED,
)
