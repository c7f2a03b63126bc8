"""What docs/transcription.md tells people to write works, and the options and reasons that it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_infergate.evidence import Reason
from pytest_infergate.plugin.evaluations.origin import MARKERS
from pytest_infergate.plugin.options.table import OPTIONS
from pytest_infergate.speech import NORMALIZERS
from pytest_infergate.tasks.wer_declaration import WER_ARGUMENTS

from .plugin.heard import hearing, silence, speaking, tone, write_clips

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "transcription.md").read_text("utf-8")
FILES = dict(re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
SAID = {1.0: "hello big world", 1.1: "1 2 3"}
ROWS = '{"id": "a", "audio": "1.0.wav", "script": "Hello, big world!"}\n'


def test_the_options_are_there() -> None:
    named = set(re.findall(r"--infer-[a-z-]+", PAGE))
    assert named <= {option.flag for option in OPTIONS}


def test_the_arguments_are_those_of_the_marker() -> None:
    told = re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Transcribers")[0], re.MULTILINE)
    assert set(told) == set(WER_ARGUMENTS)
    assert all(name in MARKERS["infer_wer"] for name in told)
    assert all(f"`{name}`" in PAGE for name in NORMALIZERS)


def test_the_reasons_are_of_the_closed_list() -> None:
    section = PAGE.partition("## What makes a clip missing")[2].partition("##")[0]
    told = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    assert len(told) == 7
    assert set(told) <= {reason.value for reason in Reason}


def test_the_files_run(pytester: pytest.Pytester) -> None:
    for name, content in FILES.items():
        (pytester.path / name).write_text(content, encoding="utf-8")
    (pytester.path / "clips.jsonl").write_text(ROWS)
    write_clips(pytester.path, 1.0)
    (pytester.path / "pause.wav").write_bytes(silence(5.0))

    def run(name: str, *options: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess(
            name, "-p", "no:cacheprovider", f"--infer-run={name}.run", *options
        )

    with hearing(SAID) as ears, speaking({"hello big world": tone(1.0)}) as voice:
        asr = f"--infer-asr={ears.url}"
        clips = run("test_clips.py", asr)
        servers = run("test_servers.py", asr, f"--infer-server={voice.url}")
        heard = run("test_ears.py", f"--infer-server={ears.url}")
        again = pytester.runpytest_inprocess(
            "test_servers.py",
            "-p",
            "no:cacheprovider",
            "--infer-run=again",
            "--infer-replay=test_servers.py.run",
            "--infer-rescore=missing,fallback",
            asr,
        )
    assert [one.ret for one in (clips, servers, heard, again)] == [0, 0, 0, 0]
    clips.stdout.fnmatch_lines(["error rates, over all clips of a task", "*1 of 1  wer test_clips.*"])
