"""Replies found again in a run, and in what is left of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_infergate.evidence import Exchange, Role, digest
from pytest_infergate.runs import ForeignFolderError, RunFolderError
from pytest_infergate.runs.replies import StoredReplies

from .made import CAPITALS, PLANS, RECORDS, edit_run, exchange, record, write_run

IDS = [str(made.evaluation.key) for made in RECORDS]


def test_every_exchange_comes_back_as_it_was_written(tmp_path: Path) -> None:
    stored = StoredReplies.open(write_run(tmp_path / "run"))
    for made in RECORDS:
        found = stored.find(str(made.evaluation.key))
        assert found is not None
        assert [one.as_json() for one in found.exchanges] == [dict(one) for one in made.exchanges]
        assert found.missing == made.missing
    assert stored.find("capitals/nowhere#0") is None


def test_a_judges_answer_is_found_whichever_evaluation_has_it(tmp_path: Path) -> None:
    def judged(text: str, asked: str) -> Exchange:
        return exchange(text, role=Role.JUDGE, request_digest=digest(asked))

    records = (
        record("a", exchanges=[exchange(), judged("first", "canary"), judged("of a", "case a")]),
        record("b", exchanges=[judged("second", "canary"), exchange("b", request_digest=digest("asked"))]),
    )
    stored = StoredReplies.open(write_run(tmp_path / "run", records, [CAPITALS]))

    def text(asked: str) -> str | None:
        found = stored.find_judged(digest(asked))
        return found.reply.text if found and found.reply else None

    assert text("canary") == "first"
    assert text("case a") == "of a"
    assert text("asked") is None  # what the model said is no judgement
    found = stored.find("capitals/a#0")
    assert found is not None
    assert [len(found.of_role(role)) for role in Role] == [1, 2]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_an_unfinished_run_cut_anywhere_gives_the_records_before_the_cut(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = write_run(tmp_path_factory.mktemp("run") / "run", is_finished=False)
    path = folder / "records.jsonl"
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    # With all but its line feed a record is whole.
    ends = [n for n in range(1, len(whole) + 1) if whole[n - 1 : n] == b"\n"]
    kept = sum(end - 1 <= cut for end in ends)
    stored = StoredReplies.open(folder)
    assert [id for id in IDS if stored.find(id) is not None] == IDS[:kept]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_finished_run_with_any_byte_changed_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = write_run(tmp_path_factory.mktemp("run") / "run")
    path = folder / "records.jsonl"
    raw = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(bytes(raw))
    with pytest.raises(RunFolderError, match="infergate validate"):
        StoredReplies.open(folder)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda value: value.update(verdict="passed", digest="sha256:" + "0" * 64), "digest"),
        (lambda value: value.update(records=None), r"\$"),
        (lambda value: value.update(server={"url": "x"}), r"\$"),
        (lambda value: value.update(tasks=[{}]), r"\$"),
        (lambda value: value["tasks"].append(value["tasks"][0]), "digest"),
    ],
)
def test_a_run_json_that_is_not_as_it_was_is_refused(tmp_path: Path, change: Any, told: str) -> None:
    folder = write_run(tmp_path / "run")
    path = folder / "run.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))
    with pytest.raises(RunFolderError, match=told):
        StoredReplies.open(folder)


def test_a_digest_made_right_does_not_make_forged_replies_right(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    path = folder / "records.jsonl"
    path.write_text(path.read_text().replace("Madrid", "London"))
    edit_run(folder, lambda value: value.update(verdict="passed"))
    with pytest.raises(RunFolderError, match=r"the sha256 of records\.jsonl is"):
        StoredReplies.open(folder)


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_what_is_no_run_is_foreign(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ForeignFolderError):
        StoredReplies.open(tmp_path / name)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"text":"Madrid"', '"text":7', "exchanges"),
        ('"attempts":1', '"attempts":-1', "exchanges"),
        ('"id":"capitals/spain#0"', '"id":"capitals/spain#1"', None),  # another evaluation altogether
        ('"source":"server"', '"source":"friend"', "exchanges"),
        ('"answer":null', '"answer":null,"answer":null', "occurs twice"),
    ],
)
def test_a_line_of_an_unfinished_run_that_is_no_record_is_told_when_it_is_needed(
    tmp_path: Path, old: str, new: str, told: str | None
) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    path = folder / "records.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[1]
    path.write_text("".join([lines[0], lines[1].replace(old, new), *lines[2:]]))
    stored = StoredReplies.open(folder)
    assert stored.find(IDS[0]) is not None
    if told is None:
        assert stored.find(IDS[1]) is None
        return
    with pytest.raises(RunFolderError, match=rf"records.jsonl:2: not a record to take replies from .*{told}"):
        stored.find(IDS[1])


def test_a_file_that_changed_after_it_was_opened_gives_no_other_evaluations_replies(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    stored = StoredReplies.open(folder)
    path = folder / "records.jsonl"
    path.write_text("".join(reversed(path.read_text().splitlines(keepends=True))))
    with pytest.raises(RunFolderError, match=r"records\.jsonl:1"):
        stored.find(IDS[0])


def test_only_places_are_kept_in_memory(tmp_path: Path) -> None:
    import tracemalloc

    text = "word " * 2000
    records = [record(f"s{n}", exchanges=[exchange(text)]) for n in range(500)]
    folder = write_run(tmp_path / "run", records, PLANS)
    size = (folder / "records.jsonl").stat().st_size
    tracemalloc.start()
    stored = StoredReplies.open(folder)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stored.find("capitals/s499#0") is not None
    assert kept < size / 5
    assert peak < size / 3
