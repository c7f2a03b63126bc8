"""``infergate swap``: servers are started, measured one after the other, and none of them outlives it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.commands import server_process, swap_result, swap_side
from pytest_infergate.commands import swap as swap_command
from pytest_infergate.commands.server_process import free_port
from tests.scripted import ScriptedServer

ROOT = Path(__file__).resolve().parents[1]
SERVER = shlex.join([sys.executable, "-m", "tests.swap_server", "{port}"])
SUITE = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="say {word}", min_pass_rate=0.1)
def test_words(reply, sample):
    assert reply.text == sample["word"]
"""


@pytest.fixture(autouse=True)
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of 40 words in the working directory, and a server that can be found from there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("COLUMNS", "240")
    rows = (json.dumps({"id": f"s{n}", "word": f"w{n}"}) + "\n" for n in range(40))
    Path("rows.jsonl").write_text("".join(rows))
    Path("test_words.py").write_text(SUITE)
    Path("pytest.ini").write_text("[pytest]\naddopts = -q -p no:cacheprovider\ninfer_retries = 0\n")
    return tmp_path


def swap(base: str, candidate: str, *args: str, evals: tuple[str, ...] = ("test_words.py",)) -> int:
    """Run the command; what follows ``SERVER`` in the two commands is given."""
    commands = ["--base", f"{SERVER} {base}".strip(), "--candidate", f"{SERVER} {candidate}".strip()]
    return main(["swap", *commands, "-o", "out", *args, "--", *evals])


def outcomes(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(capfd.readouterr().out)
    return value


def is_gone(pid: Path) -> bool:
    """Whether the process is gone; one that nobody waits for is gone as well."""
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        try:
            os.kill(int(pid.read_text()), 0)
        except ProcessLookupError:
            return True
        stat = Path(f"/proc/{pid.read_text()}/stat")
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


SWAPS = [
    # base, candidate, further arguments, the outcome, the exit status, why
    ("", "--wrong=20", ["--no-repeat-base"], "regressed", 1, "half of the answers are lost"),
    ("--wrong=20", "", ["--no-repeat-base"], "improved", 0, "half of the answers are won"),
    ("", "", ["--no-repeat-base"], "unchanged", 0, "the same server under another command"),
    ("--wrong=4", "--wrong=5", ["--no-repeat-base"], "inconclusive", 3, "one answer of forty"),
    (
        "--model=a",
        "--model=b",
        ["--no-repeat-base", "--treatment=model"],
        "unchanged",
        0,
        "what was declared differs, and nothing else",
    ),
]


@pytest.mark.parametrize(("base", "candidate", "args", "outcome", "code", "why"), SWAPS)
def test_a_swap_ends_as_its_comparison(
    base: str,
    candidate: str,
    args: list[str],
    outcome: str,
    code: int,
    why: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert swap(base, candidate, *args, "--json") == code, why
    told = outcomes(capfd)
    assert told["exit_code"] == code
    assert [task["outcome"] for task in told["comparison"]["tasks"]] == [outcome], why
    assert [side["name"] for side in told["sides"]] == ["base", "candidate"]
    assert told["base_again"] is None
    for side in told["sides"]:
        assert json.loads((Path(side["run"]) / "run.json").read_text())["totals"]["planned"] == 40
        assert Path(side["log"]).exists()


def test_the_screen_of_a_swap(capfd: pytest.CaptureFixture[str]) -> None:
    assert swap("", "--wrong=20") == 1
    told = capfd.readouterr()
    out = re.sub(r"\d{8}T\d{6}Z-\w{6}", "RUN", told.out)
    out = re.sub(rf"{re.escape(sys.executable)} -m tests.swap_server \d+", "CMD", out)
    report = out[out.index("measured one after the other") :].splitlines()
    assert report[:13] == [
        "measured one after the other",
        "  base        CMD",
        "  candidate   CMD --wrong=20",
        "  base-again  CMD",
        "",
        "the base, run again behind the candidate, against itself",
        "  unchanged  test_words.test_words: 0 of 40 verdicts flipped (0.0 %)",
        "",
        "base       out/base (RUN)",
        "candidate  out/candidate (RUN)",
        "",
        "what was changed in the server",
        f"  command: {SERVER} → {SERVER} --wrong=20",
    ]
    assert any("the same server flipped 0 of 40 pairs (0.0 %)" in line for line in report)
    assert report[-1] == "comparison: regressed"
    assert out.count("verdict: passed") == 3
    steps = [line for line in told.err.splitlines() if "waiting for it" not in line]
    assert [line.split()[1] for line in steps] == [
        *("base:", "base:"),
        *("candidate:", "candidate:"),
        *("base-again:", "base-again:"),
    ]
    assert sorted(path.name for path in Path("out").iterdir()) == [
        *("base", "base-again", "base-again.log", "base.log", "candidate", "candidate.log"),
    ]


def test_a_base_that_is_not_like_itself_lets_nothing_pass(capfd: pytest.CaptureFixture[str]) -> None:
    """Bad, good, good: the candidate looks better only because the machine was worse at first."""
    Path("starts").write_text("xx")
    assert swap("--mode=other", "") == 3
    lines = capfd.readouterr().out.splitlines()
    drift = lines.index("the base, run again behind the candidate, against itself")
    assert lines[drift + 1 : drift + 3] == [
        "  improved  test_words.test_words: 20 of 40 verdicts flipped (50.0 %)",
        "  the base is not like itself: the machine drifted, and no difference can be laid to the swap",
    ]
    assert "  improved  test_words.test_words" in lines[drift + 3 :]
    assert lines[-1] == "swap: inconclusive: see what the base came to when it was run again"


GONE = [
    # base, candidate, further arguments, what is said, the sides that were measured, why
    ("", "--mode=exits", [], "status 3; its last lines: loading weights | CUDA error", ["base"], "no memory"),
    ("--mode=exits", "", [], "the server of --base ended with exit status 3", [], "nothing to compare with"),
    ("", "--mode=silent", ["--wait=5"], "did not serve within 5 s: no server answers", ["base"], "not there"),
    ("", "--mode=loading", ["--wait=5"], "did not serve within 5 s: http://", ["base"], "it loads for ever"),
    ("", "--mode=dies", [], "ended with exit status 9; it said nothing", ["base"], "it is lost on the way"),
]


@pytest.mark.parametrize(("base", "candidate", "args", "says", "measured", "why"), GONE)
def test_a_server_that_is_not_there_is_missing_evidence(
    base: str,
    candidate: str,
    args: list[str],
    says: str,
    measured: list[str],
    why: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert swap(base, candidate, *args, "--json") == 5, why
    told = outcomes(capfd)
    assert says in told["error"], why
    assert told["exit_code"] == 5
    assert [side["name"] for side in told["sides"]] == measured


def test_a_missing_server_is_told_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    assert swap("--mode=exits", "") == 5
    (line,) = capfd.readouterr().out.splitlines()
    assert line.startswith(
        "missing evidence: the server of --base ended with exit status 3; its last lines: "
    )
    assert line.endswith("(out/base.log), before it served")


TRUE = ["--base", "true", "--candidate", "true"]
REFUSED = [
    # the arguments, what is said, why
    (["--base", "no-such", "--candidate", "true"], "--base: there is no program 'no-such'", "a typo"),
    (
        ["--base", "A=1 serve", "--candidate", "true"],
        "no shell reads it; write env A=1 serve",
        "a shell's way",
    ),
    (["--base", "'a", "--candidate", "true"], '--base: "\'a" cannot be split into words', "an open quote"),
    (["--base", " ", "--candidate", "true"], "--base: ' ' is not a command", "nothing"),
    (["--base", "true {port}", "--candidate", "true"], "{port} is in --base alone", "two addresses"),
    ([*TRUE, "--url", "ftp://x"], "accepted: http(s)://host:port", "no server"),
    ([*TRUE, "--url", ""], "accepted: http(s)://host:port", "a variable of the shell that is not set"),
    ([*TRUE, "--wait", "-1"], "is not a number of seconds", "no time"),
    ([*TRUE, "--margin", "5"], "write 5 % as 0.05", "no share"),
    (["--base", "true"], "required: --candidate", "one side"),
    ([*TRUE, "--", "--infer-server=x"], "'--infer-server=x' cannot be given", "the swap's own"),
    ([*TRUE, "--", "--infer-run", "x"], "'--infer-run' cannot be given", "the swap's own"),
    ([*TRUE, "--", "--infer-replay=x"], "'--infer-replay=x' cannot be given", "it asks no server"),
    ([*TRUE, "--", "--infer-resume=x"], "'--infer-resume=x' cannot be given", "it asks for a part"),
    ([*TRUE, "--", "--infer-against=x"], "'--infer-against=x' cannot be given", "it asks two servers"),
    ([*TRUE, "-o", "."], "'.' is not empty", "it holds the suite"),
]


@pytest.mark.parametrize(("args", "says", "why"), REFUSED)
def test_what_cannot_be_carried_out_is_one_line(
    args: list[str], says: str, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["swap", *args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2, why
    (line,) = capfd.readouterr().err.splitlines()
    assert says in line, why


def test_a_system_without_process_groups_is_told_the_way_by_hand(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swap_command, "os", SimpleNamespace(name="nt"))
    assert main(["swap", *TRUE, "--", "evals"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(
        f"infergate: infergate swap cannot stop on {sys.platform!r} all that a command starts"
    )
    assert line.endswith("and compare: infergate compare BASE CANDIDATE")


def test_a_stranger_at_the_address_is_not_measured(capfd: pytest.CaptureFixture[str]) -> None:
    with ScriptedServer.answering(lambda body: "stranger") as stranger:
        assert swap("", "", "--url", stranger.url) == 2
        assert stranger.posts == []
    assert f"something listens at {stranger.url} before base is started" in capfd.readouterr().err


PYTEST_TROUBLE = [
    (("no_such_file.py",), "pytest was not given what it accepts", "usage"),
    (("test_words.py", "-k", "nothing"), "", "nothing is selected"),
    (("test_broken.py",), "pytest was interrupted, or the tests could not be collected", "a broken module"),
    (("test_words.py", "--collect-only"), "base: pytest kept no run, its report is above", "nothing is run"),
]


@pytest.mark.parametrize(("evals", "says", "why"), PYTEST_TROUBLE)
def test_a_session_that_could_not_run_is_no_comparison(
    evals: tuple[str, ...], says: str, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("test_broken.py").write_text("import no_such_module\n")
    code = swap("", "", "--no-repeat-base", evals=evals)
    assert code == (2 if says else 5), why
    assert says in capfd.readouterr().err


def test_no_other_side_is_measured_where_the_run_of_one_was_not_finished(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A full disk, a second Ctrl-C in pytest: its exit status is that of wrong answers."""
    Path("conftest.py").write_text(
        "import os, pytest\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_runtest_teardown(item):\n"
        "    if 's20' in item.name:\n"
        "        os._exit(1)\n"
    )
    assert swap("", "", "--json") == 5
    told = outcomes(capfd)
    assert told["error"] == (
        "base: pytest could not finish its run, its report is above; what was measured is in out/base"
    )
    assert told["sides"] == []
    assert len(Path("out/base/records.jsonl").read_text().splitlines()) == 20


def test_ctrl_c_while_runs_are_compared_says_where_they_are(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(swap_result, "compare_sides", interrupted)
    assert swap("", "", "--no-repeat-base") == 2
    assert capfd.readouterr().err.splitlines()[-1] == (
        "infergate: interrupted while runs were compared; what was started is stopped; measured to the end: "
        "base, candidate; see out"
    )


def test_a_key_in_a_command_is_told_to_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    swap("--api-key sk-very-secret-key", "--mode=exits", "--json")
    told = capfd.readouterr()
    assert "sk-very-secret-key" not in told.out + told.err
    assert "--api-key '[redacted]'" in told.err


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (server_process, swap_side):
        monkeypatch.setattr(module, "GRACE", 0.5)


def test_a_server_that_ignores_the_request_to_end_is_ended(impatient: None, suite: Path) -> None:
    assert swap("--mode=stubborn --pid=pid", "", "--no-repeat-base") == 0
    assert is_gone(suite / "pid")


def test_what_a_command_starts_in_turn_is_ended(suite: Path) -> None:
    port = free_port()
    server = SERVER.replace("{port}", str(port))
    wrapped = shlex.join(["sh", "-c", f"{server} --pid=pid & wait"])
    url = f"http://127.0.0.1:{port}"
    args = ["swap", "--base", wrapped, "--candidate", server, "--url", url, "--no-repeat-base", "-o", "out"]
    assert main([*args, "--", "test_words.py"]) == 0
    assert is_gone(suite / "pid")


def test_what_outlives_its_command_is_told(
    impatient: None, suite: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A daemon of its own session is not ours to end, and the candidate must not be measured on it."""
    port = free_port()
    server = SERVER.replace("{port}", str(port))
    wrapped = shlex.join(["sh", "-c", f"setsid {server} --pid=pid & sleep 600"])
    url = f"http://127.0.0.1:{port}"
    args = ["swap", "--base", wrapped, "--candidate", server, "--url", url, "-o", "out"]
    try:
        assert main([*args, "--", "test_words.py"]) == 2
        assert (
            f"something still listens at {url} after the server of --base was stopped"
            in capfd.readouterr().err
        )
    finally:
        os.kill(int((suite / "pid").read_text()), signal.SIGKILL)


@pytest.fixture
def started(suite: Path) -> Iterator[subprocess.Popen[str]]:
    """A swap whose base is just asked and never answers."""
    command = f"{SERVER} --mode=hangs --pid=pid"
    code = "import sys; from pytest_infergate.cli import main; sys.exit(main(sys.argv[1:]))"
    args = ["swap", "--base", command, "--candidate", command, "-o", "out", "--", "test_words.py"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    give_up = time.monotonic() + 60
    while not (suite / "asked").exists() and process.poll() is None and time.monotonic() < give_up:
        time.sleep(0.05)
    yield process
    process.kill()
    process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_swap_leaves_no_server_and_keeps_the_run(
    started: subprocess.Popen[str], suite: Path, number: signal.Signals
) -> None:
    started.send_signal(number)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 2
    assert "infergate: interrupted while base was measured; what was started is stopped" in err
    assert is_gone(suite / "pid")
    run = json.loads((suite / "out" / "base" / "run.json").read_text())
    assert run["verdict"] == "missing"
    assert run["totals"]["missing"] == 40
