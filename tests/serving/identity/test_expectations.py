"""``FIELD=VALUE``: what is expected must be known and equal; what is declared must not contradict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.serving.expectations import (
    FieldValue,
    FieldValueError,
    check_expectations,
    declare_fields,
    describe_basis,
    parse_field_value,
)
from pytest_infergate.serving.identity import Known, Origin, ServerIdentity

SERVER = ServerIdentity(
    engine="llamacpp",
    url="http://127.0.0.1:8080",
    fields={
        "model": Known("123", Origin.PROBED),
        "engine_version": Known("0.30", Origin.PROBED),
        "context_length": Known(4096, Origin.PROBED),
        "slots": Known(1, Origin.PROBED),
        "prefix_cache": Known(True, Origin.PROBED),
        "speculation": Known(False, Origin.PROBED),
        "kernel": Known("flash=2", Origin.DECLARED),
    },
)

READ = [
    ("quantization=Q8_0", "quantization", "Q8_0", "Q8_0"),
    ("context_length=4096", "context_length", "4096", 4096),
    ("x=0.5", "x", "0.5", 0.5),
    ("engine_version=0.30", "engine_version", "0.30", "0.30"),
    ("x=1e3", "x", "1e3", "1e3"),
    ("x=007", "x", "007", "007"),
    ("prefix_cache=true", "prefix_cache", "true", True),
    ("speculation=false", "speculation", "false", False),
    ("x=null", "x", "null", "null"),
    ("x=NaN", "x", "NaN", "NaN"),
    ("launch_command=serve --a=b", "launch_command", "serve --a=b", "serve --a=b"),
    (" x = y ", "x", "y", "y"),
    ("my.kernel-path=/a", "my.kernel-path", "/a", "/a"),
    ("x=[1]", "x", "[1]", "[1]"),
]


@pytest.mark.parametrize(("text", "field", "written", "value"), READ)
def test_a_statement_is_read(text: str, field: str, written: str, value: Any) -> None:
    stated = parse_field_value(text)
    assert (stated.field, stated.text) == (field, written)
    assert (stated.value, type(stated.value)) == (value, type(value))


@pytest.mark.parametrize(
    "text", ["", "=", "slots", "slots=", "=4", "Slots=4", "two words=4", "9=4", "slots:4"]
)
def test_a_statement_that_is_not_one_is_refused_with_the_accepted_form(text: str) -> None:
    with pytest.raises(FieldValueError) as caught:
        parse_field_value(text)
    assert str(caught.value).startswith(
        f"{text!r} is not FIELD=VALUE; write for example quantization=Q8_0, with one of engine, model, "
    )
    assert "\n" not in str(caught.value)


MET = [
    ("engine=llamacpp", "a name"),
    ("model=123", "a text that looks like a number"),
    ('model="123"', "a text in quotes"),
    ("engine_version=0.30", "a version as it is written"),
    ("context_length=4096", "a number"),
    ("context_length=4096.0", "a number by its size"),
    ("context_length=4.096e3", "a number by its size"),
    ("prefix_cache=true", "true"),
    ("speculation=false", "false"),
    ("kernel=flash=2", "a declared value, of which the basis says so"),
]


@pytest.mark.parametrize(("text", "why"), MET)
def test_an_expectation_is_met(text: str, why: str) -> None:
    assert check_expectations(SERVER, [parse_field_value(text)]) == []


UNMET = [
    ("engine=vllm", "engine is expected to be 'vllm', and the server has llamacpp (probed)"),
    (
        "engine_version=0.3",
        "engine_version is expected to be '0.3', and the server has 0.30 (probed)",
    ),
    ("context_length=8192", "context_length is expected to be '8192', and the server has 4096 (probed)"),
    ("slots=true", "slots is expected to be 'true', and the server has 1 (probed)"),
    ("prefix_cache=1", "prefix_cache is expected to be '1', and the server has true (probed)"),
    ("speculation=0", "speculation is expected to be '0', and the server has false (probed)"),
    ("kernel=flash=3", "kernel is expected to be 'flash=3', and the server has flash=2 (declared)"),
    (
        "weights_digest=sha256:00",
        "weights_digest is expected to be 'sha256:00', and this server (llamacpp) does not tell it; "
        "state it with --infer-declare weights_digest=sha256:00 if you know it",
    ),
    (
        "kv_cache_type=false",
        "kv_cache_type is expected to be 'false', and this server (llamacpp) does not tell it; "
        "state it with --infer-declare kv_cache_type=false if you know it",
    ),
    (
        "quantisation=Q8_0",
        "quantisation is expected to be 'Q8_0', and no such field is known; is it quantization?",
    ),
    (
        "zzz=1",
        "zzz is expected to be '1', and this server (llamacpp) does not tell it; "
        "state it with --infer-declare zzz=1 if you know it",
    ),
]


@pytest.mark.parametrize(("text", "message"), UNMET)
def test_an_expectation_is_not_met(text: str, message: str) -> None:
    """Unknown is never equal to anything, not even to false or zero."""
    assert [str(mismatch) for mismatch in check_expectations(SERVER, [parse_field_value(text)])] == [message]


def test_an_unknown_engine_meets_no_expectation_until_it_is_declared() -> None:
    generic = ServerIdentity(engine="generic", url="http://h", fields={})
    expected = [parse_field_value("engine=mine")]
    assert len(check_expectations(generic, expected)) == 1
    declared, mismatches = declare_fields(generic, expected)
    assert (check_expectations(declared, expected), mismatches) == ([], [])


def test_the_basis_names_the_origin() -> None:
    expected = [parse_field_value(text) for text in ("slots=1", "kernel=flash=2", "runtime=x")]
    assert (
        describe_basis(SERVER, expected) == "slots: 1 (probed), kernel: flash=2 (declared), runtime: unknown"
    )


def test_a_declaration_adds_what_is_unknown() -> None:
    identity, mismatches = declare_fields(SERVER, map(parse_field_value, ["kv_cache_type=q8_0", "gpus=2"]))
    assert mismatches == []
    assert identity.fields["kv_cache_type"] == Known("q8_0", Origin.DECLARED)
    assert identity.fields["gpus"] == Known(2, Origin.DECLARED)
    assert "kv_cache_type" not in identity.unknown


def test_a_declaration_of_what_the_server_tells_leaves_it_probed() -> None:
    identity, mismatches = declare_fields(SERVER, [FieldValue("context_length", "4096")])
    assert (identity, mismatches) == (SERVER, [])


CONTRADICTIONS = [
    (["context_length=8192"], "context_length is declared as '8192', and the server has 4096 (probed)"),
    (["engine=vllm"], "engine is declared as 'vllm', and the server has llamacpp (probed)"),
    (["gpus=2", "gpus=4"], "gpus is declared twice, as 2 and as '4'"),
]


@pytest.mark.parametrize(("texts", "message"), CONTRADICTIONS)
def test_a_declaration_that_contradicts(texts: list[str], message: str) -> None:
    identity, mismatches = declare_fields(SERVER, map(parse_field_value, texts))
    assert [str(mismatch) for mismatch in mismatches] == [message]
    assert identity.fields["context_length"] == Known(4096, Origin.PROBED)


@given(st.text(min_size=1).map(str.strip).filter(bool))
def test_what_is_declared_meets_the_same_expectation(text: str) -> None:
    stated = FieldValue("note", text)
    identity, _ = declare_fields(SERVER, [stated])
    assert check_expectations(identity, [stated]) == []
