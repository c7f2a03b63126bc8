"""Does the model choose the right option?

The prompt is a function of the sample, since the options have to be written out. Each row has its own
options, so the extractor is given the name of the field that holds them.
"""

import pytest

from pytest_infergate import extract

SYSTEM = (
    "You answer multiple-choice questions. End with a line 'Answer: X', where X is the letter of one option."
)


def ask(sample):
    options = "\n".join(f"{letter}) {text}" for letter, text in zip("ABCD", sample["options"], strict=True))
    return f"{sample['question']}\n{options}"


@pytest.mark.infer_task(dataset="choices.jsonl", prompt=ask, system=SYSTEM, max_tokens=400, min_pass_rate=0.7)
@pytest.mark.infer_extract(extract.choice("options"))
def test_choice(answer, sample):
    assert answer == sample["answer"]
