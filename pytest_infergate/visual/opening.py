"""The door: whatever a model made, opened as a picture or as a clip, or refused with the reason."""

from __future__ import annotations

import os
import re
from os import PathLike

from ..evidence import NoAnswer, Reason, Reply, UndecodableMedia
from ..media import HEAD, MediaSource, find_source
from .animation import count_frames
from .clip import Clip, decode_clip
from .data_url import decode_data_url, find_data_urls
from .picture import KIND, MOVING, Picture, decode_picture, read_picture_bytes
from .picture_format import recognise_picture
from .strict import check_pillow, opened
from .structure import find_fault

_ADDRESS = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]+:(?://|\\\\)")
_SVG_BEGIN = re.compile(r"<svg[\s/>]", re.IGNORECASE)
_SVG_END = re.compile(r"</svg\s*>", re.IGNORECASE)
_SVG_EMPTY = re.compile(r"<svg[^>]*/>", re.IGNORECASE)


def open_visual(source: bytes | str | PathLike[str] | Reply) -> Picture | Clip:
    """Open a picture or a clip, decoded whole or not at all.

    ``source`` is the path of a file, the bytes of one, a data URL, or the text of a reply (a ``Reply``, or a
    string of several lines or with a tag in it) that holds one data URL or one SVG. Which it is, the bytes
    say: GIF, PNG and WebP of several frames are clips. An address that a model wrote is never fetched.

    Raises ``UndecodableMedia`` with the reason; ``NoAnswer`` (``no_answer``) for a reply without a picture or
    with several, (``evaluator_unavailable``) where a library is not installed; ``MediaSourceError`` for what
    is none of these.
    """
    if isinstance(source, Reply):
        return _open(find_source(_media_in(source.text), KIND), "reply")
    if isinstance(source, str):
        if source.lstrip()[:5].lower() == "data:":
            return _open(find_source(decode_data_url(source), KIND), "reply")
        if "\n" in source.strip() or "<" in source or find_data_urls(source):
            return _open(find_source(_media_in(source), KIND), "reply")
        _refuse_address(source)
    elif isinstance(source, os.PathLike):
        _refuse_address(str(os.fspath(source)))
    return _open(find_source(source, KIND), None)


def _open(source: MediaSource, origin: str | None) -> Picture | Clip:
    with source.open() as file:
        head = file.read(HEAD)
    picture_format = recognise_picture(head)
    if picture_format is None:
        return decode_clip(source, origin)
    raw = read_picture_bytes(source)
    if picture_format in MOVING and find_fault(raw, picture_format) is None:
        check_pillow()
        with opened(raw, f"{source.name} ({picture_format.value})") as image:
            moves = count_frames(image) > 1
        if moves:
            return decode_clip(source, origin)
    return decode_picture(raw, source, picture_format, origin)


def _media_in(text: str) -> bytes:
    """Return the bytes of the one picture or clip that ``text``, a reply, holds."""
    begin, end = _svg_in(text)
    urls = find_data_urls(text[:begin] + text[end:])
    count = len(urls) + (end > begin)
    if count > 1:
        raise NoAnswer(Reason.NO_ANSWER, f"the reply holds {count} pictures; open one of them")
    if end > begin:
        return text[begin:end].encode()
    if urls:
        return decode_data_url(urls[0])
    shown = " ".join(text.split())[:60]
    told = "; an address in it is never fetched" if "://" in text else ""
    raise NoAnswer(
        Reason.NO_ANSWER, f"the reply holds no picture, neither a data URL nor an SVG: {shown!r}{told}"
    )


def _svg_in(text: str) -> tuple[int, int]:
    """Return where the SVG in ``text`` begins and ends, its first and last tag; alike: there is none."""
    first = _SVG_BEGIN.search(text)
    if first is None:
        return 0, 0
    ends = [found.end() for found in _SVG_END.finditer(text, first.start())]
    empty = _SVG_EMPTY.match(text, first.start())
    if not ends and empty is None:
        raise UndecodableMedia("the SVG in the reply is cut off: it has no </svg>")
    return first.start(), ends[-1] if ends else empty.end() if empty else 0


def _refuse_address(text: str) -> None:
    if _ADDRESS.match(text):
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        raise UndecodableMedia(
            f"{shown!r} is an address, and what a model wrote is never fetched: fetch it and give the file"
        )
