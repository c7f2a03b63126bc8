"""Does the model tell a good review from a bad one?

24 reviews of each kind: a model that always says the same word gets 50 %, and the gate lies well above that.
"""

import pytest

from pytest_infergate import extract

SHOTS = [
    ("What a fantastic day!", "yes"),
    ("The room smelled bad.", "no"),
    ("The battery died at once.", "no"),
    ("Great value for the price.", "yes"),
    ("I enjoyed it a lot.", "yes"),
    ("It was a total disaster.", "no"),
]
PROMPT = "".join(f'"{review}" Recommended? {answer}\n' for review, answer in SHOTS)
PROMPT += '"{review}" Recommended?'


@pytest.mark.infer_task(
    dataset="reviews.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=4,
    stop=["\n"],
    min_pass_rate=0.8,
)
@pytest.mark.infer_extract(extract.yes_no)
def test_recommended(answer, sample):
    assert answer == extract.yes_no.parse(sample["recommend"])
