"""What is said at the head of a run that was put together. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..head import Derivation, DerivedBy, Project, RunHead
from ..identity_fields import VOLATILE
from .shard import Shard

#: Selections that a shard knows the whole of; all others hide something from the collection.
_KNOWN_WHOLE = re.compile(
    r"(-k|-m|--deselect|node id) |\d+ (evaluations (deselected|taken away) by|of the suite's) "
)
#: What became of a server during a run, the worst last.
_CHANGES = ("same", "restarted", "unconfirmed", "changed")


def merged_head(
    shards: Sequence[Shard], *, run_id: str, argv: Iterable[str], left_out: str | None
) -> RunHead:
    """Return the head of the run that ``shards`` make; they agree in their conditions.

    ``left_out`` says what is in none of them, ``None`` where nothing is known to be. The run is partial by
    that, and by what no shard could know the whole of (``--ignore``, ``--lf``, ``--infer-limit``).
    """
    heads = [shard.run.head for shard in shards]
    partial = dict.fromkeys(
        reason for head in heads for reason in head.partial if not _KNOWN_WHOLE.match(reason)
    )
    return RunHead(
        run_id=run_id,
        started=min(head.started for head in heads),
        tool_version=heads[0].tool_version,
        argv=tuple(argv),
        python=_joined(head.python for head in heads),
        platform=_joined(head.platform for head in heads),
        project=_project([head.project for head in heads]),
        server=_identity([head.server for head in heads if head.server is not None]),
        judge=_identity([head.judge for head in heads if head.judge is not None]),
        asr=_identity([head.asr for head in heads if head.asr is not None]),
        settings=_shared([head.settings for head in heads]),
        partial=(*partial, *([left_out] if left_out else [])),
        derived_from=Derivation(by=DerivedBy.MERGE, runs=tuple(head.run_id for head in heads)),
    )


def _joined(values: Iterable[str]) -> str:
    return ", ".join(sorted(set(values)))


def _project(projects: Sequence[Project | None]) -> Project | None:
    known = [project for project in projects if project is not None]
    if len(known) < len(projects):
        return None
    return Project(commit=known[0].commit, is_dirty=any(project.is_dirty for project in known))


def _shared(settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings; ``None`` stands where the shards differ."""
    names = dict.fromkeys(name for one in settings for name in one)
    return {
        name: settings[0].get(name)
        if all(one.get(name) == settings[0].get(name) for one in settings)
        else None
        for name in names
    }


def _identity(identities: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Return one identity: replicas are one server at several places. What moves and differs is left out."""
    if not identities:
        return None
    # Only what replies tell may be known to some and not to others.
    fullest = max(identities, key=lambda one: len(one["fields"]))
    fields = {
        name: known
        for name, known in fullest["fields"].items()
        if name not in VOLATILE or all(one["fields"].get(name) == known for one in identities)
    }
    lost = [name for name in fullest["fields"] if name not in fields]
    changes = [one["changes"] for one in identities if one["changes"] is not None]
    return {
        **fullest,
        "url": _joined(one["url"] for one in identities),
        "fields": fields,
        "unknown": [*fullest["unknown"], *lost],
        "changes": max(changes, key=lambda change: _CHANGES.index(change["change"]), default=None),
    }
