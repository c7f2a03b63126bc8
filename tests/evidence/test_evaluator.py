"""Who made a score."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import EvaluatorIdentity

NUMBER: dict[str, Any] = {"kind": "extractor", "name": "number", "version": "1"}


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "judge"},
        {"name": "choice"},
        {"version": "2"},
        {"backend": "whisper tiny.en"},
        {"settings": {"options": "ABCD"}},
    ],
)
def test_any_other_field_is_another_evaluator(change: dict[str, Any]) -> None:
    assert EvaluatorIdentity(**NUMBER).digest != EvaluatorIdentity(**{**NUMBER, **change}).digest


@pytest.mark.parametrize("field", ["kind", "name", "version"])
@pytest.mark.parametrize("value", ["", None, 1])
def test_an_identity_without_kind_name_or_version_is_none(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"needs a {field}; got {value!r}"):
        EvaluatorIdentity(**{**NUMBER, field: value})


def test_a_known_digest_is_kept() -> None:
    identity = EvaluatorIdentity(**NUMBER, digest="sha256:code")
    assert identity.digest == "sha256:code"
    assert EvaluatorIdentity.from_json(identity.as_json()) == identity


def test_it_names_its_backend() -> None:
    assert str(EvaluatorIdentity(**NUMBER)) == "extractor number v1"
    assert str(EvaluatorIdentity(**NUMBER, backend="tiny.en 3")) == "extractor number v1 on tiny.en 3"
