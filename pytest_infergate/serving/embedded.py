"""A small real model server of the session's own, in a process that cannot outlive it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from .identity import Known, Origin
from .weights import INSTALL, EmbeddedServerError, Weights, own_weights, packaged_weights

#: Tokens that one request can hold.
CONTEXT_LENGTH = 4096
#: Requests decoded at once. More are faster and change replies: with what else is in the batch, sums are
#: rounded otherwise.
SLOTS = 1
#: Whether a prompt's beginning is taken from the one before it: faster, and rounded otherwise.
PREFIX_CACHE = False

#: A small model gains nothing from more threads.
_MOST_THREADS = 4
#: Seconds in which a model must be loaded.
_LONGEST_START = 600.0
_PACKAGE_ROOT = Path(__file__).resolve().parents[2]


class CacheType(Enum):
    """The number format of the key-value cache: the engine's default, or smaller ones, which round more."""

    F16 = "f16"
    Q8_0 = "q8_0"
    Q4_0 = "q4_0"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedServer:
    """A running server: where it is, and what its files tell of it beyond what it says itself.

    ``identity_fields`` go over the probed ones, with ``ServerIdentity.with_fields``. Also a context manager,
    which closes it.
    """

    url: str
    pid: int
    identity_fields: Mapping[str, Known]
    _process: subprocess.Popen[str] = field(repr=False)
    _log: IO[bytes] = field(repr=False)

    def wait(self) -> None:
        """Wait until the server has ended, by itself or by ``close``."""
        self._process.wait()

    def close(self) -> None:
        """End the server and wait until its process is gone. A second call does nothing."""
        _stop(self._process)
        self._log.close()

    def __enter__(self) -> EmbeddedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start_embedded(
    gguf: Path | None = None,
    *,
    port: int = 0,
    cache_type: CacheType = CacheType.F16,
    on_progress: Callable[[str], None],
) -> EmbeddedServer:
    """Start a server for the GGUF at ``gguf``, or for the packaged Gemma 3 270M, on a loopback port.

    ``port`` 0 takes a free one. ``on_progress`` is told in a few words what is being waited for. Raises
    ``EmbeddedServerError`` with one line where the extra is not installed, the file is no model, or the
    server does not start.
    """
    if find_spec("xllamacpp") is None:
        raise EmbeddedServerError(f"the embedded server is not installed: {INSTALL}")
    if gguf is None:
        weights = packaged_weights(on_progress=on_progress)
    else:
        weights = own_weights(gguf, on_progress=on_progress)
    log = tempfile.TemporaryFile(prefix="infergate-embedded-")  # noqa: SIM115 (open as long as the server)
    process = _spawn(weights, port, cache_type, log)
    try:
        url = _await_address(process, weights, log, on_progress)
    except BaseException:
        _stop(process)
        log.close()
        raise
    fields = _identity_fields(weights, cache_type)
    return EmbeddedServer(url=url, pid=process.pid, identity_fields=fields, _process=process, _log=log)


def _identity_fields(weights: Weights, cache_type: CacheType) -> dict[str, Known]:
    return {
        "engine_version": Known(f"xllamacpp {version('xllamacpp')}", Origin.FILE),
        # The name alone: where the cache lies is no part of what the server is.
        "model_path": Known(weights.path.name, Origin.FILE),
        "weights_digest": Known(weights.digest, Origin.FILE),
        "prefix_cache": Known(PREFIX_CACHE, Origin.DECLARED),
        "kv_cache_type": Known(cache_type.value, Origin.DECLARED),
    }


def _spawn(weights: Weights, port: int, cache_type: CacheType, log: IO[bytes]) -> subprocess.Popen[str]:
    settings = {
        "path": str(weights.path),
        "model": weights.model,
        "port": port,
        "cache_type": cache_type.value,
        "slots": SLOTS,
        "context_length": CONTEXT_LENGTH,
        "prefix_cache": PREFIX_CACHE,
        "threads": _threads(),
        "parent": os.getpid(),
    }
    search = [str(_PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest_infergate.serving.embedded_child", json.dumps(settings)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        # PYTHONSAFEPATH: modules of the working directory must not stand in for the standard library's.
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, search)), "PYTHONSAFEPATH": "1"},
        # Ctrl-C is for the session, which still needs the server while it ends.
        start_new_session=True,
    )


def _threads() -> int:
    # llama.cpp's threads wait for each other at every layer: with a core less than they need, a reply takes
    # ten times as long. One core is left to the session.
    return max(1, min(_MOST_THREADS, (os.cpu_count() or 1) - 1))


def _await_address(
    process: subprocess.Popen[str], weights: Weights, log: IO[bytes], on_progress: Callable[[str], None]
) -> str:
    """Read the line with the address, which comes when the model is loaded."""
    assert process.stdout is not None
    lines: list[str] = []
    reader = threading.Thread(target=lambda out: lines.append(out.readline()), args=(process.stdout,))
    reader.daemon = True
    reader.start()
    begun = time.monotonic()
    on_progress(f"loading {weights.model}")
    while reader.is_alive():
        reader.join(timeout=5.0)
        waited = time.monotonic() - begun
        if waited > _LONGEST_START:
            raise EmbeddedServerError(
                f"the embedded server did not load {str(weights.path)!r} within {_LONGEST_START:g} s; "
                "take a smaller model"
            )
        if reader.is_alive():
            on_progress(f"loading {weights.model} ({waited:.0f} s)")
    if lines and lines[0].strip():
        return lines[0].strip()
    code = process.wait()
    log.seek(0)
    said = _last_meaningful_line(log.read().decode("utf-8", "replace"))
    raise EmbeddedServerError(
        f"the embedded server did not start with {str(weights.path)!r} (exit code {code}): {said}"
    )


#: A line of llama.cpp at the level of errors: the time, the level, the function.
_ERROR = re.compile(r"[\d.]+ E (.+)")
#: Its lines that only say that there was an error.
_CONSEQUENCE = re.compile(r"failed to load model|exiting due to")


def _last_meaningful_line(text: str) -> str:
    """The last error line of llama.cpp that names a cause, else the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [found[1] for line in lines if (found := _ERROR.match(line))]
    causes = [error for error in errors if not _CONSEQUENCE.search(error)]
    return " ".join((causes or errors or lines or ["it said nothing"])[-1].split())


def _stop(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    for harder in (process.terminate, process.kill):
        try:
            process.wait(timeout=5.0)
            return
        except subprocess.TimeoutExpired:
            harder()
    process.wait()
