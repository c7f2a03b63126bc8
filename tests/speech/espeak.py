"""Speech made on the spot with espeak-ng."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache


@lru_cache(maxsize=64)
def spoken(words: str, *, voice: str = "en-us", speed: int = 140) -> bytes:
    """Return a WAV in which ``words`` are said, ``speed`` words a minute."""
    assert shutil.which("espeak-ng"), "these tests need espeak-ng; as root: apt-get install espeak-ng"
    done = subprocess.run(
        ["espeak-ng", "-v", voice, "-s", str(speed), "--stdout", words], capture_output=True, check=True
    )
    return _with_length(done.stdout)


def _with_length(raw: bytes) -> bytes:
    """Return the WAV with its true length: on a pipe espeak-ng cannot go back to write it."""
    at = raw.index(b"data") + 4
    size = (len(raw) - at - 4).to_bytes(4, "little")
    return raw[:4] + (len(raw) - 8).to_bytes(4, "little") + raw[8:at] + size + raw[at + 4 :]
