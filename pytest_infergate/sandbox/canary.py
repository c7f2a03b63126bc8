"""The canary of a sandbox: a program that has to pass, and programs that must not."""

from __future__ import annotations

from ..evidence import NoAnswer, Reason
from .job import Job
from .outcome import Outcome
from .sandbox import Sandbox

_GOOD = Job(code="def double(n):\n    return n * 2\n", tests="assert double(21) == 42\n", timeout=30)
_BAD = Job(code="def double(n):\n    return n + 2\n", tests="assert double(21) == 42\n", timeout=30)
_LEFT = Job(code="print('OK')\nraise SystemExit(0)\n", tests="assert double(21) == 42\n", timeout=30)


def check_canary(sandbox: Sandbox) -> None:
    """Raise ``NoAnswer`` (``evaluator_unavailable``) where the sandbox is not to be believed."""
    good, *bad = sandbox.map([_GOOD, _BAD, _LEFT])
    if not good.ok:
        raise _wrong("a right program did not pass", good)
    for outcome in bad:
        if outcome.ok:
            raise _wrong("a wrong program passed", outcome)


def _wrong(what: str, outcome: Outcome) -> NoAnswer:
    said = outcome.stderr.strip().rpartition("\n")[2]
    return NoAnswer(
        Reason.EVALUATOR_UNAVAILABLE,
        f"the sandbox's canary: {what} ({outcome.reason.value}, status {outcome.exit_code}) {said}".strip(),
    )
