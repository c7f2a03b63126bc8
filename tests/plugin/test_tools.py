"""Tools in whole sessions: sent, called, run, leaked; judged by the state that they are in at the end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from tests.scripted import Received, Script, ScriptedServer, chunk, json_script, sse

from .conftest import Evaluate

SHOP = """
import pytest

class Shop:
    def __init__(self):
        self.basket = {}

    def add(self, item: str, count: int = 1) -> str:
        "Put something into the basket."
        if item == "gold":
            raise LookupError("there is no gold")
        self.basket[item] = self.basket.get(item, 0) + count
        return f"{count} {item} added"

    def look(self) -> dict[str, int]:
        "Look into the basket."
        return self.basket

@pytest.fixture
def shop():
    return Shop()
"""


def call(name: str, arguments: Any = None, id_: str | None = "a", index: int = 0) -> dict[str, Any]:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    return {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": written}}


def calls(*made: dict[str, Any], text: str | None = None) -> bytes:
    numbered = [{**one, "index": number} for number, one in enumerate(made)]
    return sse(chunk(text, tool_calls=numbered), chunk(finish="tool_calls"))


def says(text: str) -> bytes:
    return sse(chunk(text), chunk(finish="stop"))


def talking(turns: Sequence[bytes]) -> ScriptedServer:
    """A server that says one turn after the other, by how many of its own the conversation holds."""

    def answer(received: Received) -> Script:
        if received.method == "GET":
            return json_script({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        said = sum(message["role"] == "assistant" for message in received.json["messages"])
        return Script(body=[turns[min(said, len(turns) - 1)]])

    return ScriptedServer(answer)


def messages(server: ScriptedServer) -> list[dict[str, Any]]:
    """The conversation as the last request held it."""
    found: list[dict[str, Any]] = server.posts[-1].json["messages"]
    return found


def run_shop(
    evaluate: Evaluate, turns: Sequence[bytes], asserts: str, *, options: str = ""
) -> tuple[tuple[str, str, int], dict[str, Any], ScriptedServer, str]:
    with talking(turns) as server:
        outcome = evaluate(
            f"""{SHOP}
def test_it(infer, shop):
    run = infer.run_tools("Buy two loaves.", tools=[shop.add, shop.look]{options})
    assert {asserts}
""",
            url=server.url,
        )
    (record,) = outcome.records.values()
    return outcome.verdict, record, server, outcome.result.stdout.str()


def test_a_call_is_run_and_its_result_goes_back(evaluate: Evaluate) -> None:
    turns = [calls(call("add", {"item": "loaf", "count": 2})), calls(call("look", id_="b")), says("Done.")]
    verdict, record, server, _ = run_shop(
        evaluate, turns, "shop.basket == {'loaf': 2} and run.text == 'Done.' and run.calls == ('add', 'look')"
    )
    assert verdict == ("passed", "passed", 0)
    assert messages(server) == [
        {"role": "user", "content": "Buy two loaves."},
        {"role": "assistant", "content": "", "tool_calls": [_sent("a", "add", {"item": "loaf", "count": 2})]},
        {"role": "tool", "tool_call_id": "a", "name": "add", "content": "2 loaf added"},
        {"role": "assistant", "content": "", "tool_calls": [_sent("b", "look", {})]},
        {"role": "tool", "tool_call_id": "b", "name": "look", "content": '{"loaf": 2}'},
    ]
    (add, look) = server.posts[0].json["tools"]
    assert add["function"]["parameters"]["required"] == ["item"]
    assert look["function"]["description"] == "Look into the basket."
    assert [exchange["flags"] for exchange in record["exchanges"]] == [[], [], []]
    assert len({exchange["request_digest"] for exchange in record["exchanges"]}) == 3


def _sent(id_: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def test_the_state_decides_and_not_what_the_model_says(evaluate: Evaluate) -> None:
    verdict, _, _, _ = run_shop(
        evaluate, [says("Two loaves are in the basket!")], "shop.basket == {'loaf': 2}"
    )
    assert verdict == ("failed", "failed", 1)


@pytest.mark.parametrize(
    ("wrong", "told", "fault"),
    [
        (call("sell", {}), "error: there is no tool 'sell'; there are add, look", "unknown_tool"),
        (call("add", {}), "error: at $: 'item' is a required property", "invalid_arguments"),
        (
            call("add", {"item": "loaf", "count": "two"}),
            "error: at $.count: 'two' is not of type 'integer'",
            "invalid_arguments",
        ),
        (
            call("add", '{"item": '),
            'error: the arguments are not a JSON object: {"item": ',
            "invalid_arguments",
        ),
        (call("add", {"item": "gold"}), "error: LookupError: there is no gold", "raised"),
    ],
)
def test_what_goes_wrong_with_a_call_goes_back_to_the_model_and_is_recorded(
    evaluate: Evaluate, wrong: dict[str, Any], told: str, fault: str
) -> None:
    turns = [calls(wrong), calls(call("add", {"item": "loaf"}, id_="b")), says("Done.")]
    verdict, record, server, _ = run_shop(
        evaluate, turns, f"shop.basket == {{'loaf': 1}} and [f.value for f in run.faults] == [{fault!r}]"
    )
    assert verdict[0] == "passed", record
    assert messages(server)[2]["content"] == told
    said = messages(server)[1]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(said), dict), "a history with other arguments is refused by servers"


def test_a_model_that_never_ends_gave_no_answer(evaluate: Evaluate) -> None:
    verdict, record, server, _ = run_shop(evaluate, [calls(call("look"))], "True", options=", max_steps=3")
    assert verdict == ("missing no_answer", "missing", 1)
    assert record["missing"]["detail"] == "no end after 3 steps; the last calls: look, look, look"
    assert len(server.posts) == 3


def test_a_test_that_catches_the_endless_loop_does_not_pass(evaluate: Evaluate) -> None:
    suite = f"""{SHOP}
def test_it(infer, shop):
    try:
        infer.run_tools("Go.", tools=[shop.look], max_steps=2)
    except Exception:
        pass
"""
    with talking([calls(call("look"))]) as server:
        assert evaluate(suite, url=server.url).verdict == ("missing no_answer", "missing", 1)


def test_parallel_calls_run_in_order_and_each_has_its_result(evaluate: Evaluate) -> None:
    made = calls(call("add", {"item": "loaf"}, "a"), call("look", {}, "b"), call("add", {"item": "egg"}, "c"))
    verdict, _, server, _ = run_shop(evaluate, [made, says("Done.")], "shop.basket == {'loaf': 1, 'egg': 1}")
    assert verdict[0] == "passed"
    results = [(m["tool_call_id"], m["content"]) for m in messages(server) if m["role"] == "tool"]
    assert results == [("a", "1 loaf added"), ("b", '{"loaf": 1}'), ("c", "1 egg added")]


@pytest.mark.parametrize(
    ("ids", "mended", "is_flagged"),
    [
        (["a", "b"], ["a", "b"], False),
        ([None, None], ["call_0", "call_1"], True),
        (["", "b"], ["call_0", "b"], True),
        (["a", "a"], ["a", "call_0"], True),
        ([None, "call_0"], ["call_1", "call_0"], True),
    ],
)
def test_ids_that_are_absent_or_repeated_are_mended_for_the_history(
    evaluate: Evaluate, ids: list[str | None], mended: list[str], is_flagged: bool
) -> None:
    made = calls(*(call("add", {"item": f"loaf{number}"}, id_) for number, id_ in enumerate(ids)))
    verdict, record, server, _ = run_shop(
        evaluate, [made, says("Done.")], "shop.basket == {'loaf0': 1, 'loaf1': 1}"
    )
    assert verdict[0] == "passed"
    assert [m["tool_call_id"] for m in messages(server) if m["role"] == "tool"] == mended
    assert [one["id"] for one in messages(server)[1]["tool_calls"]] == mended
    first, last = record["exchanges"]
    assert (first["flags"], last["flags"]) == (["tool_calls_repaired"] if is_flagged else [], [])
    assert [one["id"] for one in first["reply"]["tool_calls"]] == [id_ or None for id_ in ids], (
        "kept as they came"
    )


def test_an_id_that_an_earlier_turn_used_is_mended_too(evaluate: Evaluate) -> None:
    turns = [calls(call("look", id_="x")), calls(call("look", id_="x")), says("Done.")]
    _, record, server, _ = run_shop(evaluate, turns, "run.calls == ('look', 'look')")
    assert [m["tool_call_id"] for m in messages(server) if m["role"] == "tool"] == ["x", "call_0"]
    assert [exchange["flags"] for exchange in record["exchanges"]] == [[], ["tool_calls_repaired"], []]


def test_a_call_that_is_streamed_in_pieces_is_one_call(evaluate: Evaluate) -> None:
    pieces = [
        chunk(tool_calls=[{"index": 0, "id": "a", "function": {"name": "add", "arguments": ""}}]),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": '{"item": "lo'}}]),
        chunk(tool_calls=[{"index": 0, "function": {"arguments": 'af"}'}}]),
        chunk(finish="tool_calls"),
    ]
    verdict, _, _, _ = run_shop(evaluate, [sse(*pieces), says("Done.")], "shop.basket == {'loaf': 1}")
    assert verdict[0] == "passed"


@pytest.mark.parametrize(
    "leaked",
    [
        '<tool_call>\n{"name": "add", "arguments": {"item": "loaf"}}\n</tool_call>',
        '[TOOL_CALLS]add{"item": "loaf"}',
        "<function=add>\n<parameter=item>\nloaf\n</parameter>\n</function>",
        '<|python_tag|>{"name": "add", "parameters": {"item": "loaf"}}',
        '{"name": "add", "arguments": {"item": "loaf"}}',
    ],
)
def test_a_call_that_leaked_into_the_text_is_flagged_and_not_run(evaluate: Evaluate, leaked: str) -> None:
    verdict, record, server, shown = run_shop(
        evaluate, [says(leaked)], "run.calls == () and run.leaks[0].name == 'add' and shop.basket == {}"
    )
    assert verdict[0] == "passed", shown
    assert [exchange["flags"] for exchange in record["exchanges"]] == [["tool_calls_leaked"]]
    assert len(server.posts) == 1
    assert "tool_calls_leaked" in shown, "the report shows it"


def test_a_text_with_calls_is_flagged_only_where_tools_were_offered(evaluate: Evaluate) -> None:
    leaked = '<tool_call>{"name": "add", "arguments": {}}</tool_call>'
    with talking([says(leaked)]) as server:
        outcome = evaluate(
            """
            def test_it(infer):
                infer.chat("Write a call.")
            """,
            url=server.url,
        )
    (record,) = outcome.records.values()
    assert record["exchanges"][0]["flags"] == []


NAMED = {"type": "function", "function": {"name": "get_time"}}


@pytest.mark.parametrize(
    ("choice", "turn", "is_ignored"),
    [
        ("required", says("It is noon."), True),
        ("required", calls(call("get_time")), False),
        (NAMED, calls(call("get_time")), False),
        (NAMED, calls(call("get_date")), True),
        (NAMED, says("It is noon."), True),
        ("none", says("It is noon."), False),
        ("none", calls(call("get_time")), True),
        ("auto", says("It is noon."), False),
        ("auto", calls(call("get_time")), False),
    ],
)
def test_a_choice_of_tools_that_the_server_ignored_is_flagged(
    evaluate: Evaluate, choice: Any, turn: bytes, is_ignored: bool
) -> None:
    with talking([turn]) as server:
        outcome = evaluate(
            f"""
            def test_it(infer):
                infer.chat("What time is it?", tools=[{{"name": "get_time"}}], tool_choice={choice!r})
            """,
            url=server.url,
        )
    (record,) = outcome.records.values()
    assert record["exchanges"][0]["flags"] == (["constraint_ignored"] if is_ignored else [])
    assert record["verdict"] == "passed"


def test_an_exchange_that_did_not_deliver_ends_the_loop(evaluate: Evaluate) -> None:
    cut = sse(chunk(tool_calls=[call("add", '{"item": "lo')]), chunk(finish="length"))
    verdict, record, _, _ = run_shop(evaluate, [cut], "True")
    assert verdict[0] == "missing truncated"
    assert len(record["exchanges"]) == 1


def test_functions_are_tools_of_a_marker_and_of_a_chat(evaluate: Evaluate) -> None:
    with talking([calls(call("get_time", {"zone": "UTC"}))]) as server:
        outcome = evaluate(
            """
            import pytest
            from pytest_infergate import tools

            def get_time(zone: str) -> str:
                "Tell the time."

            @pytest.mark.infer_task(prompt="What time is it?", tools=[get_time])
            def test_marker(reply):
                due = {"name": "get_time", "arguments": {"zone": "UTC"}}
                tools.check_calls(reply, [due], tools=[get_time])

            def test_chat(infer):
                reply = infer.chat("What time is it?", tools=[tools.tool(get_time)])
                tools.check_calls(reply, ["get_time"])

            def test_wrong(infer):
                reply = infer.chat("What time is it?", tools=[get_time])
                tools.check_calls(reply, [])
            """,
            url=server.url,
        )
    found = {key.partition(".test_")[2].partition("/")[0]: r["verdict"] for key, r in outcome.records.items()}
    assert found == {"marker": "passed", "chat": "passed", "wrong": "failed"}
    assert "no call is due, made: get_time" in outcome.result.stdout.str()
    sent = [post.json["tools"] for post in server.posts]
    assert sent[0] == sent[1] == sent[2]
    assert sent[0][0]["function"]["name"] == "get_time"


def test_a_marker_with_what_cannot_be_a_tool_is_a_collection_error(evaluate: Evaluate) -> None:
    outcome = evaluate(
        """
        import pytest

        def get_time(zone): ...

        @pytest.mark.infer_task(prompt="What time is it?", tools=[get_time])
        def test_it(reply): ...
        """
    )
    assert "tool 'get_time', parameter 'zone' has no type" in outcome.result.stdout.str()
    assert int(outcome.result.ret) != 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('tools=[{"name": "f"}]', "tool 'f' is described and cannot run"),
        ("tools=[shop.look], max_steps=0", "max_steps=0; accepted: an integer >= 1"),
        ("tools=[shop.look, shop.look]", "two tools are named 'look'"),
        ("tools='look'", "accepted: a list of functions"),
    ],
)
def test_a_loop_that_cannot_run_is_an_error_of_the_evaluation(
    evaluate: Evaluate, arguments: str, message: str
) -> None:
    with talking([says("x")]) as server:
        outcome = evaluate(
            f"""{SHOP}
def test_it(infer, shop):
    infer.run_tools("Go.", {arguments})
""",
            url=server.url,
        )
    assert outcome.verdict[0] == "missing evaluator_error"
    assert message in outcome.result.stdout.str()
    assert server.posts == []
