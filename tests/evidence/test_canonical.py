"""Equal values have one spelling and one digest."""

from __future__ import annotations

import json
import math
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import canonical_json, digest, digest_bytes

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_the_spelling_is_ascii_on_one_line_and_reads_back_as_the_value(value: Any) -> None:
    text = canonical_json(value)
    assert text.isascii()
    assert "\n" not in text
    assert json.loads(text) == value


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert digest(value) == digest(dict(reversed(value.items())))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_not_a_number_has_no_spelling(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"value": [number]})


def test_a_digest_names_its_algorithm() -> None:
    assert digest_bytes(b"[]") == digest([]) == f"sha256:{sha256(b'[]').hexdigest()}"
