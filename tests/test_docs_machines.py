"""What docs/many-machines.md tells people to type works as it stands there, up to the hosts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from tests.scripted import ScriptedServer

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "many-machines.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {name: content for _, name, content in FENCES if name}
SHARDS = next(content for language, _, content in FENCES if language == "sh").splitlines()
REFUSAL = next(content for language, _, content in FENCES if language == "text")
ANSWERS = {"France": "Paris", "Peru": "Cusco", "Kenya": "Nairobi, of course", "prime": "23"}


def answer(body: dict[str, Any]) -> str:
    asked = body["messages"][-1]["content"]
    return next(text for word, text in ANSWERS.items() if word in asked)


def run(pytester: pytest.Pytester, line: str, url: str) -> int:
    program, *args = shlex.split(re.sub(r"http://gpu-\d:8080", url, line))
    if program == "pytest":
        return int(pytester.runpytest_inprocess("-p", "no:cacheprovider", *args).ret)
    return main(args)


@pytest.fixture
def server(pytester: pytest.Pytester) -> Any:
    for name, content in FILES.items():
        path = pytester.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    with ScriptedServer.answering(answer) as server:
        yield server


def test_the_shards_of_the_page_make_one_run(pytester: pytest.Pytester, server: ScriptedServer) -> None:
    # One capital of three is wrong: alone its shard is half right, and the whole reaches its rate.
    assert [run(pytester, line, server.url) for line in SHARDS] == [0, 0, 0, 0, 0]


def test_the_refusal_of_the_page_is_what_is_said(
    pytester: pytest.Pytester, server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in SHARDS[:2]:
        run(pytester, line, server.url)
    capsys.readouterr()
    assert main(["merge", "shards/1", "shards/2", "-o", "merged"]) == 2
    assert capsys.readouterr().out == REFUSAL
