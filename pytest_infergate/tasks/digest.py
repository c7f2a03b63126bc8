"""The task digest: which code judged."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType
from typing import Any

from ..evidence import digest
from .reach import reach_of


def task_digest(function: Callable[..., Any], *, owner: type | None = None) -> str:
    """Return ``sha256:<hex>`` of a test function and the same-module names that it reaches.

    Functions, classes and constants, transitively; decorators, ``pytestmark``, fixtures of the module
    that it asks for or that are ``autouse``; of the classes around it (and of ``owner``, the class it is
    collected from) all but the methods that it does not reach. Names from other modules count by their
    import. Comments, docstrings, layout, order in the file and the gate arguments of markers do not
    count; the digest is the same on every supported Python.

    A function without source (made by ``exec``, typed into a console) is known by the names and
    constants of its compiled code, which is steady on one version of Python alone.
    """
    reach = reach_of(function, owner=owner)
    if reach is None:
        inner = inspect.unwrap(function)
        code = getattr(inner, "__code__", None)
        return digest(
            ["compiled", _compiled(code) if isinstance(code, CodeType) else type(inner).__qualname__]
        )
    dump = reach.source.dump_of
    return digest(
        {
            "test": sorted(dump(node) for node in reach.test),
            "names": {name: [dump(s) for s in statements] for name, statements in reach.names.items()},
        }
    )


def _compiled(code: CodeType) -> list[Any]:
    parts: list[Any] = [code.co_name, list(code.co_names), list(code.co_varnames)]
    for constant in code.co_consts:
        parts.append(_compiled(constant) if isinstance(constant, CodeType) else _spelled(constant))
    return parts


def _spelled(constant: object) -> object:
    # The order of a frozenset is not that of its repr.
    return sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
