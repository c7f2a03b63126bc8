"""Secrets by their form, and secrets that are known."""

from __future__ import annotations

import base64
import json
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_infergate.evidence import canonical_json
from pytest_infergate.runs import Secrets, redact_argv, redact_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # passwords and tokens in URLs
        ("http://bob:pw@host:80/v1", "http://[redacted]@host:80/v1"),
        ("--infer-server=https://sk-token@host/v1", "--infer-server=https://[redacted]@host/v1"),
        ("https://host/v1?api_key=abc&model=x", "https://host/v1?api_key=[redacted]&model=x"),
        ("https://host/v1?model=x&access_token=abc#f", "https://host/v1?model=x&access_token=[redacted]#f"),
        (
            "https://host/?X-Amz-Signature=abc&sig=def",
            "https://host/?X-Amz-Signature=[redacted]&sig=[redacted]",
        ),
        # options
        ("--infer-api-key-env=sk-123", "--infer-api-key-env=[redacted]"),
        ("--api-key sk-123 --port 80", "--api-key [redacted] --port 80"),
        (
            "launch=vllm serve m --api-key=sk-1 --port 80",
            "launch=vllm serve m --api-key=[redacted] --port 80",
        ),
        ("--hf-token hf_abc", "--hf-token [redacted]"),
        ("OPENAI_API_KEY=sk-123", "OPENAI_API_KEY=[redacted]"),
        ("HF_TOKEN=abc DB_PASSWORD='a b'", "HF_TOKEN=[redacted] DB_PASSWORD=[redacted]"),
        # headers
        ("Authorization: Bearer abc.def", "Authorization: Bearer [redacted]"),
        ("curl -H 'authorization: Basic dXNlcg=='", "curl -H 'authorization: Basic [redacted]'"),
        # nothing to hide
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"),
        ("--infer-server=http://host/@scope/model", "--infer-server=http://host/@scope/model"),
        ("--max-tokens=5 --max-tokens 5", "--max-tokens=5 --max-tokens 5"),
        ("-k 'token and not slow'", "-k 'token and not slow'"),
        ("evals/test_keys.py::test_token[a]", "evals/test_keys.py::test_token[a]"),
        ("google/gemma-3-270m", "google/gemma-3-270m"),
    ],
)
def test_credentials_are_known_by_their_form(text: str, expected: str) -> None:
    assert redact_text(text) == expected
    assert redact_text(expected) == expected


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["--infer-api-key-env", "sk-123", "evals"], ["--infer-api-key-env", "[redacted]", "evals"]),
        (["--infer-api-key-env", "-v"], ["--infer-api-key-env", "-v"]),
        (["--max-tokens", "5"], ["--max-tokens", "5"]),
        (["-o", "infer_api_key_env=sk-123"], ["-o", "infer_api_key_env=[redacted]"]),
    ],
)
def test_an_option_hides_the_argument_after_it(argv: list[str], expected: list[str]) -> None:
    assert redact_argv(argv) == expected


@pytest.mark.parametrize("part", ["api_key", "key", "a.-", "x://", "?key", "?key=", "bearer ", "-token", "'"])
def test_a_long_word_from_a_server_is_read_in_one_go(part: str) -> None:
    # Quadratic time would not come to an end here within minutes.
    assert redact_text(part * 100_000)


secret_texts = st.text(alphabet=string.printable + "äé\u2028", min_size=8, max_size=20)
any_texts = st.text(max_size=10)


@given(secret_texts, st.lists(any_texts, min_size=2, max_size=4))
def test_a_known_secret_is_in_no_string_of_a_line_however_it_is_spelled(
    secret: str, parts: list[str]
) -> None:
    assume(secret.lower() not in ("placeholder", "not-needed", "lm-studio", "lmstudio", "llama.cpp"))
    value = {"text": secret.join(parts), "deep": [{"x": f"a{secret}"}, 1, None, True]}
    redacted = json.loads(Secrets([secret]).redact_line(canonical_json(value)))
    assert secret not in redacted["text"]
    assert secret not in redacted["deep"][0]["x"]
    assert redacted["deep"][1:] == [1, None, True]


def test_a_line_without_a_secret_is_the_same_string() -> None:
    line = canonical_json({"b": 1, "a": "text"})
    assert Secrets(["sk-secret"]).redact_line(line) is line


@pytest.mark.parametrize(
    "placeholder", ["EMPTY", "none", "ollama", "lm-studio", "sk-no-key-required", "", "abc"]
)
def test_what_clients_insist_on_and_nobody_hides_does_not_damage_what_a_model_said(placeholder: str) -> None:
    line = canonical_json({"text": f"the word {placeholder} stays"})
    assert Secrets.of(keys=[placeholder]).redact_line(line) == line


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("http://bob:hunter22@host", "hunter22"),
        ("http://bob:hunter%2F22@host", "hunter/22"),  # a server may say it decoded
        ("http://bob:hunter%2F22@host", "hunter%2F22"),
        ("http://bob:hunter22@host", base64.b64encode(b"bob:hunter22").decode()),  # as the header spells it
        ("http://sk-token-1@host", "sk-token-1"),
        ("http://host/v1?api_key=abcdef123", "abcdef123"),
    ],
)
def test_a_url_tells_its_secrets(url: str, secret: str) -> None:
    assert secret not in Secrets.of(urls=[url]).redact(f"the server said {secret}!")


def test_a_user_name_beside_a_password_is_a_name() -> None:
    assert Secrets.of(urls=["http://username:hunter22@host"]).redact("username") == "username"
