"""An identity is what is known, from where, and nothing that moves while the server stays the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_infergate.serving.identity import (
    SAMPLING_FIELDS,
    VOCABULARY,
    VOLATILE,
    Known,
    Origin,
    ServerIdentity,
)
from pytest_infergate.serving.identity_change import (
    Difference,
    IdentityChange,
    IdentityComparison,
    compare_identities,
)


def probed(engine: str = "llamacpp", url: str = "http://127.0.0.1:8080", **values: Any) -> ServerIdentity:
    fields = {"model": "m", **values}
    return ServerIdentity(
        engine=engine, url=url, fields={name: Known(value, Origin.PROBED) for name, value in fields.items()}
    )


def test_what_is_in_no_field_is_unknown_in_the_order_of_the_vocabulary() -> None:
    identity = probed(slots=4, kernel="mine")
    assert identity.unknown == tuple(name for name in VOCABULARY if name not in ("model", "slots"))


def test_an_identity_survives_json() -> None:
    identity = replace(
        probed(slots=4, speculation=False),
        sampling_defaults={"temperature": Known(0.8, Origin.PROBED), "stop": Known(["a"], Origin.PROBED)},
    ).with_fields({"kernel": Known("x", Origin.DECLARED), "weights_digest": Known("sha256:00", Origin.FILE)})
    written = json.loads(json.dumps(identity.as_json()))
    assert ServerIdentity.from_json(written) == identity
    assert written["fingerprint"] == identity.fingerprint
    assert written["unknown"] == list(identity.unknown)
    assert list(written["sampling_defaults"]) == list(SAMPLING_FIELDS)
    assert written["sampling_defaults"]["seed"] is None, "unknown is told as such"
    assert written["fields"]["kernel"] == {"value": "x", "origin": "declared"}


SAME_FINGERPRINT = [
    pytest.param(probed(url="http://127.0.0.1:9999"), id="another address"),
    pytest.param(probed(started_at=1.5), id="another start"),
    pytest.param(probed(loaded=True), id="loaded meanwhile"),
    pytest.param(
        ServerIdentity(
            engine="llamacpp", url="http://127.0.0.1:8080", fields={"model": Known("m", Origin.DECLARED)}
        ),
        id="the same value from another place",
    ),
]
OTHER_FINGERPRINT = [
    pytest.param(probed(model="n"), id="another model"),
    pytest.param(probed(engine="vllm"), id="another engine"),
    pytest.param(probed(slots=0), id="known to be zero is not unknown"),
    pytest.param(probed(speculation=False), id="known to be false is not unknown"),
    pytest.param(
        replace(probed(), sampling_defaults={"temperature": Known(0, Origin.PROBED)}), id="sampling defaults"
    ),
]


@pytest.mark.parametrize("other", SAME_FINGERPRINT)
def test_the_fingerprint_stays(other: ServerIdentity) -> None:
    assert other.fingerprint == probed().fingerprint


@pytest.mark.parametrize("other", OTHER_FINGERPRINT)
def test_the_fingerprint_moves(other: ServerIdentity) -> None:
    assert other.fingerprint != probed().fingerprint


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1.0, float("nan")]])
def test_a_value_is_what_a_run_folder_can_hold(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Known(value, Origin.PROBED)


def test_the_generic_engine_is_an_unknown_engine() -> None:
    assert probed(engine="generic").known("engine") is None
    assert probed(engine="tgi").known("engine") == Known("tgi", Origin.PROBED)


S, R, C, U = IdentityChange.SAME, IdentityChange.RESTARTED, IdentityChange.CHANGED, IdentityChange.UNCONFIRMED

CHANGES = [
    pytest.param(probed(slots=4), probed(slots=4), S, [], [], id="the same"),
    pytest.param(probed(started_at="a"), probed(started_at="a"), S, [], [], id="the same process"),
    pytest.param(probed(started_at="a"), probed(started_at="b"), R, ["started_at"], [], id="another process"),
    pytest.param(probed(started_at="a"), probed(), S, [], [], id="a witness that is lost is no restart"),
    pytest.param(probed(), probed(started_at="b"), S, [], [], id="nor is one that was found"),
    pytest.param(probed(slots=4), probed(slots=8), C, ["slots"], [], id="another value"),
    pytest.param(
        probed(slots=4, started_at="a"),
        probed(slots=8, started_at="b"),
        C,
        ["slots", "started_at"],
        [],
        id="restarted as another: the change counts",
    ),
    pytest.param(probed(slots=1), probed(slots=True), C, ["slots"], [], id="one is not true"),
    pytest.param(probed(), probed(engine="vllm"), C, ["engine"], [], id="another engine"),
    pytest.param(
        probed(), probed(engine="generic"), U, [], ["engine"], id="an engine that is not seen is unknown"
    ),
    pytest.param(
        probed(),
        probed(engine="generic", model="n"),
        C,
        ["model"],
        ["engine"],
        id="an engine that is not seen, and another model",
    ),
    pytest.param(probed(engine="generic"), probed(engine="generic"), S, [], [], id="generic both times"),
    pytest.param(
        probed(engine="generic"),
        probed(),
        S,
        [],
        [],
        id="an engine that is seen only at the end is no change",
    ),
    pytest.param(probed(slots=4), probed(), S, [], ["slots"], id="what the end does not tell is unconfirmed"),
    pytest.param(probed(), probed(slots=4), S, [], [], id="what only the end tells is no change"),
    pytest.param(probed(loaded=False), probed(loaded=True), S, ["loaded"], [], id="loaded meanwhile"),
    pytest.param(
        probed().with_fields({"kernel": Known("x", Origin.DECLARED)}),
        probed(),
        S,
        [],
        [],
        id="nobody can confirm what was declared",
    ),
    pytest.param(
        probed().with_fields({"context_length": Known(8192, Origin.DECLARED)}),
        probed(context_length=4096),
        C,
        ["context_length"],
        [],
        id="a declaration that the server contradicts when it tells at last",
    ),
    pytest.param(
        probed().with_fields({"model_path": Known("m.gguf", Origin.FILE)}),
        probed(model_path="/cache/m.gguf"),
        S,
        [],
        [],
        id="what files told in place of the server is not compared with its word",
    ),
    pytest.param(
        replace(probed(), sampling_defaults={"temperature": Known(0.8, Origin.PROBED)}),
        replace(probed(), sampling_defaults={"temperature": Known(0.6, Origin.PROBED)}),
        C,
        ["sampling_defaults.temperature"],
        [],
        id="other sampling defaults",
    ),
]


@pytest.mark.parametrize(("before", "after", "change", "fields", "unconfirmed"), CHANGES)
def test_an_identity_at_both_ends_of_a_run(
    before: ServerIdentity,
    after: ServerIdentity,
    change: IdentityChange,
    fields: list[str],
    unconfirmed: list[str],
) -> None:
    comparison = compare_identities(before, after)
    assert comparison.change is change
    assert sorted(d.field for d in comparison.differences) == fields
    assert list(comparison.unconfirmed) == unconfirmed
    assert IdentityComparison.from_json(json.loads(json.dumps(comparison.as_json()))) == comparison


def test_a_server_that_does_not_answer_at_the_end_is_unconfirmed() -> None:
    assert compare_identities(probed(), None).change is IdentityChange.UNCONFIRMED


def test_a_change_names_both_values() -> None:
    comparison = compare_identities(probed(quantization="Q8_0"), probed(quantization="Q4_0"))
    assert comparison.differences == (Difference("quantization", "Q8_0", "Q4_0"),)
    assert comparison.detail == 'quantization: "Q8_0" before, "Q4_0" after'


def test_what_is_volatile_is_in_the_vocabulary() -> None:
    assert set(VOCABULARY) >= VOLATILE
