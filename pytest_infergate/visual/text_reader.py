"""What reads text off pictures: who it is, how it is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..evidence import InfergateError

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

#: Left, top, right, bottom, in pixels of the picture.
Box = tuple[float, float, float, float]


class ReaderUnavailable(InfergateError):
    """A text reader is not there, or broke off: that is not a picture without text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderIdentity:
    """Who reads. ``version``: with those of the libraries that decide the text; ``None``: not installed.

    ``models``: name of a model's file → ``sha256:<hex>``. ``options`` must be JSON: what was set.
    """

    engine: str
    version: str | None
    language: str
    models: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        models = ", ".join(f"{name} {digest}" for name, digest in sorted(self.models.items()))
        return f"{self.engine} {self.version or '(not installed)'}, {models or 'no models'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """A place that looks like text, and what it says; ``text`` is empty where it could not be read.

    ``confidence`` is of the text and ``likeness`` of there being any, 0 to 1, in the reader's own terms.
    ``likeness`` is ``None`` where the reader was not asked for it.
    """

    text: str
    confidence: float
    box: Box
    likeness: float | None = None

    @property
    def place(self) -> str:
        return ", ".join(f"{side:.0f}" for side in self.box)

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "confidence": round(self.confidence, 4),
            "box": [round(side, 1) for side in self.box],
            "likeness": None if self.likeness is None else round(self.likeness, 4),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a reader made of one picture: lines in the order of reading, and what it holds to be none.

    ``doubtful`` are places whose text the reader itself would not give out.
    """

    lines: tuple[TextLine, ...]
    doubtful: tuple[TextLine, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    def as_json(self) -> dict[str, Any]:
        return {
            "lines": [line.as_json() for line in self.lines],
            "doubtful": [line.as_json() for line in self.doubtful],
        }


class TextReader(Protocol):
    """A way to have text read off a picture."""

    @property
    def identity(self) -> ReaderIdentity:
        """Who it is; also where it is not installed. Loads no model."""
        ...

    def alphabet(self) -> frozenset[str]:
        """Return every character that it can read. Raises ``ReaderUnavailable``."""
        ...

    def read(self, rgb: NDArray[numpy.uint8], *, find_all: bool = False) -> Reading:
        """Return what is written on a picture (H, W, 3), uint8, sRGB.

        ``find_all``: also look for places that look like text and cannot be read, and tell the likeness.
        Raises ``ReaderUnavailable`` where it is not there, or broke off.
        """
        ...
