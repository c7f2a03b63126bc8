# ruff: noqa: E501 - a case a line
"""The marker's arguments: what each accepts, and that a slip is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_infergate.evidence import ALLOWABLE, GateRule, Reason
from pytest_infergate.tasks import (
    ARGUMENTS,
    DEFAULT_SAMPLING,
    SAMPLING_NAMES,
    DeclarationError,
    Endpoint,
    TaskDeclaration,
    parse_allow,
    parse_sampling,
    parse_task,
)


def declare(*args, **kwargs) -> TaskDeclaration:
    return parse_task(args, kwargs, where="test_a.py:3", default_name="a::test_b", test_folder=Path("/suite"))


def test_without_arguments():
    task = declare()
    assert task.name == "a::test_b"
    assert task.version == "1"
    assert (task.dataset, task.prompt, task.margin) == (None, None, None)
    assert task.endpoint is Endpoint.CHAT
    assert task.repeat == 1
    assert task.gate == GateRule(min_pass_rate=None, max_missing=0)
    assert task.allow == frozenset()
    assert task.sampling == {"temperature": 0, "max_tokens": 1024}


def test_with_all_of_them():
    task = declare(
        name="sums",
        version="2",
        dataset="data/sums.jsonl",
        prompt="{q}",
        endpoint="completion",
        repeat=3,
        min_pass_rate=1,
        max_missing=0.5,
        margin=0.02,
        allow=["truncated", Reason.TIMEOUT],
        max_tokens=5,
        stop=["\n"],
    )
    assert task.name == "sums"
    assert task.dataset == Path("/suite/data/sums.jsonl")
    assert task.prompt is not None
    assert task.prompt.endpoint is task.endpoint is Endpoint.COMPLETION
    assert task.gate == GateRule(min_pass_rate=1, max_missing=0.5)
    assert task.allow == {Reason.TRUNCATED, Reason.TIMEOUT}
    assert task.sampling == {"temperature": 0, "max_tokens": 5, "stop": ["\n"]}


def test_an_absolute_path_stays():
    assert declare(dataset=Path("/data/a.jsonl")).dataset == Path("/data/a.jsonl")


REFUSED = [
    ({"dataste": "a"}, "unknown argument 'dataste' (did you mean 'dataset'?)"),
    ({"temprature": 0}, "unknown argument 'temprature' (did you mean 'temperature'?)"),
    ({"Repeat": 2}, "unknown argument 'Repeat' (did you mean 'repeat'?)"),
    ({"n": 4}, "unknown argument 'n'"),
    ({"name": ""}, "name=''; accepted: printable text without a slash"),
    ({"name": "a/b"}, "name='a/b'"),
    ({"name": "a\x1b[0m"}, "name='a\\x1b[0m'"),
    ({"name": 3}, "name=3"),
    ({"version": 2}, 'version=2; accepted: a string such as "2"'),
    ({"version": " "}, "version=' '"),
    ({"version": None}, "version=None"),
    ({"dataset": ""}, "dataset=''; accepted: the path of a file"),
    ({"dataset": ["a"]}, "dataset=['a']"),
    ({"dataset": [{"q": 1}]}, "dataset=[{'q': 1}]"),
    ({"endpoint": "completions"}, 'endpoint=\'completions\'; accepted: "chat" or "completion"'),
    ({"endpoint": None}, "endpoint=None"),
    ({"repeat": 0}, "repeat=0; accepted: an integer from 1 to 1000"),
    ({"repeat": 1001}, "repeat=1001; accepted: an integer from 1 to 1000"),
    ({"repeat": True}, "repeat=True"),
    ({"repeat": 2.0}, "repeat=2.0"),
    ({"min_pass_rate": 0}, "min_pass_rate=0; accepted: a number above 0, up to 1; write 55 % as 0.55"),
    ({"min_pass_rate": 55}, "min_pass_rate=55"),
    ({"min_pass_rate": True}, "min_pass_rate=True"),
    ({"min_pass_rate": float("nan")}, "min_pass_rate=nan"),
    ({"min_pass_rate": "0.5"}, "min_pass_rate='0.5'"),
    ({"max_missing": -0.1}, "max_missing=-0.1; accepted: a number from 0 to 1"),
    ({"max_missing": 1.1}, "max_missing=1.1"),
    ({"max_missing": None}, "max_missing=None"),
    ({"margin": 5}, "margin=5; accepted: a number from 0 to 1"),
    ({"margin": float("inf")}, "margin=inf"),
    ({"allow": "truncated"}, "allow='truncated'; accepted: a list of broken_stream, "),
    ({"allow": None}, "allow=None"),
    ({"allow": ["truncate"]}, "allow holds 'truncate' (did you mean 'truncated'?); accepted: "),
    ({"allow": [Reason.SKIPPED]}, "allow holds 'skipped'; accepted: "),
    ({"allow": ["evaluator_error"]}, "allow holds 'evaluator_error'"),
    ({"allow": [3]}, "allow holds 3"),
    ({"system": "a"}, "system='a' without a prompt"),
    ({"prompt": "{"}, "prompt: a single '{'"),
    ({"prompt": [], "endpoint": "completion"}, "the prompt is a list of messages"),
    ({"temperature": -1}, "temperature=-1; accepted: a number >= 0, or None to send none"),
    ({"temperature": float("nan")}, "temperature=nan"),
    ({"temperature": True}, "temperature=True"),
    ({"temperature": "0"}, "temperature='0'"),
    ({"max_tokens": 0}, "max_tokens=0; accepted: an integer >= 1"),
    ({"max_tokens": 1.0}, "max_tokens=1.0"),
    ({"max_tokens": True}, "max_tokens=True"),
    ({"top_p": 1.1}, "top_p=1.1; accepted: a number from 0 to 1"),
    ({"top_k": -2}, "top_k=-2"),
    ({"top_k": 40.0}, "top_k=40.0"),
    ({"min_p": 2}, "min_p=2"),
    ({"seed": "1"}, "seed='1'; accepted: an integer"),
    ({"stop": ""}, "stop=''; accepted: a string or a list of strings, none of them empty"),
    ({"stop": ["a", ""]}, "stop=['a', '']"),
    ({"stop": []}, "stop=[]"),
    ({"presence_penalty": 3}, "presence_penalty=3"),
    ({"frequency_penalty": -2.5}, "frequency_penalty=-2.5"),
    ({"repetition_penalty": 0}, "repetition_penalty=0; accepted: a number > 0"),
    ({"repeat_penalty": float("inf")}, "repeat_penalty=inf"),
    ({"logit_bias": [1]}, "logit_bias=[1]"),
    ({"logit_bias": {"1": float("nan")}}, "is not JSON"),
    ({"response_format": "json"}, "response_format='json'; accepted: a dict with a 'type'"),
    ({"response_format": {"schema": {}}}, "accepted: a dict with a 'type'"),
    ({"tools": {}}, "tools={}; accepted: a list of dicts"),
    ({"tools": ["f"]}, "tools=['f']"),
    ({"tool_choice": 1}, "tool_choice=1"),
    ({"parallel_tool_calls": 1}, "parallel_tool_calls=1; accepted: a boolean"),
    ({"chat_template_kwargs": "x"}, "chat_template_kwargs='x'; accepted: a dict"),
    ({"reasoning_effort": True}, "reasoning_effort=True"),
    ({"extra_body": [1]}, "extra_body=[1]"),
    ({"extra_body": {"model": "x"}}, "extra_body holds 'model'"),
    ({"extra_body": {"temperature": 1, "x": 1}}, "extra_body holds 'temperature'"),
    ({"extra_body": {"x": {1, 2}}}, "is not JSON"),
    ({"tools": [{"a": 1}], "endpoint": "completion"}, 'tools with endpoint="completion"; only endpoint="chat" has it'),
]  # fmt: skip


@pytest.mark.parametrize(("kwargs", "message"), REFUSED, ids=[repr(case[0]) for case in REFUSED])
def test_refuses_in_one_line_that_names_the_argument(kwargs, message):
    with pytest.raises(DeclarationError) as caught:
        declare(**kwargs)
    text = str(caught.value)
    assert text.startswith("test_a.py:3: infer_task: ")
    assert message in text
    assert "\n" not in text


def test_an_unknown_argument_is_answered_with_the_valid_ones():
    with pytest.raises(DeclarationError) as caught:
        declare(unheard_of=1)
    for name in (*ARGUMENTS, *SAMPLING_NAMES):
        assert name in str(caught.value)


def test_refuses_positional_arguments():
    with pytest.raises(
        DeclarationError, match=r"^test_a\.py:3: infer_task got 'gsm8k\.jsonl' without a name"
    ):
        declare("gsm8k.jsonl")


def test_every_reason_of_an_exchange_can_be_allowed():
    assert parse_allow([reason.value for reason in ALLOWABLE], where="t") == ALLOWABLE


def sampling(endpoint=Endpoint.CHAT, defaults=DEFAULT_SAMPLING, **given):
    return parse_sampling(given, defaults=defaults, endpoint=endpoint, where="t")


def test_none_leaves_a_field_to_the_server():
    assert sampling(temperature=None, seed=None) == {"max_tokens": 1024}


def test_what_a_call_says_goes_over_what_the_task_says():
    assert sampling(defaults={"temperature": 0, "seed": 1}, temperature=0.5) == {
        "temperature": 0.5,
        "seed": 1,
    }


def test_extra_fields_stand_beside_the_others():
    given = sampling(extra_body={"cache_prompt": False}, top_k=3)
    assert given == {"temperature": 0, "max_tokens": 1024, "cache_prompt": False, "top_k": 3}


def test_sampling_is_detached_read_only_and_in_its_own_order():
    schema = {"type": "json_schema", "z": {"b": 1, "a": [2]}}
    given = sampling(response_format=schema)
    schema["z"]["a"].append(3)
    assert given["response_format"]["z"]["a"] == [2]
    assert list(given["response_format"]["z"]) == ["b", "a"]
    with pytest.raises(TypeError):
        given["seed"] = 1


def test_an_unknown_sampling_field_of_a_call_is_named():
    with pytest.raises(
        DeclarationError, match=r"^t: unknown argument 'maxtokens' \(did you mean 'max_tokens'\?\)"
    ):
        sampling(maxtokens=3)
