"""What docs/two-servers.md shows is what a person sees."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from pytest_infergate.plugin.options.table import OPTIONS
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

PAGE = (Path(__file__).parents[2] / "docs" / "two-servers.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```(\w*) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CAPITALS = dict(re.findall(r'"country": "(\w+)", "capital": "(\w+)"', PAGE))
LOST = ("Austria", "Belgium", "Chile", "Denmark", "Egypt", "France")
FLAKY = "Greece"


def server_of(lost: tuple[str, ...], flaky: str | None) -> ScriptedServer:
    """A server that knows all capitals less those that it lost; what is flaky is lost for once."""
    asked: Counter[str] = Counter()

    def handle(received: Received) -> Script:
        if received.method == "GET":
            if "models" in received.path:
                return json_script({"data": [{"id": "m", "object": "model"}]})
            return json_script({}, status=404)
        country = received.json["messages"][-1]["content"].split()[-1].rstrip("?")
        asked[country] += 1
        is_lost = country in lost or (country == flaky and asked[country] == 1)
        return Script(body=[reply_stream("Atlantis" if is_lost else CAPITALS[country], model="m")])

    return ScriptedServer(handle)


def test_the_example_ends_as_shown(pytester: pytest.Pytester) -> None:
    shown = None
    for language, name, text in _FENCE.findall(PAGE):
        if name:
            (pytester.path / name).write_text(text, encoding="utf-8")
        elif language == "text":
            shown = text
    assert shown is not None
    with server_of(LOST, FLAKY) as candidate, server_of((), None) as base:
        result = pytester.runpytest_inprocess(
            f"--infer-server={candidate.url}", f"--infer-against={base.url}", "--infer-confirm=4"
        )
    assert result.ret == 1
    assert shown.strip() in "\n".join(line.rstrip() for line in result.outlines)
    result.stdout.fnmatch_lines(["*passed*task capitals: 5 of 12 passed*"])


def test_every_option_on_the_page_is_one() -> None:
    known = {option.flag for option in OPTIONS}
    named = set(re.findall(r"--infer-[a-z-]*[a-z]", PAGE))
    assert named
    assert named <= known
