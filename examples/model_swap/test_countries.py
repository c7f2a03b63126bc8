"""Does the model know which country a city is the capital of?"""

import pytest

from pytest_infergate import extract

PROMPT = """\
Capital: Prague
Country: Czech Republic

Capital: Kabul
Country: Afghanistan

Capital: {capital}
Country:"""


@pytest.mark.infer_task(
    dataset="countries.jsonl",
    prompt=PROMPT,
    endpoint="completion",
    max_tokens=12,
    stop=["\n"],
    min_pass_rate=0.9,
)
@pytest.mark.infer_extract(extract.last_line)
def test_country(answer, sample):
    assert answer == sample["country"]
