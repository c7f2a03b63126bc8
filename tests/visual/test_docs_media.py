"""What docs/visual-media.md shows is what comes out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from .made import encoded, moving

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "visual-media.md").read_text("utf-8")
FILES: dict[str, str] = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_page_shows_what_comes_out(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_bytes(encoded(moving(3)))
    (tmp_path / "look.py").write_text(FILES["look.py"], "utf-8")
    done = subprocess.run(
        [sys.executable, "look.py"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == FILES["look.txt"]
