"""Make docs/difference.png: what an evaluation leaves behind where a picture does not match.

    pip install '.[visual]' && python docs/difference.py

Runs the suite of docs/visual.md on a sign of its own with one wrong digit, and takes the picture out of
the run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

DOCS = Path(__file__).resolve().parent
_FENCE = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files_of_the_page() -> dict[str, str]:
    """Return file → content, of every fence that names one."""
    page = (DOCS / "visual.md").read_text("utf-8")
    return {name: content for _, name, content in _FENCE.findall(page)}


def draw_sign(text: str, path: Path) -> None:
    image = Image.new("RGB", (260, 140), "#f5f0e0")
    draw = ImageDraw.Draw(image)
    draw.rectangle((5, 5, 254, 134), outline="#204060", width=4)
    draw.multiline_text((24, 26), text, font=ImageFont.load_default(32), fill="#204060", spacing=14)
    image.save(path)


def write_suite(folder: Path, text: str) -> None:
    """Write the page's suite, and its sign with ``text`` on it."""
    files = files_of_the_page()
    for name in ("test_signs.py", "signs.jsonl"):
        (folder / name).write_text(files[name], "utf-8")
    draw_sign(text, folder / "price.png")


def run_suite(folder: Path, run: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "test_signs.py", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, f"--infer-run={folder / run}", *options], cwd=folder, capture_output=True, text=True
    )


def make(folder: Path) -> bytes:
    """Accept a sign, draw it with a digit wrong, and return the picture of the difference."""
    write_suite(folder, "Apples 2.49\nPears 3.15")
    run_suite(folder, "accepted", "--infer-update-references")
    write_suite(folder, "Apples 2.49\nPears 3.75")
    done = run_suite(folder, "run")
    (record,) = map(json.loads, (folder / "run" / "records.jsonl").read_text("utf-8").splitlines())
    kept = {
        artifact["name"]: artifact["sha256"]
        for score in record["scores"]
        for artifact in (score.get("details") or {}).get("artifacts", ())
    }
    if "difference" not in kept:
        raise SystemExit(done.stdout + done.stderr)
    (path,) = (folder / "run" / "artifacts").glob(f"{kept['difference']}*")
    return path.read_bytes()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        (DOCS / "difference.png").write_bytes(make(Path(name)))
