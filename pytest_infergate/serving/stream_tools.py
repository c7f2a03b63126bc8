"""Tool calls put together from the pieces that servers send."""

from __future__ import annotations

import json
from typing import Any

from ..evidence import ToolCall
from .stream_text import join_pieces


class _Call:
    __slots__ = ("arguments", "id", "name")

    def __init__(self) -> None:
        self.id: str | None = None
        self.name = ""
        self.arguments: list[str] = []

    @property
    def is_whole(self) -> bool:
        """Whether the arguments so far are a JSON object, so that more would spoil them."""
        try:
            return isinstance(json.loads("".join(self.arguments)), dict)
        except (ValueError, RecursionError):
            return False


class ToolCallPieces:
    """Collect pieces; a piece belongs by its index, not by its place in the list.

    Servers leave the index out, give every parallel call index 0, repeat the name or the id on each
    piece, or send the name as "". So a piece opens a new call where its index is new, where it names
    another id together with a name, where it brings another name to a call whose arguments have begun,
    or a name and arguments to a call that is whole. A piece that repeats a whole call is no more of it.
    """

    __slots__ = ("_by_index", "_calls")

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def add(self, pieces: Any, *, are_whole: bool = False) -> bool:
        """Take the ``tool_calls`` of a delta or a message; return whether anything came.

        ``are_whole``: they are of a message, where each is a call.
        """
        came = False
        for place, piece in enumerate(pieces if isinstance(pieces, list) else ()):
            if isinstance(piece, dict):
                function = piece.get("function", piece)  # some servers leave the wrapping out
                fields = function if isinstance(function, dict) else {}
                came |= self._add(place if are_whole else piece.get("index"), piece.get("id"), fields)
        return came

    def add_function(self, function: Any) -> bool:
        """Take the ``function_call`` of old servers."""
        return isinstance(function, dict) and self._add(0, None, function)

    def finish(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(name=call.name, arguments=join_pieces(call.arguments), id=call.id)
            for call in self._calls
            if call.name or call.arguments
        )

    def _add(self, index: Any, id_: Any, function: dict[str, Any]) -> bool:
        name = function.get("name")
        name = name if isinstance(name, str) else ""
        id_ = id_ if isinstance(id_, str) and id_ else None
        arguments = _arguments(function.get("arguments"))
        call = self._find(index, id_, name, arguments)
        call.id = call.id or id_
        if name and name != call.name:
            call.name += name
        if arguments and not (name and call.is_whole and arguments == "".join(call.arguments)):
            call.arguments.append(arguments)
        return bool(name or arguments)

    def _find(self, index: Any, id_: str | None, name: str, arguments: str) -> _Call:
        if isinstance(index, str) and index.isdecimal():
            index = int(index)
        has_index = isinstance(index, int) and not isinstance(index, bool)
        call = self._by_index.get(index) if has_index else None
        if not has_index:
            call = next((c for c in self._calls if id_ and c.id == id_), None)
            if call is None and self._calls and not (id_ and name):
                call = self._calls[-1]
        if call is None or _is_another(call, id_, name, arguments):
            call = _Call()
            self._calls.append(call)
        if has_index:
            self._by_index[index] = call
        return call


def _is_another(call: _Call, id_: str | None, name: str, arguments: str) -> bool:
    if not name or not call.name or (id_ and id_ == call.id):
        return False
    if id_ and call.id:
        return True
    if call.arguments and name != call.name:
        return True  # a name comes in pieces before the arguments only
    return bool(arguments and call.arguments and call.is_whole)


def _arguments(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value)  # some servers send the object itself
