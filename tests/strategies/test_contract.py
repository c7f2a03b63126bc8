"""The contract finds what is broken, and passes what is not."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from pytest_infergate import extract
from pytest_infergate.extract import Extractor
from pytest_infergate.strategies import (
    EVERY_WRAPPING,
    BrokenPromise,
    Promise,
    Wrapping,
    check_extractor,
)

from . import mutants

#: Mutant → the promise that it breaks.
BROKEN: dict[type[mutants.Colour], Promise] = {
    mutants.NoName: Promise.IDENTITY,
    mutants.NoVersion: Promise.IDENTITY,
    mutants.NoRule: Promise.IDENTITY,
    mutants.SettingsNotJson: Promise.IDENTITY,
    mutants.OtherIdentity: Promise.IDENTITY,
    mutants.NotFrozen: Promise.VALUE,
    mutants.NotHashable: Promise.VALUE,
    mutants.NotPicklable: Promise.VALUE,
    mutants.NotComparable: Promise.VALUE,
    mutants.NamelessRepr: Promise.REPR,
    mutants.LongRepr: Promise.REPR,
    mutants.Raises: Promise.RAISES,
    mutants.ReasonOfTheServer: Promise.RAISES,
    mutants.Counts: Promise.REPEATS,
    mutants.ReadsTheReplyAnew: Promise.REPEATS,
    mutants.ReadsCutReplies: Promise.DELIVERY,
    mutants.IgnoresAllow: Promise.DELIVERY,
    mutants.ReadsNoGold: Promise.GOLD,
    mutants.GoldOfAnotherKind: Promise.GOLD,
    mutants.RaisesOnOddGold: Promise.GOLD,
    mutants.TakesNothingForGold: Promise.GOLD,
    mutants.ComparesTextsAlone: Promise.SAME,
    mutants.SaysYesAndNo: Promise.SAME,
    mutants.FindsAllTheSame: Promise.SAME,
    mutants.TakesTheFirst: Promise.FINDS,
    mutants.TakesBareAnswersAlone: Promise.FINDS,
    mutants.ReadsReasoning: Promise.FINDS,
}
COLOURS = ["red", "green", "blue"]


@dataclass(frozen=True, kw_only=True)
class Own:
    """An extractor of the project, and what it reads by its rule."""

    extractor: Extractor[Any]
    answers: Sequence[str] | Mapping[str, object]
    leaves: frozenset[Wrapping] = frozenset()
    refuses: frozenset[Wrapping] = frozenset()
    verbatim: bool = False
    faults: tuple[type[Exception], ...] = ()
    sample: dict[str, Any] | None = field(default=None)


#: No quantity: nobody writes a unit beside it.
_NO_QUANTITY = frozenset({Wrapping.UNIT, Wrapping.LOCALE})
_JSON = {'{"a": 1}': {"a": 1}, '{\n  "a": [2, 3]\n}': {"a": [2, 3]}}
_ONLY = EVERY_WRAPPING.difference
_PROGRAMS = ("def f(x):\n    return x", "def f(x):\n    y = x + 1\n\n    return y")

OWN = {
    "number": Own(
        extractor=extract.number,
        answers={"42": 42, "-7": -7, "3.5": 3.5, "1234567": 1_234_567, "15000.25": 15_000.25},
    ),
    "boxed": Own(
        extractor=extract.boxed,
        answers={"\\boxed{\\frac{1}{2}}": "1/2", "\\boxed{x+1}": "x+1", "\\boxed{42}": 42},
        leaves=frozenset({Wrapping.UNIT}),
    ),
    "choice letters": Own(
        extractor=extract.choice("ABCD"),
        answers=["A", "B", "D"],
        leaves=_NO_QUANTITY,
    ),
    "choice texts": Own(
        extractor=extract.choice(["happy", "sad"]),
        answers=["happy", "sad"],
        leaves=_NO_QUANTITY,
    ),
    "choice of the sample": Own(
        extractor=extract.choice("options"),
        answers=["A", "B"],
        sample={"options": ["iron", "oak"]},
        leaves=_NO_QUANTITY,
    ),
    "yes_no": Own(
        extractor=extract.yes_no,
        answers={"yes": True, "no": False},
        leaves=_NO_QUANTITY,
    ),
    "last_line": Own(
        extractor=extract.last_line,
        answers=["Paris", "Rome"],
        leaves=_ONLY({Wrapping.REASONING, Wrapping.WORKING, Wrapping.FENCE}),
        verbatim=True,
    ),
    "final_answer": Own(
        extractor=extract.final_answer,
        answers=["Paris", "two\nlines"],
        leaves=_ONLY({Wrapping.REASONING}),
        verbatim=True,
    ),
    "regex": Own(
        extractor=extract.regex(r"#### (\S+)"),
        answers={"#### 42": "42", "#### 7": "7"},
        leaves=_ONLY({Wrapping.REASONING, Wrapping.WORKING, Wrapping.CLOSING, Wrapping.FENCE}),
        verbatim=True,
    ),
    "code": Own(
        extractor=extract.code("python"),
        answers={f"```python\n{program}\n```": program for program in _PROGRAMS},
        verbatim=True,
    ),
    "json_value": Own(extractor=extract.json_value(), answers=_JSON, leaves=frozenset({Wrapping.UNIT})),
    "json_value schema": Own(
        extractor=extract.json_value({"type": "object", "required": ["a"]}),
        answers=_JSON,
        leaves=frozenset({Wrapping.UNIT}),
        faults=(extract.SchemaViolation,),
    ),
    "tool_calls": Own(
        extractor=extract.tool_calls,
        answers={
            '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>': [
                {"name": "f", "arguments": {"a": 1}}
            ],
            '<tool_call>\n{"name": "g"}\n</tool_call>': {"name": "g", "arguments": {}},
        },
        leaves=frozenset({Wrapping.RETRACTION, Wrapping.AFTERTHOUGHT}),  # every call counts
    ),
}


@pytest.mark.parametrize("own", OWN.values(), ids=OWN.keys())
def test_the_extractors_of_the_project_keep_the_contract(own: Own) -> None:
    check_extractor(
        own.extractor,
        own.answers,
        sample=own.sample,
        finds=EVERY_WRAPPING - own.leaves - own.refuses,
        refuses=own.refuses,
        verbatim=own.verbatim,
        faults=own.faults,
        max_examples=60,
    )


def test_an_extractor_that_keeps_every_promise_passes() -> None:
    check_extractor(mutants.Colour(), COLOURS)


@pytest.mark.parametrize(("mutant", "promise"), BROKEN.items(), ids=[one.__name__ for one in BROKEN])
def test_one_that_breaks_a_promise_is_told_which(mutant: type[mutants.Colour], promise: Promise) -> None:
    with pytest.raises(BrokenPromise) as caught:
        check_extractor(mutant(), COLOURS)
    assert caught.value.promise is promise, caught.value
    said = f"extractor {mutant.__name__} does not keep its promise: it {promise.value}; "
    assert str(caught.value).startswith(said)
    assert len(str(caught.value).splitlines()) == 1
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_wrapping_that_is_not_read_must_not_give_another_answer() -> None:
    left = {"finds": [Wrapping.PROSE], "refuses": [Wrapping.REASONING, Wrapping.WORKING]}
    check_extractor(mutants.Colour(), COLOURS, **left)
    with pytest.raises(BrokenPromise) as caught:
        check_extractor(mutants.Guesses(), COLOURS, **left)
    assert caught.value.promise is Promise.REFUSES


def test_verbatim_is_asked_for() -> None:
    with pytest.raises(BrokenPromise) as caught:
        check_extractor(mutants.Colour(), ["RED", "green"], verbatim=True)
    assert caught.value.promise is Promise.VERBATIM
    assert "'red' stands not in " in str(caught.value)


def test_every_promise_is_broken_by_somebody() -> None:
    assert set(BROKEN.values()) | {Promise.REFUSES, Promise.VERBATIM} == set(Promise)


def test_a_fault_has_to_be_documented() -> None:
    strict = extract.json_value({"type": "object", "required": ["b"]})
    with pytest.raises(BrokenPromise) as caught:
        check_extractor(strict, {'{"b": 1}': {"b": 1}, '{"b": 2}': {"b": 2}}, finds=[])
    assert caught.value.promise is Promise.RAISES
    assert "SchemaViolation" in str(caught.value)


@pytest.mark.parametrize("answers", [[], ["red"], {"red": "red"}])
def test_one_answer_is_not_enough(answers: Any) -> None:
    with pytest.raises(ValueError, match="needs two answers or more that differ; got"):
        check_extractor(mutants.Colour(), answers)


def test_what_is_no_extractor_is_told_so() -> None:
    with pytest.raises(BrokenPromise, match="derive its class from Extractor"):
        check_extractor(str.strip, COLOURS)  # type: ignore[arg-type]
