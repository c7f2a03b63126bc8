"""Pictures and clips with text on them, and a text reader that says what it is told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from pytest_infergate.visual.clip import Clip, open_clip
from pytest_infergate.visual.ocr_canary import CANARY_TEXT
from pytest_infergate.visual.picture import Picture, open_picture
from pytest_infergate.visual.text_reader import ReaderIdentity, ReaderUnavailable, Reading, TextLine

from .made import encoded, saved

#: What Pillow's own font has of the alphabets: enough for a reader that is told what to say.
LATIN = frozenset("".join(map(chr, range(33, 127))) + "äöüßé²")


def drawn(
    text: str,
    *,
    size: tuple[int, int] = (288, 112),
    px: int = 28,
    ink: Any = "black",
    ground: Any = "white",
    mode: str = "RGB",
) -> Image.Image:
    """Return a picture with ``text`` on it, in Pillow's own font."""
    image = Image.new(mode, size, ground)
    ImageDraw.Draw(image).multiline_text(
        (16, 16), text, font=ImageFont.load_default(px), fill=ink, spacing=14
    )
    return image


def picture(text: str, **how: Any) -> Picture:
    """Return a picture with ``text`` on it, opened."""
    return open_picture(saved(drawn(text, **how)))


def clip(texts: Sequence[str], *, seconds_each: float = 0.5, **how: Any) -> Clip:
    """Return a clip of ten frames a second that shows one text after the other."""
    per_text = round(seconds_each * 10)
    frames = [numpy.array(drawn(text, **how)) for text in texts for _ in range(per_text)]
    return open_clip(encoded(frames, rate=10))


def line(text: str, confidence: float = 0.99, likeness: float | None = 0.9) -> TextLine:
    return TextLine(text=text, confidence=confidence, box=(1, 2, 30, 12), likeness=likeness)


@dataclass
class TellTale:
    """A reader that answers ``says`` for every picture but those of the canary.

    ``says`` may be text, a ``Reading``, an error to raise, or a function of the picture.
    """

    says: str | Reading | Exception | Callable[[NDArray[numpy.uint8]], str] = ""
    engine: str = "telltale"
    knows: frozenset[str] = LATIN
    canary: str | Exception = CANARY_TEXT
    on_blank: str | Reading = ""
    asked: int = field(default=0)

    @property
    def identity(self) -> ReaderIdentity:
        return ReaderIdentity(engine=self.engine, version="1", language="any", models={"m": "sha256:00"})

    def alphabet(self) -> frozenset[str]:
        return self.knows

    def read(self, rgb: NDArray[numpy.uint8], *, find_all: bool = False) -> Reading:
        said: Any = self.says
        self.asked += 1
        if self.asked == 1:
            said = self.canary
        elif self.asked == 2:
            said = self.on_blank
        if isinstance(said, Exception):
            raise said
        if callable(said):
            said = said(rgb)
        if isinstance(said, Reading):
            return said
        return Reading(lines=tuple(map(line, said.split("\n"))) if said else ())


def gone(engine: str = "gone", why: str = "gone is not installed") -> TellTale:
    """Return a reader that is not there."""
    return TellTale(engine=engine, canary=ReaderUnavailable(why))
