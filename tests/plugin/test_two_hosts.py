"""pytest-xdist over two hosts: records arrive whole, and a host with other files cannot slip in.

A host is a socket server of execnet with a folder and a loopback address of its own; nothing else is shared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import execnet.script.socketserver
import pytest

from pytest_infergate.plugin.servers.hosts import is_remote
from pytest_infergate.runs.validate import validate_run
from tests.scripted import ScriptedServer

from .conftest import Outcome

SUITE = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {word}"%s)
def test_rows(reply, sample):
    assert reply.text == sample["word"]%s

@pytest.mark.infer_task
@pytest.mark.parametrize("n", range(3))
def test_numbers(infer, n):
    assert infer.chat(f"say {n}").text == str(n)
"""


def write_suite(folder: Path, *, arguments: str = "", test: str = "", word: str = "w") -> None:
    folder.mkdir(parents=True)
    (folder / "test_it.py").write_text(SUITE % (arguments, test))
    rows = (json.dumps({"id": f"s{n}", "word": f"{word}{n}"}) + "\n" for n in range(8))
    (folder / "rows.jsonl").write_text("".join(rows))


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[list[str]]:
    """Two hosts, as ``--tx`` names them."""
    with ExitStack() as stack:
        specs = []
        for name, address in (("one", "127.0.0.1"), ("two", "127.0.0.2")):
            folder = tmp_path / name
            folder.mkdir()
            command = [sys.executable, "-u", execnet.script.socketserver.__file__, f"{address}:0"]
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
            stack.callback(process.communicate)
            stack.callback(process.kill)
            assert process.stdout is not None
            line = process.stdout.readline()  # "… Entering Accept loop ('127.0.0.1', 40000)"
            port = line.rstrip(")\n").rpartition(" ")[2]
            specs.append(f"socket={address}:{port}")
        yield specs


def evaluate(pytester: pytest.Pytester, url: str, *args: str) -> Outcome:
    result = pytester.runpytest_subprocess(
        *("-p", "no:cacheprovider", "--infer-run=run", "--dist=load", f"--infer-server={url}"), *args
    )
    return Outcome(result, pytester.path / "run")


def test_records_of_two_hosts_arrive_whole(
    hosts: list[str], pytester: pytest.Pytester, server: ScriptedServer, tmp_path: Path
) -> None:
    write_suite(pytester.path / "evals")
    outcome = evaluate(
        pytester,
        server.url,
        *(f"--tx={host}" for host in hosts),
        "--rsyncdir=evals",
        "-v",
        str(pytester.path / "evals"),
    )
    assert outcome.result.ret == 0
    assert outcome.run["totals"] == {"planned": 11, "passed": 11, "failed": 0, "missing": 0}
    assert len(server.posts) == 11
    assert validate_run(outcome.folder).is_valid
    shown = outcome.result.stdout.str()
    assert "[gw0]" in shown
    assert "[gw1]" in shown
    for name in ("one", "two"):
        assert (tmp_path / name / "pyexecnetcache" / "evals" / "test_it.py").exists()
        assert not list((tmp_path / name).rglob("records.jsonl"))


OTHERS = [
    # what the second host has, what is said, the evaluations that its code judged are missing, why
    (
        {"test": " or True"},
        "task test_it.test_rows, digest: sha256:",
        True,
        "a test that always passes",
    ),
    ({"word": "v"}, "8 evaluations have another sample on gw", True, "other rows under the same ids"),
    ({"arguments": ", min_pass_rate=0.1"}, "task test_it.test_rows, rule: {", False, "another gate"),
    (
        {"arguments": ", version='2'"},
        "task test_it.test_rows, version: ",
        True,
        "another version",
    ),
]


@pytest.mark.parametrize(("changes", "says", "is_missing", "why"), OTHERS)
def test_a_host_with_other_files_is_seen(
    changes: dict[str, str],
    says: str,
    is_missing: bool,
    why: str,
    pytester: pytest.Pytester,
    server: ScriptedServer,
    tmp_path: Path,
) -> None:
    """Each host has a checkout of its own, and the second one's is not the first one's."""
    write_suite(tmp_path / "one")
    write_suite(tmp_path / "two", **changes)
    # The second host waits for the first one, whose plan is the one that counts.
    (tmp_path / "two" / "conftest.py").write_text(
        f"""
from pathlib import Path

def pytest_runtestloop(session):
    give_up = time.monotonic() + 30
    while not Path({str(tmp_path / "planned")!r}).exists() and time.monotonic() < give_up:
        time.sleep(0.01)
"""
    )
    pytester.makeconftest(
        f"""
from pathlib import Path

def pytest_runtest_logreport(report):
    Path({str(tmp_path / "planned")!r}).touch()
"""
    )
    tx = [f"--tx=popen//chdir={tmp_path / name}" for name in ("one", "two")]
    outcome = evaluate(pytester, server.url, *tx, "test_it.py")
    assert outcome.result.ret == 1
    assert outcome.run["verdict"] == "missing"
    (gate,) = (gate for gate in outcome.run["gates"] if gate["name"] == "workers")
    assert says in gate["observed"], why
    assert f"gw1 ({tmp_path / 'two'})" in gate["observed"]
    assert outcome.run["totals"]["planned"] == 11
    reasons = {one["missing"]["reason"] for one in outcome.records.values() if one["missing"]}
    assert reasons == ({"invalid_conditions"} if is_missing else set()), why
    assert validate_run(outcome.folder).is_valid
    outcome.result.stdout.fnmatch_lines(["  missing  workers: *", "*give every host the same files"])


def test_a_host_with_another_version_ends_the_session(
    pytester: pytest.Pytester, server: ScriptedServer, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        write_suite(tmp_path / name)
    (tmp_path / "two" / "conftest.py").write_text(
        "import pytest_infergate.plugin.evaluations.plan as plan\nplan.__version__ = '9.9'\n"
    )
    tx = [f"--tx=popen//chdir={tmp_path / name}" for name in ("one", "two")]
    outcome = evaluate(pytester, server.url, *tx, "test_it.py")
    assert outcome.result.ret != 0
    # Refused before anything was judged, the session leaves no run behind.
    assert not (outcome.folder / "run.json").exists() or outcome.run["verdict"] != "passed"
    outcome.result.stderr.fnmatch_lines([f"*worker gw1 ({tmp_path / 'two'}) has pytest-infergate 9.9*"])


SPECS = [
    ("popen", False, "this machine"),
    ("3*popen//chdir=there", False, "this machine, three times"),
    ("socket=127.0.0.1:8888", False, "loopback"),
    ("socket=localhost:8888", False, "loopback by name"),
    ("socket=[::1]:8888", False, "loopback of IPv6"),
    ("socket=10.0.0.7:8888", True, "another machine"),
    ("2*socket=gpu-box:8888//chdir=there", True, "another machine, twice"),
    ("ssh=user@gpu-box//python=python3", True, "another machine"),
    ("popen//python=python3.12//id=x", False, "another interpreter"),
]


@pytest.mark.parametrize(("spec", "is_elsewhere", "why"), SPECS)
def test_which_workers_are_on_other_hosts(spec: str, is_elsewhere: bool, why: str) -> None:
    assert is_remote(spec) is is_elsewhere, why


LOOPBACK = [
    ["--tx=ssh=user@gpu-box"],
    ["--tx=popen", "--tx=2*socket=10.0.0.7:8888"],
    ["--tx=2*popen//via=there", "--px=id=there//ssh=gpu-box"],
]


@pytest.mark.parametrize("args", LOOPBACK, ids=" ".join)
def test_another_host_does_not_look_for_the_server_on_itself(
    pytester: pytest.Pytester, server: ScriptedServer, args: list[str]
) -> None:
    """Something else may listen at that port there, and would be measured unseen."""
    write_suite(pytester.path / "evals")
    outcome = evaluate(pytester, server.url, *args, "evals")
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(
        [f"ERROR: --infer-server={server.url} is another machine on the worker*"]
    )
    assert server.requests == []
    assert not outcome.folder.exists()
