"""A client reads out of the bytes what was put into them, wherever they were cut."""

from __future__ import annotations

from hypothesis import find, given
from hypothesis import strategies as st

from pytest_infergate.evidence import Reply, Usage
from pytest_infergate.serving.assembly import AssembledReply, ReplyAssembly
from pytest_infergate.strategies import replies, streams, wrapped


def assemble(reads: tuple[bytes, ...]) -> AssembledReply:
    assembly = ReplyAssembly()
    for at, read in enumerate(reads):
        assembly.feed(read, float(at))
    return assembly.finish(float(len(reads)))


@st.composite
def exchanges(draw: st.DrawFn) -> tuple[Reply, tuple[bytes, ...]]:
    reply = draw(replies())
    return reply, draw(streams(reply))


@given(exchanges())
def test_a_chat_reply_comes_back_as_it_went(exchange: tuple[Reply, tuple[bytes, ...]]) -> None:
    sent, reads = exchange
    came = assemble(reads)
    if came.reply is None:  # a server that says nothing and no end has sent no reply
        said = (sent.text, sent.reasoning, sent.refusal, sent.tool_calls, sent.finish_reason)
        assert not any(said)
        return
    for field in ("text", "reasoning", "finish_reason", "refusal", "tool_calls"):
        assert getattr(came.reply, field) == getattr(sent, field), field
    assert (came.error and came.error.reason) == (sent.missing and sent.missing.reason)
    assert came.is_done == (sent.finish_reason is not None)


@given(st.data())
def test_a_completion_comes_back_with_its_text_and_usage(data: st.DataObject) -> None:
    sent = data.draw(replies().filter(lambda reply: not reply.tool_calls and not reply.refusal))
    came = assemble(data.draw(streams(sent, is_chat=False)))
    if came.reply is not None:
        assert (came.reply.text, came.reply.finish_reason) == (sent.text, sent.finish_reason)
        assert (came.reply.usage or Usage()) == (sent.usage or Usage())


@given(st.data())
def test_what_was_written_as_reasoning_into_the_text_is_told_apart(data: st.DataObject) -> None:
    made = data.draw(wrapped("42", others=["17"]))
    came = assemble(data.draw(streams(Reply(text=made.text))))
    assert came.reply is not None
    assert came.reply.missing is None
    assert "42" in came.reply.text


def test_streams_are_cut_everywhere() -> None:
    sent = Reply(text="añb", finish_reason="stop")
    for wanted in (
        lambda reads: any(read.endswith(b"\xc3") for read in reads),  # inside a character
        lambda reads: any(read.endswith(b"\r") for read in reads[:-1]),  # inside CRLF
        lambda reads: b": keep-alive" in b"".join(reads),
        lambda reads: any(read.count(b"data:") > 1 for read in reads),
        lambda reads: all(len(read) == 1 for read in reads),
        lambda reads: len(reads) == 1,
    ):
        assert assemble(find(streams(sent), wanted)).reply == Reply(text="añb", served_model="model")
