"""Servers that draw: one picture counts, whole, and everything else has a reason."""

from __future__ import annotations

import base64
import fnmatch
from typing import Any

import pytest

from pytest_infergate.evidence import Exchange, Reason
from pytest_infergate.serving import Client, PictureRequest, RequestError
from tests.scripted import Script, ScriptedServer, json_script

PNG = b"\x89PNG\r\n\x1a\n and what follows it"
B64 = base64.b64encode(PNG).decode()
BARE = base64.b64encode(PNG + b"!").decode().rstrip("=")


def draw(prompt: str = "a disc", **options: Any) -> PictureRequest:
    return PictureRequest(prompt=prompt, options={"n": 1, "response_format": "b64_json", **options})


def data(*items: Any, **fields: Any) -> Script:
    return json_script({"created": 1, "data": list(items), **fields})


def ask(request: PictureRequest, script: Any, **options: Any) -> tuple[Exchange, ScriptedServer]:
    with ScriptedServer(script) as server:
        client = Client(server.url, "brush", **{"timeout": 20, "retries": 0, **options})
        exchange = client.exchange(request)
        client.close()
    return exchange, server


def test_a_prompt_goes_as_json_and_its_picture_comes_back() -> None:
    exchange, server = ask(
        draw("ein größerer Kreis", size="64x48", seed=7),
        data({"b64_json": B64, "revised_prompt": "A larger disc"}, model="brush"),
    )
    (received,) = server.requests
    assert (received.method, received.path) == ("POST", "/v1/images/generations")
    assert received.json == {
        "model": "brush",
        "prompt": "ein größerer Kreis",
        "n": 1,
        "response_format": "b64_json",
        "size": "64x48",
        "seed": 7,
    }
    reply = exchange.reply
    assert reply is not None
    assert reply.artifact is not None
    assert (reply.content, reply.artifact.size, reply.artifact.media_type) == (PNG, len(PNG), "image/png")
    assert (reply.text, reply.revised_prompt, exchange.error) == ("", "A larger disc", None)
    assert (exchange.endpoint, exchange.flags, exchange.timing.first_token) == ("picture", (), None)
    assert Exchange.from_json(exchange.as_json()).as_json() == exchange.as_json()


@pytest.mark.parametrize(
    ("told", "counts"),
    [
        ({"input_tokens": 9, "output_tokens": 272, "total_tokens": 281}, (9, 272)),
        ({"output_tokens": 272}, (None, 272)),
        ({"input_tokens": -1, "output_tokens": True}, None),
        ({"input_tokens": None}, None),
        ({}, None),
        ("many", None),
        (None, None),
    ],
)
def test_tokens_are_those_that_the_server_counts(told: Any, counts: tuple[int | None, int] | None) -> None:
    exchange, _ = ask(draw(), data({"b64_json": B64}, usage=told))
    assert exchange.reply is not None
    usage = exchange.reply.usage
    assert (usage and (usage.prompt_tokens, usage.completion_tokens)) == counts


def test_the_digest_is_of_the_prompt_and_the_options() -> None:
    assert draw("a").digest == draw("a").digest
    assert (
        len({draw("a").digest, draw("b").digest, draw("a", seed=1).digest, draw("a", size="8x8").digest}) == 4
    )


#: What an entry of ``data`` holds, and the bytes that it stands for.
READ = [
    ("bare", {"b64_json": B64}, PNG),
    ("padding left off", {"b64_json": BARE}, PNG + b"!"),
    ("broken into lines", {"b64_json": f"{B64[:20]}\n{B64[20:]}\r\n"}, PNG),
    ("a data URL", {"b64_json": f"data:image/png;base64,{B64}"}, PNG),
    ("a data URL where an address stands", {"url": f"data:image/png;base64,{B64}"}, PNG),
    ("beside an address", {"b64_json": B64, "url": "http://127.0.0.1:9/a.png"}, PNG),
    ("no picture, which whoever opens it will say", {"b64_json": "aGVsbG8="}, b"hello"),
]


@pytest.mark.parametrize(("item", "content"), [case[1:] for case in READ], ids=[case[0] for case in READ])
def test_the_bytes_are_those_that_the_server_sent(item: dict[str, Any], content: bytes) -> None:
    exchange, _ = ask(draw(), data(item, error=None, message="done"))
    assert exchange.error is None
    assert exchange.reply is not None
    assert exchange.reply.content == content


ERROR = {"error": {"message": "Your request was rejected", "code": "moderation_blocked"}}
AZURE = {"error": {"code": "400", "message": "x", "inner_error": {"code": "ResponsibleAIPolicyViolation"}}}
HTML = Script(content_type="text/html", body=[b"<!doctype html><html>Sign in</html>"])
LISTED = b'{"data": [{"b64_json": "aGVs'
TROUBLE = [
    # what comes, its reason, what its detail says
    ("no pictures", data(), "empty_reply", "its data are empty"),
    (
        "two pictures",
        data({"b64_json": B64}, {"b64_json": B64}),
        "server_error",
        "2 pictures in *one was asked",
    ),
    (
        "an address",
        data({"url": "https://hush@x.test/a.png?sig=hush"}),
        "server_error",
        "'x.test/a.png'*never",
    ),
    ("no field", data({"revised_prompt": "x"}), "empty_reply", "revised_prompt='x'"),
    ("an empty entry", data({}), "empty_reply", "its entry is empty"),
    ("null", data({"b64_json": None}), "empty_reply", "b64_json=None"),
    ("empty base64", data({"b64_json": ""}), "empty_reply", "b64_json=''"),
    ("white space", data({"b64_json": " \n"}), "empty_reply", "zero bytes"),
    ("an empty data URL", data({"url": "data:image/png;base64,"}), "empty_reply", "zero bytes"),
    ("no base64", data({"b64_json": "not base64!"}), "server_error", "is not base64"),
    ("letters beyond ASCII", data({"b64_json": "größe"}), "server_error", "is not base64"),
    ("too much padding", data({"b64_json": "aGVsbG8=="}), "server_error", "is not base64"),
    ("one letter too many", data({"b64_json": "aGVsb"}), "server_error", "is not base64"),
    ("a number", data({"b64_json": 7}), "server_error", "b64_json is 7"),
    ("an entry that is none", data("aGVsbG8="), "server_error", "an entry of data is"),
    ("data that are none", json_script({"data": "aGVs"}), "server_error", "no picture in"),
    ("null for data", json_script({"data": None}), "server_error", "no picture in"),
    ("a list", json_script([{"b64_json": B64}]), "server_error", "no picture in"),
    ("a chat", json_script({"choices": []}), "server_error", "choices"),
    (
        "an error with 200",
        json_script({"error": {"message": "out of memory"}}),
        "server_error",
        "out of memory",
    ),
    ("an error beside data", data({"b64_json": B64}, error="cut short"), "server_error", "cut short"),
    ("a refusal with 200", json_script(ERROR), "refused", "rejected"),
    ("a refusal beside no data", data(**ERROR), "refused", "rejected"),
    ("a refusal in an entry", data(ERROR), "refused", "rejected"),
    (
        "a filtered picture",
        data({"b64_json": B64, "finish_reason": "CONTENT_FILTERED"}),
        "refused",
        "FILTERED",
    ),
    ("a refused prompt", json_script(ERROR, status=400), "refused", "HTTP 400"),
    ("refused by Azure", json_script(AZURE, status=400), "refused", "HTTP 400"),
    (
        "refused by policy",
        json_script({"error": {"code": "content_policy_violation"}}, status=400),
        "refused",
        "",
    ),
    (
        "a wrong size",
        json_script({"error": {"message": "size?"}}, status=400),
        "server_error",
        "HTTP 400*size",
    ),
    ("no route", json_script({"detail": "Not Found"}, status=404), "server_error", "HTTP 404"),
    ("too many", json_script({"error": "busy"}, status=429), "rate_limited", "HTTP 429"),
    ("a fault", json_script({"error": "CUDA"}, status=500), "server_error", "HTTP 500*CUDA"),
    ("a page", HTML, "server_error", "text/html*Sign in"),
    ("the picture itself", Script(content_type="image/png", body=[PNG]), "server_error", "image/png"),
    ("nothing", Script(content_type="application/json", body=[]), "server_error", "no picture in"),
    (
        "a short body",
        Script(body=[LISTED], framing="length", length=99, ending="close"),
        "broken_stream",
        "28 bytes",
    ),
    ("an open chunk", Script(body=[LISTED], ending="close"), "broken_stream", "after 28 bytes"),
    ("a reset", Script(body=[LISTED, 0.05], ending="reset"), "broken_stream", "after 28 bytes"),
    (
        "cut and well sent",
        Script(content_type="application/json", body=[LISTED]),
        "server_error",
        "no picture",
    ),
]


@pytest.mark.parametrize(
    ("script", "reason", "said"), [case[1:] for case in TROUBLE], ids=[case[0] for case in TROUBLE]
)
def test_what_is_no_picture_has_a_reason(script: Script, reason: str, said: str) -> None:
    exchange, server = ask(draw(), script)
    assert exchange.error is not None
    assert exchange.error.reason is Reason(reason)
    assert fnmatch.fnmatchcase(exchange.error.detail, f"*{said}*")
    assert "hush" not in exchange.error.detail
    assert exchange.reply is None
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(Script(head=[], ending="hang"), id="never answers"),
        pytest.param(Script(body=[LISTED], framing="length", length=99, ending="hang"), id="stalls"),
        pytest.param(Script(body=[b" ", 0.02] * 500), id="drips"),
    ],
)
def test_a_deadline_ends_it(script: Script) -> None:
    exchange, _ = ask(draw(), script, timeout=0.5)
    assert exchange.error is not None
    assert exchange.error.reason is Reason.TIMEOUT
    assert exchange.reply is None


def test_a_server_that_is_busy_is_asked_again() -> None:
    busy = json_script({"error": "busy"}, status=503, headers={"retry-after": "0.01"})
    exchange, _ = ask(draw(), [busy, data({"b64_json": B64})], retries=2)
    assert (exchange.error, exchange.attempts, exchange.flags) == (None, 2, ())


def refusing(field: str, status: int = 400) -> Script:
    error = {
        "message": f"Unknown parameter: '{field}'.",
        "type": "invalid_request_error",
        "param": field,
        "code": "unknown_parameter",
    }
    return json_script({"error": error}, status=status)


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_refuses_the_form_is_asked_without_it_and_the_record_says_so(status: int) -> None:
    exchange, server = ask(draw(size="8x8"), [refusing("response_format", status), data({"b64_json": B64})])
    assert [list(one.json) for one in server.requests] == [
        ["model", "prompt", "n", "response_format", "size"],
        ["model", "prompt", "n", "size"],
    ]
    assert (exchange.error, exchange.attempts, exchange.status) == (None, 2, 200)
    assert exchange.flags == ("field_left_out:response_format",)
    # Two servers of which one refuses it were asked the same.
    assert exchange.request_digest == draw(size="8x8").digest


def test_a_server_that_refused_the_form_once_is_not_asked_in_it_again() -> None:
    with ScriptedServer([refusing("response_format"), data({"b64_json": B64})]) as server:
        client = Client(server.url, "brush", timeout=20, retries=0)
        first, second = client.exchange(draw("a")), client.exchange(draw("b"))
        client.close()
    assert (first.attempts, second.attempts, len(server.requests)) == (2, 1, 3)
    assert first.flags == second.flags == ("field_left_out:response_format",)


NOT_AGAIN = [
    # the answers in turn, how often it is asked, the reason, the flags
    ("another field", [refusing("size")], 1, "server_error", ()),
    ("another status", [refusing("response_format", 403)], 1, "server_error", ()),
    (
        "again and again",
        [refusing("response_format")],
        2,
        "server_error",
        ("field_left_out:response_format",),
    ),
    (
        "then an address",
        [refusing("response_format"), data({"url": "http://x.test/a.png"})],
        2,
        "server_error",
        ("field_left_out:response_format",),
    ),
]


@pytest.mark.parametrize(
    ("scripts", "times", "reason", "flags"),
    [case[1:] for case in NOT_AGAIN],
    ids=[case[0] for case in NOT_AGAIN],
)
def test_a_form_is_left_out_once_and_for_nothing_else(
    scripts: list[Script], times: int, reason: str, flags: tuple[str, ...]
) -> None:
    exchange, server = ask(draw(), scripts)
    assert exchange.error is not None
    assert (len(server.requests), exchange.error.reason.value, exchange.flags) == (times, reason, flags)


def test_leaving_the_form_out_takes_no_retry_away() -> None:
    busy = json_script({"error": "busy"}, status=503, headers={"retry-after": "0.01"})
    exchange, _ = ask(draw(), [refusing("response_format"), busy, data({"b64_json": B64})], retries=1)
    assert (exchange.error, exchange.attempts) == (None, 3)


def test_a_form_that_was_not_sent_cannot_be_left_out() -> None:
    exchange, server = ask(PictureRequest(prompt="a"), refusing("response_format"))
    assert (len(server.requests), exchange.flags) == (1, ())
    assert "response_format" not in server.requests[0].json


JPEG = base64.b64encode(b"\xff\xd8\xff\xe0 and so on").decode()
WEBP = base64.b64encode(b"RIFF\x10\x00\x00\x00WEBPVP8 ").decode()
FORMATS = [
    # what was asked for, what came, the flags
    ("png", B64, ()),
    ("PNG", B64, ()),
    ("jpg", JPEG, ()),
    ("image/webp", WEBP, ()),
    ("webp", B64, ("output_format:image/png",)),
    ("png", JPEG, ("output_format:image/jpeg",)),
    ("png", "aGVsbG8=", ()),  # nobody can say here what that is
]


@pytest.mark.parametrize(("asked", "came", "flags"), FORMATS)
def test_another_format_than_was_asked_for_is_told(asked: str, came: str, flags: tuple[str, ...]) -> None:
    exchange, server = ask(draw(output_format=asked), data({"b64_json": came}))
    assert server.requests[0].json["output_format"] == asked
    assert (exchange.error, exchange.flags) == (None, flags)


def test_another_model_that_drew_is_told() -> None:
    exchange, _ = ask(draw(), data({"b64_json": B64}, model="other"))
    assert exchange.flags == ("served_model:other",)


@pytest.mark.parametrize(
    ("make", "line"),
    [
        (lambda: draw(model="x"), "the option 'model' of a picture is set by the request itself"),
        (lambda: draw(stream=True), "the option 'stream' of a picture is set by the request itself"),
        (lambda: draw(guidance=float("inf")), "the request is not JSON: *"),
        (lambda: draw(style={1, 2}), "the request is not JSON: *"),
    ],
)
def test_options_that_cannot_be_sent_are_one_line(make: Any, line: str) -> None:
    with pytest.raises(RequestError) as raised:
        make()
    assert fnmatch.fnmatchcase(str(raised.value), line)
