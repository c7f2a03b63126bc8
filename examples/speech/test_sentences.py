"""Clips of a voice, and the sentence that should be heard in each."""

import pytest


@pytest.mark.infer_task(dataset="sentences.jsonl", min_pass_rate=0.8)
# A clip passes with at most half of its words wrong, so one that was cut or garbled does not; all words of
# all clips together may be wrong by a quarter.
@pytest.mark.infer_wer(max=0.5, corpus_max=0.25, normalizer="english", language="en")
def test_sentence(wer, sample):
    wer.check(audio=sample["audio"], script=sample["script"])
