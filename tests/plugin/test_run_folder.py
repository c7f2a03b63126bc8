"""The run folder: refused before the first request, whole after a kill, and readable by the commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from pytest_infergate.cli import main
from tests.scripted import ScriptedServer

from .conftest import Evaluate, echo

SUITE = "def test_it(infer): assert infer.chat('say x').text == 'x'"


def test_a_folder_that_is_not_empty_is_refused_before_the_first_request(
    evaluate: Evaluate, server: ScriptedServer, pytester: pytest.Pytester
) -> None:
    evaluate(SUITE)
    server.requests.clear()
    outcome = evaluate(SUITE, f"--infer-run={pytester.path / 'run1'}")
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(
        ["ERROR: run folder *run1' is not empty; a run never overwrites another*"]
    )
    assert server.requests == []


@pytest.mark.parametrize("args", [[], ["-n2"]], ids=["plain", "n2"])
def test_a_folder_that_cannot_be_written_is_refused_before_the_first_request(
    evaluate: Evaluate, server: ScriptedServer, pytester: pytest.Pytester, args: list[str]
) -> None:
    (pytester.path / "file").write_text("not a folder")
    outcome = evaluate(SUITE, "--infer-run=file/run", *args)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(["ERROR: cannot write the run folder *"])
    assert server.requests == []


def test_after_kill_9_every_judged_evaluation_is_on_disk(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        import pytest

        @pytest.mark.infer_task
        @pytest.mark.parametrize("n", range(500))
        def test_it(infer, n):
            assert infer.chat(f"say {n}").text == str(n)
            print(n, flush=True)
        """
    )
    with ScriptedServer.answering(echo, latency=0.02) as server:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-s",
            "-q",
            f"--infer-server={server.url}",
            "--infer-run=run",
        ]
        process = subprocess.Popen(command, cwd=pytester.path, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip(" .\n") == "20":
                break
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    lines = (pytester.path / "run" / "records.jsonl").read_text().splitlines()
    kept = [json.loads(line)["sample"]["id"] for line in lines if line.endswith("}")]
    assert kept[:20] == [str(n) for n in range(20)]
    assert json.loads((pytester.path / "run" / "run.json").read_text())["finished"] is None
    assert main(["validate", str(pytester.path / "run")]) == 5


@pytest.mark.parametrize(
    ("suite", "status"),
    [(SUITE, 0), (SUITE.replace("== 'x'", "== 'y'"), 1), (SUITE.replace("say x", "say "), 5)],
    ids=["passed", "failed", "missing"],
)
def test_a_finished_run_validates_with_the_status_of_its_verdict(
    evaluate: Evaluate, suite: str, status: int
) -> None:
    outcome = evaluate(suite)
    assert main(["validate", str(outcome.folder)]) == status


def test_ctrl_c_before_the_run_is_closed_says_what_is_kept_and_how_to_go_on(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    """A second Ctrl-C, or one that comes when every test has ended."""
    conftest = pytester.makeconftest(
        """
        from pytest_infergate.plugin.servers.server import ModelServer

        def interrupted(self):
            raise KeyboardInterrupt

        ModelServer.confirm = interrupted
        """
    )
    outcome = evaluate(SUITE, subprocess=True)
    assert outcome.result.ret == pytest.ExitCode.INTERRUPTED
    told = (
        "interrupted before the run was closed: 1 of 1 evaluations are kept; go on with --infer-resume=run1"
    )
    assert told in outcome.result.outlines
    conftest.unlink()
    assert evaluate(SUITE, "--infer-resume=run1").result.ret == 0


def test_a_full_disk_ends_the_session_red(
    evaluate: Evaluate, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_write = os.write

    def write(handle: int, raw: bytes) -> int:
        if raw.startswith(b"{") and b'"id":"test_it.test_it/2#0"' in raw:
            raise OSError(28, "No space left on device")
        return real_write(handle, raw)

    monkeypatch.setattr(os, "write", write)
    suite = """
    import pytest

    @pytest.mark.parametrize("n", range(5))
    def test_it(infer, n):
        assert infer.chat(f"say {n}").text == str(n)
    """
    outcome = evaluate(suite)
    assert outcome.result.ret == 1
    assert len(outcome.records) == 2
    assert outcome.run["finished"] is None
    outcome.result.stdout.fnmatch_lines(["*No space left on device; the 2 records before it are kept*"])
