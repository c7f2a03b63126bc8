"""What docs/replay.md tells people to write, and the output that it shows, are as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .scripted import ScriptedServer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "replay.md"
FENCES = [
    found.groups()
    for found in re.finditer(
        r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]
FILES = {file: content for language, file, content in FENCES if language in ("python", "jsonl")}
(OUTPUT,) = (content for _, file, content in FENCES if file == "output")
(DIFF,) = (content for language, _, content in FENCES if language == "diff")
ANSWERS = {
    "apples": "12 - 5 = 7\nAnswer: 7",
    "train": "6 * 40 = 240\n**Answer:** 240",
    "eggs": "**Answer: 30**",
    "socks": "There are sixteen.",
}
_RUN_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")


def answer(body: dict[str, Any]) -> str:
    asked = body["messages"][-1]["content"]
    return next(said for word, said in ANSWERS.items() if word in asked)


def mended(source: str) -> str:
    """Apply the page's diff, each line by the one after it."""
    lines = DIFF.splitlines()
    for old, new in zip(lines[::2], lines[1::2], strict=True):
        assert (old[0], new[0]) == ("-", "+")
        assert source.count(old[1:]) == 1
        source = source.replace(old[1:], new[1:])
    return source


def test_the_page_is_true(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name, content in FILES.items():
        (pytester.path / name).write_text(content, encoding="utf-8")
    with ScriptedServer.answering(answer) as server:
        options = [f"--infer-server={server.url}", "--infer-run=first"]
        first = pytester.runpytest_inprocess("test_sums.py", "-p", "no:cacheprovider", *options)
    (pytester.path / "test_sums.py").write_text(mended(FILES["test_sums.py"]), encoding="utf-8")
    second = pytester.runpytest_subprocess(
        "test_sums.py", "-p", "no:cacheprovider", "--infer-replay=first", "--infer-run=second"
    )
    assert (first.ret, second.ret) == (1, 0)
    shown = _RUN_ID.sub("RUN", second.stdout.str())
    assert _RUN_ID.sub("RUN", OUTPUT) in f"{shown}\n"
    run = json.loads((pytester.path / "second" / "run.json").read_text("utf-8"))
    assert run["totals"] == {"planned": 4, "passed": 3, "failed": 0, "missing": 1}
