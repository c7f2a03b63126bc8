"""What docs/baselines.md tells people to run works as it stands there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_infergate.cli import build_parser, main
from pytest_infergate.compare import ExitCode, Outcome
from pytest_infergate.plugin.options.table import OPTIONS

from .scripted import ScriptedServer

PAGE = Path(__file__).resolve().parents[1] / "docs" / "baselines.md"
FENCES = {
    file: (language, content)
    for language, file, content in re.findall(
        r"^```(\w+) (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
}
SUITE = """
import pytest

@pytest.mark.infer_task(dataset="rows.jsonl", prompt="{q}", min_pass_rate=0.1)
def test_rows(reply, sample):
    assert reply.text == sample["gold"]
"""


def shell(language: str) -> list[str]:
    return [name for name, (found, _) in FENCES.items() if found == language]


def steps(name: str) -> Iterator[str]:
    """Every shell script of a job."""
    job = yaml.safe_load(FENCES[name][1])
    if name == "github":
        (one,) = job["jobs"].values()
        yield from (step["run"] for step in one["steps"] if "run" in step)
    else:
        (one,) = job.values()
        yield from (*one["before_script"], *one["script"])


def commands(script: str) -> Iterator[list[str]]:
    """Every command of a script that is ours or pytest's."""
    for line in script.splitlines():
        words = shlex.split(line.partition("||")[0].removesuffix("&"), comments=True)
        if words and words[0] in ("pytest", "infergate"):
            yield words


@pytest.fixture
def servers() -> Iterator[dict[str, str]]:
    """What runs today, and a candidate that gets a third of the rows wrong."""

    def say(body: dict[str, Any]) -> str:
        return str(body["messages"][-1]["content"]).removeprefix("say ")

    def worse(body: dict[str, Any]) -> str:
        said = say(body)
        return "no" if int(said) < 20 else said

    with ScriptedServer.answering(say) as main, ScriptedServer.answering(worse) as candidate:
        yield {"http://127.0.0.1:8080": main.url, "http://127.0.0.1:8081": candidate.url}


def test_the_commands_of_the_page_end_as_it_says(
    pytester: pytest.Pytester, servers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.mkdir("evals")
    Path("evals/test_rows.py").write_text(SUITE)
    rows = ({"id": f"s{n}", "q": f"say {n}", "gold": str(n)} for n in range(60))
    Path("evals/rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    ran = 0
    for name in shell("sh"):
        for line in FENCES[name][1].splitlines():
            for url, real in servers.items():
                line = line.replace(url, real)
            command, _, said = line.partition("  # exit ")
            words = shlex.split(command)
            if words[0] == "pytest":
                code = int(pytester.runpytest_inprocess(*words[1:], "-p", "no:cacheprovider").ret)
            elif words[0] == "infergate":
                code = main(words[1:])
            else:
                code = subprocess.run(words, check=False).returncode
            assert code == int(said or 0), line
            ran += 1
    assert ran >= 12


def test_the_ini_file_is_read(pytester: pytest.Pytester) -> None:
    Path("pytest.ini").write_text(FENCES["pytest.ini"][1])
    pytester.makepyfile(
        "def test_it(pytestconfig): assert pytestconfig.getini('infer_baseline') == ['evals/baseline.json']"
    )
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_the_commands_of_a_job_are_there(name: str) -> None:
    found = [words for script in steps(name) for words in commands(script)]
    assert {words[0] for words in found} == {"pytest", "infergate"}
    flags = {option.flag for option in OPTIONS} | {"--junitxml"}
    for program, *arguments in found:
        if program == "infergate":
            build_parser().parse_args(arguments)
        else:
            given = {word.partition("=")[0] for word in arguments if word.startswith("--")}
            assert given <= flags, given - flags


@pytest.mark.parametrize("name", ["github", "gitlab"])
def test_the_scripts_of_a_job_are_shell(name: str) -> None:
    for script in steps(name):
        subprocess.run(["sh", "-n", "-c", script], check=True)


def test_the_codes_of_the_page_are_those_of_the_tool() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \|[^|]*\| (\w+) \| (\d) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    codes = {
        Outcome.REGRESSED: ExitCode.FAILED,
        Outcome.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
        Outcome.INCOMPARABLE: ExitCode.INCOMPARABLE,
        Outcome.MISSING: ExitCode.MISSING,
    }
    assert {name: (gate, int(code)) for name, gate, code in rows} == {
        outcome.value.replace("_", " "): (
            "passed" if outcome.is_good else "failed" if outcome is Outcome.REGRESSED else "missing",
            int(codes.get(outcome, ExitCode.PASSED)),
        )
        for outcome in Outcome
    }
    github = FENCES["github"][1]
    told = {int(code) for code in re.findall(r"^ +(\d)\) echo", github, re.MULTILINE)}
    assert told == {int(code) for code in ExitCode} - {int(ExitCode.UNUSABLE)}
