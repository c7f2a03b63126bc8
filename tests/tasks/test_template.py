"""Templates: fields go in as they are; everything that is not a field is refused or literal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_infergate.tasks import DatasetError, DeclarationError, MissingFieldError, Sample, few_shot
from pytest_infergate.tasks.template import escape, parse_template


def sample(**fields) -> Sample:
    return Sample(id="s", digest="", source="a.jsonl:1", fields=fields)


def render(template: str, **fields) -> str:
    return parse_template(template, "test_a.py:1").render(sample(**fields))


RENDERED = [
    ("{q}", {"q": "2+2"}, "2+2", "a field"),
    ("{q}{q} {g}", {"q": "a", "g": "b"}, "aa b", "fields in turn and twice"),
    ("{{q}} {q}", {"q": "a"}, "{q} a", "doubled braces are literal"),
    ("{{{q}}}", {"q": "a"}, "{a}", "literal braces around a field"),
    ("{q}", {"q": "{g} {{x}} {"}, "{g} {{x}} {", "braces in data are data"),
    ("{q}", {"q": "{q}"}, "{q}", "also where they name a field"),
    ("{Question text}", {"Question text": "a"}, "a", "a header of two words"),
    ("{question-de}", {"question-de": "a"}, "a", "a dash"),
    ("{frage_ä}", {"frage_ä": "a"}, "a", "any letters"),
    ("{0}", {"0": "a"}, "a", "a header that is a number"),
    ("{n}", {"n": 3}, "3", "an integer"),
    ("{n}", {"n": 0.1}, "0.1", "a float as Python writes it"),
    ("{n}", {"n": True}, "true", "a boolean as JSON"),
    ("{n}", {"n": ["a", "é", None]}, '["a", "é", null]', "an array as JSON, its text legible"),
    ("{n}", {"n": {"b": 1, "a": 2}}, '{"b": 1, "a": 2}', "an object as JSON, in its own order"),
    ("{n}", {"n": ""}, "", "an empty string is a value"),
    ("a\u2028\n{q}\r\n", {"q": "\u2028"}, "a\u2028\n\u2028\r\n", "white space as it is"),
    ("", {}, "", "nothing"),
]


@pytest.mark.parametrize(("template", "fields", "text", "why"), RENDERED)
def test_renders(template, fields, text, why):
    assert render(template, **fields) == text, why


REFUSED = [
    ("{}", "the placeholder '{}'"),
    ("{a.b}", "the placeholder '{a.b}'"),
    ("{a[0]}", "the placeholder '{a[0]}'"),
    ("{a!r}", "the placeholder '{a!r}'"),
    ("{a:>3}", "the placeholder '{a:>3}'"),
    ('{"answer": 1}', "the placeholder '{\"answer\": 1}'"),
    ("{'a'}", "the placeholder"),
    ("{\n}", "the placeholder"),
    ("a } b", "a single '}'"),
    ("a { b", "a single '{'"),
    ("{a{b}}", "a single '{'"),
    ("{{a}", "a single '}'"),
    ("{a}}", "a single '}'"),
]


@pytest.mark.parametrize(("template", "what"), REFUSED)
def test_refuses_what_is_no_field_and_says_how_to_write_braces(template, what):
    with pytest.raises(DeclarationError) as caught:
        parse_template(template, "test_a.py:1")
    text = str(caught.value)
    assert text.startswith(f"test_a.py:1: {what}")
    assert "accepted: {field}, the exact name of a field, with {{ and }} for literal braces" in text
    assert "\n" not in text


def test_a_null_is_no_text():
    with pytest.raises(DatasetError, match=r"^a\.jsonl:1: the field 'q' of sample 's' is null"):
        render("{q}", q=None)


def test_a_field_that_is_not_there_is_named():
    with pytest.raises(
        MissingFieldError, match=r"^a\.jsonl:1: sample 's' has no field 'q'; its fields: 'p'$"
    ):
        render("{q}", p=1)


@given(st.text(), st.text(), st.text())
def test_never_formats_twice(before, data, after):
    assert render(f"{escape(before)}{{q}}{escape(after)}", q=data) == f"{before}{data}{after}"


@given(st.text())
def test_escaped_text_renders_to_itself(text):
    assert render(escape(text)) == text


def test_few_shots_come_first_and_their_braces_are_data():
    shots = [{"q": "{x}", "a": 1}, {"q": "b", "a": "}"}]
    template = few_shot("Q: {q}\nA: {a}\n\n", shots) + "Q: {q}\nA:"
    assert render(template, q="{a}") == "Q: {x}\nA: 1\n\nQ: b\nA: }\n\nQ: {a}\nA:"


def test_a_shot_without_a_field_is_named():
    with pytest.raises(DeclarationError, match=r"few_shot: shot 2: sample 'shot 2' has no field 'a'"):
        few_shot("{q} {a}", [{"q": 1, "a": 2}, {"q": 1}])
