"""Framing: the same bytes are the same frames, however they are cut into reads."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.serving.stream import Frame, FrameKind, FrameReader

DATA, ERROR, UNFRAMED = FrameKind.DATA, FrameKind.ERROR, FrameKind.UNFRAMED


def frames_of(*reads: bytes) -> list[Frame]:
    reader = FrameReader()
    return [frame for data in reads for frame in reader.feed(data)] + reader.finish()


@pytest.mark.parametrize(
    ("body", "frames"),
    [
        pytest.param(b"data: a\n\n", [(DATA, "a")], id="LF"),
        pytest.param(b"data: a\r\n\r\ndata: b\r\n\r\n", [(DATA, "a"), (DATA, "b")], id="CRLF"),
        pytest.param(b"data: a\r\rdata: b\r\r", [(DATA, "a"), (DATA, "b")], id="CR"),
        pytest.param(b"data: a\r\n\ndata: b\n\r\n", [(DATA, "a"), (DATA, "b")], id="mixed"),
        pytest.param(b"data:a\n\n", [(DATA, "a")], id="no space"),
        pytest.param(b"data:  a \n\n", [(DATA, " a ")], id="only one space goes"),
        pytest.param(b"data: a\ndata: b\n\n", [(DATA, "a\nb")], id="several data lines"),
        pytest.param(b"data: data: a\n\n", [(DATA, "a")], id="framed twice"),
        pytest.param(b"data: {data:a}, data: b\n\n", [(DATA, "{data:a}, data: b")], id="what is said, kept"),
        pytest.param(b"\xef\xbb\xbfdata: a\n\n", [(DATA, "a")], id="BOM"),
        pytest.param(b": keep-alive 5/100\n\n:\n\ndata: a\n\n", [(DATA, "a")], id="comments"),
        pytest.param(b"event: x\nid: 1\nretry: 5\ndata: a\n\n", [(DATA, "a")], id="other fields"),
        pytest.param(b"event: error\ndata: a\n\ndata: b\n\n", [(ERROR, "a"), (DATA, "b")], id="event: error"),
        pytest.param(b"error: a\n\ndata: b\n\n", [(ERROR, "a"), (DATA, "b")], id="error field"),
        pytest.param(
            "data: a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n\n".encode(),
            [(DATA, "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg")],
            id="what str.splitlines would cut",
        ),
        pytest.param(b'{"a": 1}\n', [(UNFRAMED, '{"a": 1}')], id="JSON on a line"),
        pytest.param(
            b'{"a": 1}\n{"b": 2}\n', [(UNFRAMED, '{"a": 1}'), (UNFRAMED, '{"b": 2}')], id="JSON lines"
        ),
        pytest.param(b'{\n "a": 1\n}\n', [(UNFRAMED, '{\n "a": 1\n}')], id="JSON over several lines"),
        pytest.param(
            b'[\n{"a": 1}\n]\n', [(UNFRAMED, '[\n{"a": 1}\n]')], id="an object on a line within an array"
        ),
        pytest.param(
            b'data: a\n\n{"error": 1}\n\ndata: b\n\n',
            [(DATA, "a"), (UNFRAMED, '{"error": 1}'), (DATA, "b")],
            id="JSON between events",
        ),
        pytest.param(b"<html>\n<p>a\n", [(UNFRAMED, "<html>\n<p>a")], id="HTML"),
        pytest.param(b"", [], id="nothing"),
    ],
)
def test_lines_become_frames(body: bytes, frames: list[tuple[FrameKind, str]]) -> None:
    assert [(frame.kind, frame.text) for frame in frames_of(body)] == frames


def test_a_frame_is_given_with_the_read_that_completes_it() -> None:
    reader = FrameReader()
    assert reader.feed(b"data: a\n") == []
    assert reader.feed(b"\n") == [Frame(DATA, "a")]
    assert reader.feed(b"data: b\r\n\r") == [Frame(DATA, "b")], "a CR ends a line at once"
    assert reader.feed(b"\ndata: c") == []


def test_what_the_end_of_the_body_cuts_is_marked_as_torn() -> None:
    assert frames_of(b"data: a\n\ndata: b") == [Frame(DATA, "a"), Frame(DATA, "b", is_torn=True)]
    assert frames_of(b"data: a\n\ndata: b\n") == [Frame(DATA, "a"), Frame(DATA, "b", is_torn=False)]


PIECES = st.sampled_from(
    [
        b"data:",
        b"data: x",
        b"\r",
        b"\n",
        b"\r\n",
        b": c",
        b"error: e",
        b"event: error",
        b"{",
        b"}",
        b'{"a":1}',
        b"\xef\xbb\xbf",
        "\u2028é東🚲".encode(),
        b"\xe6",
        b"<html>",
        b"id: 1",
        b"d",
        b"[DONE]",
    ]
)


@given(body=st.lists(PIECES, max_size=30).map(b"".join), data=st.data())
def test_any_cut_of_the_bytes_gives_the_same_frames(body: bytes, data: st.DataObject) -> None:
    cuts = data.draw(st.lists(st.integers(0, len(body)), max_size=8).map(sorted))
    edges = [0, *cuts, len(body)]
    reads = [body[a:b] for a, b in pairwise(edges)]
    assert frames_of(*reads) == frames_of(body)
    assert frames_of(*(body[i : i + 1] for i in range(len(body)))) == frames_of(body)
