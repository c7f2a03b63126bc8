"""A backend that this machine does not have."""

from __future__ import annotations

import os
import shutil


class Unusable(Exception):
    """Say in a few words why a backend cannot be used here; the choice goes on with the next one."""


def find_program(name: str) -> str:
    """Return the path of a program. Raises ``Unusable`` where it is not installed."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/bin:/bin")
    if path is None:
        raise Unusable(f"{name} is not installed")
    return path
