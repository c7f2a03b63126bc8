"""An engine's command line, fit to be recorded."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"(--[\w-]*(?:api[-_]?key|password|passwd|secret|(?:hf|auth|access)[-_]token)[\w-]*[=\s]+)"
    r"(\"[^\"]*\"|'[^']*'|\S+)",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"(://)[^/\s@]+@")


def without_secrets(command: str | None) -> str | None:
    """A command line with keys, tokens and passwords replaced by ``***``."""
    if command is None:
        return None
    return _CREDENTIALS.sub(r"\1***@", _SECRET.sub(r"\1***", command))
