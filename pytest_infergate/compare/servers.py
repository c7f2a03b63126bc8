"""What was changed between two runs: their servers, field by field."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from ..evidence import InfergateError
from ..runs.identity_fields import VOLATILE, lasting_fields
from .comparison import FieldDifference
from .side import RunSide

#: Engine names that stand for an unknown engine.
_NO_ENGINE = frozenset({"generic", "unknown"})


class TreatmentError(InfergateError):
    """A declared treatment names a field that neither run knows."""


def server_differences(base: RunSide, candidate: RunSide) -> tuple[FieldDifference, ...]:
    """Return the fields of the servers' identities that differ; ``None`` stands for unknown.

    Where a server listens, when it started and what it has loaded are not part of what it is. Stored media
    need no server: a side without one differs from a side with one in the field ``server``.
    """
    if (base.server is None) != (candidate.server is None):
        shown = ["none" if side.server is None else "a model server" for side in (base, candidate)]
        return (FieldDifference(field="server", base=shown[0], candidate=shown[1], where="server"),)
    ours, theirs = known_fields(base.server), known_fields(candidate.server)
    return tuple(
        FieldDifference(field=name, base=ours.get(name), candidate=theirs.get(name), where="server")
        for name in dict.fromkeys((*ours, *theirs))
        if ours.get(name) != theirs.get(name)
    )


def known_fields(server: Mapping[str, Any] | None) -> dict[str, str]:
    """Return what is known of a server as ``run.json`` holds it, each value in one spelling."""
    return dict(_known(server)) if server is not None else {}


def unknown_on_both(base: RunSide, candidate: RunSide) -> tuple[str, ...]:
    """Return the fields that neither server tells: unknown equals unknown, and has to be said."""
    if base.server is None or candidate.server is None:
        return ()
    ours, theirs = known_fields(base.server), known_fields(candidate.server)
    asked = dict.fromkeys((*base.server["unknown"], *candidate.server["unknown"]))
    return tuple(n for n in asked if n not in VOLATILE and n not in ours and n not in theirs)


def unknown_treatments(treatment: Collection[str], base: RunSide, candidate: RunSide) -> dict[str, list[str]]:
    """Return the declared names that neither server knows, each with known names near it."""
    known = list(dict.fromkeys((*known_fields(base.server), *known_fields(candidate.server))))
    return {name: get_close_matches(name, known, n=2, cutoff=0.6) for name in treatment if name not in known}


def check_treatment(treatment: Collection[str], base: RunSide, candidate: RunSide) -> None:
    """Raise ``TreatmentError`` where a declared name is of no field that either server knows."""
    for name, near in unknown_treatments(treatment, base, candidate).items():
        known = sorted({*known_fields(base.server), *known_fields(candidate.server)})
        meant = f"did you mean {' or '.join(map(repr, near))}? " if near else ""
        raise TreatmentError(
            f"treatment {name!r}: the servers of {base.label} and {candidate.label} tell no such field; "
            f"{meant}known: {', '.join(known) or 'nothing'}; record what a server does not tell with "
            f"--infer-declare {name}=VALUE"
        )


def _known(server: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if server["engine"] not in _NO_ENGINE:
        yield "engine", server["engine"]
    for name, value, _ in lasting_fields(server):
        yield name, value
