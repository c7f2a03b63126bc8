"""A transcription server in OpenAI's form: what it is asked, and what its answers mean."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import BinaryIO

import pytest

from pytest_infergate.evidence import Missing, Reason
from pytest_infergate.serving import Uploader
from pytest_infergate.speech import (
    OpenAIServer,
    TranscriberError,
    TranscriberIdentity,
    TranscriberUnavailable,
    TranscriptionPort,
    open_audio,
)

from .asr_server import TranscriptionServer
from .clips import encoded, tone
from .scripted_transcriber import clip

WHO = TranscriberIdentity(backend="vllm", backend_version="0.9", model="whisper-tiny.en")
HEARD = {"text": "hello"}


@dataclass(frozen=True, kw_only=True)
class Answered:
    status: int | None = 200
    content_type: str = "application/json"
    body: bytes = b""
    error: Missing | None = None


@dataclass(kw_only=True)
class ScriptedPort:
    """``answer`` gives the answer for the fields of a form."""

    answer: Callable[[Mapping[str, str]], Answered]
    where: str = "http://server"
    fields: list[dict[str, str]] = field(default_factory=list)
    clips: list[bytes] = field(default_factory=list)

    def send(
        self, endpoint: str, fields: Mapping[str, str], file: BinaryIO, *, name: str, media_type: str
    ) -> Answered:
        assert (endpoint, media_type) == ("transcription", "audio/wav")
        self.fields.append(dict(fields))
        file.seek(0)
        self.clips.append(file.read())
        return self.answer(fields)


def json_answer(value: object, status: int = 200) -> Answered:
    return Answered(status=status, body=json.dumps(value).encode())


def port_of(answer: Answered) -> ScriptedPort:
    return ScriptedPort(answer=lambda fields: answer)


def heard_from(answer: Answered) -> object:
    return OpenAIServer(port_of(answer), WHO).transcribe(clip(), None)


class TestTheRequest:
    def test_holds_the_model_the_language_and_the_fuller_form(self) -> None:
        port = port_of(json_answer(HEARD))
        OpenAIServer(port, WHO).transcribe(clip(), "de")
        OpenAIServer(port, WHO).transcribe(clip(), None)
        shared = {"model": "whisper-tiny.en", "response_format": "verbose_json", "temperature": "0"}
        assert port.fields == [{**shared, "language": "de"}, shared]

    @pytest.mark.parametrize("container", ["mp3", "m4a", "webm", "wav of 24 bits", "wav of 8 bits"])
    def test_holds_the_clip_as_every_server_reads_it(self, container: str) -> None:
        port = port_of(json_answer(HEARD))
        audio = open_audio(encoded([tone(), tone()], container))
        OpenAIServer(port, WHO).transcribe(audio, None)
        with wave.open(BytesIO(port.clips[0])) as sent:
            assert (sent.getnchannels(), sent.getframerate(), sent.getsampwidth()) == (1, 16_000, 2)
            assert sent.getnframes() / 16_000 == pytest.approx(audio.duration_s, abs=0.01)


class TestTheForm:
    @pytest.mark.parametrize("status", [400, 422])
    def test_one_that_is_not_understood_is_asked_for_otherwise_of_the_same_backend(self, status: int) -> None:
        port = ScriptedPort(
            answer=lambda fields: json_answer(HEARD, 200 if fields["response_format"] == "json" else status)
        )
        server = OpenAIServer(port, WHO)
        assert server.identity.response_format == "verbose_json"
        heard = [server.transcribe(clip(), None) for _ in range(2)]
        assert [one.response_format for one in heard] == ["json", "json"]
        assert [one["response_format"] for one in port.fields] == ["verbose_json", "json", "json"]
        assert server.identity.response_format == "json"
        assert len(set(port.clips)) == 1, "the whole clip is sent again"

    def test_one_that_was_understood_before_stays(self) -> None:
        answers = iter([json_answer(HEARD), json_answer("odd", 400), json_answer(HEARD), json_answer(HEARD)])
        port = ScriptedPort(answer=lambda fields: next(answers))
        server = OpenAIServer(port, WHO)
        heard = [server.transcribe(clip(), None) for _ in range(3)]
        assert [one.response_format for one in heard] == ["verbose_json", "json", "verbose_json"]
        assert server.identity.response_format == "verbose_json"

    def test_is_part_of_the_identity(self) -> None:
        plain = OpenAIServer(
            ScriptedPort(
                answer=lambda fields: json_answer(HEARD, 200 if fields["response_format"] == "json" else 400)
            ),
            WHO,
        )
        verbose = OpenAIServer(port_of(json_answer(HEARD)), WHO)
        for server in (plain, verbose):
            server.transcribe(clip(), None)
        assert plain.identity.digest != verbose.identity.digest
        assert str(plain.identity) == "vllm 0.9, model whisper-tiny.en, weights unknown, json"

    def test_both_refused_is_a_refusal(self) -> None:
        answer = json_answer({"error": {"message": "Could not decode the audio"}}, 400)
        with pytest.raises(TranscriberError, match="answered HTTP 400: Could not decode the audio"):
            heard_from(answer)


class TestAnAnswer:
    def test_of_the_fuller_form_is_read_whole(self) -> None:
        said = {
            "task": "transcribe",
            "language": "german",
            "duration": "2.5",
            "text": " Guten Tag. ",
            "segments": [
                {
                    "id": 0,
                    "start": 0.0,
                    "end": 2,
                    "text": " Guten Tag.",
                    "temperature": 0.2,
                    "avg_logprob": -0.3,
                    "no_speech_prob": 0.01,
                    "compression_ratio": 0.9,
                }
            ],
        }
        heard = OpenAIServer(port_of(json_answer(said)), WHO).transcribe(clip(), "de")
        assert heard.segments is not None
        assert (heard.text, heard.language_asked, heard.language) == ("Guten Tag.", "de", "de")
        assert (heard.audio_duration_s, heard.end_s) == (2.5, 2.0)
        assert [segment.temperature for segment in heard.segments] == [0.2]

    @pytest.mark.parametrize(
        ("said", "end"),
        [
            ({"text": "a"}, None),
            ({"text": "a", "segments": None}, None),
            ({"text": "a", "segments": []}, None),
            ({"text": "a", "segments": [{"text": "a"}]}, None),
            ({"text": "a", "segments": [{"start": 0, "end": 1, "text": "a"}, {"end": "?"}]}, None),
            ({"text": "a", "segments": [{"start": "0", "end": "1.5"}]}, 1.5),
            # What follows without words does not move the end of the words.
            ({"text": "a", "segments": [{"start": 0, "end": 1, "text": "a"}, {"start": 1, "end": 9}]}, 1.0),
            ({"text": "a", "segments": [{"start": 0, "end": float("inf"), "text": "a"}]}, None),
        ],
    )
    def test_says_where_the_words_end_or_that_this_is_not_known(
        self, said: dict[str, object], end: float | None
    ) -> None:
        assert OpenAIServer(port_of(json_answer(said)), WHO).transcribe(clip(), None).end_s == end

    def test_with_an_empty_text_is_a_transcript(self) -> None:
        heard = OpenAIServer(port_of(json_answer({"text": ""})), WHO).transcribe(clip(), None)
        assert (heard.text, heard.has_words) == ("", False)

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (Answered(body=b""), "no JSON (application/json): nothing"),
            (Answered(content_type="text/html", body=b"<html>\n<b>hi"), "no JSON (text/html): <html> <b>hi"),
            (Answered(body=b'{"text": "hel'), 'no JSON (application/json): {"text": "hel'),
            (Answered(content_type="", body=b"hello"), "no JSON (no content type): hello"),
            (Answered(body=b"\xff\xfe\x00"), "no JSON"),
            (Answered(body=b"[" * 100_000), "no JSON"),
            (json_answer(None), "JSON that is no object: null"),
            (json_answer(["hello"]), "JSON that is no object"),
            (json_answer("hello"), "JSON that is no object"),
            (json_answer({}), "without a text"),
            (json_answer({"text": None}), "without a text"),
            (json_answer({"text": ["hello"]}), "without a text"),
            (json_answer({"transcript": "hello"}), "without a text"),
            (json_answer({"error": {"message": "out of memory"}}), "an error: out of memory"),
            (json_answer({"text": "", "error": "out of memory"}), "an error: out of memory"),
            (
                json_answer({"text": "", "segments": [{"start": 0, "end": 1, "text": "hi"}]}),
                "an empty text with segments that have words",
            ),
        ],
    )
    def test_without_a_transcript_is_none(self, answer: Answered, said: str) -> None:
        with pytest.raises(TranscriberUnavailable) as caught:
            heard_from(answer)
        assert str(caught.value).startswith("http://server answered HTTP 200 with ")
        assert said in str(caught.value)
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 400


class TestAStatus:
    @pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 520])
    def test_that_says_not_now_lets_another_be_asked(self, status: int) -> None:
        with pytest.raises(TranscriberUnavailable, match=f"answered HTTP {status}: busy"):
            heard_from(json_answer({"error": {"message": "busy"}}, status))

    @pytest.mark.parametrize(
        ("status", "remedy"),
        [
            (401, "--infer-asr-api-key-env"),
            (403, "--infer-asr-api-key-env"),
            (404, "check that --infer-asr is the base URL"),
            (405, "check that --infer-asr is the base URL"),
            (301, ""),
            (413, ""),
            (415, ""),
            (501, ""),
        ],
    )
    def test_that_says_not_so_is_for_a_person(self, status: int, remedy: str) -> None:
        with pytest.raises(TranscriberError, match=f"answered HTTP {status}: no") as caught:
            heard_from(json_answer({"detail": "no"}, status))
        assert remedy in str(caught.value)

    @pytest.mark.parametrize(
        "reason", [Reason.UNREACHABLE, Reason.TIMEOUT, Reason.BROKEN_STREAM, Reason.SERVER_ERROR]
    )
    def test_no_answer_at_all_lets_another_be_asked(self, reason: Reason) -> None:
        with pytest.raises(TranscriberUnavailable, match="http://server: could not"):
            heard_from(Answered(status=None, error=Missing(reason, "could not")))

    def test_the_end_of_the_session_does_not(self) -> None:
        with pytest.raises(TranscriberError, match="the session ended"):
            heard_from(Answered(status=None, error=Missing(Reason.NOT_RUN, "the session ended")))


class TestOverHttp:
    def test_the_form_arrives_and_the_answer_is_heard(self) -> None:
        def hear(raw: bytes, language: str | None) -> dict[str, object]:
            return {"text": f"{open_audio(raw).duration_s:.1f} s", "language": language}

        with TranscriptionServer(hear=hear) as server:
            port: TranscriptionPort = Uploader(server.url, api_key="secret", timeout=20)
            heard = OpenAIServer(port, WHO).transcribe(clip(), "de")
        assert (heard.text, heard.language, heard.response_format) == ("2.0 s", "de", "verbose_json")
        assert [form.authorization for form in server.requests] == ["Bearer secret"]

    def test_a_model_that_is_not_there_is_for_a_person(self) -> None:
        with TranscriptionServer(hear=lambda raw, language: {"text": "x"}, model="other") as server:
            port = Uploader(server.url, timeout=20)
            with pytest.raises(TranscriberError, match=r"404: The model `whisper-tiny\.en` does not"):
                OpenAIServer(port, WHO).transcribe(clip(), None)

    def test_a_server_that_knows_one_form_is_asked_for_it(self) -> None:
        with TranscriptionServer(hear=lambda raw, language: {"text": "x"}, formats=["json"]) as server:
            transcriber = OpenAIServer(Uploader(server.url, timeout=20, retries=0), WHO)
            assert transcriber.transcribe(clip(), None).response_format == "json"
        with pytest.raises(TranscriberUnavailable, match="could not connect"):
            transcriber.transcribe(clip(), None)
