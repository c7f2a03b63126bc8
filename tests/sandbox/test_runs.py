"""What a run is given, and what is told of its end."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_infergate.sandbox import EndReason, Job, Limits, Outcome, Sandbox, SandboxError

ENDS = [
    ("pass", EndReason.FINISHED, 0),
    ("", EndReason.FINISHED, 0),
    ("import sys; sys.exit(0)", EndReason.FINISHED, 0),  # without tests a status of 0 is all that is asked
    ("import sys; sys.exit(7)", EndReason.EXIT, 7),
    ("import os; os._exit(3)", EndReason.EXIT, 3),
    ("import sys; sys.exit('bye')", EndReason.EXIT, 1),
    ("1 / 0", EndReason.EXIT, 1),
    ("raise KeyboardInterrupt", EndReason.EXIT, 1),
    ("raise BaseException", EndReason.EXIT, 1),
    ("def f(x:", EndReason.EXIT, 1),
    ("x = '\ud800'", EndReason.EXIT, 1),
    ("x = '\0'", EndReason.EXIT, 1),
    ("raise MemoryError", EndReason.MEMORY, 1),
    ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", EndReason.SIGNAL, -15),
]


@pytest.mark.parametrize(("code", "reason", "exit_code"), ENDS)
def test_an_end_is_told(sandbox: Sandbox, code: str, reason: EndReason, exit_code: int) -> None:
    outcome = sandbox.run(code)
    assert (outcome.reason, outcome.exit_code) == (reason, exit_code)
    assert outcome.ok is (reason is EndReason.FINISHED)


@pytest.mark.parametrize(("code", "reason", "exit_code"), ENDS)
def test_code_that_ends_badly_sits_no_tests(
    sandbox: Sandbox, code: str, reason: EndReason, exit_code: int
) -> None:
    outcome = sandbox.run(code, "print('tests')")
    assert (outcome.stdout == "tests\n") is outcome.ok
    assert outcome.ok is (code in ("pass", ""))


def test_tests_that_end_the_program_themselves_did_not_come_to_their_end(sandbox: Sandbox) -> None:
    """``unittest.main()`` exits; ``unittest.main(exit=False)`` and an assert on its result is what works."""
    suite = (
        "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(f(), {want})\n"
    )
    end = "assert unittest.main(exit=False).result.wasSuccessful()"
    code = "def f(): return 1"
    assert sandbox.run(code, suite.format(want=1) + "unittest.main()").reason is EndReason.LEFT_EARLY
    assert sandbox.run(code, suite.format(want=1) + end).ok
    assert not sandbox.run(code, suite.format(want=2) + end).ok


@pytest.mark.parametrize("stdin", [None, "", "one\ntwo\n", "ü€\U0001f600\n", "x" * 300_000])
def test_stdin_is_what_was_given(sandbox: Sandbox, stdin: str | None) -> None:
    outcome = sandbox.run("import sys; text = sys.stdin.read(); print(len(text), text[:9])", stdin=stdin)
    given = stdin or ""
    assert outcome.stdout.strip() == f"{len(given)} {given[:9]}".strip()


def test_files_are_laid_into_the_working_folder(sandbox: Sandbox) -> None:
    files: dict[str, str | bytes] = {"a/b.txt": "ü", "c.bin": bytes(range(256)), "helper.py": "X = 3"}
    code = (
        "import helper, os\nprint(sorted(os.listdir('.')), open('a/b.txt').read(), "
        "open('c.bin', 'rb').read() == bytes(range(256)), helper.X)"
    )
    assert sandbox.run(code, files=files).stdout == "['a', 'c.bin', 'helper.py', 'main.py'] ü True 3\n"


@pytest.mark.parametrize("name", ["/etc/passwd", "../out", "a/../../out", "", ".", "a\0b"])
def test_a_file_outside_the_working_folder_is_refused(sandbox: Sandbox, name: str) -> None:
    with pytest.raises(SandboxError, match="outside the working folder; give a relative path"):
        sandbox.run("pass", files={name: "x"})


def test_runs_share_nothing(sandbox: Sandbox) -> None:
    sandbox.run("open('left', 'w').write('x')")
    assert sandbox.run("import os; print(os.path.exists('left'))").stdout == "False\n"


def test_undecodable_output_is_shown_with_replacements(sandbox: Sandbox) -> None:
    assert sandbox.run("import os; os.write(1, b'a\\xffb')").stdout == "a\ufffdb"


def test_the_output_up_to_the_limit_is_kept(sandbox: Sandbox) -> None:
    outcome = sandbox.run("print('x' * (1024 * 1024 - 1))")
    assert (outcome.ok, len(outcome.stdout)) == (True, 1024 * 1024)


NO_LIMITS: list[dict[str, Any]] = [
    {"wall_s": 0},
    {"wall_s": -1.0},
    {"wall_s": math.nan},
    {"wall_s": math.inf},
    {"cpu_s": "10"},
    {"memory": 0},
    {"memory": 1.5},
    {"processes": True},
    {"file_size": None},
    {"output": -5},
]


@pytest.mark.parametrize("given", NO_LIMITS)
def test_a_limit_that_is_none_is_refused(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(SandboxError, match=f"sandbox limit {name}=.*; give a .*number.* above 0"):
        Limits(**given)


@pytest.mark.parametrize("timeout", [0, -1, math.nan, math.inf, True, "10"])
def test_a_time_limit_that_is_none_is_refused(sandbox: Sandbox, timeout: Any) -> None:
    with pytest.raises(SandboxError, match="sandbox limit wall_s="):
        sandbox.run("pass", timeout=timeout)


@pytest.mark.parametrize(
    "given",
    [
        {"code": None},
        {"code": b"pass"},
        {"tests": 3},
        {"stdin": b"x"},
        {"files": {"a": 3}},
        {"files": {"main.py": "x"}},
    ],
)
def test_a_job_that_is_none_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(SandboxError, match="give"):
        Job(**{"code": "pass", **given})


@pytest.mark.parametrize("reason", EndReason)
def test_only_a_run_that_came_to_its_end_is_ok(reason: EndReason) -> None:
    outcome = Outcome(reason=reason, exit_code=0, stdout="", stderr="", duration_s=0.1)
    assert outcome.ok is (reason is EndReason.FINISHED)
