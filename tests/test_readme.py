"""The README names all there is, and no page points to what is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_infergate.plugin.options.table import OPTIONS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.mark.parametrize("flag", [option.flag for option in OPTIONS])
def test_the_readme_names_every_option(flag: str) -> None:
    assert re.search(rf"{flag}(?![\w-])", (ROOT / "README.md").read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors that the headings of a page get where it is shown."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    bare = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {heading.strip().replace(" ", "-") for heading in bare}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_points_to_what_is_not_there(page: Path) -> None:
    for link in _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name} points to {link}"
        assert not anchor or anchor in anchors(target), f"{page.name} points to {link}"
