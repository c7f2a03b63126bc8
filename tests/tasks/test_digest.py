# ruff: noqa: E501 - a case a line
"""The task digest: what it covers, what it must not notice, and that it is the same everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_infergate.tasks import task_digest

BASE = '''
import math
import pytest
from statistics import mean, median

RATE = 0.5
LIMIT = 10
TABLE = {"a": 1}
TABLE["b"] = 2
UNUSED = 3

@pytest.fixture
def near():
    return LIMIT

@pytest.fixture(name="far")
def _far(near):
    return [near, 7]

@pytest.fixture(autouse=True)
def around():
    yield "around"

def grade(text):
    """Say how good it is."""
    return helper(text) if text else mean([1, 2])

def helper(text):
    def inner(median):
        return median + TABLE["a"]
    return inner(len(text)) or math.pi

def other():
    return UNUSED

class Answer:
    unit = "m"

    def twice(self):
        return 2

@pytest.mark.infer_task(prompt="{q}", temperature=0, min_pass_rate=0.5)
def test_one(far, sample):
    # A remark.
    assert grade(sample["q"]) == Answer().twice(), f"{far!r:>4}"

def test_two(sample):
    assert sample
'''

SAME = [
    ("a comment", "# A remark.", "# Another."),
    ("a docstring", '"""Say how good it is."""', '"""Something else."""'),
    ("no docstring", '    """Say how good it is."""\n', ""),
    ("layout", "helper(text) if text else mean([1, 2])", "(\n        helper(text)\n        if text else\n        mean([1,  2,],))"),
    ("quotes", '"{q}"', "'{q}'"),
    ("a string in two pieces", '"{q}"', '"{" "q}"'),
    ("another spelling of a number", "LIMIT = 10", "LIMIT = 0xA"),
    ("pass among other statements", "    assert sample\n", "    pass\n    assert sample\n"),
    ("a string below a constant", "LIMIT = 10\n", 'LIMIT = 10\n"""How many."""\n'),
    ("a constant that nothing reaches", "UNUSED = 3", "UNUSED = 4"),
    ("a function that nothing reaches", "return UNUSED", "return 5"),
    ("another test", "    assert sample\n", "    assert not sample\n"),
    ("a new test", "def test_two", "def test_new():\n    assert 1\n\ndef test_two"),
    ("an import beside one that is used", "mean, median", "mean, mode, median"),
    ("a gate argument", "min_pass_rate=0.5", "min_pass_rate=0.9"),
    ("no gate argument", ", min_pass_rate=0.5", ""),
    ("other gate arguments", "min_pass_rate=0.5", "max_missing=0.1, margin=0.02"),
    ("a gate argument by name", "min_pass_rate=0.5", "min_pass_rate=RATE"),
    ("a name that a parameter hides", "mean, median", "mean, median as median"),
    ("a string that would be a field of the f-string's layout", "{far!r:>4}", "{ far !r:>4}"),
]  # fmt: skip

DIFFERENT = [
    ("the test", "assert grade", "assert not grade"),
    ("a string", '"q"]) ==', '"p"]) =='),
    ("the prompt", '"{q}"', '"{q} "'),
    ("sampling", "temperature=0", "temperature=1"),
    ("a number's type", "temperature=0", "temperature=0.0"),
    ("a boolean is no number", "temperature=0", "temperature=False"),
    ("a helper", "mean([1, 2])", "mean([1, 3])"),
    ("a helper's helper", "return inner(len", "return -inner(len"),
    ("a function inside", "median + TABLE", "median - TABLE"),
    ("a constant of a helper", '{"a": 1}', '{"a": 2}'),
    ("a change to a constant", 'TABLE["b"] = 2', 'TABLE["b"] = 3'),
    ("where an imported name comes from", "from statistics import mean", "from statistics import fmean as mean"),
    ("a class", 'unit = "m"', 'unit = "s"'),
    ("its method", "return 2", "return 3"),
    ("a fixture by its given name", "[near, 7]", "[near, 8]"),
    ("a fixture that a fixture asks for", "return LIMIT", "return -LIMIT"),
    ("a constant of that fixture", "LIMIT = 10", "LIMIT = 11"),
    ("a fixture with autouse", 'yield "around"', 'yield "nothing"'),
    ("a decorator", "def test_one", "@pytest.mark.slow\ndef test_one"),
    ("a mark of the module", "RATE = 0.5", "RATE = 0.5\npytestmark = pytest.mark.slow"),
    ("the conversion in an f-string", "{far!r:>4}", "{far!s:>4}"),
    ("the format in an f-string", "{far!r:>4}", "{far!r:>5}"),
]  # fmt: skip


def digest_of(module):
    return task_digest(module.test_one)


@pytest.mark.parametrize(("old", "new"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
def test_does_not_notice(load, old, new):
    assert old in BASE
    assert digest_of(load(BASE.replace(old, new))) == digest_of(load(BASE))


@pytest.mark.parametrize(
    ("old", "new"), [case[1:] for case in DIFFERENT], ids=[case[0] for case in DIFFERENT]
)
def test_notices(load, old, new):
    assert old in BASE
    assert digest_of(load(BASE.replace(old, new))) != digest_of(load(BASE))


def test_does_not_notice_the_order_of_the_file(load):
    blocks = re.split(r"\n\n(?=\S)", BASE)
    moved = "\n\n".join([*blocks[:2], *reversed(blocks[2:])])
    assert digest_of(load(moved)) == digest_of(load(BASE))


SPELLINGS = [
    ("decorator", "@pytest.mark.infer_task({})\ndef test_one(): assert 1"),
    ("decorator on a class", "@pytest.mark.infer_task({})\nclass TestOne:\n    def test_one(self): assert 1"),
    ("mark of the module", "pytestmark = pytest.mark.infer_task({})\ndef test_one(): assert 1"),
    ("marks of the module", "pytestmark = [pytest.mark.slow, pytest.mark.infer_task({})]\ndef test_one(): assert 1"),
    ("mark of a class", "class TestOne:\n    pytestmark = pytest.mark.infer_task({})\n    def test_one(self): assert 1"),
    ("imported mark", "from pytest import mark\n@mark.infer_task({})\ndef test_one(): assert 1"),
    ("constant", "EVAL = pytest.mark.infer_task({})\n@EVAL\ndef test_one(): assert 1"),
    ("another name", "task = pytest.mark.infer_task\n@task({})\ndef test_one(): assert 1"),
    ("refined", "EVAL = pytest.mark.infer_task(prompt='q')\n@EVAL.with_args({})\ndef test_one(): assert 1"),
    ("called again", "EVAL = pytest.mark.infer_task(prompt='q')\nFINE = EVAL({})\n@FINE\ndef test_one(): assert 1"),
    ("partial", "from functools import partial\nEVAL = partial(pytest.mark.infer_task, {})\n@EVAL(prompt='q')\ndef test_one(): assert 1"),
    ("a param's mark", "@pytest.mark.parametrize('a', [pytest.param(1, marks=pytest.mark.infer_task({}))])\ndef test_one(a): assert 1"),
    ("a dict", "COMMON = dict({})\n@pytest.mark.infer_task(**COMMON)\ndef test_one(): assert 1"),
    ("a dict of a dict", "BASE = dict({})\nCOMMON = {{**BASE, 'prompt': 'q'}} | {{'seed': 1}}\n@pytest.mark.infer_task(**COMMON)\ndef test_one(): assert 1"),
]  # fmt: skip


@pytest.mark.parametrize("spelling", [case[1] for case in SPELLINGS], ids=[case[0] for case in SPELLINGS])
def test_gate_arguments_do_not_count_wherever_the_marker_is_spelled(load, spelling):
    def digest_with(arguments):
        module = load("import pytest\n" + spelling.format(arguments))
        owner = getattr(module, "TestOne", None)
        return task_digest((owner or module).test_one, owner=owner)

    plain = digest_with("seed=1")
    assert digest_with("seed=1, min_pass_rate=0.5, max_missing=0.1, margin=0.2") == plain
    assert digest_with("seed=2") != plain


@pytest.mark.parametrize("spelling", [case[1] for case in SPELLINGS], ids=[case[0] for case in SPELLINGS])
def test_the_limits_of_infer_wer_do_not_count_and_how_it_measures_does(load, spelling):
    def digest_with(arguments):
        module = load("import pytest\n" + spelling.replace("infer_task", "infer_wer").format(arguments))
        owner = getattr(module, "TestOne", None)
        return task_digest((owner or module).test_one, owner=owner)

    plain = digest_with("metric='cer'")
    assert digest_with("metric='cer', max=0.1, corpus_max=0.05") == plain
    assert digest_with("metric='mer'") != plain


def test_a_marker_has_no_gate_arguments_of_another_one(load):
    one = load("import pytest\n@pytest.mark.infer_wer(margin=0.5)\ndef test_one(): assert 1")
    two = load("import pytest\n@pytest.mark.infer_wer(margin=0.6)\ndef test_one(): assert 1")
    assert digest_of(one) != digest_of(two)


def test_a_marker_with_gate_arguments_alone_is_a_bare_marker(load):
    bare = load("import pytest\n@pytest.mark.infer_task\ndef test_one(): assert 1")
    gated = load("import pytest\n@pytest.mark.infer_task(min_pass_rate=0.5)\ndef test_one(): assert 1")
    assert digest_of(bare) == digest_of(gated)


def test_gate_arguments_of_other_calls_count(load):
    one = load("def test_one(): assert max(1, 2, key=lambda margin: margin) and dict(margin=1)")
    two = load("def test_one(): assert max(1, 2, key=lambda margin: margin) and dict(margin=2)")
    assert digest_of(one) != digest_of(two)


METHODS = """
import pytest

class Shared:
    wanted = 1

    def grade(self, text):
        return text == self.wanted

    def test_one(self, sample, own):
        assert self.grade(sample)

    def test_two(self, sample):
        assert self.aside(sample)

    def aside(self, text):
        return 5

    def setup_method(self, method):
        self.start = 1

    @pytest.fixture
    def own(self):
        return 3

class TestChild(Shared):
    wanted = 2
"""


@pytest.mark.parametrize(
    ("old", "new", "is_noticed"),
    [
        ("text == self", "text != self", True),
        ("wanted = 1", "wanted = 3", True),
        ("self.start = 1", "self.start = 2", True),
        ("return 3", "return 4", True),
        ("wanted = 2", "wanted = 4", True),  # of the class that it is collected from
        ("TestChild(Shared)", "TestChild(Shared, object)", True),
        ("return 5", "return 6", False),  # a method of another test
        ("self.aside(sample)", "not self.aside(sample)", False),
    ],
)
def test_of_classes_only_what_the_method_reaches_counts(load, old, new, is_noticed):
    one, two = load(METHODS), load(METHODS.replace(old, new))
    before = task_digest(one.TestChild.test_one, owner=one.TestChild)
    after = task_digest(two.TestChild.test_one, owner=two.TestChild)
    assert (before != after) is is_noticed


def test_a_star_import_counts_where_a_name_may_be_its(load):
    one = load("from math import *\ndef test_one(): assert floor(1.5)")
    two = load("from cmath import *\nfrom math import *\ndef test_one(): assert floor(1.5)")
    assert digest_of(one) != digest_of(two)


def test_closures_count_with_the_statement_that_makes_them_and_the_one_that_names_them(load):
    text = "def make(n):\n    def test(sample):\n        assert sample == n\n    return test\ntest_one = make(1)\ntest_zwei = make(5)\n"
    assert digest_of(load(text)) == digest_of(load(text.replace("5", "6")))
    assert digest_of(load(text)) != digest_of(load(text.replace("make(1)", "make(2)")))
    assert digest_of(load(text)) != digest_of(load(text.replace("== n", "> n")))


def test_wrapped_functions_count_with_their_decorators(load):
    text = (
        "import functools\n"
        "def twice(f):\n    @functools.wraps(f)\n    def run(*a):\n        return f(*a), 2\n    return run\n"
        "@twice\ndef test_one(): assert 1\n"
    )
    assert digest_of(load(text)) != digest_of(load(text.replace("), 2", "), 3")))
    assert digest_of(load(text)) != digest_of(load(text.replace("assert 1", "assert 2")))


def test_same_names_defined_twice_are_told_apart(load):
    text = "def test_one(): assert 1\nfirst = test_one\ndef test_one(): assert 2\n"
    module = load(text)
    assert task_digest(module.first) != task_digest(module.test_one)


def test_code_without_source_still_tells_its_constants_apart():
    def made(text):
        namespace = {"__name__": "nowhere"}
        exec(text, namespace)
        return task_digest(namespace["test_one"])

    assert made("def test_one(): assert x in {'a', 'b'}") == made("def test_one(): assert x in {'b', 'a'}")
    assert made("def test_one(): assert x == 'a'") != made("def test_one(): assert x == 'b'")
    assert task_digest(print).startswith("sha256:")


def test_very_long_expressions_are_no_trouble(load):
    text = "TOTAL = " + " + ".join(["1"] * 800) + "\ndef test_one(): assert TOTAL\n"
    assert digest_of(load(text)) != digest_of(load(text.replace("1 + 1", "1 + 2", 1)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    value=st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(),
        st.binary(),
        st.complex_numbers(allow_nan=False, allow_infinity=False),
        st.just(...),
    ),
    other=st.one_of(
        st.booleans(), st.integers(), st.text(), st.binary(), st.floats(allow_nan=False, allow_infinity=False)
    ),
)
def test_notices_any_change_of_a_constant_and_nothing_else(load, value, other):
    def digest_with(constant, remark):
        return digest_of(load(f"VALUE = ({constant!r})  # {remark}\ndef test_one():\n    assert VALUE\n"))

    is_same = type(value) is type(other) and repr(value) == repr(other)
    assert (digest_with(value, "one") == digest_with(other, "two")) is is_same


LOCKED = {
    "test_function": "sha256:12ff8af6d49fb70e548871076bda461896ce371a8fb3ac4f8b1fe35c73d30eb1",
    "test_async": "sha256:76cbbcadf4ebc5bab2ef5516cfcbc50e22c5c67bd7668c317f019ef79e23e014",
    "TestClass.test_method": "sha256:b1b274a78deb1d2d1a05212ea0f5f5be955ee35e09c5c2a2062fe7dc4836a9e5",
    "TestClass.test_other": "sha256:9ce48f96a1c60666fa1ac895147a61cedb14b7091b49b1c8261dd3d521765fdc",
    "test_assigned": "sha256:07740287516d7619eaa41f1b40eae0615b3de9f5d935dac387243de16ede79cf",
}


@pytest.mark.parametrize("name", LOCKED)
def test_is_the_same_on_every_python(load, name):
    module = load((Path(__file__).parent / "specimen.py").read_text(encoding="utf-8"))
    owner = module.TestClass if name.startswith("TestClass") else None
    function = getattr(owner or module, name.rpartition(".")[2])
    assert task_digest(function, owner=owner) == LOCKED[name]
