"""What docs/word-error-rate.md states is what is computed."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import mean

import pytest

from pytest_infergate.evidence import Pooled
from pytest_infergate.speech import NORMALIZERS, AlignmentError, CorpusTally, Unit, align, parse_normalizer
from pytest_infergate.speech.alignment_text import aligned_text
from pytest_infergate.speech.corpus import RESAMPLES

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "word-error-rate.md").read_text("utf-8")
FLOWING = " ".join(PAGE.split())
BASIC, ENGLISH = parse_normalizer("basic"), parse_normalizer("english")


@pytest.mark.parametrize("name", NORMALIZERS)
def test_the_written_rule_is_the_one_in_the_code(name: str) -> None:
    heading = f"### `{name}`\n\n"
    assert heading in PAGE
    paragraph = PAGE.split(heading)[1].split("\n\n")[0]
    assert " ".join(paragraph.split()) == parse_normalizer(name).rule


def test_the_examples_of_the_introduction() -> None:
    assert "has a WER of 6" in FLOWING
    assert align("yes", "thank you for watching please subscribe", BASIC).rate == 6
    assert "For the six words that were made up above it is 1." in FLOWING
    assert align("yes", "thank you for watching please subscribe", BASIC).match_error_rate == 1
    found = align("ask not what your country can do", "ask what your county can do please", BASIC)
    assert "\n".join(f"    {line}" for line in aligned_text(found)) in PAGE
    assert f"Three errors of seven words: {found.rate:.3f}." in PAGE
    assert "0 with `english`, 0.333 with `basic`" in FLOWING
    assert align("has fifty turns", "has 50 turns", BASIC).rate == pytest.approx(1 / 3)
    assert align("has fifty turns", "has 50 turns", ENGLISH).rate == 0


def test_the_example_of_the_pool() -> None:
    assert "1 error of 10 words, 0.1, while the mean of the two rates is 0.5" in FLOWING
    pairs = [("yes", "yeah"), ("the night train to the coast leaves at nine",) * 2]
    alignments = [align(*pair, BASIC) for pair in pairs]
    tally = CorpusTally()
    for one in alignments:
        tally.add(Pooled(part=one.errors, whole=one.reference_length))
    assert tally.rate().rate == 0.1
    assert mean(one.rate for one in alignments if one.rate is not None) == 0.5


def test_the_interval_of_sixty_clips() -> None:
    assert "an interval of about 8 % to 12 %" in FLOWING
    assert f"{RESAMPLES:,} times" in PAGE
    lows, highs = [], []
    for seed in range(40):
        draw, tally = random.Random(seed), CorpusTally()
        for _ in range(60):
            tally.add(Pooled(part=sum(draw.random() < 0.1 for _ in range(12)), whole=12))
        interval = tally.rate().interval
        assert interval is not None
        lows.append(interval[0])
        highs.append(interval[1])
    assert (mean(lows), mean(highs)) == pytest.approx((0.08, 0.12), abs=0.005)


#: A pair for each row of the table of normalizers that says "alike" or "apart".
ROWS = {
    "`-5` and `5`; `3,5` and `35`": [("-5", "5"), ("3,5", "35")],
    "`minus five` and `-5`": [("minus five", "-5")],
    "`forty two` and `42`": [("forty two", "42")],
    "`don't` and `do not`": [("don't", "do not")],
    "`colour` and `color`": [("colour", "color")],
    "`um, yes` and `yes`": [("um, yes", "yes")],
    "white space, composed and decomposed characters": [("a b", "a\tb"), ("café", "cafe\u0301")],
    "case, punctuation, kinds of apostrophe": [("Well, Yes", "well yes"), ("we're", "we’re")],
}


@pytest.mark.parametrize("row", ROWS)
def test_the_table_of_normalizers(row: str) -> None:
    cells = next(line for line in PAGE.splitlines() if line.startswith(f"| {row} |"))[2:-2].split(" | ")[1:]
    for name, cell in zip(NORMALIZERS, cells, strict=True):
        if ", but" in cell:  # the exception that stands in the cell
            assert parse_normalizer(name)("don't") != parse_normalizer(name)("don’t")
            continue
        found = {parse_normalizer(name)(one) == parse_normalizer(name)(other) for one, other in ROWS[row]}
        assert found == {"alike" in cell}, (name, cell)


def test_marks_are_kept_or_the_reference_is_refused() -> None:
    assert "| marks (vowels of Hindi, Thai) | kept | kept | kept | refused |" in PAGE
    for name in ("none", "basic", "english"):
        assert align("किताब", "कतब", parse_normalizer(name)).errors == 1
    with pytest.raises(AlignmentError):
        align("किताब", "कतब", parse_normalizer("whisper-english"))


def test_the_table_of_readings() -> None:
    rows = [line[2:-2].split(" | ") for line in PAGE.split("| text | is read as |")[1].splitlines()[2:10]]
    for text, reading, _ in rows:
        for one, other in zip(text.split(", "), reading.split(", "), strict=True):
            spoken = one.strip("`")
            expected = spoken if other == "as it is" else other.strip("`")
            assert ENGLISH(spoken) == ENGLISH(expected) == expected
    for text, figures in (
        ("nineteen eighty four", "1984"),
        ("the twenty second", "the 22nd"),
        ("u s a", "u s a"),
    ):
        assert ENGLISH(text) == figures


def test_scripts_without_spaces() -> None:
    for text in ("我喜欢", "今日は", "สวัสดี", "ສະບາຍດີ", "សួស្តី", "မင်္ဂလာပါ", "བཀྲ་ཤིས"):
        with pytest.raises(AlignmentError, match="use metric='cer'"):
            align(text, text, BASIC)
    assert align("我喜欢 Python", "我 喜欢Python", BASIC, Unit.CHARACTER).errors == 0


def test_empty_texts() -> None:
    for reference in ("...", "um hmm uh"):
        found = align(reference, "anything", ENGLISH)
        assert (found.rate, found.insertions) == (None, 1)
