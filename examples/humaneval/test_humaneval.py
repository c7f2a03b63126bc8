"""Does the code that the model writes do what its description says?

The 164 problems of HumanEval: the model goes on with a function that stops after its docstring, and the data
set's own check decides, run in a sandbox. The data is not part of this suite; the README says where it is.
"""

import os

import pytest

DATA = os.environ.get("HUMANEVAL", "HumanEval.jsonl.gz")


@pytest.mark.infer_task(
    dataset=DATA,
    prompt="{prompt}",
    endpoint="completion",
    max_tokens=256,
    stop=["\nclass ", "\ndef ", "\n#", "\nif "],  # the next thing at the left margin ends the function
    allow=["truncated"],  # a function that was cut is run as it stands: the check decides
    min_pass_rate=0.01,
)
def test_completion(reply, sample, sandbox):
    outcome = sandbox.run(
        sample["prompt"] + reply.text,
        tests=f"{sample['test']}\ncheck({sample['entry_point']})\n",
    )
    assert outcome.ok, f"{outcome.reason.value}: {outcome.stderr}"
