"""A plain subprocess: limits and a clock, and no isolation. Only for those who ask for it by name."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from .conduct import Launch
from .interpreter import interpreter_version, runner_command
from .limits import Limits
from .sandbox import ProcessSandbox


class PlainSubprocess(ProcessSandbox):
    """Runs code as the user who runs pytest, with the network and every file of theirs in reach."""

    @property
    def backend(self) -> str:
        return f"subprocess without isolation, {interpreter_version()}"

    @contextmanager
    def launch(self, limits: Limits) -> Iterator[Launch]:
        with tempfile.TemporaryDirectory(prefix="infergate-", ignore_cleanup_errors=True) as folder:
            inlet, to_runner = os.pipe()
            from_runner, outlet = os.pipe()
            yield Launch(
                command=runner_command(sys.executable, str(inlet), str(outlet)),
                to_runner=to_runner,
                from_runner=from_runner,
                pass_fds=(inlet, outlet),
                env={"PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8"},
                folder=folder,
            )
