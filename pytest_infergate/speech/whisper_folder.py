"""Where the files of a Whisper model are, and what is in them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from ..evidence import digest
from .transcriber import TranscriberError

_WEIGHTS = "model.bin"
#: Without its own, faster-whisper would fetch a tokenizer from the network.
_NEEDED = (_WEIGHTS, "config.json", "tokenizer.json")
_VOCABULARIES = ("vocabulary.json", "vocabulary.txt")
_OPTIONAL = ("preprocessor_config.json",)
#: Folder names that any model could have: what it holds, how it is computed, a version, a revision.
_SAYS_NOTHING = re.compile(
    r"models?|weights?|data|files?|assets|resources|snapshots?|whisper|faster[-_]whisper|asr|stt|ct2|ctranslate2"
    r"|converted|output|out|int8|int8_float(16|32)|float(16|32)|bfloat16|fp(16|32)|main|master|latest|current"
    r"|v?[0-9]+([._-][0-9]+)*|[0-9a-f]{7,}",
    re.IGNORECASE,
)
_MOST_NAMES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class WhisperFolder:
    """A directory with a Whisper model in CTranslate2's format, and the name that the model goes by."""

    path: Path
    model: str

    @property
    def weights_digest(self) -> str:
        """``sha256:<hex>`` of ``model.bin``; cached by size and time. Raises ``OSError``."""
        return f"sha256:{_file_digest(self.path / _WEIGHTS)}"

    @property
    def settings_digest(self) -> str:
        """A digest of the other files that decide the words. Raises ``OSError``."""
        others = [name for name in (*_NEEDED, *_VOCABULARIES, *_OPTIONAL) if name != _WEIGHTS]
        found = {name: _file_digest(self.path / name) for name in others if (self.path / name).is_file()}
        return digest(found)


def find_whisper(name: str) -> WhisperFolder:
    """Return the model in the directory ``name``, else the one of that name in the Hugging Face cache.

    Nothing is downloaded. Raises ``TranscriberError`` where there is none, or a part of it is not there.
    """
    path = Path(name).expanduser()
    if not name.strip():
        raise TranscriberError(
            f"the transcriber's model {name!r} is blank; give a directory or a cached name"
        )
    if path.is_dir():
        folder = WhisperFolder(path=path.resolve(), model=_name_of(path.resolve()))
    elif path.exists():
        raise TranscriberError(
            f"the transcriber's model {name!r} is a file; give the directory that it is in"
        )
    else:
        found = _cached(name)
        folder = WhisperFolder(path=found, model=_name_of(found))
    missing = [wanted for wanted in _NEEDED if not (folder.path / wanted).is_file()]
    if not any((folder.path / wanted).is_file() for wanted in _VOCABULARIES):
        missing.append(" or ".join(_VOCABULARIES))
    if missing:
        raise TranscriberError(
            f"the directory {str(folder.path)!r} is no Whisper model in CTranslate2's format: it has no "
            f"{', no '.join(missing)}; convert the model with ct2-transformers-converter, with tokenizer.json"
        )
    return folder


def _cached(name: str) -> Path:
    try:
        from faster_whisper.utils import available_models, download_model
    except ImportError as error:
        raise TranscriberError(
            f"the transcriber's model {name!r} is no directory, and to look a name up needs faster-whisper "
            f"({error}); pip install 'pytest-infergate[speech]'"
        ) from error
    try:
        return Path(download_model(name, local_files_only=True))
    except (ValueError, OSError) as error:  # no such size, no valid id, not in the cache
        raise TranscriberError(
            f"the transcriber's model {name!r} is neither a directory nor in the Hugging Face cache, and "
            f"nothing is downloaded; give a directory, or put one of {', '.join(available_models())} "
            f"or another repository's id there first (hf download)"
        ) from error


def _name_of(path: Path) -> str:
    """The repository's id for a folder of the Hugging Face cache, else the folder's own name.

    One that says nothing, such as ``model``, is told with the folders above it, three names at most.
    """
    cached = path.parent.parent.name
    if path.parent.name == "snapshots" and cached.startswith("models--"):
        return cached.removeprefix("models--").replace("--", "/")
    names = [path.name]
    for parent in path.parents:
        if not _SAYS_NOTHING.fullmatch(names[0]) or not parent.name or len(names) == _MOST_NAMES:
            break
        names.insert(0, parent.name)
    return "/".join(names) or str(path)


def _file_digest(path: Path) -> str:
    found = path.stat()
    return _digest_as_of(os.fspath(path), found.st_size, found.st_mtime_ns, found.st_ino)


@lru_cache(maxsize=64)
def _digest_as_of(path: str, size: int, modified_ns: int, inode: int) -> str:
    seen = sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            seen.update(block)
    return seen.hexdigest()
