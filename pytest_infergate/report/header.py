"""The lines above the tests: against what this run measures, and where it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .visible import visible_line


def header_lines(
    server: Mapping[str, Any] | None,
    *,
    concurrency: int,
    replies_of: str | None = None,
    folder: str | None,
    partial: Sequence[str] = (),
) -> list[str]:
    """Return one line on where replies come from and one on the run folder.

    ``server`` is an identity as ``run.json`` holds it, ``None`` where there is no source of replies;
    ``concurrency`` the requests in flight that are really in force; ``replies_of`` the run whose replies are
    judged again, when no server is asked; ``folder`` ``None``: no run is written.
    """
    if replies_of is not None:
        whose = server_text(server) if server is not None else "server unknown"
        lines = [visible_line(f"infergate: replies of {replies_of}, from {whose}; no server is asked", 400)]
    elif server is None:
        lines = ["infergate: no source of replies; name one with --infer-server=URL"]
    else:
        lines = [visible_line(f"infergate: {server_text(server)}, {concurrency} at a time", 400)]
    if folder is not None:
        by = f" (partial: {', '.join(partial)})" if partial else ""
        lines.append(visible_line(f"infergate run: {folder}{by}", 400))
    return lines


def against_lines(server: Mapping[str, Any], *, concurrency: int, folder: str, is_same: bool) -> list[str]:
    """Return the lines on the second server, which the first one is compared with, and on its run folder.

    ``is_same``: it is the first one, compared with itself.
    """
    same = "; the same server: what differs is its own noise" if is_same else ""
    return [
        visible_line(f"infergate against: {server_text(server)}, {concurrency} at a time{same}", 400),
        visible_line(f"infergate base run: {folder}", 400),
    ]


def server_text(server: Mapping[str, Any]) -> str:
    """Return the place, model, engine and build of a server identity as ``run.json`` holds it."""
    fields, engine = server["fields"], server["engine"]
    version = _value(fields, "engine_version")
    build = f"{engine} {version}" if version else f"{engine} (build unknown)"
    return f"{server['url']}, model {_value(fields, 'model') or 'unknown'}, {build}"


def _value(fields: Mapping[str, Any], name: str) -> str | None:
    known = fields.get(name)
    return None if known is None or known["value"] is None else str(known["value"])
