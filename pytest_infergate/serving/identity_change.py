"""Is it still the same server? The identity at the start of a run against the one at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..evidence import canonical_json
from .identity import GENERIC, JSON, VOLATILE, Known, Origin, ServerIdentity


class IdentityChange(Enum):
    """What became of a server during a run.

    ``SAME``: nothing that both probes know differs. ``RESTARTED``: the same, in another process: timings are
    void. ``CHANGED``: another server: the run proves nothing. ``UNCONFIRMED``: it did not say at the end.
    """

    SAME = "same"
    RESTARTED = "restarted"
    CHANGED = "changed"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field with its value at the start and at the end."""

    field: str
    before: JSON
    after: JSON

    def as_json(self) -> dict[str, Any]:
        return {"field": self.field, "before": self.before, "after": self.after}

    def __str__(self) -> str:
        return f"{self.field}: {canonical_json(self.before)} before, {canonical_json(self.after)} after"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityComparison:
    """The change, the fields that differ, the fields the end could not confirm, and what was seen instead."""

    change: IdentityChange
    differences: tuple[Difference, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    detail: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "change": self.change.value,
            "differences": [difference.as_json() for difference in self.differences],
            "unconfirmed": list(self.unconfirmed),
            "detail": self.detail,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> IdentityComparison:
        return cls(
            change=IdentityChange(value["change"]),
            differences=tuple(Difference(**difference) for difference in value["differences"]),
            unconfirmed=tuple(value["unconfirmed"]),
            detail=value["detail"],
        )


def compare_identities(before: ServerIdentity, after: ServerIdentity | None) -> IdentityComparison:
    """Compare what both ends of a run know; ``after`` is ``None`` where the server did not answer.

    A field that only one side knows is no difference: a model that was loaded meanwhile, or a metrics page
    that timed out, is not another server. What only the start knows from the server is ``unconfirmed``.
    """
    if after is None:
        return IdentityComparison(
            change=IdentityChange.UNCONFIRMED, detail="the server did not answer at the end of the run"
        )
    end = values_of(after)
    # What was read from files is not the server's word: it cannot be asked again.
    start = {name: known for name, known in values_of(before).items() if known.origin is not Origin.FILE}
    differences = tuple(
        Difference(name, start[name].value, end[name].value)
        for name in start
        if name in end and spelling_of(start[name]) != spelling_of(end[name])
    )
    moved = tuple(d for d in differences if d.field not in VOLATILE)
    lost = tuple(
        name
        for name, known in start.items()
        if name not in end and name not in VOLATILE and known.origin is Origin.PROBED
    )
    if moved:
        change, detail = IdentityChange.CHANGED, "; ".join(map(str, moved))
    elif GENERIC == after.engine != before.engine:
        change, detail = (
            IdentityChange.UNCONFIRMED,
            f"the server no longer gave proof of being {before.engine}",
        )
    elif any(d.field == "started_at" for d in differences):
        change, detail = IdentityChange.RESTARTED, "the same server in another process"
    else:
        change, detail = IdentityChange.SAME, ""
    return IdentityComparison(change=change, differences=differences, unconfirmed=lost, detail=detail)


def values_of(identity: ServerIdentity) -> dict[str, Known]:
    """Return all that is known of a server, its engine and its sampling defaults among the fields."""
    values = dict(identity.fields)
    engine = identity.known("engine")
    if engine is not None:
        values["engine"] = engine
    values.update({f"sampling_defaults.{name}": k for name, k in identity.sampling_defaults.items()})
    return values


def spelling_of(known: Known) -> str:
    """Return the value in the one spelling in which equal things are equal."""
    return canonical_json(known.value)  # 1, 1.0 and true are equal in Python and are not the same report
