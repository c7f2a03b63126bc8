"""Errors of servers, in the shapes and words that they really use."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Reason
from pytest_infergate.serving.failure import ServerFailure, parse_failure, show


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(
            {"error": {"message": "no", "type": "T", "code": 400}}, "T 400: no", id="OpenAI, nested"
        ),
        pytest.param({"error": {"message": "no"}}, "no", id="message alone"),
        pytest.param({"error": "no"}, "no", id="a string (Ollama, mlx-lm)"),
        pytest.param({"error": "no", "error_type": "validation"}, "validation: no", id="TGI"),
        pytest.param({"error": ["a", 1]}, '["a", 1]', id="a list"),
        pytest.param(
            {"object": "error", "message": "no", "type": "T", "code": 400}, "T 400: no", id="SGLang, flat"
        ),
        pytest.param({"message": "no"}, "no", id="flat, without a word of error"),
        pytest.param({"detail": "Not Found"}, "Not Found", id="FastAPI"),
        pytest.param({"detail": [{"loc": ["body"]}]}, '[{"loc": ["body"]}]', id="FastAPI's validation"),
        pytest.param({"error": {"code": "x"}}, 'x: {"code": "x"}', id="nested without a message"),
    ],
)
def test_every_shape_of_an_error_is_read(value: dict[str, Any], shown: str) -> None:
    assert str(parse_failure(value)) == shown


@pytest.mark.parametrize(
    "value",
    [
        *(
            None,
            3,
            "text",
            [],
            {},
            {"choices": []},
            {"error": None},
            {"error": {}, "choices": []},
            {"usage": {}},
        ),
        {"error": {"code": 0, "message": ""}, "choices": []},
    ],
)
def test_what_is_no_error_is_none(value: Any) -> None:
    assert parse_failure(value) is None


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param({"type": "exceed_context_size_error", "message": "x"}, id="llama.cpp"),
        pytest.param({"code": "context_length_exceeded", "message": "x"}, id="OpenAI, llama-cpp-python"),
        pytest.param({"param": "input_tokens", "message": "x", "code": 400}, id="vLLM"),
        pytest.param({"type": "ContextWindowExceededError", "message": "x"}, id="LiteLLM"),
        "the request exceeds the available context size. try increasing the context size",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the "
        "messages, 1000 in the completion).",
        "You passed 5000 input tokens and requested 100 output tokens. However, the model's context length "
        "is only 4096 tokens, resulting in a maximum input length of 3996 tokens.",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        "Requested token count exceeds the model's maximum context length of 4096 tokens.",
        "Input validation error: `inputs` must have less than 1024 tokens. Given: 2000",
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 1000 `inputs` "
        "tokens and 1500 `max_new_tokens`",
        "input length exceeds the context length",
        "Requested tokens (5000) exceed context window of 2048",
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with "
        "context length of only 4096 tokens, which is not enough.",
        "Prompt length 5000 is greater than max_seq_len 4096",
        "prompt is too long: 200001 tokens > 199999 maximum",
        "Input is too long for requested model.",
        "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "Input length (5000 tokens) exceeds the maximum allowed length (4090 tokens). Use a shorter input or "
        "enable --allow-auto-truncate.",
        "prompt too long; exceeded max context length by 123 tokens",
        "Reached context length of 4096 tokens, but this model does not currently support mid-generation "
        "context overflow because llama_memory_can_shift is 0.",
        "The number of tokens to keep from the initial prompt is greater than the context length.",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
        "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context "
        "length",
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        "litellm.ContextWindowExceededError: BadRequestError",
        "Request prompt has 5000 tokens in total, larger than the model input length limit 4096.",
        "prompt length 5000 exceeds max session length 4096",
        "Prompt length (5000) exceeds maximum input length (4096).",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "The prompt (total length 5000) is too long to fit into the model (context length 4096). Make sure "
        "that `max_model_len` is no smaller than the number of text tokens.",
        "Please reduce the length of the messages or completion.",
        "Exceeded the model's context window",
        "Context window is full",
        "Prompt is too large for the context (5000 > 4096)",
        "Conversation too long for context window",
    ],
)
def test_a_prompt_that_does_not_fit_is_known_in_every_spelling(failure: str | dict[str, Any]) -> None:
    fields = {"message": failure} if isinstance(failure, str) else failure
    assert ServerFailure(**fields).missing("here").reason is Reason.CONTEXT_LIMIT


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        pytest.param(
            {"message": "unknown field 'context'"}, Reason.SERVER_ERROR, id="speaks of context only"
        ),
        pytest.param(
            {"message": "prompt is not a string"}, Reason.SERVER_ERROR, id="speaks of the prompt only"
        ),
        pytest.param({"message": "CUDA out of memory"}, Reason.SERVER_ERROR, id="memory"),
        pytest.param(
            {"message": "context deadline exceeded (Client.Timeout exceeded); context canceled"},
            Reason.SERVER_ERROR,
            id="Go's contexts",
        ),
        pytest.param(
            {"message": "Rate limit: too many input tokens per minute"},
            Reason.SERVER_ERROR,
            id="a rate of tokens",
        ),
        pytest.param({"message": "Request body too large"}, Reason.SERVER_ERROR, id="bytes, no tokens"),
        pytest.param({"message": "max_tokens must be at least 1"}, Reason.SERVER_ERROR, id="a bad limit"),
        pytest.param({"message": "slow down", "code": 429}, Reason.RATE_LIMITED, id="429"),
        pytest.param({"message": "slow down", "code": "429"}, Reason.RATE_LIMITED, id="429 as text"),
        pytest.param(
            {"message": "engine timed out", "code": 504},
            Reason.SERVER_ERROR,
            id="504: the server's, no deadline",
        ),
        pytest.param({"message": "no", "code": "content_filter"}, Reason.REFUSED, id="content filter"),
        pytest.param(
            {"message": "no", "type": "content_filter"}, Reason.REFUSED, id="content filter as type"
        ),
        pytest.param({"message": "no", "code": True}, Reason.SERVER_ERROR, id="a code that is none"),
    ],
)
def test_other_failures_keep_their_own_reason(failure: dict[str, Any], reason: Reason) -> None:
    missing = parse_failure({"error": failure})
    assert missing is not None
    assert missing.missing("here").reason is reason


def test_azure_names_its_filter_in_an_inner_error() -> None:
    failure = parse_failure(
        {"error": {"message": "no", "code": "400", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}
    )
    assert failure is not None
    assert failure.missing("here").reason is Reason.REFUSED


def test_what_a_server_wrote_is_shown_on_one_line_with_nothing_that_a_terminal_obeys() -> None:
    assert show(" a\nb\x1b[31m\u202ec\ud83d ") == "a\\nb\\x1b[31m\\u202ec\\ud83d"
    assert show("x" * 201) == "x" * 200 + " …"
