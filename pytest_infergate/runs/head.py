"""What is known of a run when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

RUN_SCHEMA = "infergate.run/1"
TOOL = "pytest-infergate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """The state of the tested project: its commit, and whether files differ from it."""

    commit: str
    is_dirty: bool

    def as_json(self) -> dict[str, Any]:
        return {"commit": self.commit, "dirty": self.is_dirty}


class DerivedBy(Enum):
    """How a run came out of others."""

    REPLAY = "replay"
    RESUME = "resume"
    MERGE = "merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """The runs, by their ids, that a run has its replies or records from."""

    by: DerivedBy
    runs: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"by": self.by.value, "runs": list(self.runs)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Derivation:
        return cls(by=DerivedBy(value["by"]), runs=tuple(value["runs"]))

    def __str__(self) -> str:
        return f"{', '.join(self.runs)} ({self.by.value})"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHead:
    """Who runs what on what.

    ``started`` is an ISO 8601 time in UTC. ``server`` is the identity of the server as JSON, ``None`` where
    there is none; ``judge`` the same of the server that judges replies, ``asr`` of the one that transcribes.
    ``settings`` are the options in force, as JSON. ``partial`` names what chose a part of what there is
    (``-k``, a node id, ``--infer-limit=10``), empty where everything was selected. ``derived_from`` names the
    runs that replies or records were taken from, ``None`` where a server gave all.
    """

    run_id: str
    started: str
    tool_version: str
    argv: tuple[str, ...]
    python: str
    platform: str
    project: Project | None = None
    server: Mapping[str, Any] | None = None
    judge: Mapping[str, Any] | None = None
    asr: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    partial: tuple[str, ...] = ()
    derived_from: Derivation | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the fields of ``run.json`` that stand from the start."""
        return {
            "schema": RUN_SCHEMA,
            "run_id": self.run_id,
            "started": self.started,
            "tool": {"name": TOOL, "version": self.tool_version},
            "argv": list(self.argv),
            "python": self.python,
            "platform": self.platform,
            "project": self.project.as_json() if self.project else None,
            "server": dict(self.server) if self.server is not None else None,
            "judge": dict(self.judge) if self.judge is not None else None,
            "asr": dict(self.asr) if self.asr is not None else None,
            "settings": dict(self.settings),
            "partial": {"by": list(self.partial)} if self.partial else None,
            "derived_from": self.derived_from.as_json() if self.derived_from else None,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RunHead:
        project, partial = value["project"], value["partial"]
        return cls(
            run_id=value["run_id"],
            started=value["started"],
            tool_version=value["tool"]["version"],
            argv=tuple(value["argv"]),
            python=value["python"],
            platform=value["platform"],
            project=Project(commit=project["commit"], is_dirty=project["dirty"]) if project else None,
            server=value["server"],
            judge=value["judge"],
            asr=value["asr"],
            settings=value["settings"],
            partial=tuple(partial["by"]) if partial else (),
            derived_from=Derivation.from_json(value["derived_from"]) if value["derived_from"] else None,
        )
