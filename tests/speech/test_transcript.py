"""What a person should know of a transcript, and the languages it may be in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_infergate.speech import (
    LanguageError,
    Segment,
    TranscriberIdentity,
    Transcript,
    TranscriptFlag,
    parse_language,
)
from pytest_infergate.speech.languages import LANGUAGES, language_code
from pytest_infergate.speech.transcript import flags_of

from .scripted_transcriber import identity_of, transcript


def _segment(**fields: Any) -> Segment:
    return Segment(**{"start_s": 0.0, "end_s": 1.0, "text": "hi", **fields})


def _said(text: str = "hi", **fields: Any) -> Transcript:
    return transcript(text, **{"segments": (_segment(),), **fields})


@pytest.mark.parametrize(
    ("said", "is_silent", "flags"),
    [
        (_said(), False, []),
        (_said(), True, ["words_in_silence"]),
        (_said("", segments=()), False, ["empty"]),
        (_said("", segments=()), True, ["empty"]),
        (_said(" . ♪", segments=()), True, ["empty"]),
        (_said("สวัสดี"), False, []),
        (_said(segments=None), False, ["end_unknown"]),
        (_said(segments=()), False, ["end_unknown"]),
        (_said(segments=(_segment(), _segment(temperature=0.8))), False, ["sampled"]),
        (_said(segments=(_segment(temperature=0.0),)), False, []),
        (_said(language_asked="de", language="en"), False, ["language_differs"]),
        (_said(language_asked="de", language="de"), False, []),
        (_said(language_asked=None, language="en"), False, []),
        (_said(language_asked="de", language=None), False, []),
    ],
)
def test_flags(said: Transcript, is_silent: bool, flags: list[str]) -> None:
    assert [flag.value for flag in flags_of(said, is_silent=is_silent)] == flags


def test_a_transcript_goes_into_a_record() -> None:
    said = _said(flags=(TranscriptFlag.SAMPLED,))
    assert json.loads(json.dumps(said.as_json(), allow_nan=False)) == said.as_json()
    assert said.as_json()["flags"] == ["sampled"]


class TestIdentity:
    def test_every_part_counts(self) -> None:
        parts = {
            "backend": "b",
            "backend_version": "2",
            "model": "n",
            "weights_digest": "sha256:0",
            "device": "cuda",
            "compute_type": "int8",
            "options": {"beam_size": 1},
            "response_format": "json",
        }
        plain = TranscriberIdentity(backend="a", backend_version="1", model="m")
        others = [TranscriberIdentity(**{**_fields(plain), name: value}) for name, value in parts.items()]
        assert len({plain.digest, *(other.digest for other in others)}) == 1 + len(parts)
        # The options are settings of the evaluator; all else is in the line that names its backend.
        assert len({str(plain), *map(str, others)}) == len(parts)

    def test_in_one_line(self) -> None:
        assert str(identity_of("vllm")) == "vllm 1, model m, weights unknown"
        whole = TranscriberIdentity(
            backend="faster-whisper",
            backend_version="1.2.1",
            model="tiny.en",
            weights_digest="sha256:1a5a",
            device="cpu",
            compute_type="float32",
        )
        assert str(whole) == "faster-whisper 1.2.1, model tiny.en, weights sha256:1a5a, float32 on cpu"


def _fields(identity: TranscriberIdentity) -> dict[str, Any]:
    return identity.as_json()


class TestLanguages:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("de", "de"),
            (" DE ", "de"),
            ("de-AT", "de"),
            ("zh_CN", "zh"),
            ("German", "de"),
            ("haitian creole", "ht"),
            ("mandarin", "zh"),
            ("yue", "yue"),
            ("jv", "jw"),
        ],
    )
    def test_codes_and_names_are_read(self, text: str, code: str) -> None:
        assert parse_language(text) == code

    @pytest.mark.parametrize("text", ["", "xx", "klingon", "en,de", "e", None, 5, b"en", ["en"], "auto"])
    def test_anything_else_is_refused(self, text: object) -> None:
        with pytest.raises(LanguageError, match="is none that transcribers know; accepted: a code"):
            parse_language(text)

    def test_every_one_is_read_by_code_and_by_name(self) -> None:
        assert len(LANGUAGES) == 100
        for code, name in LANGUAGES.items():
            assert parse_language(code) == parse_language(name) == parse_language(name.title()) == code

    def test_what_a_server_says_and_nobody_knows_stays(self) -> None:
        assert language_code("Klingon") == "klingon"
