"""Pictures of signs, and the words that are to stand on each."""

import pytest


@pytest.mark.infer_task(dataset="signs.jsonl")
@pytest.mark.infer_visual(require=["size", "reads"])
def test_sign(visual, sample):
    picture = visual.open(sample["picture"])
    visual.size(picture, 320, 160)
    visual.reads(picture, sample["says"])
