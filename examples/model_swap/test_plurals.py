"""Does the model know the plural of a noun? The hardest of the three, with regular and irregular ones."""

import pytest

from pytest_infergate import extract

PROMPT = """\
one cat, two cats
one child, two children
one {noun}, two"""


@pytest.mark.infer_task(
    dataset="nouns.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=12,
    stop=["\n", ","],
    min_pass_rate=0.8,
)
@pytest.mark.infer_extract(extract.last_line)
def test_plural(answer, sample):
    assert answer == sample["plural"]
