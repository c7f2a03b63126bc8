"""Does the model know the capitals of 101 countries?

A base model goes on with a text, so the prompt shows the pattern twice and stops where the answer belongs.
"""

import pytest

from pytest_infergate import extract

PROMPT = """\
Country: Czech Republic
Capital: Prague

Country: Afghanistan
Capital: Kabul

Country: {country}
Capital:"""


@pytest.mark.infer_task(
    dataset="capitals.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=16,
    stop=["\n"],  # a base model runs on to the next country; the end of the line ends its answer
    min_pass_rate=0.8,
)
@pytest.mark.infer_extract(extract.last_line)
def test_capital(answer, sample):
    assert answer in [sample["capital"], *sample.get("accept", [])]
