"""What docs/comparing.md shows is what the command says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from tests.scripted import ScriptedServer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "comparing.md"
TEXT = PAGE.read_text(encoding="utf-8")
SUITE = re.search(r"^```python evals/test_sums.py\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
#: Command → what it prints.
SHOWN = {
    command: shown
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for command, shown in re.findall(r"^\$ (infergate .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
}
#: The ids of runs hold the time.
_RUN_ID = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{6}")


def answer(body: dict[str, Any], model: str) -> str:
    asked = body["messages"][-1]["content"]
    if "capital" in asked:
        return "Paris." if model == "tiny-q8" else "It is Paris."
    one, other = map(int, re.findall(r"\d+", asked)[:2])
    is_wrong = one % 11 == 0 or (model == "tiny-q4" and one % 5 == 1)
    return f"{one + other + is_wrong}"


def run(pytester: pytest.Pytester, name: str, model: str) -> None:
    with ScriptedServer.answering(lambda body: answer(body, model), model=model) as server:
        pytester.runpytest_inprocess(
            "-q", "evals", f"--infer-server={server.url}", f"--infer-run=runs/{name}"
        )


def told(capsys: pytest.CaptureFixture[str], command: str) -> str:
    capsys.readouterr()
    main(command.removeprefix("infergate ").split())
    ids: dict[str, str] = {}
    return _RUN_ID.sub(
        lambda found: ids.setdefault(found[0], f"20260{len(ids) + 1}01T120000Z-{'abc'[len(ids)] * 6}"),
        capsys.readouterr().out,
    )


def test_the_page_shows_what_the_command_says(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    assert SUITE is not None
    evals = pytester.mkdir("evals")
    suite = evals / "test_sums.py"
    suite.write_text(SUITE[1])
    rows = [{"id": f"sum-{n}", "question": f"What is {n} + {n % 7}?", "gold": n + n % 7} for n in range(120)]
    (evals / "sums.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run(pytester, "q8", "tiny-q8")
    run(pytester, "q4", "tiny-q4")
    suite.write_text(
        SUITE[1].replace("extract.number", "extract.last_line").replace("== sample", "!= sample")
    )
    run(pytester, "edited", "tiny-q4")
    assert list(SHOWN) == ["infergate compare runs/q8 runs/q4", "infergate compare runs/q8 runs/edited"]
    for command, shown in SHOWN.items():
        assert told(capsys, command) == shown
    assert main(["compare", "runs/q8", "runs/q4"]) == 1


def test_every_outcome_and_exit_code_has_its_row() -> None:
    from pytest_infergate.compare import Outcome

    for outcome in Outcome:
        assert re.search(rf"^\| `{outcome.value}` \| .* \| [0-5] \|$", TEXT, re.MULTILINE), outcome
