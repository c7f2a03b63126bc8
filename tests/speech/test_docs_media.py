"""What docs/speech-media.md shows is what comes out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .clips import tone, wav_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "speech-media.md").read_text("utf-8")
FILES: dict[str, str] = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", ["hear", "find_words"])
def test_the_page_shows_what_comes_out(name: str, tmp_path: Path) -> None:
    (tmp_path / "clip.wav").write_bytes(wav_of((tone(1.5, rate=8_000) * 32767).astype("<i2"), rate=8_000))
    (tmp_path / f"{name}.py").write_text(FILES[f"{name}.py"], "utf-8")
    done = subprocess.run(
        [sys.executable, f"{name}.py"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == FILES[f"{name}.txt"]
