"""``infer_wer``: what it takes, and the one line for everything else."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.speech import NORMALIZERS, parse_language
from pytest_infergate.tasks import DeclarationError, ErrorMetric, WerDeclaration, parse_wer

NAN = float("nan")


def parse(*args: object, **kwargs: Any) -> WerDeclaration:
    return parse_wer(
        args, kwargs, where="test_it.py::test_it", normalizers=NORMALIZERS, read_language=parse_language
    )


def test_without_arguments_nothing_is_asked_for() -> None:
    assert parse() == WerDeclaration(
        max=None,
        corpus_max=None,
        normalizer="basic",
        metric=ErrorMetric.WER,
        language=None,
        allows_fallback=None,
    )


def test_every_argument_is_read() -> None:
    declared = parse(
        max=1, corpus_max=0.05, normalizer="english", metric="cer", language="German", fallback="allow"
    )
    assert declared == WerDeclaration(
        max=1.0,
        corpus_max=0.05,
        normalizer="english",
        metric=ErrorMetric.CER,
        language="de",
        allows_fallback=True,
    )
    assert parse(fallback="forbid").allows_fallback is False


@pytest.mark.parametrize(
    ("kwargs", "line"),
    [
        ({"max": 10}, "max=10; accepted: a number from 0 to 1; write 10 % as 0.1"),
        ({"max": -0.1}, "max=-0.1; accepted: a number from 0 to 1; write 10 % as 0.1"),
        ({"corpus_max": NAN}, "corpus_max=nan; accepted: a number from 0 to 1; write 10 % as 0.1"),
        ({"corpus_max": True}, "corpus_max=True; accepted: a number from 0 to 1; write 10 % as 0.1"),
        ({"max": "0.1"}, "max='0.1'; accepted: a number from 0 to 1; write 10 % as 0.1"),
        (
            {"normalizer": "englsh"},
            "normalizer='englsh' (did you mean 'english'?); accepted: none, basic, english, whisper-english",
        ),
        ({"normalizer": 3}, "normalizer=3; accepted: none, basic, english, whisper-english"),
        ({"metric": "WER"}, "metric='WER' (did you mean 'wer'?); accepted: wer, cer, mer"),
        ({"fallback": True}, "fallback=True; accepted: forbid, allow"),
        (
            {"language": "klingon"},
            "language='klingon' is none that transcribers know; accepted: a code such as 'en' or 'ja', or an "
            "English name such as 'German'",
        ),
        (
            {"maxx": 0.1},
            "unknown argument 'maxx' (did you mean 'max'?); valid: max, corpus_max, normalizer, metric, "
            "language, fallback",
        ),
        (
            {"limit": 0.1},
            "unknown argument 'limit'; valid: max, corpus_max, normalizer, metric, language, fallback",
        ),
    ],
)
def test_what_is_not_taken_is_one_line(kwargs: dict[str, Any], line: str) -> None:
    with pytest.raises(DeclarationError) as raised:
        parse(**kwargs)
    assert str(raised.value) == f"test_it.py::test_it: infer_wer: {line}"


def test_an_argument_without_a_name_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"infer_wer got 0\.1 without a name"):
        parse(0.1)
