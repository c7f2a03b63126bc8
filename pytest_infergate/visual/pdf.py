"""The first page of a PDF, drawn on white."""

from __future__ import annotations

from .limits import MAX_PIXELS
from .rendering import Rendering, render

#: Dots per inch that a page is drawn at: letters of ten points are 20 pixels high, which text readers want.
DPI = 144


def render_pdf(raw: bytes, name: str) -> Rendering:
    """Draw the first page of ``raw``, whose messages begin with ``name``, at 144 dots per inch.

    Nothing in it is run and nothing that it refers to is fetched. Raises ``UndecodableMedia`` where it cannot
    be drawn (damaged, under a password, too large), and ``NoAnswer`` without pypdfium2.
    """
    return render("pdf", raw, name, DPI, MAX_PIXELS)
