"""What docs/tools-and-structure.md tells people to write works as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.serving import ENGINES

from .scripted import Received, Script, ScriptedServer, chunk, json_script, sse, usage_chunk

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "tools-and-structure.md").read_text("utf-8")
FILES: dict[str, str] = dict(re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
#: File → its evaluations.
PLANNED = {
    "test_record.py": 1,
    "test_shape.py": 1,
    "test_constrained.py": 1,
    "test_weather.py": 2,
    "test_lamp.py": 1,
    "test_budget.py": 1,
}
#: Words of what is asked → what a good model says, or the call that it makes.
ANSWERS: dict[str, str | tuple[str, dict[str, Any]]] = {
    "Lovelace": '{"name": "Ada Lovelace", "born": "1815-12-10"}',
    "loaves": '```json\n{"item": "loaf", "count": 2}\n```',
    "Paris": '{"city": "Paris", "is_capital": true}',
    "in Rome": ("get_weather", {"city": "Rome"}),
    "two plus two": "4",
    "light blue": ("switch_on", {"colour": "blue"}),
    "17 * 23": "391",
}


def good(body: dict[str, Any]) -> str | tuple[str, dict[str, Any]]:
    if body["messages"][-1]["role"] == "tool":
        return "Done."
    return next(said for words, said in ANSWERS.items() if words in body["messages"][-1]["content"])


def serving(answer: Any) -> ScriptedServer:
    """A server that shows itself as vLLM, so that a budget can be asked for."""

    def handle(received: Received) -> Script:
        if received.path == "/version":
            return json_script({"version": "0.33.0"})
        if received.method == "GET":
            listed = [{"id": "scripted", "object": "model", "owned_by": "vllm"}]
            return json_script({"object": "list", "data": listed} if received.path == "/v1/models" else {})
        if not received.path.endswith("/chat/completions"):
            return json_script({}, status=404)
        said = answer(received.json)
        if isinstance(said, str):
            return Script(body=[sse(chunk(said), chunk(finish="stop"), usage_chunk(5, 5))])
        name, arguments = said
        call = {"index": 0, "id": "a", "function": {"name": name, "arguments": json.dumps(arguments)}}
        return Script(body=[sse(chunk(tool_calls=[call]), chunk(finish="tool_calls"), usage_chunk(5, 5))])

    return ScriptedServer(handle)


def evaluate(pytester: pytest.Pytester, file: str, answer: Any) -> tuple[int, dict[str, Any]]:
    (pytester.path / file).write_text(FILES[file], encoding="utf-8")
    with serving(answer) as server:
        options = [f"--infer-server={server.url}", "--infer-run=run", "-p", "no:cacheprovider"]
        result = pytester.runpytest_inprocess(file, *options)
    return int(result.ret), json.loads((pytester.path / "run" / "run.json").read_text("utf-8"))


def test_every_test_of_the_page_is_run() -> None:
    assert FILES.keys() == PLANNED.keys()


@pytest.mark.parametrize("file", PLANNED)
def test_the_tasks_of_the_page_pass_with_a_good_model(file: str, pytester: pytest.Pytester) -> None:
    status, run = evaluate(pytester, file, good)
    assert run["totals"] == {"planned": PLANNED[file], "passed": PLANNED[file], "failed": 0, "missing": 0}
    assert status == 0


@pytest.mark.parametrize("file", PLANNED)
@pytest.mark.parametrize(
    "said",
    [
        "As an AI I cannot say.",
        '{"name": 3, "count": 0, "city": 4}',
        ("invented", {}),
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>',
    ],
)
def test_and_none_of_them_is_green_with_a_bad_one(file: str, said: Any, pytester: pytest.Pytester) -> None:
    status, run = evaluate(pytester, file, lambda body: said)
    assert run["verdict"] != "passed"
    assert status == 1


def test_the_table_of_budgets_is_what_the_engines_do() -> None:
    rows = re.findall(r"^\| ([^|\n]+) \| ([^|\n]+) \| ([^|\n]+) \|$", PAGE, re.MULTILINE)[1:]
    spelled = {
        "llamacpp": "llama.cpp",
        "vllm": "vLLM",
        "sglang": "SGLang",
        "mlx_lm": "mlx-lm",
        "ollama": "Ollama",
    }
    told = {name: cells for names, *cells in rows for name in names.split(", ")}
    for engine in ENGINES:
        number, zero = told.get(spelled.get(engine.name, "others"), told["others"])
        for budget, cell in ((64, number), (0, zero)):
            fields = engine.limit_reasoning(budget)
            assert (fields is None) == (cell == "refused"), (engine.name, budget)
            for name in re.findall(r"`(\w+)`", cell):
                assert name in json.dumps(fields), (engine.name, budget)
