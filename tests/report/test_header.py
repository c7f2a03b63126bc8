"""Against what a run measures."""

from __future__ import annotations

from pytest_infergate.report import header_lines, identity_lines, plain_text
from pytest_infergate.runs import Derivation, DerivedBy, Project, RunHead
from tests.runs.made import FINISHED, HEAD, SERVER


def test_a_known_server() -> None:
    assert header_lines(SERVER, concurrency=8, folder=".infergate/runs/a", partial=("-k x",)) == [
        "infergate: http://127.0.0.1:8080, model gemma-3, llama.cpp b6000, 8 at a time",
        "infergate run: .infergate/runs/a (partial: -k x)",
    ]


def test_what_is_unknown_is_called_so() -> None:
    server = {**SERVER, "engine": "generic", "fields": {}}
    assert header_lines(server, concurrency=1, folder=None) == [
        "infergate: http://127.0.0.1:8080, model unknown, generic (build unknown), 1 at a time"
    ]


def test_no_source_of_replies_names_the_option() -> None:
    assert header_lines(None, concurrency=8, folder=None) == [
        "infergate: no source of replies; name one with --infer-server=URL"
    ]


def test_what_a_server_says_of_itself_cannot_act_on_the_terminal() -> None:
    server = {**SERVER, "fields": {"model": {"value": "\x1b[2J", "origin": "probed"}}}
    assert "\x1b" not in header_lines(server, concurrency=8, folder=None)[0]


def test_a_stored_run_says_what_it_was_of() -> None:
    assert plain_text(identity_lines(HEAD, FINISHED)) == (
        "run        20260102T030405Z-abcdef\n"
        "started    2026-01-02T03:04:05Z, finished 2026-01-02T03:05:05Z\n"
        "server     http://127.0.0.1:8080, model gemma-3, llama.cpp b6000\n"
        "with       pytest-infergate 0.1.0, CPython 3.11.7, Linux-x86_64\n"
    )


def test_a_stored_run_says_its_commit_and_its_parent() -> None:
    head = RunHead(
        run_id="b",
        started="2026-01-02T03:04:05Z",
        tool_version="0.1.0",
        argv=(),
        python="CPython 3.11.7",
        platform="Linux",
        project=Project(commit="0123456789abcdef", is_dirty=True),
        derived_from=Derivation(by=DerivedBy.REPLAY, runs=("a",)),
    )
    assert plain_text(identity_lines(head, None)) == (
        "run        b\n"
        "started    2026-01-02T03:04:05Z, not finished\n"
        "server     none\n"
        "with       pytest-infergate 0.1.0, CPython 3.11.7, Linux\n"
        "project    commit 0123456789ab, with changes that are not committed\n"
        "replies of a (replay)\n"
    )
