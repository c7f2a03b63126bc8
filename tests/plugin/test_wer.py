"""The fixture ``wer``: what is measured, what is missing, and that no failure to hear becomes a rate."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_infergate.cli import main
from pytest_infergate.runs.validate import validate_run
from tests.scripted import Script, ScriptedServer, json_script
from tests.speech.asr_server import TranscriptionServer
from tests.speech.whisper_models import tiny_en_folder

from .conftest import Evaluate, Outcome
from .heard import hearing, silence, speaking, tone, write_clips

#: Seconds of a clip → what is said in it.
SAID = {1.0: "Hello, big WORLD", 1.1: "one two three", 1.2: "something else", 1.3: "made up words", 1.4: ""}


@pytest.fixture
def ears(pytester: pytest.Pytester) -> Iterator[TranscriptionServer]:
    write_clips(pytester.path, *SAID)
    with hearing(SAID) as server:
        yield server


def measure(evaluate: Evaluate, source: str, *args: str) -> Outcome:
    outcome = evaluate(f"import pytest\n{source}", *args, url=None)
    found = validate_run(outcome.folder)
    assert found.is_valid, [str(problem) for problem in found.problems]
    return outcome


def scores(outcome: Outcome, id: str) -> list[dict[str, object]]:
    (record,) = (one for key, one in outcome.records.items() if key.endswith(f"/{id}#0"))
    return [score for score in record["scores"] if score["evaluator"]["kind"] != "byproduct"]


CLIPS = """
CASES = [
    pytest.param("1.0.wav", "hello big world", id="right"),
    pytest.param("1.1.wav", "one two three four", id="enough"),
    pytest.param("1.2.wav", "nobody said this", id="wrong"),
    pytest.param("1.4.wav", "hello", id="heard nothing"),
    pytest.param("1.3.wav", "", id="empty"),
    pytest.param("1.3.wav", "...", id="punctuation"),
    pytest.param("gone.wav", "hello", id="gone"),
    pytest.param("page.wav", "hello", id="page"),
    pytest.param("zero.wav", "hello", id="zero"),
    pytest.param("cut.wav", "hello", id="cut"),
    pytest.param(b"", "hello", id="no bytes"),
    pytest.param(["1.0.wav"], "hello", id="no path"),
]

@pytest.mark.infer_task(min_pass_rate=0.01, max_missing=1)
@pytest.mark.infer_wer(max=0.3, corpus_max=0.9)
@pytest.mark.parametrize(("clip", "words"), CASES)
def test_it(wer, clip, words):
    try:
        wer.check(audio=clip, script=words)
    except Exception as error:
        if isinstance(error, AssertionError):
            raise
        return  # to catch it changes nothing
"""


def test_each_clip_has_its_rate_or_the_reason_why_there_is_none(
    evaluate: Evaluate, ears: TranscriptionServer, pytester: pytest.Pytester
) -> None:
    (pytester.path / "page.wav").write_text("<!doctype html><html>Sign in</html>")
    (pytester.path / "zero.wav").write_bytes(b"")
    (pytester.path / "cut.wav").write_bytes(tone(1.0)[:9000])
    outcome = measure(evaluate, CLIPS, f"--infer-asr={ears.url}")
    assert outcome.verdicts == {
        "right#0": "passed",
        "enough#0": "passed",
        "wrong#0": "failed",
        "heard nothing#0": "failed",  # the canaries are well, so nothing was said
        "empty#0": "missing empty_reference",
        "punctuation#0": "missing empty_reference",
        "gone#0": "missing undecodable_media",
        "page#0": "missing undecodable_media",
        "zero#0": "missing undecodable_media",
        "cut#0": "missing undecodable_media",
        "no bytes#0": "missing undecodable_media",
        "no path#0": "missing evaluator_error",
    }
    values = {id: scores(outcome, id)[0]["value"] for id in ("right", "enough", "wrong", "heard nothing")}
    assert values == {"right": 0.0, "enough": 0.25, "wrong": 1.0, "heard nothing": 1.0}
    assert scores(outcome, "gone")[0]["value"] is None
    # One of nothing is not enough to have a rate; what was made up counts all the same.
    assert scores(outcome, "empty")[0]["pooled"] == {"part": 3, "whole": 0}
    (rate,) = outcome.run["tasks"][0]["rates"]
    assert (rate["errors"], rate["reference_length"]) == (0 + 1 + 3 + 1 + 3 + 3, 3 + 4 + 3 + 1)
    assert (rate["measured"], rate["planned"], rate["median"]) == (4, 12, 0.625)
    gate = next(gate for gate in outcome.run["gates"] if gate["name"] == "wer")
    assert gate["verdict"] == "failed"
    assert gate["observed"] == "1 over 4 of 12 clips"
    # Who would have heard a clip that cannot be opened is known: it is the same kind of score.
    assert len({scores(outcome, id)[0]["evaluator"]["digest"] for id in ("right", "gone", "empty")}) == 1


def test_a_score_says_who_heard_what(
    evaluate: Evaluate, ears: TranscriptionServer, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.1, language="English", metric="wer", normalizer="english")
def test_it(wer):
    alignment = wer.check(audio="1.1.wav", script="1 2 4")
"""
    outcome = measure(evaluate, source, f"--infer-asr={ears.url}")
    (score,) = scores(outcome, "0")
    evaluator = score["evaluator"]
    assert (score["name"], score["unit"], score["higher_is_better"]) == ("wer", "ratio", False)
    assert score["pooled"] == {"part": 1, "whole": 3}
    assert (evaluator["kind"], evaluator["name"]) == ("transcriber", "wer")
    assert "model whisper-tiny.en" in evaluator["backend"]
    settings = evaluator["settings"]
    assert settings["normalizer"] == "english"
    assert settings["normalizer_digest"].startswith("sha256:")
    assert settings["language"] == "en"
    assert settings["transcriber"]["response_format"] == "verbose_json"
    details = score["details"]
    assert details["transcript"]["text"] == "one two three"
    assert details["transcript"]["language_asked"] == "en"
    assert details["audio"]["duration_s"] == 1.1
    assert details["attempts"][0]["outcome"] == "heard"
    assert details["reference"] == "1 2 4"
    assert {form.fields["language"] for form in ears.requests} == {"en"}
    message = outcome.records["test_it.test_it/0#0"]["message"]
    assert message.startswith("wer 0.3333 (1 error in 3 words), at most 0.1 is asked\nheard by ")
    assert message.splitlines()[-3:] == ["REF  1 2 4", "HYP  1 2 3", "         S"]
    outcome.result.stdout.fnmatch_lines(
        ["*error rates, over all clips of a task", "*33.3 %*1 of 1  wer test_it*"]
    )
    assert main(["show", str(outcome.folder), "--sample", "0"]) == 0
    shown = capsys.readouterr().out
    assert "REF  1 2 4" in shown
    assert "text: one two three" in shown


TEXTS = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.0)
@pytest.mark.parametrize(
    ("heard", "words"),
    [("we don’t  know", "We don't know."), ("", "x"), ("a b", "")],
    ids=["same", "none", "empty"],
)
def test_texts(wer, heard, words):
    wer.check(hypothesis=heard, reference=words)

@pytest.mark.infer_task
@pytest.mark.infer_wer(metric="cer", max=0.2)
def test_characters(wer):
    wer.check(hypothesis="我 喜欢 平果", reference="我喜欢苹果")

@pytest.mark.infer_task
def test_no_words(wer):
    wer.check(hypothesis="我喜欢平果", reference="我喜欢苹果")

@pytest.mark.infer_task
@pytest.mark.infer_wer(metric="mer")
def test_matches(wer):
    wer.check(hypothesis="thank you for watching please subscribe", reference="yes")

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=1.0)
def test_never_clipped(wer):
    wer.check(hypothesis="thank you for watching please subscribe", reference="yes")

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.5)
def test_never_called(wer):
    pass

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.5)
def test_wrong_before(wer):
    assert False, "another reason"

@pytest.mark.infer_task
def test_twice(wer):
    wer.check(hypothesis="a", reference="a")
    wer.check(hypothesis="b", reference="a")
"""


def test_texts_need_neither_a_server_nor_a_transcriber(evaluate: Evaluate) -> None:
    outcome = measure(evaluate, TEXTS)
    found = {id.removeprefix("test_it."): one for id, one in outcome.records.items()}
    verdicts = {
        id: f"missing {one['missing']['reason']}" if one["missing"] else one["verdict"]
        for id, one in found.items()
    }
    assert verdicts == {
        "test_texts/same#0": "passed",
        "test_texts/none#0": "failed",
        "test_texts/empty#0": "missing empty_reference",
        "test_characters/0#0": "passed",
        "test_no_words/0#0": "missing evaluator_error",
        "test_matches/0#0": "passed",
        "test_never_clipped/0#0": "failed",
        "test_never_called/0#0": "missing not_exercised",
        "test_wrong_before/0#0": "failed",
        "test_twice/0#0": "passed",
    }
    assert "use metric='cer'" in found["test_no_words/0#0"]["missing"]["detail"]
    (clipped,) = found["test_never_clipped/0#0"]["scores"]
    assert clipped["value"] == 6.0
    assert clipped["evaluator"]["kind"] == "error_rate"
    (matches,) = found["test_matches/0#0"]["scores"]
    assert (matches["value"], matches["pooled"]) == (1.0, {"part": 6, "whole": 6})
    tasks = {task["name"]: task for task in outcome.run["tasks"]}
    (twice,) = tasks["test_it.test_twice"]["rates"]
    assert (twice["rate"], twice["measured"], twice["planned"]) == (0.5, 2, 2)


QUIET = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(corpus_max=0.5)
@pytest.mark.parametrize(
    ("clip", "words"), [("1.4.wav", None), ("1.3.wav", None), ("1.0.wav", "hello big world")]
)
def test_it(wer, clip, words):
    wer.check(audio=clip, script=words, silence=words is None)
"""


def test_words_in_a_clip_that_should_be_silent_are_counted(
    evaluate: Evaluate, ears: TranscriptionServer
) -> None:
    outcome = measure(evaluate, QUIET, f"--infer-asr={ears.url}")
    assert list(outcome.verdicts.values()) == ["passed", "failed", "passed"]
    (made_up,) = scores(outcome, "1.3.wav-None")
    assert (made_up["name"], made_up["value"], made_up["unit"], made_up["pooled"]) == (
        "inserted_words",
        3.0,
        "words",
        None,
    )
    (rate,) = outcome.run["tasks"][0]["rates"]
    assert (rate["errors"], rate["reference_length"], rate["without_rate"]) == (3, 3, 2)
    message = outcome.records["test_it.test_it/1.3.wav-None#0"]["message"]
    assert message.startswith("nothing should be spoken, 3 words are heard\n")


ARGUMENTS = """
MIXES = {
    "nothing": dict(),
    "both": dict(audio="1.0.wav", hypothesis="a"),
    "audio with reference": dict(audio="1.0.wav", reference="a"),
    "hypothesis with script": dict(hypothesis="a", script="a"),
    "audio alone": dict(audio="1.0.wav"),
    "hypothesis alone": dict(hypothesis="a"),
    "words and silence": dict(audio="1.0.wav", script="a", silence=True),
    "silence as text": dict(audio="1.0.wav", silence="yes"),
    "a list of words": dict(hypothesis="a", reference=["a"]),
    "a number": dict(hypothesis=3, reference="a"),
}

@pytest.mark.infer_task
@pytest.mark.parametrize("mix", MIXES)
def test_it(wer, mix):
    wer.check(**MIXES[mix])
"""
LINES = {
    "nothing": "got neither audio nor hypothesis; give audio=… with script=…, or hypothesis=… with "
    "reference=…",
    "both": "got audio and hypothesis; give audio=… with script=…, or hypothesis=… with reference=…",
    "audio with reference": "got audio with reference; give script=… in its place",
    "hypothesis with script": "got hypothesis with script; give reference=… in its place",
    "audio alone": "got audio without script; give the words to be spoken, or silence=True",
    "hypothesis alone": "got hypothesis without reference; give the words to be spoken, or silence=True",
    "words and silence": "got script and silence=True; leave one of them out",
    "silence as text": "got silence='yes'; accepted: True or False",
    "a list of words": "got reference=['a']; accepted: a text, or a reply",
    "a number": "got hypothesis=3; accepted: a text, or a reply",
}


def test_arguments_that_do_not_go_together_are_one_line_and_no_rate(evaluate: Evaluate) -> None:
    outcome = measure(evaluate, ARGUMENTS)
    for name, line in LINES.items():
        missing = outcome.records[f"test_it.test_it/{name}#0"]["missing"]
        assert missing["reason"] == "evaluator_error"
        assert f"wer.check {line} (" in missing["detail"]


ONE = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(max=1.0)
def test_it(wer):
    wer.check(audio="1.0.wav", script="hello big world")
"""


def test_without_a_transcriber_the_rate_is_missing_and_the_options_are_named(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    write_clips(pytester.path, 1.0)
    outcome = measure(evaluate, ONE)
    assert outcome.verdict == ("missing evaluator_unavailable", "missing", 1)
    detail = outcome.records["test_it.test_it/0#0"]["missing"]["detail"]
    assert "--infer-asr=URL" in detail
    assert "--infer-asr-model=DIR" in detail
    assert outcome.run["server"] is None


def answers(script: Script) -> ScriptedServer:
    """A server that lists a model, and answers every clip with ``script``."""
    listed = json_script({"object": "list", "data": [{"id": "ears", "object": "model"}]})
    return ScriptedServer(lambda received: listed if received.method == "GET" else script)


TROUBLE = [
    ("html", Script(content_type="text/html", body=[b"<html>Sign in</html>"]), "evaluator_unavailable"),
    ("no text", json_script({"segments": []}), "evaluator_unavailable"),
    (
        "out of memory",
        json_script({"error": {"message": "out of memory"}}, status=500),
        "evaluator_unavailable",
    ),
    ("no key", json_script({"error": {"message": "who are you"}}, status=401), "evaluator_error"),
    ("hears nothing", json_script({"text": ""}), "evaluator_unavailable"),
    ("hears voices", json_script({"text": "Thank you for watching."}), "evaluator_unavailable"),
]


@pytest.mark.parametrize(
    ("script", "reason"), [case[1:] for case in TROUBLE], ids=[case[0] for case in TROUBLE]
)
def test_a_transcriber_in_trouble_gives_no_rate(
    evaluate: Evaluate, pytester: pytest.Pytester, script: Script, reason: str
) -> None:
    write_clips(pytester.path, 1.0)
    with answers(script) as server:
        outcome = measure(evaluate, ONE, f"--infer-asr={server.url}")
    assert outcome.verdict == (f"missing {reason}", "missing", 1)
    (score,) = scores(outcome, "0")
    assert (score["value"], score["missing"]["reason"]) == (None, reason)


def test_a_fallback_counts_only_where_it_is_allowed_and_says_why_it_was_needed(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    write_clips(pytester.path, 1.0)
    model = f"--infer-asr-model={tiny_en_folder()}"
    with hearing(SAID) as server:
        gone = f"--infer-asr={server.url}"
    source = ONE + ONE.replace("max=1.0", "max=1.0, fallback='allow'").replace("test_it", "test_allowed")
    outcome = measure(evaluate, source, gone, model)
    forbidden, allowed = (outcome.records[f"test_it.{name}/0#0"] for name in ("test_it", "test_allowed"))
    assert forbidden["missing"]["reason"] == "fallback_not_allowed"
    (score,) = [one for one in forbidden["scores"] if one["evaluator"]["kind"] == "transcriber"]
    assert score["value"] is None
    assert score["details"]["transcript"]["text"] == ""
    assert score["details"]["alignment"]["rate"] == 1.0
    assert allowed["verdict"] == "passed"
    score = allowed["scores"][0]
    assert score["value"] == 1.0
    assert "transcription server" in score["fallback"]["from"]
    assert "no server answers" in score["fallback"]["because"]
    assert score["evaluator"]["backend"].startswith("faster-whisper ")
    (rate,) = outcome.run["tasks"][1]["rates"]
    assert rate["fallback"] is True
    outcome.result.stdout.fnmatch_lines(
        [
            "infergate: the transcription server cannot be asked: unreachable: *",
            "infergate: where it cannot, they are transcribed here, by the Whisper model *",
            "*by the fallback faster-whisper *",
        ]
    )


def test_what_a_fallback_scored_is_not_compared_with_what_was_preferred(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    """Both ways round: neither is better or worse, since they do not mean the same."""
    write_clips(pytester.path, 1.0)
    model = f"--infer-asr-model={tiny_en_folder()}"
    source = ONE.replace("max=1.0", "max=1.0, fallback='allow'")
    with hearing(SAID) as server:
        ears = f"--infer-asr={server.url}"
        preferred = measure(evaluate, source, ears, model)
    fallback = measure(evaluate, source, ears, model, f"--infer-baseline={preferred.folder}")
    assert preferred.result.ret == 0
    assert fallback.verdict == ("passed", "missing", 1)
    for base, candidate in ((preferred, fallback), (fallback, preferred)):
        assert main(["compare", "--json", str(base.folder), str(candidate.folder)]) == 4
    told = " ".join(fallback.result.stdout.str().split())
    assert "fallback of wer: base none, candidate in place of transcription server" in told


def test_a_transcription_server_that_changed_makes_the_run_missing(
    evaluate: Evaluate, ears: TranscriptionServer
) -> None:
    source = ONE.replace("def test_it(wer):", "def test_it(wer):\n    import urllib.request") + (
        f"    urllib.request.urlopen('{ears.url}/v1/models')\n"
    )
    asked: list[str] = []
    model, ears.model = ears.model, "whisper-tiny.en"
    original = ears.answer

    def answer(form: object) -> object:
        answered = original(form)  # type: ignore[arg-type]
        asked.append("clip")
        if len(asked) == 3:  # both canaries and the clip
            ears.model = "another"
        return answered

    ears.answer = answer  # type: ignore[assignment, method-assign]
    outcome = measure(evaluate, source, f"--infer-asr={ears.url}")
    gate = next(gate for gate in outcome.run["gates"] if gate["name"] == "asr")
    assert (gate["verdict"], outcome.run["verdict"]) == ("missing", "missing")
    assert outcome.run["asr"]["fields"]["model"]["value"] == model


CONFTEST = """
import pytest
from pytest_infergate.speech import Transcript, TranscriberIdentity
from pytest_infergate.speech.canary import CANARY_WORDS, SILENCE_S

class Added:
    identity = TranscriberIdentity(backend="added", backend_version="1", model="ears")

    def transcribe(self, audio, language):
        if audio.duration_s == 1.1:
            raise OSError("a bug of its own")
        said = {1.0: "hello big world", SILENCE_S: ""}.get(audio.duration_s, CANARY_WORDS)
        return Transcript(text=said, elapsed_s=0.0)

def pytest_infergate_transcribers(config):
    return [Added()]
"""


def test_a_package_can_add_a_transcriber_and_its_bugs_are_no_rates(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    write_clips(pytester.path, 1.0, 1.1)
    pytester.makeconftest(CONFTEST)
    source = ONE + ONE.replace("1.0.wav", "1.1.wav").replace("test_it", "test_bug")
    outcome = measure(evaluate, source)
    right, bug = (outcome.records[f"test_it.{name}/0#0"] for name in ("test_it", "test_bug"))
    assert (right["verdict"], right["scores"][0]["value"]) == ("passed", 0.0)
    assert right["scores"][0]["evaluator"]["backend"].startswith("added 1, model ears")
    assert bug["missing"]["reason"] == "evaluator_error"
    assert bug["scores"][0]["value"] is None


ODD = """
import sys
import pytest
from pytest_infergate.speech import Transcript, TranscriberIdentity
from pytest_infergate.speech.canary import CANARY_WORDS, SILENCE_S

class Odd:
    identity = TranscriberIdentity(backend="odd", backend_version="1", model="ears")

    def transcribe(self, audio, language):
        if audio.duration_s != 1.0:
            return Transcript(text="" if audio.duration_s == SILENCE_S else CANARY_WORDS, elapsed_s=0.0)
        return HOW()

def pytest_infergate_transcribers(config):
    return [Odd()]
"""
HOW = {
    "skips": "pytest.skip('no ears today')",
    "fails": "pytest.fail('Timeout >1.0s')",  # as pytest-timeout does from a signal
    "exits": "sys.exit(0)",
    "is an expected failure": "pytest.xfail('known')",
    "takes no time at all": "Transcript(text='hello big world', elapsed_s=float('nan'))",
    "returns a text": "'hello big world'",
}


@pytest.mark.parametrize("how", HOW.values(), ids=HOW)
@pytest.mark.parametrize("caught", ["", "Exception", "BaseException"])
def test_however_a_transcriber_ends_there_is_no_rate_and_no_pass(
    evaluate: Evaluate, pytester: pytest.Pytester, how: str, caught: str
) -> None:
    write_clips(pytester.path, 1.0)
    pytester.makeconftest(ODD.replace("HOW()", how))
    check = "wer.check(audio='1.0.wav', script='hello big world')"
    if caught:
        check = f"try:\n        {check}\n    except {caught}:\n        pass"
    source = f"""
@pytest.mark.infer_task
def test_it(wer):
    {check}
    wer.check(hypothesis="another", reference="another")
"""
    outcome = measure(evaluate, source)
    (verdict, run, status) = outcome.verdict
    assert verdict.startswith("missing ")
    assert (run, status) == ("missing", 1)
    first = scores(outcome, "0")[0]
    assert (first["name"], first["value"]) == ("wer", None)


def test_no_such_local_model_is_one_line_before_anything_is_heard(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    write_clips(pytester.path, 1.0)
    outcome = evaluate(f"import pytest\n{ONE}", f"--infer-asr-model={pytester.path}", url=None)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(["ERROR: --infer-asr-model: *is no Whisper model*"])
    assert not outcome.folder.exists()


def test_workers_hear_too(evaluate: Evaluate, ears: TranscriptionServer) -> None:
    outcome = measure(evaluate, CLIPS, f"--infer-asr={ears.url}", "-n2")
    assert outcome.verdicts["right#0"] == "passed"
    assert outcome.verdicts["wrong#0"] == "failed"
    assert scores(outcome, "enough")[0]["value"] == 0.25


def test_a_wrong_marker_is_a_collection_error(evaluate: Evaluate) -> None:
    outcome = evaluate(
        "import pytest\n@pytest.mark.infer_wer(max=10)\ndef test_it(wer):\n    pass\n", url=None
    )
    outcome.result.stdout.fnmatch_lines(
        ["*test_it.py::test_it: infer_wer: max=10; accepted: a number from 0 to 1; write 10 % as 0.1"]
    )


def test_paths_in_a_row_resolve_from_its_data_set_and_others_from_the_test(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    rows = pytester.mkdir("rows")
    write_clips(rows, 1.0)
    write_clips(pytester.path, 1.1)
    (rows / "rows.jsonl").write_text('{"id": "a", "audio": "1.0.wav", "script": "hello big world"}\n')
    source = """
@pytest.mark.infer_task(dataset="rows/rows.jsonl")
@pytest.mark.infer_wer(max=0)
def test_it(wer, sample):
    wer.check(audio=sample["audio"], script=sample["script"])
    wer.check(audio="1.1.wav", script="one two three")
"""
    with hearing(SAID) as server:
        outcome = measure(evaluate, source, f"--infer-asr={server.url}")
    assert outcome.verdicts == {"a#0": "passed"}


def test_silence_is_known_as_such(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    (pytester.path / "1.0.wav").write_bytes(silence(1.0))
    with hearing(SAID) as server:
        outcome = measure(evaluate, ONE, f"--infer-asr={server.url}")
    (score,) = scores(outcome, "0")
    assert score["details"]["audio"]["is_silent"] is True
    assert score["details"]["transcript"]["flags"] == ["words_in_silence"]
    outcome.result.stdout.fnmatch_lines(["*words were heard in a silent clip*"])


def test_what_the_server_under_test_spoke_is_heard(evaluate: Evaluate) -> None:
    source = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0)
def test_it(infer, wer):
    wer.check(audio=infer.speak("hello big world"), script="hello big world")
"""
    with hearing(SAID) as asr, speaking({"hello big world": tone(1.0)}) as server:
        outcome = evaluate(f"import pytest\n{source}", f"--infer-asr={asr.url}", url=server.url)
    assert outcome.verdict == ("passed", "passed", 0)


CAUGHT = """
@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.1)
def test_caught(wer):
    try:
        wer.check(hypothesis="one", reference="one two")
    except Exception:
        pass

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.1)
def test_in_silence(wer):
    with pytest.raises(AssertionError):
        wer.check(hypothesis="one", silence=True)

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.1)
def test_the_second_is_right(wer):
    for words in ("two", "one"):
        try:
            wer.check(hypothesis="one", reference=words)
        except AssertionError:
            pass

@pytest.mark.infer_task
@pytest.mark.infer_wer(max=0.1)
@pytest.mark.xfail(reason="known")
def test_announced(wer):
    wer.check(hypothesis="one", reference="one two")
"""


def test_a_rate_above_the_limit_of_the_marker_has_failed_also_where_it_is_caught(evaluate: Evaluate) -> None:
    outcome = measure(evaluate, CAUGHT)
    assert set(outcome.verdicts.values()) == {"failed"}
    messages = [str(one["message"]).splitlines()[0] for one in outcome.records.values()]
    assert messages[:2] == [
        "wer 0.5 (1 error in 2 words), at most 0.1 is asked",
        "nothing should be spoken, 1 words are heard",
    ]
    assert [one["expected_failure"] for one in outcome.records.values()] == [False, False, False, True]
    assert outcome.verdict[2] == 1


def test_a_limit_that_no_rate_is_above_is_refused(evaluate: Evaluate) -> None:
    source = CAUGHT.replace("max=0.1", "metric='mer', max=1")
    outcome = evaluate(f"import pytest\n{source}", url=None)
    assert outcome.result.ret != 0
    assert "which is never above 1" in outcome.result.stdout.str()
