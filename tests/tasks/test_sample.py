"""Samples: a mapping that an eval cannot change."""

from __future__ import annotations

import pytest

from pytest_infergate.evidence import InfergateError
from pytest_infergate.tasks import MissingFieldError, Sample


def sample() -> Sample:
    fields = {"question": "2+2", "gold": 4, "options": ["3", {"n": 4}]}
    return Sample(id="q1", digest="sha256:0", source="a.jsonl:3", fields=fields)


def test_is_a_mapping_of_its_fields():
    assert sample() == {"question": "2+2", "gold": 4, "options": ["3", {"n": 4}]}
    assert list(sample()) == ["question", "gold", "options"]
    assert sample().get("none", "other") == "other"
    assert "gold" in sample()


def test_cannot_be_changed_in_effect():
    one = sample()
    one["options"].append("5")
    one["options"][1]["n"] = 5
    assert one["options"] == ["3", {"n": 4}]
    with pytest.raises(TypeError):
        one["gold"] = 5
    with pytest.raises(AttributeError):
        one.id = "q2"


def test_a_field_that_is_not_there_names_sample_place_and_fields():
    with pytest.raises(MissingFieldError) as caught:
        sample()["Question"]
    assert str(caught.value) == (
        "a.jsonl:3: sample 'q1' has no field 'Question' (did you mean 'question'?); "
        "its fields: 'question', 'gold', 'options'"
    )
    assert isinstance(caught.value, (KeyError, InfergateError))


def test_the_list_of_fields_ends():
    wide = Sample(id="w", digest="", source="a.csv:2", fields={f"f{n}": n for n in range(500)})
    with pytest.raises(MissingFieldError, match=r"'f19' and 480 more$"):
        wide["zzz"]
