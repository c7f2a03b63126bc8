"""What of a run matters for a comparison of times, and for nothing else."""

from __future__ import annotations

from typing import Any

from ..runs import RunHead


def conditions_of(head: RunHead) -> dict[str, Any]:
    """Return the client, the machine, and how many requests were in flight."""
    return {
        "concurrency": head.settings.get("concurrency"),
        "tool": head.tool_version,
        "python": head.python,
        "platform": head.platform,
        "replies": head.derived_from.by.value if head.derived_from else "server",
    }
