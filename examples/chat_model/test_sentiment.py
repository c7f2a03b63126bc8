"""Does the model name the mood of a message in one word?

The examples are turns of a conversation, which is the form that an instruct model knows. Strings in the
messages are templates.
"""

import pytest

from pytest_infergate import extract

MOODS = ["positive", "negative", "neutral"]
PROMPT = [
    {"role": "system", "content": "Reply with one word: positive, negative or neutral."},
    {"role": "user", "content": "The parcel came a day early, thank you!"},
    {"role": "assistant", "content": "positive"},
    {"role": "user", "content": "The shop opens at nine."},
    {"role": "assistant", "content": "neutral"},
    {"role": "user", "content": "{message}"},
]


@pytest.mark.infer_task(dataset="messages.jsonl", prompt=PROMPT, max_tokens=300, min_pass_rate=0.7)
@pytest.mark.infer_extract(extract.choice(MOODS))
def test_mood(answer, sample):
    assert answer == sample["mood"]
