"""What a run was of: its server, its project, its time."""

from __future__ import annotations

from ..runs import DerivedBy, RunHead
from .header import server_text
from .lines import Line, Segment, Style, line
from .visible import visible_line


def identity_lines(head: RunHead, finished: str | None) -> list[Line]:
    """Return who ran what on what; ``finished`` ``None``: it was interrupted, or is going on."""
    rows = [
        ("run", head.run_id),
        ("started", f"{head.started}, finished {finished}" if finished else f"{head.started}, not finished"),
        ("server", server_text(head.server) if head.server is not None else "none"),
        ("with", f"pytest-infergate {head.tool_version}, {head.python}, {head.platform}"),
    ]
    if head.judge is not None:
        rows.insert(3, ("judge", server_text(head.judge)))
    if head.asr is not None:
        rows.insert(3, ("asr", server_text(head.asr)))
    if head.project is not None:
        dirty = ", with changes that are not committed" if head.project.is_dirty else ""
        rows.append(("project", f"commit {head.project.commit[:12]}{dirty}"))
    if head.derived_from is not None:
        name = "kept from" if head.derived_from.by is DerivedBy.RESUME else "replies of"
        rows.append((name, str(head.derived_from)))
    return [line(Segment(f"{name:<11}", Style.FAINT), visible_line(text, 400)) for name, text in rows]
