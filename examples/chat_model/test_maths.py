r"""Does the model solve a problem in words, and put its result where it was asked to?

The result is compared in the extractor's own terms, so that \frac{3}{4}, 3/4 and 0.75 are the same.
"""

import pytest

from pytest_infergate import extract

# In a template, braces that belong to the text are doubled.
PROMPT = r"{problem} Think step by step and put the final result in \boxed{{}}."


@pytest.mark.infer_task(dataset="problems.jsonl", prompt=PROMPT, max_tokens=1000, min_pass_rate=0.7)
@pytest.mark.infer_extract(extract.boxed)
def test_problem(answer, sample):
    assert extract.boxed.same(answer, sample["result"])
