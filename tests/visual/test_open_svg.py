"""SVG that a model wrote: drawn from what stands in it alone, or refused."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from pytest_infergate.evidence import NoAnswer, Reason, UndecodableMedia
from pytest_infergate.visual import Picture, open_picture, open_visual, rendering

from .made import gradient, quarters, saved, svg

PICTURE = base64.b64encode(saved(quarters())).decode()


def refusal(raw: bytes) -> str:
    with pytest.raises(UndecodableMedia) as caught:
        open_picture(raw)
    assert len(caught.value.detail.splitlines()) == 1
    return caught.value.detail


def drawn(picture: Picture) -> int:
    """How many pixels are not transparent."""
    return int((picture.rgba[..., 3] > 0).sum())


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('width="40" height="20"', (40, 20)),
        ('width="40px" height="20px"', (40, 20)),
        ('width="1in" height="25.4mm"', (96, 96)),
        ('width="72pt" height="6pc"', (96, 96)),
        ('viewBox="0 0 64 32"', (64, 32)),
        ('viewBox="-10,-10 64,32"', (64, 32)),
        ('width="128" viewBox="0 0 64 32"', (128, 64)),
        ('height="16" viewBox="0 0 64 32"', (32, 16)),
        ('width="100%" height="100%" viewBox="0 0 64 32"', (64, 32)),
        ("", (300, 150)),  # as in a browser
        ('width="100%"', (300, 150)),
        ('width="50"', (50, 150)),
        ('height="50"', (300, 50)),
        ('width="10.4" height="10.6"', (10, 11)),
    ],
)
def test_the_size_is_the_one_that_it_says(attributes: str, size: tuple[int, int]) -> None:
    picture = open_picture(svg('<rect x="-10" y="-10" width="20" height="20"/>', attributes))
    assert (picture.width, picture.height) == size
    assert drawn(picture) >= 25


@pytest.mark.parametrize(
    ("attributes", "told"),
    [
        ('width="0" height="5"', "0 x 5 pixels: there is nothing to see"),
        ('width="5" height="-5"', "5 x -5 pixels: there is nothing to see"),
        ('width="1e9" height="10"', "1,000,000,000 x 10 pixels"),
        ('width="1e400" height="1"', "1,000,000,000 x 1 pixels"),
        ('width="9000" height="9000"', "9,000 x 9,000 pixels"),
        ('viewBox="0 0 1000000 1000000"', "1,000,000 x 1,000,000 pixels"),
        ('width="99999" viewBox="0 0 1 1"', "99,999 x 99,999 pixels"),
    ],
)
def test_a_size_that_is_none_or_a_bomb_is_refused(attributes: str, told: str) -> None:
    assert told in refusal(svg("<rect width='9' height='9'/>", attributes))


SECRET = "file:///etc/hostname"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<script>alert(1)</script>", "a script"),
        ("<script href='http://127.0.0.1/x.js'/>", "a script"),
        ("<g><SCRIPT/></g>", "a script"),
        ("<rect onclick='alert(1)'/>", "the event handler 'onclick'"),
        ("<rect OnLoad='alert(1)'/>", "the event handler 'OnLoad'"),
        ("<a href='javascript:alert(1)'><rect/></a>", "a script"),
        ("<image href='http://127.0.0.1:9/x.png'/>", "image to 'http://127.0.0.1:9/x.png'"),
        ("<image href='//127.0.0.1:9/x.png'/>", "something outside it"),
        (f"<image href='{SECRET}'/>", "something outside it"),
        ("<image href='/etc/hostname'/>", "something outside it"),
        ("<image href='picture.png'/>", "something outside it"),
        ("<image xmlns:x='http://www.w3.org/1999/xlink' x:href='picture.png'/>", "something outside it"),
        ("<image href=' &#x68;ttp://127.0.0.1:9/x.png'/>", "something outside it"),
        ("<image href='data:image/svg+xml,&lt;svg/&gt;'/>", "something outside it"),
        ("<image href='data:text/html,x'/>", "something outside it"),
        ("<use href='other.svg#part'/>", "use to 'other.svg#part'"),
        ("<filter id='f'><feImage href='picture.png'/></filter>", "feImage to 'picture.png'"),
        ("<rect fill='url(http://127.0.0.1:9/x.svg#p)'/>", "url to 'http://127.0.0.1:9/x.svg#p'"),
        ("<rect style='fill:url( &quot;picture.svg#p&quot; )'/>", "url to 'picture.svg#p'"),
        ("<rect style='fill:/**/url(/**/picture.svg#p)'/>", "url to 'picture.svg#p'"),
        ("<style>rect{fill:url(picture.svg#p)}</style>", "url to 'picture.svg#p'"),
        ("<style><![CDATA[@import 'http://127.0.0.1:9/x.css';]]></style>", "@import"),
        ("<style>@im/**/port 'x.css'; @IMPORT url(x.css);</style>", "@import"),
        ("<style>rect{fill:u\\72l(picture.svg#p)}</style>", "a style sheet with escapes"),
        ("<style>@font-face{src:url(http://127.0.0.1:9/f.woff)}</style>", "something outside it"),
        ("<foreignObject><p>words</p></foreignObject>", "foreignObject"),
        ("<p xmlns='http://www.w3.org/1999/xhtml'>words</p>", "an element 'p' of another language"),
        ("<include xmlns='http://www.w3.org/2001/XInclude' href='x'/>", "an element 'include'"),
        ("<iframe/>", "another document (iframe)"),
        ("<g xml:base='http://127.0.0.1:9/'/>", "xml:base"),
    ],
)  # fmt: skip
def test_what_would_run_or_be_fetched_is_refused(body: str, told: str) -> None:
    detail = refusal(svg(body))
    assert told in detail
    assert "SVG is drawn from what stands in it alone" in detail


@pytest.mark.parametrize(
    "document",
    [
        f"<!DOCTYPE svg [<!ENTITY x SYSTEM '{SECRET}'>]>",
        "<!DOCTYPE svg [<!ENTITY x 'expanded'>]>",
        f"<!DOCTYPE svg [<!ENTITY % x SYSTEM '{SECRET}'> %x;]>",
        "<!DOCTYPE svg [<!ENTITY a 'ha'>"
        + "".join(f"<!ENTITY {chr(98 + i)} '{f'&{chr(97 + i)};' * 10}'>" for i in range(9))
        + "]>",
    ],
    ids=["a file", "a text", "a parameter", "a billion laughs"],
)
def test_entities_are_neither_read_nor_expanded(document: str) -> None:
    assert "a declaration of the entity" in refusal(document.encode() + svg("<text>&x;&j;</text>"))


COMMENT = "<!-- x -->"


@pytest.mark.parametrize(
    "raw",
    [
        svg("", f'width="{"1" * 200_000}x" height="9"'),
        svg("", f'viewBox="{"1" * 200_000}x"'),
        svg(f"<style>{'/*' * 200_000}(</style>"),
        svg(f"<rect style='{'url ' * 50_000}('/>"),
        f"<!DOCTYPE {'[]' * 2_000}".encode(),
        (COMMENT * 400).encode(),
        ("<svg " * 200_000).encode(),
    ],
    ids=["width", "view", "comments in a style", "urls", "brackets", "comments", "roots"],
)
def test_text_made_to_take_long_takes_no_longer(raw: bytes) -> None:
    """A pattern that tries every way to take them apart would not come back."""
    for given in (raw, raw.decode()):
        try:
            opened = open_visual(given)
        except NoAnswer as error:
            assert len(error.detail.splitlines()) == 1  # noqa: PT017
        else:
            assert opened.width > 0


def test_a_style_sheet_outside_is_refused() -> None:
    assert "a style sheet outside" in refusal(b"<?xml-stylesheet href='http://127.0.0.1:9/x.css'?>" + svg(""))


@pytest.mark.parametrize(
    "body",
    [
        "<defs><linearGradient id='g'><stop stop-color='red'/></linearGradient></defs>"
        "<rect width='9' height='9' fill='url(#g)'/>",
        "<defs><rect id='r' width='9' height='9'/></defs><use href='#r'/>",
        "<style>rect { fill: red }</style><rect width='9' height='9'/>",
        f"<image width='9' height='9' href='data:image/png;base64,{PICTURE}'/>",
        "<a href='https://example.org/'><rect width='9' height='9'/></a>",
        "<rect width='9' height='9'/><metadata><r:RDF xmlns:r='urn:r'><r:x/></r:RDF></metadata>",
        "<title>One &amp; two</title><rect width='9' height='9'/>",
    ],
)
def test_what_stands_in_it_is_drawn(body: str) -> None:
    assert drawn(open_picture(svg(body))) >= 45


@pytest.mark.parametrize(
    "front",
    [
        "",
        "\ufeff",
        "\n  ",
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<?xml version="1.0" encoding="ISO-8859-1" standalone="no"?>',
        "<!-- a comment > with < in it -->\n",
        "<!-- one --><!-- <svg> --> <!---->",
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    ],
)
def test_what_stands_in_front_of_it_changes_nothing(front: str) -> None:
    picture = open_picture(front.encode() + svg("<rect width='9' height='9'/>"))
    assert (picture.format, drawn(picture)) == ("svg", 81)


def test_other_encodings_and_prefixes_are_read() -> None:
    raw = svg("<rect width='9' height='9'/>")
    assert drawn(open_picture(raw.decode().encode("utf-16"))) == 81
    prefixed = b'<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect width="9" height="9"/></s:svg>'
    assert drawn(open_picture(prefixed)) == 81
    assert drawn(open_picture(raw.replace(b' xmlns="http://www.w3.org/2000/svg"', b""))) == 81


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (svg("<rect>"), "no well-formed SVG: mismatched tag in line 1"),
        (svg("")[:-6], "no well-formed SVG: no element found"),
        (svg("") + b"<p/>", "no well-formed SVG: junk after document element"),
        (svg("") + b"```", "no well-formed SVG: not well-formed"),
        (svg("<rect width=9/>"), "no well-formed SVG"),
        (svg("&nbsp;"), "no well-formed SVG: undefined entity"),
        (svg("\xe4").decode("utf-8").encode("latin-1"), "no SVG in UTF-8"),
        (b'<svg xmlns="urn:other" width="9" height="9"/>', "its root is 'svg' of urn:other"),
    ],
)
def test_what_is_no_svg_says_where(raw: bytes, told: str) -> None:
    assert told in refusal(raw)


@pytest.mark.parametrize(
    "family", ["", "sans-serif", "Arial", "No Such Font", "'Times New Roman', serif", "monospace"]
)
def test_text_is_drawn_whatever_fonts_there_are(family: str) -> None:
    attribute = f'font-family="{family}"' if family else ""
    assert drawn(open_picture(svg(f'<text x="2" y="15" {attribute}>Hello</text>'))) > 50


def test_a_letter_that_no_font_here_has_is_missing_evidence() -> None:
    with pytest.raises(NoAnswer, match=r"no font on this machine has \S+/U\+10FFFD") as caught:
        open_picture(svg("<text x='2' y='15'>Hello \U0010fffd</text>"))
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE


def test_a_native_crash_costs_the_drawing_alone() -> None:
    """A thousand nested groups overflow the stack of what draws."""
    nested = "<g opacity='0.9'>" * 1_000 + "<rect width='5' height='5'/>" + "</g>" * 1_000
    assert "ends the program that draws it" in refusal(svg(nested))


def test_uses_of_uses_do_not_multiply_without_end() -> None:
    levels = "".join(f"<g id='a{i + 1}'>" + f"<use href='#a{i}'/>" * 10 + "</g>" for i in range(9))
    assert "cannot be drawn" in refusal(
        svg(f"<defs><rect id='a0' width='1' height='1'/>{levels}</defs><use href='#a9'/>")
    )


def test_a_filter_that_takes_an_hour_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "SECONDS", 1.0)
    size = "width='3000' height='3000'"
    body = f"<filter id='f'><feMorphology radius='900'/></filter><rect {size} filter='url(#f)'/>"
    assert "takes longer than 1 s to draw" in refusal(svg(body, size))


def test_without_the_library_nothing_is_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "renderer.py"
    program.write_text(
        Path(rendering.renderer.__file__)
        .read_text("utf-8")
        .replace("import resvg_py", "import no_such_module"),
        "utf-8",
    )
    monkeypatch.setattr(rendering.renderer, "__file__", str(program))
    with pytest.raises(
        NoAnswer, match=r"drawing a svg needs resvg_py .*pytest-infergate\[visual\]"
    ) as caught:
        open_picture(svg(""))
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE


def test_a_large_picture_in_it_is_drawn() -> None:
    large = base64.b64encode(saved(gradient().resize((2_000, 2_000)), compress_level=1)).decode()
    picture = open_picture(svg(f"<image width='9' height='9' href='data:image/png;base64,{large}'/>"))
    assert drawn(picture) >= 60
