"""Clips made from a prompt that says more than what is to be spoken: its words are read out of it first."""

import pytest

from pytest_infergate import speech


@pytest.mark.infer_task(dataset="scenes.jsonl", min_pass_rate=0.75)
@pytest.mark.infer_wer(max=0.5, corpus_max=0.25, normalizer="english", language="en")
def test_scene(wer, sample):
    wer.check(audio=sample["audio"], script=speech.script(sample["prompt"]))
