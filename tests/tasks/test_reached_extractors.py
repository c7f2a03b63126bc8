# ruff: noqa: E501 - a case a line
"""Extractors that a test's code names, found without running any of it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pytest_infergate.tasks import reached_extractors

HEAD = """
import tests.tasks.test_reached_extractors as ready
from tests.tasks.test_reached_extractors import Extractor, NUMBER, Holder
WORD = Extractor("word", "1")
OTHER = Extractor("other", "1")
TABLE = {"n": ready.NUMBER, "w": WORD}
HOLDER = Holder()
"""


@dataclass(frozen=True)
class Extractor:
    name: str
    version: str
    settings: tuple = ()

    def parse(self, gold):
        return gold


NUMBER = Extractor("number", "3")


class Holder:
    kept = NUMBER

    @property
    def computed(self):
        raise AssertionError("a property ran")


FOUND = [
    ("def test_one(reply): assert ready.NUMBER.parse(reply)", ["number"], "through a module and on to a method"),
    ("def test_one(reply): assert NUMBER(reply)", ["number"], "imported by name"),
    ("def test_one(reply): assert WORD(reply) == NUMBER(reply)", ["number", "word"], "by name"),
    ("def test_one(reply): assert NUMBER(reply) and ready.NUMBER(reply)", ["number"], "once"),
    ("def test_one(reply): assert grade(reply)\ndef grade(x): return WORD(x)", ["word"], "in a helper"),
    ("def test_one(reply): assert TABLE['n'](reply)", ["number", "word"], "in a table that is used"),
    ("def test_one(reply): assert HOLDER.kept(reply)", ["number"], "on a class, read statically"),
    ("def test_one(reply): assert HOLDER.computed(reply)", [], "not through a property, which does not run"),
    ("def test_one(reply): assert missing.NUMBER and ready.nothing", [], "names that are nowhere"),
    ("def test_one(NUMBER): assert NUMBER", [], "a parameter of that name is another thing"),
    ("def test_one(reply, x=WORD): assert x", ["word"], "a default"),
    ("def test_one(reply):\n    from tests.tasks.test_reached_extractors import NUMBER as n\n    assert n(reply)", ["number"], "imported inside"),
    ("def test_one(reply):\n    import tests.tasks.test_reached_extractors as r\n    assert r.NUMBER(reply)", ["number"], "a module imported inside"),
    ("def test_one(reply):\n    from .nowhere import NUMBER\n    assert NUMBER", [], "an import that goes nowhere"),
    ("def deco(x): return lambda f: f\n@deco(OTHER)\ndef test_one(reply): assert 1", ["other"], "a decorator"),
    ("def test_one(reply): assert Extractor('made', '1')(reply)", [], "not what only a call makes"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names", "why"), FOUND, ids=[case[2] for case in FOUND])
def test_finds(load, text, names, why):
    module = load(HEAD + text)
    found = reached_extractors(module.test_one, lambda item: isinstance(item, Extractor))
    assert [extractor.name for extractor in found] == names


def test_is_ordered_by_name_version_settings(load):
    text = "A = Extractor('n', '2')\nB = Extractor('n', '1', ('z',))\nC = Extractor('n', '1', ('a',))\ndef test_one(): A, B, C"
    found = reached_extractors(load(HEAD + text).test_one, lambda item: isinstance(item, Extractor))
    assert [(one.version, one.settings) for one in found] == [("1", ("a",)), ("1", ("z",)), ("2", ())]


def test_is_empty_without_source():
    assert reached_extractors(print, lambda item: True) == ()
