"""The first transcriber that can: what falls back, what does not, and what is said of it."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest

from pytest_infergate.evidence import Fallback, Missing, NoAnswer, Reason
from pytest_infergate.speech import (
    AbsentTranscriber,
    AttemptOutcome,
    Chain,
    Segment,
    TranscriberError,
    TranscriberUnavailable,
    TranscriptFlag,
    UndecodableMedia,
)
from pytest_infergate.speech.chain import GIVEN_UP_AFTER, NO_TRANSCRIBER

from .scripted_transcriber import ScriptedTranscriber, clip, identity_of, transcript

REFUSED = TranscriberUnavailable("http://server: could not connect")
SERVER = identity_of("server", response_format="verbose_json")
LOCAL = identity_of("local")


def chain_of(*transcribers: ScriptedTranscriber) -> Chain:
    return Chain(transcribers)


def server(**fields: Any) -> ScriptedTranscriber:
    return ScriptedTranscriber(**{"identity": SERVER, **fields})


def local(**fields: Any) -> ScriptedTranscriber:
    return ScriptedTranscriber(**{"identity": LOCAL, "answers": "hello from local", **fields})


class TestThePreferredOne:
    def test_is_asked_alone_where_it_can(self) -> None:
        second = local()
        heard = chain_of(server(), second).hear(clip(), "de", allow_fallback=True)
        assert heard.transcript is not None
        assert heard.transcript.text == "hello"
        assert (heard.identity, heard.fallback, heard.missing) == (SERVER_JSONLESS, None, None)
        assert [attempt.outcome for attempt in heard.attempts] == [AttemptOutcome.HEARD]
        assert (second.asked, second.canaries) == ([], 0), "a model is not loaded for nothing"

    def test_is_asked_for_the_language(self) -> None:
        first = server()
        chain = chain_of(first)
        chain.hear(clip(), "de", allow_fallback=False)
        chain.hear(clip(), allow_fallback=False)
        assert [language for _, language in first.asked] == ["de", None]

    def test_may_hear_nothing_which_is_a_transcript(self) -> None:
        heard = chain_of(server(answers="")).hear(clip(), allow_fallback=False)
        assert heard.missing is None
        assert heard.transcript is not None
        assert (heard.transcript.text, heard.transcript.flags) == ("", (TranscriptFlag.EMPTY,))

    def test_says_in_which_form_a_clip_was_answered(self) -> None:
        plain = transcript("hello", response_format="json")
        heard = chain_of(server(answers=plain)).hear(clip(), allow_fallback=False)
        assert heard.identity is not None
        assert heard.identity.response_format == "json"


#: What a scripted transcript says of its form: nothing.
SERVER_JSONLESS = identity_of("server")


class TestAFallback:
    def test_says_from_whom_and_why(self) -> None:
        heard = chain_of(server(canary=REFUSED), local()).hear(clip(), allow_fallback=True)
        assert heard.missing is None
        assert heard.identity == LOCAL
        assert heard.fallback == Fallback(preferred=str(SERVER), because="http://server: could not connect")
        assert [(attempt.backend, attempt.outcome) for attempt in heard.attempts] == [
            ("server", AttemptOutcome.UNAVAILABLE),
            ("local", AttemptOutcome.HEARD),
        ]

    def test_that_is_not_allowed_is_missing_and_shows_what_was_heard(self) -> None:
        heard = chain_of(server(canary=REFUSED), local()).hear(clip(), allow_fallback=False)
        assert heard.missing == Missing(
            Reason.FALLBACK_NOT_ALLOWED,
            f"heard by {LOCAL} in place of {SERVER}: http://server: could not connect; put that right, or "
            "allow it with --infer-asr-fallback=allow",
        )
        assert heard.transcript is not None
        assert heard.transcript.text == "hello from local"
        assert heard.fallback is not None

    def test_is_said_of_every_later_clip_when_a_server_dies_in_mid_session(self) -> None:
        first = server(answers=["one", "two", REFUSED])
        chain = chain_of(first, local())
        heard = [chain.hear(clip(), allow_fallback=True) for _ in range(10)]
        assert [one.fallback is not None for one in heard] == [False] * 2 + [True] * 8
        assert [one.identity.backend for one in heard if one.identity] == ["server"] * 2 + ["local"] * 8
        because = [one.fallback.because for one in heard if one.fallback]
        assert because[:GIVEN_UP_AFTER] == ["http://server: could not connect"] * GIVEN_UP_AFTER
        assert set(because[GIVEN_UP_AFTER:]) == {
            "not asked, after 3 clips in a row like this: http://server: could not connect"
        }
        assert len(first.asked) == 2 + GIVEN_UP_AFTER, "a dead server is not asked for ever"

    def test_ends_when_the_preferred_one_is_back_in_time(self) -> None:
        first = server(answers=["one", REFUSED, REFUSED, "four", REFUSED, REFUSED, "seven"])
        chain = chain_of(first, local())
        heard = [chain.hear(clip(), allow_fallback=True) for _ in range(7)]
        assert [one.fallback is not None for one in heard] == [False, True, True, False, True, True, False]

    def test_needs_a_canary_of_its_own(self) -> None:
        deaf = local(canary="")
        heard = chain_of(server(canary=REFUSED), deaf).hear(clip(), allow_fallback=True)
        assert heard.transcript is None
        assert heard.missing is not None
        assert heard.missing.reason is Reason.EVALUATOR_UNAVAILABLE
        assert "could not connect" in heard.missing.detail
        assert "canary: heard nothing" in heard.missing.detail
        assert heard.identity == SERVER
        assert deaf.asked == []

    def test_may_be_the_third(self) -> None:
        heard = chain_of(server(canary=REFUSED), local(canary="x"), ScriptedTranscriber()).hear(
            clip(), allow_fallback=True
        )
        assert heard.identity == identity_of("scripted")
        assert heard.fallback is not None
        assert heard.fallback.because.startswith("http://server: could not connect; canary: heard 'x'")


class TestARefusal:
    @pytest.mark.parametrize("where", ["canary", "answers"])
    def test_is_for_a_person_to_put_right_and_no_fallback(self, where: str) -> None:
        second = local()
        first = server(**{where: TranscriberError("http://server answered HTTP 401: no")})
        heard = chain_of(first, second).hear(clip(), allow_fallback=True)
        assert heard.transcript is None
        assert heard.fallback is None
        assert heard.missing == Missing(
            Reason.EVALUATOR_ERROR, "the transcriber refuses: http://server answered HTTP 401: no"
        )
        assert second.canaries == 0

    def test_of_an_absent_one_too(self) -> None:
        absent = AbsentTranscriber(identity=SERVER, error=TranscriberError("needs a key"))
        heard = Chain([absent, local()]).hear(clip(), allow_fallback=True)
        assert heard.missing == Missing(Reason.EVALUATOR_ERROR, "the transcriber refuses: needs a key")


INFINITE = Segment(start_s=0.0, end_s=float("inf"), text="hello")


class TestWhatIsNoTranscript:
    """Transcribers of other packages return what they like; none of it is a rate or ends the session."""

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            (None, "returned None; accepted: a Transcript"),
            (["hello"], "returned ['hello']; accepted: a Transcript"),
            (transcript(None), "text=None; accepted: a text"),  # type: ignore[arg-type]
            (transcript(b"hello"), "text=b'hello'; accepted: a text"),  # type: ignore[arg-type]
            (transcript("hello", elapsed_s=float("nan")), "elapsed_s=nan; accepted: a finite number"),
            (transcript("hello", elapsed_s=True), "elapsed_s=True; accepted: a finite number"),
            (transcript("hello", language=7), "language=7; accepted: a text, or None"),
            (transcript("hello", language_probability=float("nan")), "language_probability=nan; accepted: "),
            (transcript("hello", audio_duration_s=10**400), "audio_duration_s=1000"),
            (transcript("hello", segments=["hello"]), "the segments ['hello']; accepted: a tuple"),
            (transcript("hello", segments=("hello",)), "the segment 'hello'; accepted: a Segment"),
            (transcript("hello", segments=(INFINITE,)), "end_s=inf; accepted: a finite number"),
        ],
    )
    def test_is_an_error_of_the_transcriber(self, given: Any, said: str) -> None:
        second = local()
        first = server(answers=lambda clip: given)
        heard = chain_of(first, second).hear(clip(), allow_fallback=True)
        assert (heard.transcript, heard.fallback) == (None, None)
        assert heard.missing is not None
        assert heard.missing.reason is Reason.EVALUATOR_ERROR
        assert said in heard.missing.detail
        assert second.asked == []

    @pytest.mark.parametrize("canary", [None, "hello", transcript("hello", elapsed_s=float("nan"))])
    def test_is_an_error_in_the_canary_too(self, canary: Any) -> None:
        deaf = server()
        deaf.transcribe = lambda audio, language: canary  # type: ignore[method-assign]
        heard = chain_of(deaf).hear(clip(), allow_fallback=True)
        assert heard.missing is not None
        assert heard.missing.reason is Reason.EVALUATOR_ERROR

    @pytest.mark.parametrize(
        ("identity", "said"),
        [
            (None, "has the identity None"),
            ({"backend": "mine"}, "has the identity {'backend': 'mine'}"),
            (identity_of(""), "has the backend ''"),
            (identity_of("mine", options={"temperature": float("nan")}), "is no JSON"),
            (identity_of("mine", options={"model": object()}), "is no JSON"),
        ],
    )
    def test_an_identity_that_no_record_can_hold_is_refused(self, identity: Any, said: str) -> None:
        chain = chain_of(server(identity=identity))
        with pytest.raises(TranscriberError, match=re.escape(said)):
            chain.identity  # noqa: B018
        with pytest.raises(TranscriberError, match=re.escape(said)):
            chain.hear(clip(), allow_fallback=True)

    def test_one_that_does_not_say_why_has_a_cause_all_the_same(self) -> None:
        heard = chain_of(server(canary=TranscriberUnavailable("")), local()).hear(clip(), allow_fallback=True)
        assert heard.fallback == Fallback(preferred=str(SERVER), because="it does not say why")


class TestNobody:
    def test_no_transcriber_is_missing_and_says_how_to_give_one(self) -> None:
        heard = Chain([]).hear(clip(), allow_fallback=True)
        assert (heard.transcript, heard.identity) == (None, None)
        assert heard.missing == Missing(Reason.EVALUATOR_UNAVAILABLE, NO_TRANSCRIBER)
        assert Chain([]).identity is None

    def test_one_that_is_absent_is_missing(self) -> None:
        absent = AbsentTranscriber(identity=SERVER, error=TranscriberUnavailable("no server answers"))
        heard = Chain([absent]).hear(clip(), allow_fallback=True)
        assert heard.missing == Missing(Reason.EVALUATOR_UNAVAILABLE, "no transcript: no server answers")

    def test_a_clip_that_changed_is_nobodys_fault(self) -> None:
        second = local()
        first = server(answers=UndecodableMedia("'a.wav' was changed while it was being evaluated"))
        with pytest.raises(NoAnswer, match="undecodable_media"):
            chain_of(first, second).hear(clip(), allow_fallback=True)
        assert second.asked == []

    def test_a_bug_in_a_transcriber_is_no_fallback(self) -> None:
        with pytest.raises(ZeroDivisionError):
            chain_of(server(answers=ZeroDivisionError()), local()).hear(clip(), allow_fallback=True)


def test_a_transcript_that_is_cut_off_is_missing_and_shown() -> None:
    cut = transcript("hello", audio_duration_s=0.5, segments=(Segment(start_s=0, end_s=0.5, text="hello"),))
    heard = chain_of(server(answers=cut)).hear(clip(), allow_fallback=False)
    assert heard.missing is not None
    assert heard.missing.reason is Reason.TRUNCATED
    assert heard.transcript is not None


class TestTheCanary:
    def test_is_asked_once_before_the_first_clip(self) -> None:
        first = server()
        chain = chain_of(first)
        for _ in range(3):
            chain.hear(clip(), allow_fallback=False)
        assert (first.canaries, len(first.asked)) == (1, 3)

    @pytest.mark.parametrize(
        "wrong",
        [
            pytest.param({"canary": ""}, id="hears nothing"),
            pytest.param({"canary": "thank you for watching"}, id="hears something else"),
            pytest.param({"silence": "You"}, id="makes up words for silence"),
        ],
    )
    def test_that_comes_out_wrong_keeps_the_transcriber_from_being_used(self, wrong: dict[str, str]) -> None:
        first = server(**wrong)
        chain = chain_of(first)
        for _ in range(2):
            heard = chain.hear(clip(), allow_fallback=True)
            assert heard.transcript is None
            assert heard.missing is not None
            assert heard.missing.reason is Reason.EVALUATOR_UNAVAILABLE
            assert heard.missing.detail.startswith("no transcript: canary: heard ")
            assert [attempt.outcome for attempt in heard.attempts] == [AttemptOutcome.CANARY]
        assert (first.asked, first.canaries) == ([], 1)

    def test_that_could_not_be_asked_is_asked_again(self) -> None:
        first = server(canary=REFUSED)
        chain = chain_of(first, local())
        assert chain.hear(clip(), allow_fallback=True).fallback is not None
        first.canary = ScriptedTranscriber().canary
        assert chain.hear(clip(), allow_fallback=True).fallback is None

    def test_of_a_server_that_hangs_is_not_waited_for_twice_with_each_clip(self) -> None:
        first = server(canary=REFUSED)
        chain = chain_of(first, local())
        for _ in range(GIVEN_UP_AFTER + 1):
            assert chain.identity == SERVER
            chain.hear(clip(), allow_fallback=True)
        assert first.canaries == 1 + GIVEN_UP_AFTER

    def test_settles_the_identity(self) -> None:
        first = server()
        assert chain_of(first).identity == SERVER
        assert first.canaries == 1
        assert chain_of(server(canary=REFUSED)).identity == SERVER

    def test_is_asked_once_by_all_threads(self) -> None:
        first = server()
        chain = chain_of(first)
        threads = [
            threading.Thread(target=lambda: chain.hear(clip(), allow_fallback=False)) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (first.canaries, len(first.asked)) == (1, 8)
