# ruff: noqa
# fmt: off
"""A module whose digests are locked: every Python that is supported must come to the same ones."""

from __future__ import annotations

import dataclasses
import os.path as paths
from string import Template as Text, ascii_letters

import pytest

LIMIT = 1_000
HUGE = 0x1FFFFFFFFFFFFFFFFFFFF
RATE = 0.5
MASK = b"\x00\xff" b"x"
NAMES = ("a", "é", "\u2028", "\N{SNOWMAN}")
NEAR = -1.5e-3 + 2j
WIDE = "one " "two"
PLAIN = f"no field"
NESTED = f"{LIMIT:>{LIMIT}}" f"a{{b}}" "c" f"{LIMIT!r:>9}{'x'}"
DEBUG = f"{RATE=} and {RATE!s}"
TABLE: dict[str, int] = {"x": 1, **{"y": 2}}
TABLE["z"] = 3
EVAL = pytest.mark.infer_task(prompt="{q}", min_pass_rate=RATE)


@dataclasses.dataclass(frozen=True)
class Answer:
    """What was said."""

    value: int = 3

    @property
    def twice(self) -> int:
        return self.value * 2


@pytest.fixture(name="near", autouse=False)
def _near():
    yield NEAR


def pick(reply, /, *rest, key=None, **more):
    match reply:
        case {"a": [first, *_], **others} if first:
            return others
        case Answer(value=3) | None:
            return [x for x in rest if (y := x) and y is not ...]
        case str() as text:
            return text[1:2, ::3]
    return lambda a, *b, c=1: (a, *b, c)


def helper(text):
    global LIMIT
    with open(paths.join(text)) as one, open(text) as two:
        for LIMIT in one:
            if not text or LIMIT < 3 <= len(two.read()):
                continue
            del two
        else:
            assert text, f"{text}: {ascii_letters}"
    try:
        return Text(text).substitute(TABLE)
    except (KeyError, ValueError) as error:
        raise RuntimeError(WIDE) from error
    finally:
        print(NESTED, DEBUG, PLAIN, HUGE, MASK, sep="")


@EVAL
@pytest.mark.infer_extract(helper, NAMES)
def test_function(near, sample):
    """Docstring."""
    assert pick(helper(sample["a"])) == near  # comment
    assert {*NAMES} and [*NAMES] and {k: v for k, v in TABLE.items()} and not ~LIMIT


@EVAL
async def test_async(sample):
    async with sample as one:
        return [await x async for x in one]


class TestClass:
    size = 4

    @pytest.mark.infer_task(dataset="a.jsonl", max_missing=0.25)
    def test_method(self, sample):
        assert self.grade(sample) == Answer().twice

    def grade(self, sample):
        return sample["x"] + self.size if sample else (yield)

    def test_other(self): ...


test_assigned = lambda sample: sample["a"] == LIMIT  # noqa: E731
