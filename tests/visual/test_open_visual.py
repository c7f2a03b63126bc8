"""Whatever a model made, through one door."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.evidence import NoAnswer, Reason, Reply, UndecodableMedia
from pytest_infergate.visual import Clip, Picture, open_visual
from pytest_infergate.visual.data_url import decode_data_url, find_data_urls

from .made import animated, encoded, gradient, moving, pdf, quarters, saved, svg

PNG = saved(quarters())
VECTOR = svg("<rect width='9' height='9'/>").decode()


def data_url(raw: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(raw).decode()}"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (PNG, "png"),
        (saved(gradient(), "JPEG"), "jpeg"),
        (saved(gradient(), "WEBP"), "webp"),
        (saved(gradient(), "GIF"), "gif"),
        (saved(gradient(), "TIFF"), "tiff"),
        (VECTOR.encode(), "svg"),
        (pdf(), "pdf"),
        (encoded(moving(3)), "mp4"),
        (encoded(moving(3), "webm"), "matroska"),
        (animated([quarters(), gradient(32, 16)]), "gif"),
        (animated([quarters(), gradient(32, 16)], "PNG"), "png"),
        (animated([quarters(), gradient(32, 16)], "WEBP"), "webp"),
    ],
)
def test_what_it_is_the_bytes_say(raw: bytes, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "anything.txt"
    path.write_bytes(raw)
    for given_as in (raw, path, str(path), data_url(raw, "image/x-whatever")):
        opened = open_visual(given_as)
        assert kind == (opened.format if isinstance(opened, Picture) else opened.container)
        source = str(path) if given_as in (path, str(path)) else "bytes" if given_as is raw else "reply"
        assert opened.source == source
        assert opened.sha256 == open_visual(raw).sha256


@pytest.mark.parametrize(
    "text",
    [
        data_url(PNG),
        f"  {data_url(PNG)}\n",
        f"Here you are:\n\n![a flag]({data_url(PNG)})\n\nAnything else?",
        f'<img alt="a flag" src="{data_url(PNG)}">',
        f"![]({data_url(PNG)}) as said: ![]({data_url(PNG)})",  # the same one twice
        data_url(PNG).rstrip("="),
        "data:image/png;charset=utf-8;BASE64," + base64.b64encode(PNG).decode(),
        "data:image/png;base64," + quote(base64.b64encode(PNG).decode(), safe=""),
        "data:image/png," + quote(PNG),
        "data:image/png;base64,\n" + base64.encodebytes(PNG).decode(),
    ],
)
@pytest.mark.parametrize("as_reply", [False, True])
def test_a_data_url_in_a_reply_is_the_picture(text: str, as_reply: bool) -> None:
    if as_reply and text.startswith("data:image/png;base64,\n"):
        text = text.replace("\n", "")  # where a data URL ends in running text, white space says
    opened = open_visual(Reply(text=text, finish_reason="stop") if as_reply else text)
    assert isinstance(opened, Picture)
    assert (opened.source, opened.width) == ("reply", 32)


@pytest.mark.parametrize(
    "text",
    [
        VECTOR,
        f"\n{VECTOR}\n",
        f'<?xml version="1.0"?>{VECTOR}',
        f"Sure! Here is the square:\n```svg\n{VECTOR}\n```\nIt has sides of 9.",
        "data:image/svg+xml;utf8," + quote(VECTOR),
        data_url(VECTOR.encode(), "image/svg+xml"),
        VECTOR.replace("<rect", f"<image href='{data_url(PNG)}'/><rect"),
        VECTOR.replace("<rect", "<svg width='2' height='2'/><rect"),  # one inside another is a part of it
        VECTOR.replace("<rect", "<svg width='2' height='2'></svg><rect"),
        VECTOR.replace("<rect", "<!-- </svg> <svg> --><rect"),
        f"{VECTOR}\nAs asked, it is one `<svg>` and ends with `</svg>`.",
        f"<!-- {VECTOR.replace('9', '8')} -->\n{VECTOR}",
        f"{VECTOR}\nOnce more:\n{VECTOR}",  # the same one twice
    ],
)
def test_an_svg_in_a_reply_is_the_picture(text: str) -> None:
    opened = open_visual(text)
    assert isinstance(opened, Picture)
    assert (opened.format, opened.source) == ("svg", "reply")


def test_a_clip_in_a_reply_is_the_clip() -> None:
    opened = open_visual(data_url(encoded(moving(3)), "video/mp4"))
    assert isinstance(opened, Clip)
    assert (opened.source, opened.frame_count) == ("reply", 3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the reply holds no picture, neither a data URL nor an SVG: ''"),
        ("I cannot draw,\nI am a language model.", "the reply holds no picture"),
        ("![a cat](https://example.org/cat.png)", "an address in it is never fetched"),
        (f"![]({data_url(PNG)}) or ![]({data_url(saved(gradient()))})", "the reply holds 2 pictures"),
        (f"{VECTOR}\n![]({data_url(PNG)})", "the reply holds 2 pictures"),
        (f"{VECTOR}\nor\n{VECTOR.replace('9', '8')}", "the reply holds 2 pictures"),
        (f"{VECTOR}<svg width='2' height='2'/><p>{VECTOR.replace('9', '8')}", "the reply holds 3 pictures"),
    ],
)
def test_a_reply_without_one_picture_is_no_answer(text: str, told: str) -> None:
    with pytest.raises(NoAnswer) as caught:
        open_visual(Reply(text=text, finish_reason="stop"))
    assert caught.value.reason is Reason.NO_ANSWER
    assert told in caught.value.detail


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"Here:\n{VECTOR[:-8]}", "the SVG in the reply is cut off: it has no </svg>"),
        (data_url(PNG)[:-41], "is cut off"),
        ("data:image/png;base64,====", "base64 does not decode"),
        ("data:image/png;base64,@@@@", "base64 does not decode"),
        ("data:image/png;base64,", "is empty"),
        ("data:image/png;base64", "has no comma"),
        ("data:text/html,<h1>502</h1>", "is no picture or video: it is text"),
        (data_url(b"<html></html>"), "is no picture or video: it is an HTML page"),
    ],
)
def test_what_is_damaged_in_a_reply_says_so(text: str, told: str) -> None:
    with pytest.raises(UndecodableMedia) as caught:
        open_visual(text)
    assert told in caught.value.detail


ADDRESSES = [
    "http://127.0.0.1:9/cat.png",
    "https://example.org/cat.png",
    "HTTPS://EXAMPLE.ORG/cat.png",
    "  https://example.org/cat.png  ",
    "ftp://example.org/cat.png",
    "file:///etc/hostname",
    "file:/etc/hostname",
    "blob:https://example.org/1-2-3",
    "rtsp://127.0.0.1/stream",
    "concat:a.mp4|b.mp4",
    "subfile,,start,0,end,0,,:/etc/hostname",
    "https://example.org/" + "a" * 500,
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_a_model_wrote_is_never_fetched(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(UndecodableMedia) as caught:
        open_visual(address)
    assert len(caught.value.detail) < 250
    assert "is an address" in caught.value.detail or address.startswith("subfile")


def test_an_address_as_a_path_is_none_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("http:").mkdir()
    Path("http:/cat.png").write_bytes(PNG)
    with pytest.raises(UndecodableMedia, match="is an address"):
        open_visual("http://cat.png")


@given(st.binary(min_size=1, max_size=60), st.booleans())
def test_a_data_url_holds_any_bytes(raw: bytes, is_base64: bool) -> None:
    url = data_url(raw) if is_base64 else "data:image/png," + quote(raw, safe="")
    assert decode_data_url(url) == raw
    assert find_data_urls(f"text ({url}) text") == [url]


@given(st.text(max_size=60))
def test_any_text_is_searched(text: str) -> None:
    assert find_data_urls(text) == [] or "data:" in text.lower()


def test_memory_holds_a_few_frames_whatever_the_length(tmp_path: Path) -> None:
    """Twenty times the frames may not take a tenth more memory."""
    frames = moving(30, 320, 180)
    peaks = []
    for times in (1, 20):
        path = tmp_path / f"{times}.mp4"
        path.write_bytes(encoded(frames * times))
        code = (
            "import sys, resource; from pytest_infergate.visual import open_clip\n"
            f"clip = open_clip({str(path)!r})\n"
            "seen = sum(bool(frame.grey.any() and frame.rgb.any()) for frame in clip.frames())\n"
            "assert seen == clip.frame_count\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
    assert peaks[1] < 1.1 * peaks[0]


def test_opening_loads_nothing_heavy_before_it_is_asked() -> None:
    code = (
        "import sys, pytest_infergate.visual as v; v.open_visual\n"
        "print(*(m for m in ('numpy', 'PIL', 'av', 'resvg_py', 'pypdfium2') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
