"""Evidence that was edited and sealed anew by who knows how: a word and a code, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_infergate.cli import main
from pytest_infergate.evidence import Verdict, canonical_json, digest
from pytest_infergate.runs import Attempt, Because, RunLedger, RunWriter

from .runs.made import CAPITALS, FINISHED, HEAD, RECORDS, SUMS, line_of, record, write_run

#: What a hand or a broken disk leaves where something else belongs.
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 1e308, 10**400, "", "x", "\ud800", "a\n\x1b[31m", "sha256:" + "g" * 64),
    *([], [[]], [None], ["x"], [{"name": "x"}], {}, {"x": 1}, {"a": {"b": []}}),
)
PLANS = (replace(CAPITALS, repeat=2, has_dataset=True), SUMS)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run, a run with further attempts, and a baseline file of the first two."""
    root = tmp_path_factory.mktemp("evidence")
    run = write_run(root / "run", RECORDS, PLANS)
    again = root / "again"
    ledger, writer = RunLedger(PLANS), RunWriter.create(again, replace(HEAD, run_id="again"))
    for made in RECORDS:
        ledger.count(made)
        writer.add(line_of(made))
    attempt = Attempt(because=Because.CONFIRM, number=1, record=record("peru", Verdict.FAILED))
    writer.add_attempt(canonical_json(attempt.as_json()))
    writer.finish(FINISHED, ledger.summary())
    writer.close()
    assert main(["baseline", "save", str(run), str(again), "-o", str(root / "base.json")]) == 0
    return {"run": run, "again": again, "base": root / "base.json"}


def test_the_evidence_is_good_before_it_is_forged(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    run, again, base = (str(folders[name]) for name in ("run", "again", "base"))
    for words in (["compare", run, again], ["compare", base, again]):
        assert main(words) == 5  # one evaluation timed out on both sides
        assert "unchanged  capitals" in capsys.readouterr().out
    assert main(["baseline", "check", base]) == 0


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(data=st.data())
def test_no_forged_run_ends_a_command_with_a_traceback(
    folders: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    source, forged = folders["again"], tmp_path / "forged"
    forged.mkdir(exist_ok=True)
    files = {path.name: path.read_bytes() for path in source.iterdir()}
    name = data.draw(st.sampled_from(["run.json", "records.jsonl", "attempts.jsonl"]))
    run = json.loads(files["run.json"])
    if name == "run.json":
        run = _forge(data, run)
    else:
        lines = files[name].splitlines()
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place] = json.dumps(_forge(data, json.loads(lines[place]))).encode()
        files[name] = b"\n".join([*lines, b""])
        run[name.partition(".")[0]]["sha256"] = sha256(files[name]).hexdigest()
    files["run.json"] = _sealed(run)
    for one, raw in files.items():
        (forged / one).write_bytes(raw)
    run_, target = str(folders["run"]), str(forged)
    for words in (
        *(["compare", run_, target], ["compare", "--json", target, run_], ["show", target]),
        *(["show", "--power", target], ["validate", target], ["row", target, "capitals/france#0"]),
        *(
            ["merge", target, "-o", str(tmp_path / "merged")],
            ["show", target, "--sample", "capitals/france#0"],
        ),
        ["baseline", "save", run_, target, "-o", str(tmp_path / "b.json"), "--replace"],
    ):
        _answers(words, capsys)


@settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(data=st.data())
def test_no_forged_baseline_ends_a_command_with_a_traceback(
    folders: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    forged = tmp_path / "forged.json"
    forged.write_bytes(_sealed(_forge(data, json.loads(folders["base"].read_bytes()))))
    run, target = str(folders["again"]), str(forged)
    for words in (
        *(["compare", target, run], ["compare", run, target], ["compare", "--json", target, target]),
        *(["baseline", "check", target], ["baseline", "show", target], ["show", "--power", target]),
        ["baseline", "accept", target, run, "--because", "it is new"],
    ):
        _answers(words, capsys)


def _forge(data: st.DataObject, value: Any) -> Any:
    """Put something odd in a place, or take the place away."""
    forged = deepcopy(value)
    *path, last = data.draw(st.sampled_from([place for place in _places(value) if place]))
    holder = forged
    for step in path:
        holder = holder[step]
    if data.draw(st.booleans()):
        holder[last] = data.draw(st.sampled_from(ODD))
    else:
        del holder[last]
    return forged


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _places(item, (*path, name))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _places(item, (*path, number))


def _sealed(value: dict[str, Any]) -> bytes:
    rest = {name: item for name, item in value.items() if name != "digest"}
    return json.dumps({**rest, "digest": digest(rest)}).encode()


def _answers(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = main(words)
    out, err = capsys.readouterr()
    assert code in range(6), words
    # One line where there is no answer.
    assert out or err.count("\n") == 1, (words, err)
