from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

from pytest_infergate import extract
from pytest_infergate.evidence import (
    EvaluatorIdentity,
    InfergateError,
    NoAnswer,
    Reason,
    Reply,
    canonical_json,
)

from .adapters import ADAPTERS
from .outcome import outcome

EVERY = pytest.mark.parametrize("extractor", ADAPTERS.values(), ids=ADAPTERS.keys())
# Holds an answer for every adapter.
FULL = (
    'yes\n(B)\n\\boxed{4}\n```python\nf(4)\n```\n```json\n{"a": 4}\n```\n'
    '<tool_call>{"name": "f"}</tool_call>\n#### 4'
)

NOT_DELIVERED = [
    ({"finish_reason": "length"}, Reason.TRUNCATED, "the limit cut it"),
    ({"finish_reason": "content_filter"}, Reason.REFUSED, "the server refused"),
    ({"refusal": "I won't."}, Reason.REFUSED, "the model refused in its own field"),
    ({"finish_reason": None}, Reason.BROKEN_STREAM, "it never said why it ended"),
]


@EVERY
def test_an_adapter_carries_what_a_score_needs(extractor: extract.Extractor[Any]) -> None:
    assert extractor.identity == EvaluatorIdentity(
        kind="extractor", name=extractor.name, version=extractor.version, settings=extractor.settings
    )
    assert len(extractor.rule) > 40
    assert extractor.rule.endswith(".")
    canonical_json(dict(extractor.settings))
    assert pickle.loads(pickle.dumps(extractor)).identity == extractor.identity
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        extractor.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("factory", [extract.choice, extract.regex, extract.code, extract.json_value])
def test_name_and_version_can_be_read_before_the_call(factory: type[extract.Extractor[Any]]) -> None:
    assert issubclass(factory, extract.Extractor)
    assert isinstance(factory.name, str)
    assert isinstance(factory.version, str)


@EVERY
def test_a_complete_reply_is_read_as_its_text_is(extractor: extract.Extractor[Any]) -> None:
    assert outcome(extractor, Reply(text=FULL)) == outcome(extractor, FULL)
    assert not isinstance(outcome(extractor, FULL), Reason)


@EVERY
@pytest.mark.parametrize(("fields", "reason", "why"), NOT_DELIVERED)
def test_a_reply_that_did_not_deliver_says_why_unless_that_is_allowed(
    extractor: extract.Extractor[Any], fields: Any, reason: Reason, why: str
) -> None:
    assert outcome(extractor, Reply(text=FULL, **fields)) is reason, why
    allowed = Reply(text=FULL, allowed=frozenset({reason}), **fields)
    assert outcome(extractor, allowed) == outcome(extractor, FULL)


@EVERY
@pytest.mark.parametrize("text", ["", "  \n\t", "\ufeff", "<think>4</think>", "yes 4 (B)</think>\n"])
def test_no_text_is_an_empty_reply(extractor: extract.Extractor[Any], text: str) -> None:
    assert outcome(extractor, text) is Reason.EMPTY_REPLY


@EVERY
@pytest.mark.parametrize("opening", ["<think>", "[THINK]", "<|channel|>analysis<|message|>", "\n◁think▷"])
def test_reasoning_that_never_ended_holds_no_answer(extractor: extract.Extractor[Any], opening: str) -> None:
    assert outcome(extractor, opening + FULL) is Reason.NO_ANSWER
    assert outcome(extractor, Reply(text=opening + FULL, finish_reason="length")) is Reason.TRUNCATED
    allowed = Reply(text=opening + FULL, finish_reason="length", allowed=frozenset({Reason.TRUNCATED}))
    assert outcome(extractor, allowed) is Reason.TRUNCATED


@EVERY
def test_the_answer_comes_from_behind_the_reasoning(extractor: extract.Extractor[Any]) -> None:
    reasoned = '<think>no, (C), \\boxed{5}, 5 ```json\n{"a": 5}\n```</think>\n' + FULL
    assert outcome(extractor, reasoned) == outcome(extractor, FULL)


@EVERY
def test_what_is_neither_text_nor_reply_is_a_fault_of_the_evaluation(
    extractor: extract.Extractor[Any],
) -> None:
    for value in (None, 5, b"5", ["5"]):
        with pytest.raises(InfergateError, match="reads a str or a Reply") as caught:
            extractor(value)  # type: ignore[arg-type]
        assert not isinstance(caught.value, NoAnswer)


@EVERY
@pytest.mark.parametrize("value", [None, object(), float("nan"), [], {}, "", b"", 5, "5"])
def test_same_never_raises(extractor: extract.Extractor[Any], value: object) -> None:
    for gold in (None, object(), float("nan"), [], "", "x" * 20_000, 10**5000, "9" * 5000):
        assert extractor.same(value, gold) in (True, False)


@EVERY
def test_an_empty_gold_answer_matches_nothing(extractor: extract.Extractor[Any]) -> None:
    for value in ("", None, " "):
        assert not extractor.same(value, "")


@pytest.mark.parametrize(
    ("extractor", "spelling"),
    [
        (extract.number, "extract.number"),
        (extract.tool_calls, "extract.tool_calls"),
        (extract.choice("ABCD"), "extract.choice('ABCD')"),
        (extract.choice(["yes", "no"]), "extract.choice(['yes', 'no'])"),
        (extract.choice({"A": "saw", "B": "file"}), "extract.choice({'A': 'saw', 'B': 'file'})"),
        (extract.choice("choices"), "extract.choice('choices')"),
        (extract.regex(r"#### (\d+)"), r"extract.regex('#### (\\d+)')"),
        (extract.regex("a", timeout=2), "extract.regex('a', timeout=2)"),
        (extract.code(), "extract.code()"),
        (extract.code("py"), "extract.code('python')"),
        (extract.json_value({"type": "object"}), "extract.json_value({'type': 'object'})"),
    ],
)
def test_a_failed_assertion_shows_an_extractor_as_it_is_spelled(
    extractor: extract.Extractor[Any], spelling: str
) -> None:
    assert repr(extractor) == spelling
    assert eval(spelling, {"extract": extract}) == extractor


def test_a_large_setting_does_not_flood_the_screen() -> None:
    assert len(repr(extract.json_value({"enum": ["x" * 10_000]}))) < 200


@dataclass(frozen=True)
class Colour(extract.Extractor[str]):
    """What a third party writes."""

    name = "colour"
    version = "1"
    rule = "The last colour word of the reply, in lower case."
    words: str = "red green"

    def find(self, text: str, sample: Mapping[str, Any] | None) -> str:
        found = [word for word in text.lower().split() if word in self.words.split()]
        return found[-1] if found else str(self.no_answer("colour word"))


def test_a_third_party_writes_find_alone() -> None:
    assert Colour()("<think>red</think> GREEN it is") == "green"
    assert outcome(Colour(), "blue") is Reason.NO_ANSWER
    assert outcome(Colour(), Reply(text="red", finish_reason="length")) is Reason.TRUNCATED
    assert Colour().parse("Red") == "red"
    assert Colour().same("red", "RED")
    with pytest.raises(extract.GoldError, match=r"gold answer 'blue' is not usable with extract\.colour"):
        Colour().parse("blue")
    assert Colour("blue").identity.settings == {"words": "blue"}


def test_the_front_door_is_this() -> None:
    assert sorted(extract.__all__) == sorted(
        [
            "Extractor",
            "GoldError",
            "SchemaViolation",
            "boxed",
            "choice",
            "code",
            "final_answer",
            "json_value",
            "last_line",
            "number",
            "regex",
            "split_reasoning",
            "tool_calls",
            "yes_no",
        ]
    )
