# ruff: noqa: E501 - a case a line
"""Prompts: templates, messages, callables; what is sent and what is refused before anything is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_infergate.tasks import (
    DatasetError,
    DeclarationError,
    Endpoint,
    MissingFieldError,
    Prompt,
    Sample,
    load_dataset,
    parse_prompt,
    render_messages,
)

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
WAV = b"RIFF\x10\x00\x00\x00WAVEfmt "


def prompt(body, *, system=None, endpoint=Endpoint.CHAT, test_folder: Path = Path("/nowhere")) -> Prompt:
    return parse_prompt(
        body, system=system, endpoint=endpoint, where="test_a.py:3: infer_task", test_folder=test_folder
    )


def sample(folder: Path | None = Path("/data"), **fields) -> Sample:
    return Sample(id="s1", digest="", source="a.jsonl:2", folder=folder, fields=fields)


def user(content):
    return {"role": "user", "content": content}


def test_a_template_is_one_message_of_the_user_for_chat():
    assert prompt("Q: {q}").render(sample(q="{q}")) == (user("Q: {q}"),)


def test_a_template_is_a_string_for_completion():
    assert prompt("Q: {q}", endpoint=Endpoint.COMPLETION).render(sample(q="a")) == "Q: a"


def test_a_system_message_is_a_template_and_comes_first():
    rendered = prompt("{q}", system="Speak {lang}.").render(sample(q="a", lang="Welsh"))
    assert rendered == ({"role": "system", "content": "Speak Welsh."}, user("a"))


def test_messages_are_templates_with_their_examples():
    shots = [user("1+{n}"), {"role": "assistant", "content": "{{2}}"}, user("{q}")]
    rendered = prompt(shots).render(sample(n=1, q="{n}"))
    assert rendered == (user("1+1"), {"role": "assistant", "content": "{2}"}, user("{n}"))


def test_tool_messages_pass_through_with_every_string_a_template():
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{{"x": {n}}}'}}
    messages = [
        user("{q}"),
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "3"},
    ]
    rendered = prompt(messages).render(sample(q="a", n=2))
    assert rendered[1]["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"x": 2}'}
    assert rendered[1]["content"] is None
    assert rendered[2] == {"role": "tool", "tool_call_id": "c1", "content": "3"}


def test_a_callable_says_what_it_wants_and_its_braces_are_literal():
    assert prompt(lambda s: f"{{{s['q']}}}").render(sample(q="a")) == (user("{a}"),)
    assert prompt(lambda s: [user("{q}")]).render(sample(q="a")) == (user("{q}"),)
    assert prompt(lambda s: (user("a"),), system="S").render(sample())[0]["role"] == "system"
    assert prompt(lambda s: "{", endpoint=Endpoint.COMPLETION).render(sample()) == "{"


def test_what_is_rendered_is_the_callers_to_change():
    messages = [user([{"type": "text", "text": "{q}"}])]
    made = prompt(messages)
    made.render(sample(q="a"))[0]["content"].append("more")
    messages[0]["content"].append("more")
    assert made.render(sample(q="a")) == (user([{"type": "text", "text": "a"}]),)


@pytest.fixture
def folders(tmp_path):
    """A test's folder and a data set's, each with a picture and a clip of its own."""
    test, data = tmp_path / "test", tmp_path / "data"
    for folder in (test, data):
        folder.mkdir()
        (folder / "a.png").write_bytes(PNG + folder.name.encode())
        (folder / "a.wav").write_bytes(WAV + folder.name.encode())
    return test, data


def _bytes_sent(part) -> bytes:
    from base64 import b64decode

    if part["type"] == "image_url":
        return b64decode(part["image_url"]["url"].partition(",")[2])
    return b64decode(part["input_audio"]["data"])


@pytest.mark.parametrize(
    ("path", "from_folder", "why"),
    [
        ("{file}", "data", "a path out of a row resolves from the data-set file"),
        ("a{suffix}", "data", "also where a row has a part in it"),
        ("a.png", "test", "a path in the marker resolves from the test file"),
    ],
)
def test_paths_resolve_from_who_wrote_them(folders, path, from_folder, why):
    test, data = folders
    made = prompt([user([{"type": "image", "path": path}])], test_folder=test)
    row = sample(folder=data, file="a.png", suffix=".png")
    made.check([row])
    (message,) = made.render(row)
    assert _bytes_sent(message["content"][0]).endswith(from_folder.encode()), why


@pytest.mark.parametrize("has_dataset", [True, False])
def test_paths_of_a_callable_resolve_from_the_data_set_else_from_the_test(folders, has_dataset):
    test, data = folders
    made = prompt(lambda s: [user([{"type": "audio", "path": "a.wav"}])], test_folder=test)
    (message,) = made.render(sample(folder=data if has_dataset else None))
    assert _bytes_sent(message["content"][0]).endswith(b"data" if has_dataset else b"test")


def test_finished_messages_get_their_media(folders):
    test, data = folders
    messages = [user([{"type": "text", "text": "{"}, {"type": "image", "path": "a.png"}])]
    (message,) = render_messages(messages, sample=sample(folder=data), test_folder=test, where="t")
    assert message["content"][0] == {"type": "text", "text": "{"}
    assert _bytes_sent(message["content"][1]).endswith(b"data")


def test_ready_parts_go_out_as_they_are():
    parts = [
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    ]
    assert prompt([user(parts)]).render(sample()) == (user(parts),)


class TestCheck:
    """What is refused before anything is sent, with the line of the row."""

    def check(self, tmp_path, body, *lines, **options):
        path = tmp_path / "a.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        prompt(body, test_folder=tmp_path, **options).check(load_dataset(path).samples)

    def test_every_row_is_looked_at(self, tmp_path):
        self.check(tmp_path, "{q}", '{"q":"a"}', '{"q":"b","other":null}')
        with pytest.raises(DatasetError) as caught:
            self.check(tmp_path, "{question}", '{"id":"a","question":"x"}', '{"id":"b","Question":"y"}')
        assert str(caught.value) == (
            f"{tmp_path / 'a.jsonl'}:2: sample 'b' has no field 'question', which the prompt uses "
            "(did you mean 'Question'?); its fields: 'id', 'Question'; correct the row or the prompt"
        )

    @pytest.mark.parametrize(
        ("body", "options"),
        [
            ("{q} {g}", {}),
            ("{q}", {"system": "{g}"}),
            ([user("{q}"), {"role": "assistant", "content": "{g}"}], {}),
            ([user([{"type": "text", "text": "{g}"}])], {}),
            ([user([{"type": "image", "path": "{g}"}])], {}),
            ([{"role": "user", "name": "{g}", "content": "a"}], {}),
            ("{g}", {"endpoint": Endpoint.COMPLETION}),
        ],
    )
    def test_in_every_place_of_the_prompt(self, tmp_path, body, options):
        with pytest.raises(DatasetError, match=r"a\.jsonl:1: sample '.*' has no field 'g'"):
            self.check(tmp_path, body, '{"q":"a"}', **options)

    def test_a_null_in_a_field_that_is_used(self, tmp_path):
        with pytest.raises(DatasetError, match=r"a\.jsonl:2: the field 'q' of sample '.*' is null"):
            self.check(tmp_path, "{q}", '{"q":"a"}', '{"q":null}')

    def test_a_callable_is_asked_about_every_row(self, tmp_path):
        with pytest.raises(MissingFieldError, match=r"a\.jsonl:2: sample '.*' has no field 'q'"):
            self.check(tmp_path, lambda s: s["q"], '{"q":"a"}', '{"p":"a"}')

    def test_media_that_are_not_there(self, tmp_path):
        (tmp_path / "a.png").write_bytes(PNG)
        body = [user([{"type": "image", "path": "{p}"}])]
        with pytest.raises(DatasetError, match=r"a\.jsonl:2: the image file '.*b\.png' cannot be read"):
            self.check(tmp_path, body, '{"p":"a.png"}', '{"p":"b.png"}')

    def test_media_that_the_marker_names_are_the_markers_fault(self, tmp_path):
        body = [user([{"type": "image", "path": "b.png"}])]
        with pytest.raises(DatasetError, match=r"^test_a\.py:3: infer_task: the image file"):
            self.check(tmp_path, body, '{"p":"a.png"}')

    def test_media_of_the_wrong_kind(self, tmp_path):
        (tmp_path / "a.png").write_bytes(PNG)
        body = [user([{"type": "image", "path": "{p}"}, {"type": "audio", "path": "{p}"}])]
        with pytest.raises(DatasetError, match=r"a\.jsonl:1: the audio file '.*a\.png' is image/png"):
            self.check(tmp_path, body, '{"p":"a.png"}')

    def test_fields_without_a_data_set(self):
        with pytest.raises(DeclarationError) as caught:
            prompt("{q}").check([sample(folder=None)])
        assert str(caught.value) == (
            "test_a.py:3: infer_task: the prompt uses the field 'q', there is no data set, and sample 's1' has "
            "none; give dataset=…, or write literal braces as {{ and }}"
        )
        prompt("{n}").check([sample(folder=None, n=1)])


REFUSED = [
    ("", {}, "prompt: the prompt is ''; accepted: a text that is not blank"),
    (" \n", {}, "prompt: the prompt is ' \\n'"),
    (3, {}, "prompt: 3 is not a prompt; accepted: a string, or messages such as"),
    ({"role": "user"}, {}, "prompt: {'role': 'user'} is not a prompt"),
    ([], {}, "prompt: the list of messages is empty"),
    (["a"], {}, "prompt: message 1 is 'a'; a message is a dict"),
    ([user("a"), {"content": "a"}], {}, "prompt: message 2: the role is None; accepted: system, developer"),
    ([{"role": "asistant", "content": ""}], {}, "the role is 'asistant' (did you mean 'assistant'?)"),
    ([{"role": ["user"], "content": ""}], {}, "the role is ['user']"),
    ([user(None)], {}, "prompt: message 1: the content is None; accepted: a string or a list of parts"),
    ([user(5)], {}, "the content is 5"),
    ([user([])], {}, "the content is []"),
    ([user(["a"])], {}, "prompt: message 1, part 1 is 'a'; a part is a dict whose type is one of text,"),
    ([user([{"type": "picture"}])], {}, "part 1 is {'type': 'picture'}"),
    ([user([{"type": ["text"]}])], {}, "part 1 is {'type': ['text']}"),
    ([user([{"type": "text"}])], {}, "'text' is None; a part of type 'text' has a string there"),
    ([user([{"type": "image", "path": 1}])], {}, "'path' is 1; a part of type 'image' has a string there"),
    ([user([{"type": "image", "path": "a", "detail": "low"}])], {}, "keys ['detail', 'path', 'type']"),
    ([user([{"type": "image_url"}])], {}, "a part of type 'image_url' needs 'image_url'"),
    ([user([{"type": "image_url", "image_url": b"x"}])], {}, "a message holds what JSON cannot"),
    ([{"role": "user", "content": "a", "weight": float("nan")}], {}, "a message holds what JSON cannot"),
    ([user("{a.b}")], {}, "prompt: the placeholder '{a.b}'"),
    ("{a.b}", {}, "prompt: the placeholder '{a.b}'"),
    ("a", {"system": "{"}, "system: a single '{'"),
    ("a", {"system": ""}, "system=''; accepted: a string that is not blank"),
    ("a", {"system": 1}, "system=1; accepted: a string that is not blank"),
    ([{"role": "system", "content": "a"}], {"system": "b"}, "a system message beside system=…"),
    ("a", {"system": "b", "endpoint": Endpoint.COMPLETION}, "put it at the front of the prompt"),
    ([user("a")], {"endpoint": Endpoint.COMPLETION}, 'use endpoint="chat" for messages'),
]  # fmt: skip


@pytest.mark.parametrize(("body", "options", "message"), REFUSED)
def test_refuses_at_the_marker(body, options, message):
    with pytest.raises(DeclarationError) as caught:
        prompt(body, **options)
    text = str(caught.value)
    assert text.startswith("test_a.py:3: infer_task: ")
    assert message in text
    assert "\n" not in text


async def make_async(sample):
    return "a"


def test_refuses_an_async_callable():
    with pytest.raises(DeclarationError, match=r"the prompt callable <function make_async .* is async"):
        prompt(make_async)


def make_nothing(sample):
    """Forget to return."""


RETURNS = [
    (make_nothing, {}, "None is not a prompt"),
    (lambda s: 4, {}, "4 is not a prompt"),
    (lambda s: "", {}, "the prompt is ''"),
    (lambda s: [{"role": "usr", "content": ""}], {}, "message 1: the role is 'usr' (did you mean 'user'?)"),
    (lambda s: [user("a")], {"endpoint": Endpoint.COMPLETION}, "use endpoint=\"chat\""),
    (lambda s: [{"role": "system", "content": "a"}], {"system": "b"}, "a system message beside system=…"),
    (lambda s: 1 / 0, {}, "raised ZeroDivisionError: 'division by zero'"),
    (lambda: "a", {}, "raised TypeError"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "options", "message"), RETURNS)
def test_a_callable_that_does_not_deliver_is_named_with_the_sample(body, options, message):
    made = prompt(body, **options)
    for use in (made.render, lambda one: made.check([one])):
        with pytest.raises(DeclarationError) as caught:
            use(sample())
        text = str(caught.value)
        assert text.startswith(
            f"test_a.py:3: infer_task: the prompt callable {body.__name__!r} on sample 's1' (a.jsonl:2)"
        )
        assert message in text


def test_a_skip_inside_a_callable_is_not_swallowed():
    with pytest.raises(pytest.skip.Exception):
        prompt(lambda s: pytest.skip("not today")).render(sample())
