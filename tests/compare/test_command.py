"""``infergate compare``: its options, several bases at once, its JSON, its exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.evidence import GateRule, Record, Verdict
from pytest_infergate.plugin.options.table import OPTIONS
from pytest_infergate.runs import TaskPlan
from tests.runs.made import DIGEST, HEAD, SERVER, exchange, record, write_run

PLAN = TaskPlan(name="sums", version="1", digest=DIGEST, rule=GateRule(), has_dataset=True)
LETTERS = {"P": Verdict.PASSED, "F": Verdict.FAILED}


def made(
    folder: Path,
    letters: str,
    *,
    plan: TaskPlan = PLAN,
    said: str = "",
    settings: Mapping[str, Any] | None = None,
    **fields: Any,
) -> str:
    """Write a run of one task, a letter for each sample.

    ``settings`` are of its session, ``fields`` of its server.
    """

    def records() -> Iterable[Record]:
        for number, letter in enumerate(letters):
            replies = [exchange(f"{said}{letter}")]
            yield record(f"s{number}", LETTERS[letter], plan=plan, exchanges=replies)

    known = {name: {"value": value, "origin": "probed"} for name, value in fields.items()}
    server = {**SERVER, "fields": {**SERVER["fields"], **known}}
    head = replace(HEAD, run_id=f"id of {folder.name}", server=server, settings=dict(settings or {}))
    return str(write_run(folder, records(), [plan], head=head))


@pytest.fixture
def runs(tmp_path: Path) -> dict[str, str]:
    return {
        "base": made(tmp_path / "base", "P" * 20),
        "same": made(tmp_path / "same", "P" * 20),
        "lost": made(tmp_path / "lost", "F" * 20),
        "reworded": made(tmp_path / "reworded", "P" * 20, said="so: "),
        "edited": made(tmp_path / "edited", "P" * 20, plan=replace(PLAN, version="2")),
        "quantized": made(tmp_path / "quantized", "P" * 20, quantization="Q4_0", model="other"),
    }


CODES = [
    ("the same replies", ["base", "same"], 0),
    ("a wider margin", ["base", "reworded", "--margin=0.2"], 0),
    ("too few samples", ["base", "reworded"], 3),
    ("all lost", ["base", "lost"], 1),
    ("another task", ["base", "edited"], 4),
    ("one change at a time", ["base", "quantized", "--treatment=quantization,model"], 0),
    ("another change beside it", ["base", "quantized", "--treatment=model"], 4),
    # Several bases, the last run is the candidate: the first of 1, 4, 5, 3.
    ("good against both", ["base", "same", "base"], 0),
    ("lost against one of two", ["lost", "base", "lost"], 1),
    ("incomparable before inconclusive", ["reworded", "edited", "base"], 4),
    ("regressed before incomparable", ["edited", "base", "lost"], 1),
]


@pytest.mark.parametrize(("words", "code"), [row[1:] for row in CODES], ids=[row[0] for row in CODES])
def test_exit_codes(
    runs: dict[str, str], capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    arguments = [runs.get(word, word) for word in words]
    assert main(["compare", *arguments]) == code
    out = capsys.readouterr().out
    assert out.count("comparison: ") == sum(word in runs for word in words) - 1
    assert main(["compare", "--json", *arguments]) == code
    assert json.loads(capsys.readouterr().out)["exit_code"] == code


def test_the_json_of_one_base_is_the_comparison(
    runs: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["compare", "--json", runs["base"], runs["lost"]])
    value = json.loads(capsys.readouterr().out)
    assert (value["verdict"], value["base"]["run_id"], value["candidate"]["label"]) == (
        "failed",
        "id of base",
        runs["lost"],
    )
    assert [task["outcome"] for task in value["tasks"]] == ["regressed"]


def test_a_base_that_cannot_be_trusted_leaves_the_others_compared(
    runs: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    (Path(runs["same"]) / "records.jsonl").write_bytes(b"")
    assert main(["compare", "--json", runs["same"], runs["base"], runs["reworded"]]) == 5
    torn, whole = json.loads(capsys.readouterr().out)["comparisons"]
    assert torn["error"].startswith(f"{runs['same']}/records.jsonl: 0 records; run.json says 20")
    assert (torn["exit_code"], whole["exit_code"]) == (5, 3)


TERMS = [
    # what the session of the candidate was given, further words, the exit code, what is noted, why
    ({"margin": 0.05, "treatment": None}, [], 3, "", "what holds anyway is not told"),
    ({"margin": 0.2}, [], 0, "the margin is 0.2, as the candidate's session was given", "as it gated"),
    ({"margin": 0.2}, ["--margin=0.05"], 3, "", "a person says another"),
    ({"margin": None}, [], 3, "", "a merged run of shards that differ"),
    ({"treatment": ["model"]}, [], 4, "the treatment is model, as the candidate's session", "as it gated"),
    ({"treatment": ["model"]}, ["--treatment=model,quantization"], 3, "", "a person says another"),
]


@pytest.mark.parametrize(("settings", "words", "code", "note", "why"), TERMS)
def test_what_the_candidates_session_was_given_holds_unless_a_person_says_another(
    settings: dict[str, Any],
    words: list[str],
    code: int,
    note: str,
    why: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    base = made(tmp_path / "base", "P" * 20)
    candidate = made(
        tmp_path / "new", "P" * 20, said="so: ", settings=settings, quantization="Q4_0", model="other"
    )
    assert main(["compare", "--json", base, candidate, *words]) == code, why
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert any(one.startswith(note) for one in notes) if note else not any("session" in one for one in notes)


USAGE = [
    (["base"], "the following arguments are required: CANDIDATE"),
    (["base", "same", "--margin=2"], "'2' is not a number from 0 to 1; write 5 % as 0.05"),
    (["base", "same", "--margin=nan"], "'nan' is not a number from 0 to 1"),
    (["base", "same", "--margin=5%"], "'5%' is not a number from 0 to 1"),
    (["base", "same", "--treatment="], "'' is not names of identity fields"),
    (["base", "same", "--treatment=model,,"], "'model,,' is not names of identity fields"),
    (["base", "same", "--treatment=modle"], "did you mean 'model'?"),
]


@pytest.mark.parametrize(("words", "said"), USAGE, ids=[row[1] for row in USAGE])
def test_wrong_usage_is_one_line(
    runs: dict[str, str], capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    arguments = ["compare", *(runs.get(word, word) for word in words)]
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse's own
        code = int(str(stop.code))
    (line,) = capsys.readouterr().err.splitlines()
    assert (code, said in line) == (2, True), line


def test_options_are_told_in_the_plugins_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    help = {option.name: option.help for option in OPTIONS}
    for name in ("margin", "treatment"):
        assert " ".join(help[name].split()) in told
