"""How long does it take, and is the answer fit to be printed on a card?"""

import pytest


@pytest.mark.infer_task(
    dataset="recipes.jsonl",
    prompt="{step}\nHow long does it take in all? Explain in short lines, then end with it, as in 1 h 5 min.",
    max_tokens=300,
)
@pytest.mark.infer_extract("duration")  # known by name, through the hook of this package
def test_time(answer, reply, sample, line_width):
    line_width(reply, limit=60)
    assert answer == sample["minutes"]
