"""The words to be spoken: what is found in scripts of every kind, locked to the version of the rule."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import NoAnswer, Reason, Reply, digest
from pytest_infergate.extract.extractor import ExtractorError
from pytest_infergate.speech import script
from pytest_infergate.speech.quotations import find_quotations
from pytest_infergate.speech.spans import MOST_MARKS, MOST_SPEECHES, outermost
from pytest_infergate.speech.stage_directions import find_directions

from .script_rows import ROWS, SRT

#: Version → digest of the rows and what is found in them.
LOCKED = {"1": "sha256:e2150f2d8d78f0431debc66265b656534f8ac948241e0ce76b47dcc1d51d2299"}


def found_in(text: str | Reply) -> str | None:
    try:
        return script(text)
    except NoAnswer as missing:
        if missing.reason is Reason.EMPTY_REFERENCE:
            return None
        raise


@pytest.mark.parametrize(("text", "spoken"), ROWS)
def test_the_words_to_be_spoken(text: str, spoken: str | None) -> None:
    assert found_in(text) == spoken


def test_behaviour_changes_only_with_the_version() -> None:
    assert len(ROWS) >= 120
    now = digest([[text, found_in(text)] for text, _ in ROWS])
    assert LOCKED.get(script.version) == now, (
        "speech.script answers otherwise than recorded for its version: raise `version`, and record "
        f"{script.version!r}: {now!r} (for more rows alone, with the extractor as it was)"
    )


def test_it_is_an_extractor_like_any_other() -> None:
    assert repr(script) == "speech.script"
    assert (script.identity.kind, script.identity.name, script.identity.version) == (
        "extractor",
        "script",
        "1",
    )
    assert script.rule
    assert script('He says "hi".', {"id": "a"}) == "hi"
    assert script.parse('He says "hi".') == "hi"
    assert script.same("hi", 'He says "hi".')
    assert not script.same("hi", "nothing is said here")


@pytest.mark.parametrize("odd", [None, 3, b"bytes", ["a"]])
def test_what_is_no_text_is_refused(odd: Any) -> None:
    with pytest.raises(ExtractorError, match="reads a str or a Reply"):
        script(odd)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(text='ANNA: "Hi', finish_reason="length"), Reason.TRUNCATED),
        (Reply(text="", finish_reason="stop"), Reason.EMPTY_REPLY),
        (Reply(text="I can't.", refusal="no"), Reason.REFUSED),
        (Reply(text="ANNA: Hi", finish_reason=None), Reason.BROKEN_STREAM),
        (Reply(text="A quiet street."), Reason.EMPTY_REFERENCE),
    ],
)
def test_a_reply_that_did_not_deliver_has_no_script(reply: Reply, reason: Reason) -> None:
    with pytest.raises(NoAnswer) as caught:
        script(reply)
    assert caught.value.reason is reason


def test_reasoning_is_no_part_of_the_script() -> None:
    assert found_in('<think>She could say "no".</think>\n\nANNA: Yes.') == "Yes."


@pytest.mark.parametrize(
    "text",
    [
        '"a" ' * MOST_MARKS,
        "(a) " * MOST_MARKS,
        "*a* " * MOST_MARKS,
        "a\n" * (MOST_MARKS + 2),
        "A: b\n" * (MOST_SPEECHES + 1),
    ],
)
def test_what_holds_more_marks_than_any_script_is_none(text: str) -> None:
    with pytest.raises(NoAnswer, match=r"empty_reference: speech.script: no script has more than \d\d,000"):
        script(text)


def test_a_novel_is_read_whole() -> None:
    text = "“I know,” he said, and it’s late (very).\n\nANNA: Go on! It's the dogs' turn.\n\n" * 5_000
    assert script(text).count("\n") == 2 * 5_000 - 1


PIECES = st.sampled_from(
    [
        *(
            '"',
            "'",
            "“",
            "”",
            "‘",
            "’",
            "„",
            "«",
            "»",
            "「",
            "」",
            "``",
            "''",
            "(",
            ")",
            "[",
            "]",
            "*",
            "**",
            "<",
            ">",
        ),
        *(
            "ANNA: ",
            "Anna: ",
            "**Ben:** ",
            "Scene: ",
            "INT. BAR\n",
            "JOHN\n",
            "says ",
            "says: ",
            "said, ",
            "Say: ",
        ),
        *(
            "word",
            "don't",
            "dogs' ",
            "5' ",
            "\n",
            "\n\n",
            " ",
            ".",
            "!",
            "-->",
            "00:01,000 --> 00:02,000\n",
            "WEBVTT\n\n",
        ),
        *(
            "1\n",
            "NOTE ",
            "\r\n",
            "\u2028",
            "\x00",
            "\ud800",
            "İ",
            "नमस्ते",
            "你好",
            "：",
            "\ufeff",
            "<think>",
            "</think>",
        ),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@given(TEXTS)
def test_any_text_has_words_or_a_reason(text: str) -> None:
    spoken = found_in(text)
    if spoken is not None:
        for line in spoken.split("\n"):
            assert line == " ".join(line.split()) != ""


@given(TEXTS)
def test_a_text_and_a_reply_of_it_have_the_same_words(text: str) -> None:
    if text.strip():
        try:
            of_reply = script(Reply(text=text))
        except NoAnswer:
            assert found_in(text) is None
        else:
            assert of_reply == found_in(text)


@given(TEXTS)
def test_line_ends_make_no_difference(text: str) -> None:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    assert found_in(unix.replace("\n", "\r\n")) == found_in(unix)


@given(TEXTS)
def test_spans_are_apart_and_in_order(text: str) -> None:
    for spans in (find_quotations(text), find_directions(text)):
        assert spans == outermost(spans)
        assert all(0 <= span.start <= span.end <= len(text) for span in spans)


WORDS = st.lists(
    st.sampled_from(["we", "do", "not", "know", "it", "yet", "tell", "me", "why"]), min_size=1, max_size=8
).map(" ".join)


@given(WORDS, st.sampled_from(['"{}"', "“{}”", "«{}»", "„{}“", "「{}」", "‘{}.’", "'{}.'"]), WORDS, WORDS)
def test_words_between_marks_are_found(spoken: str, marks: str, before: str, after: str) -> None:
    found = found_in(f"{before} {marks.format(spoken)} {after}")
    assert found is not None
    assert found.rstrip(".") == spoken


@given(
    st.lists(st.tuples(st.sampled_from(["ANNA", "Ben", "Dr. Who", "小明"]), WORDS), min_size=1, max_size=6)
)
def test_every_line_with_a_name_is_found(lines: list[tuple[str, str]]) -> None:
    assert found_in("\n".join(f"{name}: {words}." for name, words in lines)) == "\n".join(
        f"{words}." for _, words in lines
    )


@given(WORDS, WORDS)
def test_cues_are_found_as_they_stand(one: str, other: str) -> None:
    assert found_in(SRT.format(one, other)) == f"{one}\n{other}"


@pytest.mark.parametrize(
    "piece",
    [
        '"',
        "'a ",
        "“",
        "‘’",
        "(",
        "[a",
        "*a ",
        "<a ",
        "A: ",
        "says a ",
        "say: ",
        "says, ",
        "`",
        "A\n\n",
        "\t",
        "“\n\n",
    ],
)
def test_hostile_texts_come_to_an_end(piece: str) -> None:
    # The time is measured in benchmarks/extractors.py; what is quadratic does not end here within minutes.
    spoken = found_in(piece * (500_000 // len(piece)))
    assert spoken is None or piece.strip() in ("A:", "says a", "say:", "says,")
