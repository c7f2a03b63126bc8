"""Tool calls of a reply as the next request carries them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..evidence import ToolCall


def history_calls(
    calls: Sequence[ToolCall], before: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], bool]:
    """Return the calls in OpenAI's form, and whether any had to be mended.

    ``before`` are the messages so far. An id that is absent, or taken in the conversation, becomes the first
    free of ``call_0``, ``call_1`` …: a result finds its call by the id alone. Arguments that are no JSON
    object become ``{}``: servers read the history's arguments and refuse the request otherwise.
    """
    taken = {
        call.get("id")
        for message in before
        for call in (message.get("tool_calls") or ())
        if isinstance(call, Mapping)
    }
    said, is_mended, number = [], False, 0
    own = {call.id for call in calls}
    for call in calls:
        id_, arguments = call.id, call.arguments or "{}"
        if not id_ or id_ in taken:
            while (id_ := f"call_{number}") in taken or id_ in own:
                number += 1
            is_mended = True
        if call.parsed is None:
            arguments, is_mended = "{}", True
        taken.add(id_)
        said.append({"id": id_, "type": "function", "function": {"name": call.name, "arguments": arguments}})
    return said, is_mended
