"""Bad values end the session before the collection, with one line."""

from __future__ import annotations

import pytest

from .conftest import Evaluate

SUITE = "def test_it(infer): infer.chat('say x')"

BAD = [
    (
        "--infer-server=localhost:8080",
        "--infer-server: 'localhost:8080' is not an http or https URL such as http://127.0.0.1:8080, "
        "'embedded', or 'embedded:FILE.gguf'",
    ),
    ("--infer-server=http://", "--infer-server: 'http://' is not an http or https URL such as *"),
    ("--infer-server=http://h:99999", "*(the port is not a number from 0 to 65535)"),
    ("--infer-server=embedded:gone.gguf", "*(no such file: *gone.gguf)"),
    (f"--infer-replay={'a' * 300}", "--infer-replay: *(no such folder: *"),
    (f"--infer-resume={'a' * 300}", "--infer-resume: *(no such folder: *"),
    (f"--infer-baseline={'a' * 300}", "--infer-baseline=a*: File name too long; name a run folder or a*"),
    ("--infer-concurrency=0", "--infer-concurrency: '0' is not a whole number from 1 to 1024"),
    ("--infer-concurrency=many", "--infer-concurrency: 'many' is not a whole number from 1 to 1024"),
    ("--infer-timeout=-1", "--infer-timeout: '-1' is not a number of seconds above 0, such as 300"),
    ("--infer-timeout=nan", "--infer-timeout: 'nan' is not a number of seconds above 0, such as 300"),
    ("--infer-retries=1.5", "--infer-retries: '1.5' is not a whole number from 0 to 100"),
    ("--infer-wait=soon", "--infer-wait: 'soon' is not a number of seconds, 0 or more"),
    ("--infer-limit=0", "--infer-limit: '0' is not a whole number from 1, or a share such as 10%"),
    ("--infer-limit=110%", "--infer-limit: '110%' is not a whole number from 1, or a share such as 10%"),
    ("--infer-expect=engine", "--infer-expect: 'engine' is not FIELD=VALUE, such as context_length=8192"),
    ("--infer-declare==3", "--infer-declare: '=3' is not FIELD=VALUE, such as context_length=8192"),
    ("--infer-api-key-env=sk-123", "--infer-api-key-env: * is not the name of an environment variable"),
    (
        "--infer-asr=whisper",
        "--infer-asr: 'whisper' is not an http or https URL such as http://127.0.0.1:8000",
    ),
    (
        "--infer-asr-model=./gone",
        "--infer-asr-model: './gone' is not the folder of a model, or the name of one *",
    ),
    ("--infer-asr-fallback=maybe", "--infer-asr-fallback: 'maybe' is not forbid or allow"),
    ("--infer-rescore=some", "--infer-rescore: 'some' is not all, missing, fallback or missing,fallback"),
    (
        "--infer-baseline=",
        "--infer-baseline: it is given without a value, as by a variable of the shell that is not set; give "
        "one, or leave the option out",
    ),
    ("--infer-against= ", "--infer-against: it is given without a value, *"),
    ("--infer-treatment=", "--infer-treatment: it is given without a value, *"),
    ("--infer-margin=", "--infer-margin: it is given without a value, *"),
    ("--infer-resume=", "--infer-resume: it is given without a value, *"),
    (
        f"--infer-replay={__file__}",
        f"--infer-replay: {__file__!r} is not a run folder (it is a file; a baseline file holds no run, name "
        "the run that it was saved of)",
    ),
    (
        "--infer-rescore=fallback",
        "--infer-rescore=fallback says what to judge again of a stored run; add --infer-replay=RUN",
    ),
]


@pytest.mark.parametrize(("option", "line"), BAD)
def test_a_bad_value_is_one_line(evaluate: Evaluate, option: str, line: str) -> None:
    outcome = evaluate(SUITE, option, url=None)
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    said = [text for text in outcome.result.stderr.lines if text]
    assert len(said) == 1
    outcome.result.stderr.fnmatch_lines([f"ERROR: {line}".replace("[", "[[]")])
    assert not outcome.folder.exists()


def test_the_ini_file_is_read_and_named(evaluate: Evaluate, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ninfer_concurrency = lots\n")
    outcome = evaluate(SUITE)
    outcome.result.stderr.fnmatch_lines(
        ["ERROR: ini option infer_concurrency: 'lots' is not a whole number *"]
    )
    pytester.makeini("[pytest]\ninfer_concurrency = 3\ninfer_declare =\n  launch=a\n  kernel=b\n")
    outcome = evaluate(SUITE)
    assert outcome.run["settings"]["concurrency"] == 3
    assert outcome.run["server"]["fields"]["kernel"] == {"value": "b", "origin": "declared"}
    assert evaluate(SUITE, "--infer-concurrency=5").run["settings"]["concurrency"] == 5


def test_a_misspelt_option_is_not_taken_for_another(evaluate: Evaluate) -> None:
    outcome = evaluate(SUITE, "--infer-sever=http://127.0.0.1:1")
    assert outcome.result.ret == pytest.ExitCode.USAGE_ERROR
    outcome.result.stderr.fnmatch_lines(["*unrecognized arguments: --infer-sever=http://127.0.0.1:1"])


def test_help_names_every_option(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--help")
    result.stdout.fnmatch_lines(
        ["model evaluation (pytest-infergate):", "*--infer-server=URL*", "*P%, of each data set*"]
    )
