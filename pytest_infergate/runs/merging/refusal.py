"""Why shards are not put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..errors import RunFolderError


class RefusalKind(Enum):
    """What is wrong between shards.

    ``DIFFERENT``: they were not run under the same conditions. ``OVERLAP``: an evaluation is in two of them.
    ``GAP``: an evaluation is in none of them.
    """

    DIFFERENT = "different"
    OVERLAP = "overlap"
    GAP = "gap"

    @property
    def remedy(self) -> str:
        return _REMEDIES[self]


_REMEDIES = {
    RefusalKind.DIFFERENT: "run the shards that differ again, under the conditions of the others",
    RefusalKind.OVERLAP: "an evaluation counts once: leave one of the shards out, or split the suite anew",
    RefusalKind.GAP: "run what is in no shard and merge it too, or add --partial for a run that says so",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One reason. ``values`` are two shards, by their labels, with what each has.

    ``what`` is the field that differs, or what overlaps or is missing, in words. ``count`` is how often it
    was seen, ``example`` the id of the first evaluation, empty where it is not about one.
    """

    kind: RefusalKind
    what: str
    values: tuple[tuple[str, str], ...] = ()
    count: int = 1
    example: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind.value,
            "what": self.what,
            "values": [{"shard": label, "value": value} for label, value in self.values],
            "count": self.count,
            "example": self.example,
        }

    def __str__(self) -> str:
        told = ", ".join(f"{value} in {label}" for label, value in self.values)
        what = f"{self.what}, such as {self.example}" if self.example else self.what
        return f"{what}: {told}" if told else what


class MergeRefused(RunFolderError):
    """Shards do not make one run. ``refusals`` are all the reasons; there is at least one."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        self.refusals = tuple(refusals)
        more = len(refusals) - 1
        also = f" (and {more} more {'reason' if more == 1 else 'reasons'})" if more else ""
        super().__init__(f"not merged: {refusals[0]}{also}; {refusals[0].kind.remedy}")
