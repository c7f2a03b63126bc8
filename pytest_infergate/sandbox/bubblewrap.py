"""Isolation by bubblewrap: namespaces of its own, and nothing of the host but a read-only system."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from .conduct import Launch
from .interpreter import SYSTEM, interpreter_roots, interpreter_version, runner_command
from .limits import Limits
from .sandbox import ProcessSandbox
from .seccomp import seccomp_filter
from .unusable import Unusable, find_program

#: Who the code is when pytest runs as root: nobody.
_NOBODY = "65534"
#: ``--size`` for a tmpfs came with 0.7; without it the code could fill the host's memory.
_OLDEST = (0, 7)
#: What programs look up below /etc and that says nothing of the host's users or secrets.
_ETC = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl/certs", "/etc/mime.types")
_FOLDER = "/tmp/work"  # a tmpfs inside the sandbox, not the host's folder


class Bubblewrap(ProcessSandbox):
    """Runs code as a user without rights, in namespaces of its own.

    User, pid, network, ipc, uts, cgroup and mount namespaces. The system is read-only, no user's home is
    there, the environment is empty, /tmp and /dev/shm are in memory and limited; a system-call filter lies on
    top where one is written for the machine. When pytest runs as root, an outer bubblewrap makes the
    interpreter reachable (it may live in a folder that only root can enter) and the inner one starts as
    nobody: the kernel counts no processes for root, so that a limit on them would not hold.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        """Find the program. Raises ``Unusable`` where it is not there or too old."""
        super().__init__(limits)
        self._bwrap = find_program("bwrap")
        said = subprocess.run([self._bwrap, "--version"], capture_output=True, text=True).stdout.strip()
        self._version = said.removeprefix("bubblewrap ")
        if tuple(map(int, re.findall(r"\d+", self._version)[:2])) < _OLDEST:
            raise Unusable(f"{said or self._bwrap} is older than {_OLDEST[0]}.{_OLDEST[1]}")
        self._filter = seccomp_filter()
        self._is_root = os.geteuid() == 0
        self._setpriv = find_program("setpriv") if self._is_root else ""

    @property
    def backend(self) -> str:
        seccomp = "with" if self._filter else "without"
        return f"bubblewrap {self._version} {seccomp} seccomp, {interpreter_version()}"

    @contextmanager
    def launch(self, limits: Limits) -> Iterator[Launch]:
        inlet, to_runner = os.pipe()
        from_runner, outlet = os.pipe()
        passed = [inlet, outlet]
        command = [*self._outer, self._bwrap, *self._inner(limits)]
        if self._filter:
            reading, writing = os.pipe()
            os.write(writing, self._filter)  # smaller than any pipe
            os.close(writing)
            passed.append(reading)
            command += ["--seccomp", str(reading)]
        command += ["--", *runner_command(sys.executable, str(inlet), str(outlet))]
        yield Launch(command=command, to_runner=to_runner, from_runner=from_runner, pass_fds=tuple(passed))

    @cached_property
    def _outer(self) -> list[str]:
        if not self._is_root:
            return []
        return [
            # With pids of its own: root that has dropped every right may not kill nobody when it dies.
            *(self._bwrap, "--unshare-pid", "--die-with-parent", *self._system),
            # The inner one mounts a /proc of its own, which the kernel allows only where a whole one is seen.
            *("--bind", "/proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
            *self._interpreter,
            *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"),
            *(self._setpriv, "--reuid", _NOBODY, "--regid", _NOBODY, "--clear-groups"),
        ]

    def _inner(self, limits: Limits) -> list[str]:
        size = str(limits.file_size)
        return [
            *("--unshare-all", "--new-session", "--die-with-parent", "--hostname", "sandbox", "--clearenv"),
            *(
                "--setenv",
                "PATH",
                "/usr/bin:/bin",
                "--setenv",
                "HOME",
                _FOLDER,
                "--setenv",
                "LANG",
                "C.UTF-8",
            ),
            *self._system,
            *(
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--remount-ro",
                "/dev",
                "--size",
                size,
                "--tmpfs",
                "/dev/shm",
            ),
            # First the tmpfs, then the interpreter: one that lives below /tmp would vanish behind it.
            *("--size", size, "--tmpfs", "/tmp", "--dir", _FOLDER),
            *self._interpreter,
            *("--remount-ro", "/", "--chdir", _FOLDER),
        ]

    @cached_property
    def _system(self) -> list[str]:
        binds: list[str] = []
        for name in SYSTEM:
            path = Path(name)
            if path.is_symlink():
                binds += ["--symlink", str(path.readlink()), name]
            elif path.is_dir():
                binds += ["--ro-bind", name, name]
        for name in ("/etc", "/etc/ssl"):
            binds += ["--perms", "0755", "--dir", name]  # else only root could enter
        for name in _ETC:
            binds += ["--ro-bind-try", name, name]
        return binds

    @cached_property
    def _interpreter(self) -> list[str]:
        binds: list[str] = []
        made: set[Path] = set()
        for root in interpreter_roots():
            # bubblewrap would make the way there as closed as it is on the host.
            for parent in reversed(root.parents[:-1]):
                if parent not in made and parent != Path("/tmp"):
                    made.add(parent)
                    binds += ["--perms", "0755", "--dir", str(parent)]
            binds += ["--ro-bind", str(root), str(root)]
        return binds
