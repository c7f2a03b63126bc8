"""Taking the gate arguments out of markers: they say what is enough, not what is measured."""

from __future__ import annotations

import ast

from .declaration import GATE_ARGUMENTS
from .wer_declaration import WER_GATE_ARGUMENTS

#: Marker → the arguments that its gates take.
_OF_GATES = {"infer_task": GATE_ARGUMENTS, "infer_wer": WER_GATE_ARGUMENTS}


def remove_gate_arguments(tree: ast.Module) -> None:
    """Remove the limits of gates, such as ``min_pass_rate``, from every use of the markers, in place.

    Wherever one is spelled: a decorator, ``pytestmark``, ``pytest.param(marks=…)``, a marker under
    another name or refined, arguments handed over with ``**``. ``infer_task()`` becomes ``infer_task``.
    """
    for marker, arguments in _OF_GATES.items():
        _remove(tree, marker, arguments)


def _remove(tree: ast.Module, marker: str, arguments: tuple[str, ...]) -> None:
    aliases = _aliases(tree, marker)
    splatted: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_marker(node, marker, aliases):
            node.keywords = [keyword for keyword in node.keywords if keyword.arg not in arguments]
            splatted.extend(keyword.value for keyword in node.keywords if keyword.arg is None)
    _remove_from_mappings(splatted, tree, arguments)
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value[:] = [_without_empty_call(item, marker, aliases) for item in value]
            else:
                setattr(node, name, _without_empty_call(value, marker, aliases))


def _is_marker(node: ast.expr, marker: str, aliases: set[str]) -> bool:
    while True:
        if isinstance(node, ast.Call):
            is_partial = isinstance(node.func, (ast.Name, ast.Attribute)) and "partial" in (
                getattr(node.func, "id", None),
                getattr(node.func, "attr", None),
            )
            node = node.args[0] if is_partial and node.args else node.func
        elif isinstance(node, ast.Attribute):
            if node.attr == marker:
                return True
            node = node.value
        else:
            return isinstance(node, ast.Name) and (node.id == marker or node.id in aliases)


def _aliases(tree: ast.Module, marker: str) -> set[str]:
    """Return the names that are assigned the marker, refined or not."""
    assigned = [
        node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value
    ]
    aliases: set[str] = set()
    while True:
        found = {
            target.id
            for node in assigned
            if node.value is not None and _is_marker(node.value, marker, aliases)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
        }
        if found <= aliases:
            return aliases
        aliases |= found


def _remove_from_mappings(pending: list[ast.expr], tree: ast.Module, arguments: tuple[str, ...]) -> None:
    followed: set[str] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Dict):
            pairs = [
                (key, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if not (isinstance(key, ast.Constant) and key.value in arguments)
            ]
            node.keys = [key for key, _ in pairs]
            node.values = [value for _, value in pairs]
            pending.extend(value for key, value in pairs if key is None)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
            node.keywords = [keyword for keyword in node.keywords if keyword.arg not in arguments]
            pending.extend(keyword.value for keyword in node.keywords if keyword.arg is None)
            pending.extend(node.args)
        elif isinstance(node, ast.BinOp):
            pending.extend((node.left, node.right))
        elif isinstance(node, ast.Name) and node.id not in followed:
            followed.add(node.id)
            pending.extend(_values_of(node.id, tree))


def _values_of(name: str, tree: ast.Module) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id == name
    ]


def _without_empty_call(node: object, marker: str, aliases: set[str]) -> object:
    if (
        isinstance(node, ast.Call)
        and not node.args
        and not node.keywords
        and _is_marker(node, marker, aliases)
    ):
        return node.func
    return node
