"""Calls that a model wrote into its text, where the server should have made tool calls of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..extract.strict_json import find_json

_WORD = r"[\w.:-]{1,64}"


@dataclass(frozen=True, slots=True)
class Leak:
    """A call in the text: which ``form`` of writing one it has, and the tool's name."""

    form: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} ({self.form})"


#: Form → how it begins, up to and with the name. The marks of a chat template need no known name.
_MARKED = (
    # Hermes, Qwen; Granite and Phi put the mark in bars and the calls in a list.
    (
        "Hermes",
        r'(?:<\|?tool_calls?\|?>|<function_call>)[\s`\[json]{0,40}\{[^{}]{0,200}?"name"\s{0,40}:\s{0,40}"(W)"',
    ),
    # GLM: the name, then a tag for each argument.
    ("XML", r"<tool_call>\s{0,40}(W)(?=\s{0,40}<arg_key>|\n?</tool_call>)"),
    ("Mistral", r'\[TOOL_CALLS\][\s\[]{0,40}\{[^{}]{0,200}?"name"\s{0,40}:\s{0,40}"(W)"'),
    ("Mistral", r"\[TOOL_CALLS\]\s{0,40}(W)\s{0,40}(?:\[CALL_ID\]\w*\s{0,40})?(?:\[ARGS\])?\s{0,40}(?=\{)"),
    ("function tag", r"<function=(W)>"),
    ("function tag", r'<function\s{1,40}name="(W)"\s{0,40}>'),
    ("python tag", r'<\|python_tag\|>\s{0,40}\{[^{}]{0,200}?"name"\s{0,40}:\s{0,40}"(W)"'),
    ("python tag", r"<\|python_tag\|>[\s\[]{0,40}(W)\("),
    # Anthropic's form, MiniMax, DeepSeek 3.2.
    ("XML", r'<(?:\|?｜?\w{0,12}｜?\|?)?(?::)?invoke\s{1,40}name="(W)"'),
    ("DeepSeek", r"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(W)(?=\s|<｜tool▁sep｜>)"),
    (
        "Kimi",
        r"<\|tool_call_begin\|>\s{0,40}(?:functions\.)?([\w-]{1,64})(?::\d+)?\s{0,40}<\|tool_call_argument_begin\|>",
    ),
    ("Gemma", r"(?:<start_function_call>|<\|tool_call>)\s{0,40}call:([\w.-]{1,64})\s{0,40}\{"),
    ("Harmony", r"commentary\s{1,40}to=functions\.([\w-]{1,64})"),
)
_FORMS = tuple((form, re.compile(pattern.replace("W", _WORD))) for form, pattern in _MARKED)
#: Every mark has one of these; most texts have none.
_HINTS = ("<", "[TOOL_CALLS]", "commentary")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "kwargs")
_NAMES = ("name", "function", "tool", "tool_name", "function_name", "action")


def find_leaks(text: str, names: Collection[str]) -> tuple[Leak, ...]:
    """Return the calls that ``text`` holds, in linear time, in no particular order; ``names`` are the tools'.

    A mark of a chat template is a call whatever it names. JSON with a name and arguments, a tag named after a
    tool, and a text that is nothing but a Python call are one only if they name one of the tools.
    """
    leaks: dict[tuple[str, int], Leak] = {}
    if any(hint in text for hint in _HINTS):
        for form, pattern in _FORMS:
            for found in pattern.finditer(text):
                name = found[1].removeprefix("functions.").removesuffix(".call")
                leaks.setdefault((name, found.start(1)), Leak(form, name))
    if leaks or not names:
        return tuple(leaks.values())
    known = set(names)
    return tuple(dict.fromkeys([*_json_calls(text, known), *_tags(text, known), *_python_calls(text, known)]))


def _json_calls(text: str, names: set[str]) -> Iterator[Leak]:
    if "{" not in text or not any(name in text for name in names):
        return
    for span in find_json(text):
        for item in span.value if isinstance(span.value, list) else [span.value]:
            name = _called(item, names)
            if name is not None:
                yield Leak("JSON", name)


def _called(item: Any, names: set[str]) -> str | None:
    """The tool that a JSON object calls, ``None`` where it is no call."""
    if not isinstance(item, dict):
        return None
    for wrapper in ("tool_calls", "tool_call", "function_call", "function"):
        inner = item.get(wrapper)
        inner = inner[0] if isinstance(inner, list) and inner else inner
        if isinstance(inner, dict) and (name := _called(inner, names)) is not None:
            return name
    if not any(word in item for word in _ARGUMENTS):
        return None
    return next(
        (item[word] for word in _NAMES if isinstance(item.get(word), str) and item[word] in names), None
    )


def _tags(text: str, names: set[str]) -> Iterator[Leak]:
    for name in names:
        if f"<{name}>" in text and f"</{name}>" in text:
            yield Leak("XML", name)


def _python_calls(text: str, names: set[str]) -> Iterator[Leak]:
    stripped = text.strip().removeprefix("```python").removeprefix("```tool_code").strip("`\n ")
    begins = re.match(r"\[?\s{0,40}(?:print\(\s{0,40})?(\w{1,64})\s{0,40}\(", stripped)
    if begins and begins[1] in names and stripped.endswith((")", "]")):
        yield Leak("Python", begins[1])
