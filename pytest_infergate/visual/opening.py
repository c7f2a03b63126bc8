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
#: Where something begins that an SVG is made of: itself, a comment, text as it is. ``<`` is in no attribute.
_SVG_TAGS = re.compile(
    r"(?P<open><svg(?=[\s/>])[^<>]*>?)|(?P<close></svg\s*>)|(?P<hidden><!--|<!\[CDATA\[)", re.IGNORECASE
)
#: Tags without an attribute and without an element between them: words about an SVG.
_MENTION = re.compile(r"<svg\s*>[^<]*</svg\s*>", re.IGNORECASE)
_HIDDEN_ENDS = {"<!--": "-->", "<![CDATA[": "]]>"}


def open_visual(source: bytes | str | PathLike[str] | Reply) -> Picture | Clip:
    """Open a picture or a clip, decoded whole or not at all.

    ``source`` is the path of a file, the bytes of one, a data URL, or the text of a reply (a ``Reply``, or a
    string of several lines or with a tag in it) that holds one data URL or one SVG. A ``Reply`` with an
    artifact, as ``infer.draw`` returns it, is that artifact. Which it is, the bytes say: GIF, PNG and WebP of
    several frames are clips. An address that a model wrote is never fetched.

    Raises ``UndecodableMedia`` with the reason; ``NoAnswer`` (``no_answer``) for a reply without a picture or
    with several, (``evaluator_unavailable``) where a library is not installed; ``MediaSourceError`` for what
    is none of these.
    """
    if isinstance(source, Reply):
        if source.artifact is not None:
            return _open(find_source(_made_by(source), KIND), "reply")
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


def _made_by(reply: Reply) -> bytes:
    """Return the bytes of the picture or clip that a server made."""
    if reply.content is None:
        assert reply.artifact is not None
        raise UndecodableMedia(
            f"the bytes of the reply's artifact {reply.artifact.sha256} are not at hand, only its record is"
        )
    return reply.content


def _media_in(text: str) -> bytes:
    """Return the bytes of the one picture or clip that ``text``, a reply, holds."""
    drawings = _svgs_in(text)
    rest, at = [], 0
    for begin, end in drawings:
        rest.append(text[at:begin])
        at = end
    urls = find_data_urls("".join([*rest, text[at:]]))
    # The same one twice is one.
    found = [*dict.fromkeys(text[begin:end] for begin, end in drawings)]
    count = len(urls) + len(found)
    if count > 1:
        raise NoAnswer(Reason.NO_ANSWER, f"the reply holds {count} pictures; open one of them")
    if found:
        return found[0].encode()
    if urls:
        return decode_data_url(urls[0])
    shown = " ".join(text.split())[:60]
    told = "; an address in it is never fetched" if "://" in text else ""
    raise NoAnswer(
        Reason.NO_ANSWER, f"the reply holds no picture, neither a data URL nor an SVG: {shown!r}{told}"
    )


def _svgs_in(text: str) -> list[tuple[int, int]]:
    """Return where each SVG in ``text`` begins and ends; one inside another is a part of it.

    Raises ``UndecodableMedia`` where the first one is cut off. One tag that begins and does not end, after an
    SVG that is whole, is a word about it.
    """
    found: list[tuple[int, int]] = []
    absent: set[str] = set()  # a reply may begin ten thousand comments
    begin, last, depth, at = 0, 0, 0, 0
    while (tag := _SVG_TAGS.search(text, at)) is not None:
        at = tag.end()
        if tag["hidden"]:
            closing = _HIDDEN_ENDS[tag["hidden"].upper()]
            end = text.find(closing, at) if closing not in absent else -1
            if end < 0:
                absent.add(closing)
            else:
                at = end
        elif tag["open"]:
            if not depth:
                begin, last = tag.start(), 0
            if not tag["open"].endswith("/>"):
                depth += 1
            elif not depth:
                found.append((begin, at))
        elif depth:
            depth, last = depth - 1, at
            if not depth and not _MENTION.fullmatch(text, begin, at):
                found.append((begin, at))
    if depth and last:
        # Its tags do not match: whoever draws it says what is wrong.
        found.append((begin, last))
    elif depth and not found:
        raise UndecodableMedia("the SVG in the reply is cut off: it has no </svg>")
    return found


def _refuse_address(text: str) -> None:
    if _ADDRESS.match(text):
        shown = text if len(text) <= 60 else f"{text[:57]}..."
        raise UndecodableMedia(
            f"{shown!r} is an address, and what a model wrote is never fetched: fetch it and give the file"
        )
