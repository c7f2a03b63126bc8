"""The error rate of a corpus."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import Pooled, canonical_json
from pytest_infergate.speech.alignment import align
from pytest_infergate.speech.corpus import CorpusError, CorpusRate, CorpusTally, IntervalMethod
from pytest_infergate.speech.normalizing import parse_normalizer

BASIC = parse_normalizer("basic")


def rate_of(*counts: tuple[int, int], blocks: list[str | None] | None = None, missing: int = 0) -> CorpusRate:
    tally = CorpusTally()
    for (errors, words), block in zip(counts, blocks or [None] * len(counts), strict=True):
        tally.add(Pooled(part=errors, whole=words), block=block)
    for _ in range(missing):
        tally.add_missing()
    return tally.rate()


def measured(*pairs: tuple[str, str]) -> CorpusRate:
    alignments = [align(reference, hypothesis, BASIC) for reference, hypothesis in pairs]
    return rate_of(*((one.errors, one.reference_length) for one in alignments))


@pytest.mark.parametrize(
    ("pairs", "errors", "words", "rate", "reason"),
    [
        (
            [("yes", "yeah"), ("the night train to the coast leaves at nine",) * 2],
            1,
            10,
            0.1,
            "errors over words, not the mean of 1 and 0",
        ),
        ([("", ""), ("open the gate",) * 2], 0, 3, 0.0, "silence on silence is right, and counted"),
        ([("...", "gamma"), ("alpha", ""), ("beta", "beta")], 2, 2, 1.0, "made-up words in silence count"),
    ],
)
def test_pooled_rates(
    pairs: list[tuple[str, str]], errors: int, words: int, rate: float, reason: str
) -> None:
    found = measured(*pairs)
    assert (found.errors, found.reference_length, found.rate) == (errors, words, pytest.approx(rate)), reason
    assert (found.expected, found.scored, found.missing) == (len(pairs), len(pairs), 0), reason


def test_what_is_missing_is_counted_and_not_averaged() -> None:
    found = rate_of((1, 10), (0, 10), missing=1)
    assert (found.expected, found.scored, found.missing, found.rate) == (3, 2, 1, 0.05)


def test_what_was_expected_and_never_came_is_missing() -> None:
    tally = CorpusTally()
    tally.add(Pooled(part=0, whole=5))
    assert (tally.rate(expected=60).scored, tally.rate(expected=60).missing) == (1, 59)
    with pytest.raises(CorpusError, match="1 clips were counted; accepted: at most the 0 expected"):
        tally.rate(expected=0)


def test_nothing_measured_has_no_figures() -> None:
    found = rate_of(missing=2)
    assert (found.rate, found.interval, found.median, found.share_above_half) == (None, None, None, None)
    assert (found.expected, found.missing, found.method) == (2, 2, None)


def test_nothing_to_be_said_has_no_rate() -> None:
    found = rate_of((2, 0), (0, 0))
    assert (found.rate, found.errors, found.without_rate, found.median) == (None, 2, 2, None)


def test_the_tail_stands_beside_the_pool() -> None:
    found = rate_of(*[(0, 100)] * 9, (6, 10), (5, 10), (3, 0))
    assert found.rate == pytest.approx(14 / 920)
    assert found.median == 0
    assert found.share_above_half == pytest.approx(1 / 11)  # 0.5 itself is not above; no rate is none


def sixty_clips() -> list[tuple[int, int]]:
    draw = random.Random(7)
    return [(sum(draw.random() < 0.1 for _ in range(12)), 12) for _ in range(60)]


def test_the_interval_is_that_of_drawing_clips() -> None:
    found = rate_of(*sixty_clips())
    assert found.method is IntervalMethod.BLOCK_BOOTSTRAP
    assert found.interval is not None
    assert found.rate is not None
    low, high = found.interval
    assert low < found.rate < high
    # The normal distribution's half-width for such clips; the bootstrap's is near it.
    assert (high - low) / 2 == pytest.approx(1.96 * (0.1 * 0.9 / 720) ** 0.5, rel=0.3)


def test_clips_of_one_speaker_are_drawn_together() -> None:
    clips = [(6, 10)] * 10 + [(0, 10)] * 10
    alone = rate_of(*clips)
    speakers = rate_of(*clips, blocks=[f"speaker {at // 5}" for at in range(20)])
    assert (alone.blocks, speakers.blocks) == (20, 4)
    assert alone.rate == speakers.rate
    assert alone.interval is not None
    assert speakers.interval is not None
    assert speakers.interval[1] - speakers.interval[0] > 1.5 * (alone.interval[1] - alone.interval[0])


@pytest.mark.parametrize(
    ("counts", "blocks", "reason"),
    [
        ([(1, 10)], None, "one clip"),
        ([(1, 10), (0, 10)], ["ann", "ann"], "one speaker"),
        ([(0, 10), (0, 7)], None, "no errors anywhere: how often they come, nobody has seen"),
        ([(1, 10), (2, 20)], None, "the same rate everywhere"),
    ],
)
def test_what_did_not_vary_has_no_interval(
    counts: list[tuple[int, int]], blocks: list[str | None] | None, reason: str
) -> None:
    found = rate_of(*counts, blocks=blocks)
    assert (found.interval, found.method) == (None, None), reason


def test_many_clips_are_counted_instead_of_drawn() -> None:
    clips = sixty_clips() * 100
    found = rate_of(*clips)
    assert found.method is IntervalMethod.RATIO_OF_SUMS
    drawn = rate_of(*clips[:4980])
    assert found.interval is not None
    assert drawn.interval is not None
    assert drawn.method is IntervalMethod.BLOCK_BOOTSTRAP
    ratio = (drawn.interval[1] - drawn.interval[0]) / (found.interval[1] - found.interval[0])
    assert ratio == pytest.approx((6000 / 4980) ** 0.5, rel=0.08)


counts = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from([None, "ann", "bob"])), max_size=12
)


@given(counts, st.randoms())
def test_the_pool_is_the_sum_in_whatever_order(
    clips: list[tuple[int, int, str | None]], shuffle: random.Random
) -> None:
    def figures() -> CorpusRate:
        return rate_of(*((e, n) for e, n, _ in clips), blocks=[block for *_, block in clips])

    found = figures()
    errors, words = sum(e for e, _, _ in clips), sum(n for _, n, _ in clips)
    assert (found.errors, found.reference_length) == (errors, words)
    assert found.rate == (errors / words if words else None)
    assert found.scored == len(clips)
    if found.interval is not None:
        assert 0 <= found.interval[0] <= found.interval[1]
    shuffle.shuffle(clips)
    assert figures() == found
    canonical_json(found.as_json())  # raises for NaN and infinities
