"""What docs/resume.md tells people to write, and the output that it shows, are as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .scripted import Received, Script, ScriptedServer, json_script, reply_stream

PAGE = Path(__file__).resolve().parents[1] / "docs" / "resume.md"
FENCES = [
    found.groups()
    for found in re.finditer(
        r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
]
FILES = {file: content for language, file, content in FENCES if language in ("python", "jsonl")}
SHOWN = {file: content for language, file, content in FENCES if language == "text"}
ANSWERS = {"France": "Paris", "Peru": "Cusco", "Iran": "Tehran", "Kenya": "Nairobi"}
_RUN_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")


class Model:
    """A model server that has no memory left for Kenya at first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_short_of_memory = True

    def __call__(self, received: Received) -> Script:
        if received.method == "GET":
            is_list = received.path.endswith("/models")
            models = {"object": "list", "data": [{"id": self.name, "object": "model"}]}
            return json_script(models) if is_list else json_script({"error": "no"}, status=404)
        asked = received.json["messages"][-1]["content"]
        country = next(name for name in ANSWERS if name in asked)
        if country == "Kenya" and self.is_short_of_memory:
            return json_script({"error": "out of memory"}, status=500)
        return Script(body=[reply_stream(ANSWERS[country])])


def test_the_page_is_true(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name, content in FILES.items():
        (pytester.path / name).write_text(content, encoding="utf-8")
    model, other = Model("small"), Model("large")

    def run(url: str, *options: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(
            "test_capitals.py", "-p", "no:cacheprovider", f"--infer-server={url}", *options
        )

    with ScriptedServer(model) as server, ScriptedServer(other) as larger:
        first = run(server.url, "--infer-run=first")
        model.is_short_of_memory = False
        refused = run(larger.url, "--infer-resume=first", "--infer-run=second")
        second = run(server.url, "--infer-resume=first", "--infer-run=second")
    assert (first.ret, refused.ret, second.ret) == (1, 4, 0)
    said = _RUN_ID.sub("RUN", second.stdout.str()).splitlines()
    assert [
        line for line in _RUN_ID.sub("RUN", SHOWN["output"]).splitlines() if line not in (*said, "…")
    ] == []
    told = refused.stderr.str().replace(str(pytester.path / "first"), "first")
    assert _RUN_ID.sub("RUN", SHOWN["refused"]) in f"{_RUN_ID.sub('RUN', told)}\n"
