"""SVG that a model wrote: read without running, fetching or expanding anything, then drawn."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.parsers import expat

from ..evidence import UndecodableMedia
from .inline_picture import check_inline_picture
from .limits import check_size
from .rendering import Rendering, render

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_XHTML, _XINCLUDE = "http://www.w3.org/1999/xhtml", "http://www.w3.org/2001/XInclude"
#: What runs, or shows another document. ``foreignObject`` is not drawn by what draws SVG alone.
_REFUSED = {
    "script": "a script",
    "handler": "a script",
    "listener": "a script",
    "foreignobject": "foreign content (foreignObject), which is not drawn",
    "iframe": "another document (iframe)",
    "embed": "another document (embed)",
    "object": "another document (object)",
    "audio": "audio",
    "video": "a video",
    "canvas": "a canvas, which only a script draws",
}
_INLINE_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp)[;,]", re.IGNORECASE)
_CSS_URL = re.compile(r"url\s*\(\s*[\"']?\s*([^\"')]*)", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_LENGTH = re.compile(rf"\s*({_NUMBER.pattern})\s*(px|pt|pc|mm|cm|in|em|ex|)\s*", re.IGNORECASE)
_LARGEST = 1e9
_LONGEST_LENGTH = 64  # characters of one
#: Bytes, the pictures in it included. Its elements are looked at one by one.
_MAX_BYTES = 1 << 25
_PIXELS = {
    "": 1,
    "px": 1,
    "pt": 4 / 3,
    "pc": 16,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96,
    "em": 16,
    "ex": 8,
}
#: The size of what has none of its own (CSS 2.2, 10.3.2).
_DEFAULT = (300.0, 150.0)


def render_svg(raw: bytes, name: str) -> Rendering:
    """Draw ``raw``, whose messages begin with ``name``, at its own size, 96 pixels an inch.

    What would run (scripts, event handlers), what would be fetched (any reference but to itself and to
    pictures inside it) and what would be expanded (entities) is refused, not passed over: a picture without
    them is not what was written. Without width, height and viewBox it is 300 x 150, as in a browser. Raises
    ``UndecodableMedia``, also where a picture inside it is damaged, and ``NoAnswer`` where it cannot be drawn
    here.
    """
    if len(raw) > _MAX_BYTES:
        raise UndecodableMedia(f"{name} has {len(raw):,} bytes; SVG of up to {_MAX_BYTES:,} is drawn")
    text = _decoded(raw, name)
    root = _Reading(name).read(text)
    width, height = root.size
    check_size(name, math.ceil(width), math.ceil(height))
    content = text.encode("utf-8")
    if not root.has_size:
        at = root.after_tag
        content = content[:at] + f' viewBox="0 0 {width:g} {height:g}"'.encode() + content[at:]
    return render("svg", content, name)


def _decoded(raw: bytes, name: str) -> str:
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = raw.decode(encoding).lstrip()
    except UnicodeDecodeError as error:
        raise UndecodableMedia(
            f"{name} is no SVG in UTF-8: {error.reason} at byte {error.start:,}"
        ) from error
    # The text is handed on in UTF-8, whatever it says that it was.
    return re.sub(r"\A<\?xml\s.*?\?>\s*", "", text, count=1, flags=re.DOTALL)


class _Reading:
    """One pass over the text that refuses what is not to be there and notes the size of the root.

    ``has_size`` is False where the root says nothing that gives one. ``after_tag`` is the place, in bytes,
    behind the name of the root's tag.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.size = _DEFAULT
        self.has_size = True
        self.after_tag = 0
        self._content = b""
        self._depth = 0
        self._style: list[str] | None = None

    def read(self, text: str) -> _Reading:
        parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.buffer_text = True
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.EntityDeclHandler = self._entity
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartElementHandler = lambda tag, attributes: self._start(parser, tag, attributes)
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        self._content = text.encode("utf-8")
        try:
            parser.Parse(self._content, True)
        except expat.ExpatError as error:
            said = expat.errors.messages.get(error.code, error.code)
            raise UndecodableMedia(
                f"{self.name} is no well-formed SVG: {said} in line {error.lineno}, column {error.offset + 1}"
            ) from error
        return self

    def _refuse(self, what: str) -> None:
        raise UndecodableMedia(f"{self.name} holds {what}; SVG is drawn from what stands in it alone")

    def _entity(self, name: str, *_: Any) -> None:
        self._refuse(f"a declaration of the entity {name!r}")

    def _instruction(self, target: str, _: str) -> None:
        if target.lower() == "xml-stylesheet":
            self._refuse("a reference to a style sheet outside")

    def _start(self, parser: Any, tag: str, attributes: dict[str, str]) -> None:
        space, _, local = tag.rpartition(" ")
        if not self._depth:
            self._root(parser, space, local, attributes)
        self._depth += 1
        if space in (_XHTML, _XINCLUDE):
            self._refuse(f"an element {local!r} of another language")
        if space in (_SVG, "") and local.lower() in _REFUSED:
            self._refuse(_REFUSED[local.lower()])
        for full, value in attributes.items():
            its_space, _, attribute = full.rpartition(" ")
            if not its_space and attribute.lower().startswith("on"):
                self._refuse(f"a script (the event handler {attribute!r})")
            if attribute == "base" and its_space.endswith("/namespace"):
                self._refuse("a base for references (xml:base)")
            if attribute.lower() in ("href", "src") and its_space in ("", _XLINK):
                self._reference(local, value.strip())
            self._css(value)
        if local == "style":
            self._style = []

    def _reference(self, local: str, value: str) -> None:
        if local == "a":  # a link that someone could follow: nothing is fetched to draw it
            if value.lower().startswith(("javascript:", "data:")):
                self._refuse(f"a script (a link to {value[:40]!r})")
        elif _INLINE_PICTURE.match(value):
            check_inline_picture(value, self.name)
        elif value and not value.startswith("#"):
            self._refuse(f"a reference to something outside it ({local} to {value[:60]!r})")

    def _css(self, text: str) -> None:
        if "(" not in text and "@" not in text:
            return
        for target in _CSS_URL.findall(_without_comments(text)):
            if not target.startswith("#") and not _INLINE_PICTURE.match(target):
                self._refuse(f"a reference to something outside it (url to {target.strip()[:60]!r})")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if self._style is not None and tag.rpartition(" ")[2] == "style":
            sheet = "".join(self._style)
            self._style = None
            if "@import" in _without_comments(sheet).lower():
                self._refuse("a reference to a style sheet outside (@import)")
            if "\\" in sheet:
                self._refuse("a style sheet with escapes, behind which a reference may be")
            self._css(sheet)

    def _characters(self, text: str) -> None:
        if self._style is not None:
            self._style.append(text)

    def _root(self, parser: Any, space: str, local: str, attributes: dict[str, str]) -> None:
        if local != "svg" or space not in (_SVG, ""):
            raise UndecodableMedia(
                f"{self.name} is no SVG: its root is {local!r} of {space or 'no language'}"
            )
        numbers = [
            _number(found) for found in _NUMBER.findall(attributes.get("viewBox", "")[: 4 * _LONGEST_LENGTH])
        ]
        view = (numbers[2], numbers[3]) if len(numbers) == 4 else None
        width, height = (_pixels(attributes.get(side, "")) for side in ("width", "height"))
        base = view or _DEFAULT
        if view and width is None and height is not None and view[1]:
            width = height * view[0] / view[1]
        elif view and height is None and width is not None and view[0]:
            height = width * view[1] / view[0]
        self.size = base[0] if width is None else width, base[1] if height is None else height
        self.has_size = "viewBox" in attributes or (width is not None and height is not None)
        tag = re.compile(rb"<[^\s/>]+").match(self._content, parser.CurrentByteIndex)
        self.after_tag = tag.end() if tag else 0


def _without_comments(css: str) -> str:
    first, *others = css.split("/*")
    return first + "".join(other.partition("*/")[2] for other in others)


def _pixels(text: str) -> float | None:
    """Return a length in pixels; ``None``: none is given, or one relative to what is around."""
    found = _LENGTH.fullmatch(text[:_LONGEST_LENGTH])
    return _number(found[1]) * _PIXELS[found[2].lower()] if found else None


def _number(text: str) -> float:
    return max(-_LARGEST, min(_LARGEST, float(text)))
