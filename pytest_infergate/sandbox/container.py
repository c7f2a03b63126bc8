"""Isolation by a container engine: Docker or Podman, where one answers."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .conduct import Launch
from .interpreter import runner_command
from .limits import Limits
from .sandbox import ProcessSandbox
from .unusable import Unusable, find_program

_ENGINES = ("docker", "podman")
#: Seconds that an engine may take to say that it is there.
_ANSWER_S = 10
_CHANNEL, _FOLDER = "/channel", "/tmp"


class Container(ProcessSandbox):
    """Runs code as nobody in a container without network, capabilities or a writable system.

    The image is the official one of Python's release that runs pytest, and has to be on the machine already:
    nothing is pulled. The channel is two named pipes in a folder that the container sees, so the engine
    has to run on this machine.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        """Find an engine that answers and has the image. Raises ``Unusable`` where there is none."""
        super().__init__(limits)
        self._image = f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
        why: list[str] = []
        for name in _ENGINES:
            try:
                self._engine = find_program(name)
                self._version = self._ask("version", "--format", "{{.Server.Version}}")
                self._digest = self._ask("image", "inspect", "--format", "{{.Id}}", self._image)
            except Unusable as error:
                why.append(str(error))
            else:
                self._name = name
                return
        raise Unusable("; ".join(why))

    @property
    def backend(self) -> str:
        return f"{self._name} {self._version}, {self._image} {self._digest}"

    @contextmanager
    def launch(self, limits: Limits) -> Iterator[Launch]:
        name = f"infergate-{secrets.token_hex(8)}"
        with tempfile.TemporaryDirectory(prefix="infergate-") as folder:
            Path(folder).chmod(0o711)
            ends = []
            for pipe in ("in", "out"):
                os.mkfifo(Path(folder, pipe))
                Path(folder, pipe).chmod(0o666)
                # Opened both ways, so that neither side waits for the other.
                ends.append(os.open(Path(folder, pipe), os.O_RDWR | os.O_CLOEXEC))
            yield Launch(
                command=[
                    *(self._engine, "run", "--rm", "--name", name, "--pull", "never", "--network", "none"),
                    *("--read-only", "--user", "65534:65534", "--cap-drop", "ALL"),
                    *("--security-opt", "no-new-privileges", "--pids-limit", str(limits.processes)),
                    *("--memory", str(limits.memory), "--memory-swap", str(limits.memory)),
                    *("--tmpfs", f"{_FOLDER}:rw,exec,mode=1777,size={limits.file_size}"),
                    *("--volume", f"{folder}:{_CHANNEL}:ro", "--workdir", _FOLDER),
                    *("--env", f"HOME={_FOLDER}", "--hostname", "sandbox", self._image),
                    *runner_command("python", f"{_CHANNEL}/in", f"{_CHANNEL}/out"),
                ],
                to_runner=ends[0],
                from_runner=ends[1],
                env=dict(os.environ),  # the client's: DOCKER_HOST and the like do not enter the container
                stop=lambda: self._remove(name),
            )

    def _remove(self, name: str) -> None:
        # Killing the client does not end the container. Gone already is fine.
        subprocess.run([self._engine, "rm", "--force", name], capture_output=True, timeout=60)

    def _ask(self, *question: str) -> str:
        try:
            done = subprocess.run(
                [self._engine, *question], capture_output=True, text=True, timeout=_ANSWER_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unusable(f"{self._engine} does not answer: {error}") from error
        if done.returncode or not done.stdout.strip():
            said = " ".join(done.stderr.split())[:200] or f"status {done.returncode}"
            raise Unusable(f"{self._engine} {question[0]}: {said}")
        return done.stdout.strip()
