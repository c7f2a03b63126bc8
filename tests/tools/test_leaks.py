"""Calls that stand in the text."""

from __future__ import annotations

import pytest

from pytest_infergate.tools import find_leaks

NAMES = {"get_weather", "get_time"}
ARGUMENTS = '{"city": "Paris"}'
CALL = f'{{"name": "get_weather", "arguments": {ARGUMENTS}}}'


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (f"<tool_call>\n{CALL}\n</tool_call>", "Hermes"),
        (f"Let me look.\n<tool_call>{CALL}", "Hermes"),  # never closed
        (f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>", "Hermes"),
        (f"<|tool_call|>[{CALL}]<|/tool_call|>", "Hermes"),  # Phi
        (f"<tool_call>[{CALL}]", "Hermes"),  # Granite
        (f"<function_call>{CALL}</function_call>", "Hermes"),
        ('<tool_call>{"type": "function", "name": "get_weather", "arguments": {}}', "Hermes"),
        (
            "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>",
            "XML",
        ),
        (f"[TOOL_CALLS][{CALL}]", "Mistral"),
        (f"[TOOL_CALLS] [{CALL}]", "Mistral"),
        (f"[TOOL_CALLS]get_weather{ARGUMENTS}", "Mistral"),
        (f"[TOOL_CALLS]get_weather[ARGS]{ARGUMENTS}", "Mistral"),
        (f"[TOOL_CALLS]get_weather[CALL_ID]abc123def[ARGS]{ARGUMENTS}", "Mistral"),
        (
            "<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>",
            "function tag",
        ),  # Qwen
        (f"<function=get_weather>{ARGUMENTS}</function>", "function tag"),  # Llama 3
        ('<function name="get_weather"><param name="city">Paris</param></function>', "function tag"),
        ('<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}', "python tag"),
        ('<|python_tag|>get_weather.call(city="Paris")', "python tag"),
        ('<|python_tag|>[get_weather(city="Paris")]', "python tag"),
        ('<invoke name="get_weather"><parameter name="city">Paris</parameter></invoke>', "XML"),
        ('<｜DSML｜invoke name="get_weather">', "XML"),
        (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{}\n```",
            "DeepSeek",
        ),
        ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{}", "DeepSeek"),
        ("<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{}<|tool_call_end|>", "Kimi"),
        ("<start_function_call>call:get_weather{city:Paris}", "Gemma"),
        ("<|tool_call>call:get_weather{city:Paris}<tool_call|>", "Gemma"),
        ("<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{}", "Harmony"),
        (CALL, "JSON"),
        (f"I will call it.\n```json\n{CALL}\n```", "JSON"),
        (f"[{CALL}]", "JSON"),
        ('{"name": "get_weather", "parameters": {"city": "Paris"}}', "JSON"),  # Llama 3
        (f'{{"tool": "get_weather", "args": {ARGUMENTS}}}', "JSON"),
        (f'{{"action": "get_weather", "action_input": {ARGUMENTS}}}', "JSON"),
        (f'{{"tool_calls": [{{"type": "function", "function": {CALL}}}]}}', "JSON"),
        (f'{{"function": {CALL}}}', "JSON"),
        ("<get_weather>\n<city>Paris</city>\n</get_weather>", "XML"),
        ('[get_weather(city="Paris"), get_time(zone="UTC")]', "Python"),
        ('```tool_code\nprint(get_weather(city="Paris"))\n```', "Python"),
    ],
)
def test_every_form_of_a_call_is_found(text: str, form: str) -> None:
    found = find_leaks(text, NAMES)
    assert [(leak.form, leak.name) for leak in found][:1] == [(form, "get_weather")]


def test_a_mark_is_a_call_whatever_it_names() -> None:
    (leak,) = find_leaks('<tool_call>{"name": "invented", "arguments": {}}</tool_call>', NAMES)
    assert leak.name == "invented"


def test_each_call_is_found() -> None:
    text = "".join(
        f'<tool_call>{{"name": "{name}", "arguments": {{}}}}</tool_call>\n' for name in sorted(NAMES)
    )
    assert sorted(leak.name for leak in find_leaks(text, NAMES)) == sorted(NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is sunny in Paris.",
        "I would use get_weather for that.",
        "The tool get_weather(city) tells it.",
        "Calls are written between <tool_call> and </tool_call>.",
        '{"name": "Ada", "arguments": {"city": "Paris"}}',  # names no tool
        '{"city": "Paris", "name": "get_weather"}',  # no arguments
        '{"get_weather": "sunny"}',
        "<city>Paris</city>",
        "if a <function then",
        "He made a commentary to=day.",
    ],
)
def test_a_text_that_calls_nothing_has_none(text: str) -> None:
    assert find_leaks(text, NAMES) == ()


def test_without_tools_only_marks_count() -> None:
    assert find_leaks(CALL, ()) == ()
    assert len(find_leaks(f"<tool_call>{CALL}</tool_call>", ())) == 1
