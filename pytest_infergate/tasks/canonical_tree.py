"""One spelling for every syntax tree, the same on every supported Python."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

#: Positions are no fields. These say nothing that a tree's shape does not say, or copy its layout.
_SKIPPED = {"ctx", "kind", "type_comment", "type_ignores", "str"}


def dump_tree(node: ast.AST) -> str:
    """Return the tree as text: fields by name, constants by type and value, nothing of the layout.

    Empty fields are left out, since later Pythons add fields that earlier trees do not have.
    Neighbouring texts of an f-string are one, since Pythons cut them differently.
    """
    written: list[str] = []
    # Strings on the stack are written as they are; a stack, since a long sum is a deep tree.
    pending: list[Any] = [node]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            written.append(item)
        else:
            pending.extend(reversed([f"({type(item).__name__}", *_contents(item), ")"]))
    return " ".join(written)


def _contents(node: ast.AST) -> Iterator[Any]:
    if isinstance(node, ast.Constant):
        yield _constant(node.value)
        return
    for name in sorted(set(node._fields) - _SKIPPED):
        value = getattr(node, name, None)
        if isinstance(node, ast.JoinedStr):
            value = _joined(node)
        if value is None or value == []:
            continue
        yield f"{name}="
        if isinstance(value, list):
            yield "["
            yield from (item if isinstance(item, ast.AST) else _constant(item) for item in value)
            yield "]"
        else:
            yield value if isinstance(value, ast.AST) else _constant(value)


def _joined(node: ast.JoinedStr) -> list[ast.expr]:
    parts: list[ast.expr] = []
    for value in node.values:
        last = parts[-1] if parts else None
        if not isinstance(value, ast.Constant):
            parts.append(value)
        elif isinstance(last, ast.Constant):
            parts[-1] = ast.Constant(value=f"{last.value}{value.value}")  # type: ignore[str-bytes-safe]
        elif value.value:
            parts.append(value)
    return parts


def _constant(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bytes):
        return f"bytes:{value.hex()}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"int:{value:#x}"  # decimal has a limit of digits
    return f"{type(value).__name__}:{value!r}"
