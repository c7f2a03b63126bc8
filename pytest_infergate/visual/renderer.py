"""A program that draws one SVG or the first page of one PDF, run on its own by ``rendering``.

Both are drawn by native code from what a model wrote: a thousand nested groups overflow the stack, and a
filter of a thousand pixels takes an hour. Here that costs this process alone. It reads the document from its
input, and writes a line of JSON and a PNG.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

#: Exit codes besides 0. The last line on the error output says why.
REFUSED, NOT_INSTALLED = 3, 4
_MEMORY = 4 << 30


def draw_svg(text: str) -> tuple[dict[str, object], bytes]:
    """Return what was noticed and the PNG of ``text``, whose references were looked at before."""
    import resvg_py

    noticed: dict[str, object] = {"pages": 1}
    if "<text" not in text and ":text" not in text:
        return noticed, bytes(resvg_py.svg_to_bytes(svg_string=text, dpi=96, skip_system_fonts=True))
    with tempfile.TemporaryDirectory() as folder:
        font, family = _font(Path(folder))
        drawn = resvg_py.svg_to_bytes(
            svg_string=text,
            dpi=96,
            log_information=True,
            font_files=font,
            font_family=family,
            serif_family=family,
            sans_serif_family=family,
            cursive_family=family,
            fantasy_family=family,
            monospace_family=family,
        )
    return noticed, bytes(drawn)


def draw_pdf(raw: bytes, dpi: float, max_pixels: int) -> tuple[dict[str, object], bytes]:
    """Return the count of pages and the PNG of the first page of ``raw`` on white."""
    import pypdfium2

    document = pypdfium2.PdfDocument(raw)
    if not len(document):
        raise ValueError("it has no page")
    document.init_forms()
    page = document[0]
    width, height = page.get_size()
    scale = dpi / 72
    if not 0 < width * scale * height * scale <= max_pixels:
        told = f"up to {max_pixels:,} pixels at {dpi:g} dpi are drawn"
        raise ValueError(f"its first page is {width:g} x {height:g} points; {told}")
    out = io.BytesIO()
    page.render(scale=scale).to_pil().convert("RGB").save(out, "PNG", compress_level=1)
    return {"pages": len(document)}, out.getvalue()


def _font(folder: Path) -> tuple[list[str] | None, str | None]:
    """Write the font that comes with Pillow, so that text is drawn alike on machines without fonts."""
    from PIL import ImageFont

    font = ImageFont.load_default(16)
    content = getattr(getattr(font, "path", None), "getvalue", bytes)()
    if not isinstance(font, ImageFont.FreeTypeFont) or not content:
        return None, None
    path = folder / "font.ttf"
    path.write_bytes(content)
    return [str(path)], font.getname()[0]


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows: the time limit from outside remains
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _main(kind: str, *numbers: str) -> int:
    # What libraries print goes to the error output, so that the picture is alone on the other.
    out: BinaryIO = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit()
    raw = sys.stdin.buffer.read()
    try:
        if kind == "svg":
            noticed, png = draw_svg(raw.decode("utf-8"))
        else:
            noticed, png = draw_pdf(raw, float(numbers[0]), int(numbers[1]))
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    except BaseException as error:  # a panic of Rust is no Exception
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return REFUSED
    with out:
        out.write(json.dumps(noticed).encode() + b"\n" + png)
    return 0


if __name__ == "__main__":
    # The folder of this file would shadow modules of those names.
    sys.path.pop(0)
    sys.exit(_main(*sys.argv[1:]))
