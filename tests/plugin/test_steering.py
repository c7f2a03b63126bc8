"""Each server is asked in its own words for a schema and a bound on reasoning; replies are checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scripted import Received, Script, ScriptedServer, chunk, sse
from tests.serving.engines import imitation
from tests.serving.engines.imitation import Imitation

from .conftest import Evaluate

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
OPENAI = {
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
    }
}
OFF = {"chat_template_kwargs": {"enable_thinking": False}}
ENGINES: dict[str, Imitation] = {
    "llamacpp": imitation.LLAMACPP,
    "vllm": imitation.VLLM,
    "sglang": imitation.SGLANG,
    "ollama": imitation.OLLAMA,
    "lmstudio": imitation.LMSTUDIO,
    "tgi": imitation.TGI,
    "mlx_lm": imitation.MLX_LM,
    "tabbyapi": imitation.TABBYAPI,
    "localai": imitation.LOCALAI,
    "llama_cpp_python": imitation.LLAMA_CPP_PYTHON,
    "generic": imitation.GENERIC,
}
ENDS = ("/chat/completions", "/completions")


def talking(engine: str, *deltas: dict[str, Any], usage: dict[str, Any] | None = None) -> ScriptedServer:
    """A server that looks like ``engine`` and says ``deltas`` to whoever asks."""

    def answer(received: Received) -> Script:
        if received.method == "POST" and received.path.endswith(ENDS):
            is_chat = "messages" in received.json
            said = deltas if is_chat else ()
            plain = [{"choices": [{"index": 0, "text": d.get("content", "")}]} for d in deltas]
            stop = chunk(finish="stop") if is_chat else {"choices": [{"text": "", "finish_reason": "stop"}]}
            told = [{"choices": [], "usage": usage}] if usage else []
            chunks = [{**one, "model": None} for one in (*([chunk(**d) for d in said] or plain), stop)]
            return Script(body=[sse(*chunks, *told)])
        return ENGINES[engine].answer(received)

    return ScriptedServer(answer)


def sent(server: ScriptedServer) -> dict[str, Any]:
    """The body of the one request that asked for a reply, less what every request has."""
    (body,) = [r.json for r in server.posts if r.path.endswith(ENDS)]
    common = ("model", "messages", "prompt", "stream", "stream_options", "temperature", "max_tokens")
    return {name: value for name, value in body.items() if name not in common}


def model_option(server: ScriptedServer, engine: str) -> list[str]:
    """``--infer-model`` with the first id, since some imitations list several."""
    import httpx

    listed = httpx.get(f"{server.url}/v1/models", trust_env=False).json()
    entries = listed.get("data", []) if isinstance(listed, dict) else []
    return [f"--infer-model={entries[0]['id']}"] if entries else []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("endpoint", ["chat", "completion"])
def test_a_schema_is_sent_in_the_words_of_the_engine(evaluate: Evaluate, engine: str, endpoint: str) -> None:
    own: dict[tuple[str, str], dict[str, Any]] = {
        ("llamacpp", "completion"): {"json_schema": SCHEMA},  # ignores response_format there
        ("sglang", "completion"): {"json_schema": json.dumps(SCHEMA)},
        **{("tabbyapi", end): {"json_schema": SCHEMA} for end in ("chat", "completion")},
        **{
            ("tgi", end): {"response_format": {"type": "json", "value": SCHEMA}}
            for end in ("chat", "completion")
        },
        **{
            ("llama_cpp_python", end): {"response_format": {"type": "json_object", "schema": SCHEMA}}
            for end in ("chat", "completion")
        },
    }
    with talking(engine, {"content": '{"n": 1}'}) as server:
        outcome = evaluate(
            f"""
            import pytest

            @pytest.mark.infer_task(prompt="say", endpoint={endpoint!r}, schema={SCHEMA!r})
            def test_it(reply):
                assert reply.text == '{{"n": 1}}'
            """,
            *model_option(server, engine),
            url=server.url,
        )
    assert outcome.verdict[0] == "passed", outcome.result.stdout.str()
    assert sent(server) == own.get((engine, endpoint), OPENAI)
    (exchange,) = next(iter(outcome.records.values()))["exchanges"]
    assert exchange["flags"] == []
    assert {k: exchange["request"]["sampling"][k] for k in sent(server)} == sent(server), "recorded as sent"


def test_the_order_of_a_schemas_properties_is_kept(evaluate: Evaluate) -> None:
    with talking("vllm", {"content": '{"b": 1, "a": 1}'}) as server:
        evaluate(
            """
            def test_it(infer):
                infer.chat("say", schema={"type": "object", "properties": {"b": {}, "a": {}}})
            """,
            *model_option(server, "vllm"),
            url=server.url,
        )
    (body,) = [r.body.decode() for r in server.posts if r.path.endswith(ENDS)]
    assert body.index('"b"') < body.index('"a"')


@pytest.mark.parametrize(
    ("reply", "finish", "asked", "is_flagged"),
    [
        ('{"n": 1}', "stop", "schema", False),
        (' {"n": 1}\n', "stop", "schema", False),
        ('{"n": "one"}', "stop", "schema", True),
        ("{}", "stop", "schema", True),
        ("Sure! n is 1", "stop", "schema", True),
        ('```json\n{"n": 1}\n```', "stop", "schema", True),  # a grammar makes no fence
        ('{"n": 1} and so on', "stop", "schema", True),
        ('{"n": NaN}', "stop", "schema", True),
        ("<think>one</think>\n\n" + '{"n": 1}', "stop", "schema", False),
        ('{"n": 1', "length", "schema", False),  # cut: it may have been on its way
        ("Sure! n is", "length", "schema", True),
        ('{"n": "one"}', "stop", "response_format", True),  # the test wrote the field itself
        ('{"n": 1}', "stop", "response_format", False),
        ("[1]", "stop", "json_object", True),
        ('{"m": 1}', "stop", "json_object", False),
        ("Sure!", "stop", "nothing", False),
    ],
)
def test_a_reply_that_does_not_satisfy_the_schema_sent_is_flagged_and_not_judged(
    evaluate: Evaluate, reply: str, finish: str, asked: str, is_flagged: bool
) -> None:
    fields: dict[str, dict[str, Any]] = {
        "schema": {"schema": SCHEMA},
        "response_format": OPENAI,
        "json_object": {"response_format": {"type": "json_object"}},
        "nothing": {},
    }
    stream = sse(*({**one, "model": None} for one in (chunk(content=reply), chunk(finish=finish))))
    generic = ENGINES["generic"]
    with ScriptedServer(
        lambda r: Script(body=[stream]) if r.method == "POST" else generic.answer(r)
    ) as server:
        outcome = evaluate(
            f"""
            def test_it(infer):
                infer.chat("say", allow=["truncated"], **{fields[asked]!r})
            """,
            *model_option(server, "generic"),
            url=server.url,
        )
    assert outcome.verdict[0] == "passed"
    (exchange,) = next(iter(outcome.records.values()))["exchanges"]
    assert exchange["flags"] == (["constraint_ignored"] if is_flagged else [])
    assert ("constraint_ignored" in outcome.result.stdout.str()) == is_flagged, "the report shows it"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('schema={"type": "nonsense"}', "schema: the schema is not valid at $.type"),
        ('schema={"$schema": "urn:x"}', "$schema 'urn:x' is not a known draft"),
        ("schema=[1]", "schema=[1]; accepted: a JSON Schema as a dict"),
        ('schema={}, grammar="x"', "schema beside grammar"),
        ('schema={}, response_format={"type": "text"}', "schema beside response_format"),
        ("reasoning_budget=-1", "reasoning_budget=-1; accepted: an integer >= 0"),
        ("reasoning_budget=True", "reasoning_budget=True; accepted: an integer >= 0"),
        ('reasoning_budget=5, endpoint="completion"', 'only endpoint="chat" has it'),
    ],
)
def test_a_marker_that_cannot_be_meant_is_a_collection_error(
    evaluate: Evaluate, server: ScriptedServer, call: str, message: str
) -> None:
    outcome = evaluate(
        f"""
        import pytest

        @pytest.mark.infer_task(prompt="say", {call})
        def test_it(reply): ...
        """
    )
    assert message in outcome.result.stdout.str()
    assert server.posts == []


@pytest.mark.parametrize(
    ("engine", "budget", "fields"),
    [
        ("llamacpp", 64, {"reasoning_budget_tokens": 64, "thinking_budget_tokens": 64}),
        ("llamacpp", 0, {"reasoning_budget_tokens": 0, "thinking_budget_tokens": 0, **OFF}),
        ("vllm", 64, {"thinking_token_budget": 64}),
        ("vllm", 0, OFF),
        ("sglang", 0, OFF),
        ("ollama", 0, {"reasoning_effort": "none"}),
        ("mlx_lm", 0, OFF),
    ],
)
def test_a_budget_is_sent_in_the_words_of_the_engine(
    evaluate: Evaluate, engine: str, budget: int, fields: dict[str, Any]
) -> None:
    with talking(engine, {"content": "blue"}) as server:
        outcome = evaluate(
            f"""
            import pytest

            @pytest.mark.infer_task(prompt="say", reasoning_budget={budget})
            def test_it(reply): ...
            """,
            *model_option(server, engine),
            url=server.url,
        )
    assert outcome.verdict[0] == "passed", outcome.result.stdout.str()
    assert sent(server) == fields
    (exchange,) = next(iter(outcome.records.values()))["exchanges"]
    assert exchange["request"]["reasoning_budget"] == budget
    assert exchange["usage"] is None, "what was used is unknown, not zero"


@pytest.mark.parametrize(
    ("engine", "budget"),
    [
        *((engine, 64) for engine in ENGINES if engine not in ("llamacpp", "vllm")),
        *((engine, 0) for engine in ("lmstudio", "tgi", "tabbyapi", "localai", "generic")),
    ],
)
def test_a_budget_that_the_engine_cannot_be_asked_for_is_refused_and_nothing_is_sent(
    evaluate: Evaluate, engine: str, budget: int
) -> None:
    with talking(engine, {"content": "blue"}) as server:
        outcome = evaluate(
            f"""
            def test_it(infer):
                infer.chat("say", reasoning_budget={budget})
            """,
            *model_option(server, engine),
            url=server.url,
        )
    assert outcome.verdict == ("missing invalid_conditions", "missing", 1)
    assert f"reasoning_budget={budget}: no way is known" in outcome.result.stdout.str()
    assert not any(r.path.endswith(ENDS) for r in server.posts)


def test_a_marker_is_refused_as_a_chat_is(evaluate: Evaluate, server: ScriptedServer) -> None:
    outcome = evaluate(
        """
        import pytest

        @pytest.mark.infer_task(prompt="say", reasoning_budget=5)
        def test_it(reply): ...
        """
    )
    assert outcome.verdict == ("missing invalid_conditions", "missing", 1)
    assert server.posts == []


def test_a_field_that_the_test_wrote_itself_is_merged_or_refused(evaluate: Evaluate) -> None:
    with talking("vllm", {"content": "blue"}) as server:
        outcome = evaluate(
            """
            import pytest

            def test_merged(infer):
                infer.chat("say", reasoning_budget=0, chat_template_kwargs={"date": "today"})

            def test_refused(infer):
                infer.chat("say", reasoning_budget=0, chat_template_kwargs={"enable_thinking": True})
            """,
            *model_option(server, "vllm"),
            url=server.url,
        )
    assert sorted(
        r["missing"]["reason"] if r["missing"] else r["verdict"] for r in outcome.records.values()
    ) == ["evaluator_error", "passed"]
    assert sent(server)["chat_template_kwargs"] == {"date": "today", "enable_thinking": False}


THOUGHT = {"reasoning": "one two three"}


def told(completion: int, reasoning: int | None = None, *, is_flat: bool = False) -> dict[str, Any]:
    counts: dict[str, Any] = {"prompt_tokens": 3, "completion_tokens": completion}
    if reasoning is not None and is_flat:
        counts["reasoning_tokens"] = reasoning
    elif reasoning is not None:
        counts["completion_tokens_details"] = {"reasoning_tokens": reasoning}
    return counts


@pytest.mark.parametrize(
    ("deltas", "usage", "budget", "verdict", "flags", "used"),
    [
        pytest.param([THOUGHT], told(70, 64), 64, "missing truncated", [], 64, id="all used, nothing said"),
        pytest.param(
            [THOUGHT], told(70, 66), 64, "missing truncated", ["reasoning_over_budget"], 66, id="more"
        ),
        pytest.param(
            [THOUGHT], told(66), 64, "missing truncated", [], None, id="all of the reply is reasoning"
        ),
        pytest.param([THOUGHT], told(20, 18), 64, "missing empty_reply", [], 18, id="stopped by itself"),
        pytest.param([THOUGHT], None, 64, "missing empty_reply", [], None, id="nobody knows how much"),
        pytest.param([THOUGHT], told(70, 64), None, "missing empty_reply", [], 64, id="no budget was asked"),
        pytest.param(
            [THOUGHT, {"content": "4"}], told(70, 64), 64, "passed", [], 64, id="used up and answered"
        ),
        pytest.param(
            [THOUGHT, {"content": "4"}],
            told(99, 90),
            64,
            "passed",
            ["reasoning_over_budget"],
            90,
            id="ignored",
        ),
        pytest.param(
            [THOUGHT, {"content": "4"}],
            told(9),
            0,
            "passed",
            ["reasoning_over_budget"],
            None,
            id="asked not to",
        ),
        pytest.param([{"content": "4"}], told(2, 0), 0, "passed", [], 0, id="none asked, none used"),
        pytest.param(
            [THOUGHT, {"content": "4"}], told(9, 0, is_flat=True), 64, "passed", [], None, id="0 is no count"
        ),
        pytest.param([THOUGHT, {"content": "4"}], told(9, 5, is_flat=True), 64, "passed", [], 5, id="SGLang"),
        pytest.param(
            [{"content": "<think>one two</think>"}],
            told(70, 64),
            64,
            "missing truncated",
            [],
            64,
            id="inline",
        ),
        pytest.param(
            [THOUGHT, {"content": "</think>\n"}],
            told(70, 64),
            64,
            "missing truncated",
            [],
            64,
            id="stray tag",
        ),
    ],
)
def test_what_became_of_a_budget(
    evaluate: Evaluate,
    deltas: list[dict[str, Any]],
    usage: dict[str, Any] | None,
    budget: int | None,
    verdict: str,
    flags: list[str],
    used: int | None,
) -> None:
    with talking("vllm", *deltas, usage=usage) as server:
        outcome = evaluate(
            f"""
            import pytest

            @pytest.mark.infer_task(prompt="say", reasoning_budget={budget})
            def test_it(reply): ...
            """,
            *model_option(server, "vllm"),
            url=server.url,
        )
    (record,) = outcome.records.values()
    (exchange,) = record["exchanges"]
    assert outcome.verdict[0] == verdict
    assert exchange["flags"] == flags
    assert (exchange["usage"] or {}).get("reasoning_tokens") == used


def test_budgets_and_schemas_are_in_the_request_digest(evaluate: Evaluate) -> None:
    with talking("vllm", {"content": '{"n": 1}'}) as server:
        outcome = evaluate(
            f"""
            def test_it(infer):
                infer.chat("say")
                infer.chat("say", reasoning_budget=8)
                infer.chat("say", reasoning_budget=9)
                infer.chat("say", schema={SCHEMA!r})
            """,
            *model_option(server, "vllm"),
            url=server.url,
        )
    (record,) = outcome.records.values()
    assert len({exchange["request_digest"] for exchange in record["exchanges"]}) == 4
