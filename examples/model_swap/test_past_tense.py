"""Does the model put a verb into the past tense?

A regular and an irregular verb as examples, and no word about what is wanted.
"""

import pytest

from pytest_infergate import extract

PROMPT = """\
help - helped
sing - sang
{verb} -"""


@pytest.mark.infer_task(
    dataset="verbs.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=12,
    stop=["\n"],
    min_pass_rate=0.9,
)
@pytest.mark.infer_extract(extract.last_line)
def test_past_tense(answer, sample):
    assert answer == sample["past"]
