"""Clips that are to move from the first frame to the last."""

import pytest


@pytest.mark.infer_task(dataset="clips.jsonl")
@pytest.mark.infer_visual(
    require=["not_corrupt", "duration", "aspect", "not_blank", "no_black_gap", "not_frozen"]
)
def test_clip(visual, sample):
    clip = visual.open(sample["clip"])
    visual.not_corrupt(clip)
    visual.duration(clip, sample["seconds"])
    visual.aspect(clip, "16:9")
    visual.not_blank(clip)
    visual.no_black_gap(clip)
    visual.not_frozen(clip)
