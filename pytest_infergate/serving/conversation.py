"""The conversation up to and including a reply, as the next request carries it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..evidence import Reply
from .tool_ids import history_calls


def conversation_of(
    messages: Sequence[Mapping[str, Any]], reply: Reply
) -> tuple[tuple[Mapping[str, Any], ...], bool]:
    """Return the conversation with the reply at its end, and whether its tool calls had to be mended.

    ``messages`` are those of the request; a completion has none, and no conversation.
    """
    if not messages:
        return (), False
    said: dict[str, Any] = {"role": "assistant", "content": reply.text}
    is_mended = False
    if reply.tool_calls:
        said["tool_calls"], is_mended = history_calls(reply.tool_calls, messages)
    return (*messages, said), is_mended
