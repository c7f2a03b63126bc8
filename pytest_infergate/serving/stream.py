"""Bytes of a reply body to frames, whatever the reads they came in.

Server-sent events as servers really write them: lines end in CR, LF or CRLF and nothing else; ``data:``
with or without a space, empty, or written twice; a BOM; comments; keep-alive events; an ``error:`` field;
JSON or HTML with no framing at all.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

_LINE_END = re.compile(rb"\r\n|\n|\r")
_DATA = re.compile(rb"data:(?:[ ]?data:)*")  # a gateway may frame again what is framed
_BOM = b"\xef\xbb\xbf"
_KEEP_ALIVES = frozenset({"ping", "heartbeat", "keepalive", "keep-alive"})


class FrameKind(Enum):
    """What a piece of a body is."""

    DATA = "data"
    ERROR = "error"
    UNFRAMED = "unframed"


class Frame(NamedTuple):
    """One event, or a stretch of text that no event holds.

    ``text`` keeps bytes that are not UTF-8 as ``surrogateescape`` writes them: a server may cut a
    character between two events. ``is_torn``: the body ended inside it.
    """

    kind: FrameKind
    text: str
    is_torn: bool = False


class FrameReader:
    """Take bytes as they come, give frames as soon as they are whole."""

    __slots__ = ("_after_cr", "_at_start", "_data", "_event", "_partial", "_unframed")

    def __init__(self) -> None:
        self._partial: list[bytes] = []
        self._after_cr = False
        self._at_start = True
        self._data: list[str] = []
        self._event = ""
        self._unframed: list[str] = []

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that ``data`` completes."""
        if self._after_cr and data:
            self._after_cr = False
            if data[0] == 10:  # the LF of a CRLF that two reads cut apart
                data = data[1:]
        if data[-1:] == b"\r":
            self._after_cr = True
        lines = _LINE_END.split(data)
        if len(lines) == 1:
            self._partial.append(data)
            return []
        if self._partial:
            self._partial.append(lines[0])
            lines[0] = b"".join(self._partial)
        rest = lines.pop()
        self._partial = [rest] if rest else []
        frames: list[Frame] = []
        for line in lines:
            self._take_line(line, frames)
        return frames

    def finish(self) -> list[Frame]:
        """Return what the end of the body completes or tears."""
        frames: list[Frame] = []
        rest = b"".join(self._partial)
        self._partial = []
        if rest:
            self._take_line(rest, frames)
        self._dispatch(frames, is_torn=bool(rest))
        self._end_unframed(frames, is_torn=bool(rest))
        return frames

    def _take_line(self, line: bytes, frames: list[Frame]) -> None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        if not line:
            self._dispatch(frames)
            return
        if line[:5] == b"data:":
            if self._unframed:
                self._end_unframed(frames)
            # Once, at the beginning: what a model says may hold these words as well.
            self._data.append(_value(_DATA.sub(b"", line, count=1)))
        elif line[:1] == b":":
            pass
        elif line[:6] == b"event:":
            self._event = _value(line[6:])
        elif line[:6] == b"error:":
            self._dispatch(frames)
            frames.append(Frame(FrameKind.ERROR, _value(line[6:])))
        elif line[:3] == b"id:" or line[:6] == b"retry:" or line in (b"data", b"event", b"id", b"retry"):
            pass
        else:
            self._dispatch(frames)
            self._unframed.append(line.decode("utf-8", "surrogateescape"))
            if len(self._unframed) == 1 and line[:1] == b"{" and line.rstrip()[-1:] == b"}":
                self._end_unframed(frames)

    def _dispatch(self, frames: list[Frame], is_torn: bool = False) -> None:
        if any(self._data) and self._event not in _KEEP_ALIVES:
            kind = FrameKind.ERROR if self._event == "error" else FrameKind.DATA
            frames.append(Frame(kind, "\n".join(self._data), is_torn))
        self._data = []
        self._event = ""

    def _end_unframed(self, frames: list[Frame], is_torn: bool = False) -> None:
        if self._unframed:
            frames.append(Frame(FrameKind.UNFRAMED, "\n".join(self._unframed), is_torn))
            self._unframed = []


def _value(raw: bytes) -> str:
    return (raw[1:] if raw[:1] == b" " else raw).decode("utf-8", "surrogateescape")
