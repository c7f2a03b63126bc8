"""Is it the server that another session asked?"""

from __future__ import annotations

from dataclasses import dataclass

from .identity import VOLATILE, Known, Origin, ServerIdentity
from .identity_change import spelling_of, values_of


@dataclass(frozen=True, slots=True)
class FieldOfTwo:
    """A field in which two identities differ; ``None``: unknown."""

    field: str
    there: Known | None
    now: Known | None

    def __str__(self) -> str:
        there, now = (one or "unknown" for one in (self.there, self.now))
        return f"{self.field}: {there} there, {now} now"


def differing_fields(there: ServerIdentity, now: ServerIdentity) -> tuple[FieldOfTwo, ...]:
    """Return the fields that are not known to be equal.

    Where a server listens, when it started and what it has loaded say nothing of what it is; what only
    replies tell is not known before one came. A field that one side does not know differs, unless the model
    was loaded on the other side only: some engines tell a part of its settings then.
    """
    ours, theirs = _lasting(there), _lasting(now)
    is_loaded = [_is_loaded(one) for one in (there, now)]
    found = []
    for name in dict.fromkeys((*ours, *theirs)):
        before, after = ours.get(name), theirs.get(name)
        if before is not None and after is not None:
            differs = spelling_of(before) != spelling_of(after)
        else:
            known, told_when = (before, [True, False]) if before is not None else (after, [False, True])
            assert known is not None
            differs = known.origin is not Origin.PROBED or is_loaded != told_when
        if differs:
            found.append(FieldOfTwo(name, before, after))
    return tuple(found)


def _lasting(identity: ServerIdentity) -> dict[str, Known]:
    return {
        name: known
        for name, known in values_of(identity).items()
        if name not in VOLATILE and known.origin is not Origin.REPLY
    }


def _is_loaded(identity: ServerIdentity) -> object:
    known = identity.known("loaded")
    return known.value if known else None
