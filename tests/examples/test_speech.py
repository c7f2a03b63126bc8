"""The example of a voice, for real with two Whisper models, held against what its README states."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.speech.whisper_models import TINY_EN_SHA256, base_folder, tiny_en_folder

from .embedded_session import EmbeddedSession, call, infergate, run_embedded

SUITE = Path(__file__).resolve().parents[2] / "examples" / "speech"
README = (SUITE / "README.md").read_text(encoding="utf-8")
SENTENCES, SCENES = "test_sentences.test_sentence", "test_scenes.test_scene"
PLANNED = {SENTENCES: 20, SCENES: 4}
WORDS = 185
#: A line of the README's table: model, words wrong, rate and its interval in percent.
_STATED = re.compile(
    r"^\| `(\S+)` \| (\d+) of (\d+) \| ([\d.]+) % \| ([\d.]+) % – ([\d.]+) % \|", re.MULTILINE
)
STATED = {name: tuple(map(float, figures)) for name, *figures in _STATED.findall(README)}


def rows(dataset: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SUITE / dataset).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EmbeddedSession]:
    """Model → the session in which it listened."""
    folder = tmp_path_factory.mktemp("speech")
    return {
        name: run_embedded(SUITE, cwd=folder, run=name, source=f"--infer-asr-model={model}")
        for name, model in {"tiny.en": tiny_en_folder(), "base": base_folder()}.items()
    }


def pooled(session: EmbeddedSession) -> tuple[int, int]:
    """Return the errors and the words of all sentences."""
    records = map(json.loads, (session.folder / "records.jsonl").read_text("utf-8").splitlines())
    counts = [
        score["pooled"]
        for record in records
        if record["task"]["name"] == SENTENCES
        for score in record["scores"]
        if score["name"] == "wer"
    ]
    assert len(counts) == PLANNED[SENTENCES]
    return sum(count["part"] for count in counts), sum(count["whole"] for count in counts)


@pytest.mark.parametrize("model", ["tiny.en", "base"])
def test_it_is_green_at_the_rates_of_its_readme(sessions: dict[str, EmbeddedSession], model: str) -> None:
    session = sessions[model]
    assert session.status == 0, session.output
    assert session.run["verdict"] == "passed"
    assert {task: totals["planned"] for task, totals in session.totals.items()} == PLANNED
    assert {task: totals["missing"] for task, totals in session.totals.items()} == dict.fromkeys(PLANNED, 0)
    errors, words = pooled(session)
    stated_errors, stated_words, rate, low, high = STATED[model]
    assert words == stated_words == WORDS
    assert rate == round(100 * stated_errors / stated_words, 1)
    # Sums are rounded otherwise on other machines, and a word or two is then heard otherwise.
    assert low <= 100 * errors / words <= high
    done = infergate("validate", session.folder, cwd=session.folder.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_two_models_heard_is_not_compared(sessions: dict[str, EmbeddedSession]) -> None:
    done = infergate(
        "compare", sessions["tiny.en"].folder, sessions["base"].folder, cwd=sessions["base"].folder.parent
    )
    assert done.returncode == 4, done.stdout + done.stderr
    assert "comparison: incomparable" in done.stdout
    assert "evaluator" in done.stdout
    assert TINY_EN_SHA256[:12] in done.stdout


def test_every_row_has_a_clip_and_every_clip_a_row() -> None:
    clips = {f"clips/{path.name}" for path in (SUITE / "clips").iterdir()}
    assert clips == {row["audio"] for row in rows("sentences.jsonl")}
    assert clips >= {row["audio"] for row in rows("scenes.jsonl")}


def test_its_sentences_can_be_spoken_anew(tmp_path: Path) -> None:
    from pytest_infergate.speech import open_audio

    row = rows("sentences.jsonl")[0]
    runpy.run_path(str(SUITE / "make_clips.py"))["speak"](row["script"], tmp_path / "clip.ogg")
    anew, shipped = open_audio(tmp_path / "clip.ogg"), open_audio(SUITE / row["audio"])
    assert anew.duration_s == pytest.approx(shipped.duration_s, abs=0.3)


def test_it_finds_the_models_in_their_packages(tmp_path: Path) -> None:
    for name, same in (("tiny.en", tiny_en_folder()), ("base", base_folder())):
        done = call(SUITE / "whisper_folder.py", name, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        found = tmp_path / done.stdout.strip()
        for file in ("model.bin", "config.json", "tokenizer.json"):
            assert (found / file).read_bytes() == (same / file).read_bytes()
