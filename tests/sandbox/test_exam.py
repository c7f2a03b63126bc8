"""What hostile code does to its own checks: it gets no pass. What is right gets one, whatever it looks like."""

# ruff: noqa: E501 - a row of a table is a whole program

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.sandbox import EndReason, Sandbox, SandboxError
from pytest_infergate.sandbox.exam import set_exam

#: ``f`` has to add one.
TESTS = """
def check(candidate):
    assert candidate(1) == 2
    assert abs(candidate(3) - 4) < 1e-6
    assert all(candidate(n) == n + 1 for n in range(5))

check(f)
"""
WRONG = "def f(x): return 9\n"

LEAVES = {
    "sys.exit(0)": "import sys; sys.exit(0)",
    "SystemExit without a status": "raise SystemExit",
    "os._exit(0)": "import os; os._exit(0)",
    "printing OK and leaving": "print('OK'); print('1 passed'); raise SystemExit(0)",
    "leaving from the function": "def f(x): raise SystemExit(0)",
    "os._exit(0) from the function": "import os\ndef f(x): os._exit(0)",
    "becoming another program": "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', 'print(1)'])",
    "leaving in a child and in the parent": "import os\nos.fork()\nos._exit(0)",
}


@pytest.mark.parametrize("code", LEAVES.values(), ids=LEAVES)
def test_who_leaves_before_the_tests_ended_has_not_passed(sandbox: Sandbox, code: str) -> None:
    outcome = sandbox.run(code, TESTS)
    assert (outcome.reason, outcome.exit_code) == (EndReason.LEFT_EARLY, 0)


#: Takes the runner's place with what its frames hold: says that the tests ended, reads the token, hands it in.
IMPOSTOR = """
import json, os, re, sys

def pose(frame, say, inlet):
    {announce}
    text = b''
    while not text.endswith(b'\\n'):
        text += os.read(inlet, 65536)
    say(token=re.search('[0-9a-f]{{32}}', json.loads(text)).group())
    {leave}
"""

PATCHES = {
    "an object that equals everything": "class E:\n    def __eq__(self, other): return True\n    def __sub__(self, other): return 0\ndef f(x): return E()",
    "an object that equals every number": "class E:\n    def __eq__(self, other): return isinstance(other, int)\n    def __sub__(self, other): return 0\ndef f(x): return E()",
    "a number that does": "class E(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n    def __sub__(self, other): return 0\ndef f(x): return E(9)",
    "mock.ANY": "from unittest.mock import ANY\ndef f(x): return ANY",
    "check defined ahead": WRONG + "def check(candidate): pass",
    "check that cannot be bound": WRONG + "class D(dict):\n    def __setitem__(self, key, value): pass\nimport sys\nsys.modules['__main__'].__dict__.update(check=lambda candidate: None)",
    "check replaced from a thread": WRONG + "import threading\ndef swap():\n    while True: globals()['check'] = lambda candidate: None\nthreading.Thread(target=swap, daemon=True).start()",
    "check replaced from the function": "import sys\ndef f(x):\n    sys._getframe(1).f_globals['check'] = lambda candidate: None\n    return 9",
    "exec and compile replaced": WRONG + "import builtins\nbuiltins.exec = builtins.eval = lambda *a, **k: None\nbuiltins.compile = lambda *a, **k: ''",
    "all and abs replaced in builtins": "import builtins\nbuiltins.all = lambda xs: True\nbuiltins.abs = lambda x: 0\ndef f(x): return 2 if x == 1 else 9",
    "all and abs shadowed": "def all(xs): return True\ndef abs(x): return 0\ndef f(x): return 2 if x == 1 else 9",
    "AssertionError replaced": WRONG + "import builtins\nclass Fine(Exception): pass\nbuiltins.AssertionError = builtins.BaseException = Fine",
    "sys.exit and os._exit replaced": WRONG + "import os, sys\nsys.exit = os._exit = lambda *a: None",
    "os.fork replaced": WRONG + "import os\nos.fork = lambda: 1\nos.waitpid = lambda *a: (1, 0)",
    "os.read and json.loads replaced": WRONG + "import json, os\nos.read = lambda *a: b'[]\\n'\njson.loads = lambda *a: None",
    "the excepthook replaced": WRONG + "import sys\nsys.excepthook = sys.__excepthook__ = lambda *a: None",
    "atexit": WRONG + "import atexit, os\natexit.register(os._exit, 0)",
    "a trace function that jumps": WRONG + "import sys\ndef jump(frame, event, arg):\n    if frame.f_code.co_name == 'check' and event == 'line' and frame.f_lineno < 5: frame.f_lineno = 5\n    return jump\nsys.settrace(jump)\nimport threading; threading.settrace(jump)",
    "every dictionary searched for check": "import gc\ndef f(x):\n    for o in gc.get_objects():\n        if isinstance(o, dict) and 'check' in o: o['check'] = lambda c: None\n    return 9",
    "the token looked for in every frame and object": "import gc, re, sys\ndef f(x):\n    seen = [repr(o) for o in gc.get_objects() if isinstance(o, (dict, list, tuple, str))]\n    frame = sys._getframe()\n    while frame:\n        seen.append(repr(frame.f_locals) + repr(frame.f_code.co_consts)); frame = frame.f_back\n    print([t for s in seen for t in re.findall(\"'([0-9a-f]{32})'\", s)])\n    return 9",
    "the runner's words over and over": WRONG + "import sys\nsay = sys._getframe(1).f_locals['say']\nfor _ in range(20000):\n    say(ready=True); say(at_end=True); say(status=0)",
    "garbage to every open file": WRONG + "import os\nfor fd in range(3, 256):\n    try: os.write(fd, b'\\xff\\n[1]\\nnull\\n{\"token\": 5, \"status\": 0, \"statuses\": [0]}\\n{\"at_end\": true}\\n{\"status\": 0}\\n')\n    except OSError: pass",
    "the runner's place, before the tests": IMPOSTOR.format(announce="say(ready=True); os.read(inlet, 65536); say(at_end=True)", leave="say(status=0); os._exit(0)") + "frame = sys._getframe(1)\npose(frame, frame.f_locals['say'], frame.f_locals['inlet'])",
    "the runner's place, from the function": IMPOSTOR.format(announce="say(at_end=True)", leave="os._exit(0)") + "def f(x):\n    frame = sys._getframe(1)\n    while 'inlet' not in frame.f_locals: frame = frame.f_back\n    pose(frame, frame.f_locals['say'], frame.f_locals['inlet'])",
}  # fmt: skip


@pytest.mark.parametrize("code", PATCHES.values(), ids=PATCHES)
def test_who_patches_the_checks_has_not_passed(sandbox: Sandbox, code: str) -> None:
    outcome = sandbox.run(code, TESTS)
    assert not outcome.ok
    assert outcome.reason in (EndReason.EXIT, EndReason.FORGED, EndReason.LEFT_EARLY), outcome


FORGED = ["all and abs shadowed", "the runner's place, from the function"]


@pytest.mark.parametrize("name", FORGED)
def test_what_makes_checks_hold_blindly_is_shown_up_by_the_decoy(sandbox: Sandbox, name: str) -> None:
    assert sandbox.run(PATCHES[name], TESTS).reason is EndReason.FORGED


RIGHT = {
    "plain": "def f(x): return x + 1",
    "another kind of number": "from fractions import Fraction\ndef f(x): return Fraction(x) + 1",
    "a class with a sane equality": "class N(int):\n    def __eq__(self, other): return int(self) == other\n    __hash__ = int.__hash__\ndef f(x): return N(x + 1)",
    "a class that equals its likes and numbers": "class N:\n    def __init__(self, n): self.n = n\n    def __eq__(self, other): return self.n == getattr(other, 'n', other)\n    def __sub__(self, other): return self.n - other\ndef f(x): return N(x + 1)",
    "stdout closed": "import sys\nsys.stdout.close()\ndef f(x): return x + 1",
    "both outputs closed": "import os\nos.close(1); os.close(2)\ndef f(x): return x + 1",
    "stdout replaced": "import io, sys\nsys.stdout = io.StringIO()\ndef f(x): return x + 1",
    "names of builtins in use for something else": "list = [1]\nmax = 3\ndef sum(a, b, c): return a + b + c\ndef f(x): return x + 1",
    "a builtin of its own that is right": "def abs(x): return x if x > 0 else -x\ndef f(x): return x + 1",
    "a thread that goes on": "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\ndef f(x): return x + 1",
    "a child that goes on": "import subprocess\nsubprocess.Popen(['sleep', '60'])\ndef f(x): return x + 1",
    "a main part": "def f(x): return x + 1\nif __name__ == '__main__':\n    print(f(1))",
    "a module of its own": "import sys\nassert sys.modules['__main__'].__dict__ is globals()\ndef f(x): return x + 1",
    "source that can be read": "import inspect\ndef f(x): return x + 1\nassert 'return x + 1' in inspect.getsource(f)",
    "a dataclass": "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(x): return P(x + 1).x",
    "a process pool": "from multiprocessing import Pool\ndef g(x): return x + 1\ndef f(x):\n    with Pool(1) as pool: return pool.apply(g, (x,))",
    "an event loop": "import asyncio\nasync def g(x): return x + 1\ndef f(x): return asyncio.run(g(x))",
    "temporary files": "import tempfile\ndef f(x):\n    with tempfile.TemporaryFile() as file: file.write(b'x'); return x + 1",
}  # fmt: skip


@pytest.mark.parametrize("code", RIGHT.values(), ids=RIGHT)
def test_what_is_right_passes(sandbox: Sandbox, code: str) -> None:
    outcome = sandbox.run(code, TESTS, timeout=30)
    assert outcome.ok, outcome
    assert outcome.exit_code == 0


def test_what_the_tests_print_is_shown_once(sandbox: Sandbox) -> None:
    outcome = sandbox.run("print('code')", "import sys\nprint('tests')\nprint('aside', file=sys.stderr)")
    assert (outcome.ok, outcome.stdout, outcome.stderr) == (True, "code\ntests\n", "aside\n")


def test_slow_tests_that_pass_in_time_are_not_late_for_the_decoy(sandbox: Sandbox) -> None:
    outcome = sandbox.run("", "import time; time.sleep(1)", timeout=1.5)
    assert outcome.ok, outcome


def test_tests_that_leave_something_behind_pass(sandbox: Sandbox) -> None:
    """The decoy comes second and meets it, which is nobody's fault."""
    assert sandbox.run("", "import os\nos.mkdir('once')\nassert os.listdir('once') == []").ok


def test_a_check_that_does_not_hold_is_quoted(sandbox: Sandbox) -> None:
    outcome = sandbox.run(WRONG, TESTS)
    assert (outcome.reason, outcome.exit_code) == (EndReason.EXIT, 1)
    assert outcome.stderr == (
        "Traceback (most recent call last):\n"
        '  File "tests", line 7, in <module>\n'
        "    check(f)\n"
        '  File "tests", line 3, in check\n'
        "    assert candidate(1) == 2\n"
        "AssertionError\n"
    )


@pytest.mark.parametrize("expected", ["4", "'4'", "4.0", "b'4'", "True", "[4]", "(4,)", "{4}", "{4: 4}"])
@pytest.mark.parametrize("form", ["f() == {}", "{} == f()", "f() in [{}]", "[f()] == [{}]"])
def test_an_object_that_equals_all_of_a_type_is_no_answer(sandbox: Sandbox, expected: str, form: str) -> None:
    code = (
        f"class E:\n    def __eq__(self, other): return type(other) is type({expected})\ndef f(): return E()"
    )
    assert sandbox.run(code, f"assert {form.format(expected)}").reason is EndReason.EXIT


def test_tests_may_compare_with_an_object_that_means_any_number(sandbox: Sandbox) -> None:
    tests = "class Number:\n    def __eq__(self, other): return type(other) is int\nassert f() == Number()"
    assert sandbox.run("def f(): return 4", tests).ok


def test_tests_that_are_no_python_are_the_tests_fault(sandbox: Sandbox) -> None:
    with pytest.raises(SandboxError, match="sandbox tests, line 2: not Python"):
        sandbox.run("open('ran', 'w')", "x = 1\nassert (\n")


#: A comparison in an assert, as tests write them: rewritten, each says what it said.
COMPARISONS = [
    ("assert f(1) == 2", True),
    ("assert (f(1)) == (2)", True),
    ("assert (f(1)  # a comment with == in it\n        == 2), 'message'", True),
    ("assert not f(1) == 3", True),
    ("assert f(1) != 3 and f(1) == 2 or 1 < 0", True),
    ("assert 1 < f(1) <= 2", True),
    ("assert f(1) in (1, 2)", True),
    ("assert f(1) not in (1, 2)", False),
    ("assert 'ü' == 'ü' and [f(n) == n + 1 for n in (1, 2)] == [True, True]", True),
    ("assert (f(1) == 2) == True", True),
    ("assert True == (f(1) == 2)", True),
    ("assert (y := f(1)) == 2 and y == 2", True),
    ("assert f(1) == 3", False),
    ("assert f(1) < 2", False),
    ("assert f'{f(1) == 2}' == 'True'", True),
    ("assert (lambda x: x == 2)(f(1))", True),
    ("assert f(1) is not None and f(1) == (2 if f(1) == 2 else 3)", True),
    ("from unittest import mock\nassert f(1) == mock.ANY", True),
    ("from unittest.mock import ANY\nassert [f(1), 1] == [ANY, 1]", True),
    ("def g():\n\tassert f(1) == 2\r\n\tassert f(2) == 3\ng()", True),
    ("class T:\n    def test(self):\n        assert f(1) == 2\nT().test()", True),
    ("from __future__ import annotations\nassert f(1) == 2", True),
    ("assert f(1) == 2; assert f(2) == 4", False),
]


@pytest.mark.parametrize(("tests", "holds"), COMPARISONS)
def test_a_comparison_means_what_it_says(tests: str, holds: bool) -> None:
    names = {"f": lambda x: x + 1}
    exam = set_exam(tests)
    names[exam.real.compare] = _compare
    if holds:
        exec(compile(exam.real.body, "tests", "exec", dont_inherit=True), names)
    else:
        with pytest.raises(AssertionError):
            exec(compile(exam.real.body, "tests", "exec", dont_inherit=True), names)


def _compare(sign: str, left: object, right: object, *_: bool) -> bool:
    return bool(eval(f"left {sign} right", {"left": left, "right": right}))


@given(
    st.lists(
        st.sampled_from([tests for tests, _ in COMPARISONS if "__future__" not in tests]),
        min_size=1,
        max_size=6,
    )
)
def test_every_line_stays_where_it_is(pieces: list[str]) -> None:
    tests = "\n".join(pieces)
    body = set_exam(tests).real.body
    assert len(body.splitlines()) == len(tests.splitlines())
    before = [(type(node), node.lineno) for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.stmt)]
    after = [(type(node), node.lineno) for node in ast.walk(ast.parse(body)) if isinstance(node, ast.stmt)]
    assert before == after


def test_no_two_runs_share_a_token_or_a_name() -> None:
    papers = [paper for exam in (set_exam(TESTS), set_exam(TESTS)) for paper in (exam.real, exam.decoy)]
    for field in ("token", "compare", "hand_in", "end"):
        assert len({getattr(paper, field) for paper in papers}) == 4


def test_the_token_is_no_part_of_what_the_tests_are_sent_as() -> None:
    exam = set_exam(TESTS)
    assert exam.real.token not in exam.real.body
    assert exam.real.token in exam.real.end


def test_the_decoys_end_holds_under_no_honest_python() -> None:
    names = (
        "abs all any bool dict float int isclose isinstance issubclass len list map max min next repr round"
    )
    more = "set sorted str sum tuple type"
    exam = set_exam("\n".join(f"{name}" for name in f"{names} {more}".split()))
    handed_in: list[str] = []
    assert exam.decoy.end.count(" or ") == 24
    with pytest.raises(AssertionError):
        exec(exam.decoy.end, {exam.decoy.hand_in: handed_in.append})
    exec(exam.real.end, {exam.real.hand_in: handed_in.append})
    assert handed_in == [exam.real.token]
