"""What a test function reaches in its own module, read from the source and never by running it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

from .fixtures import is_autouse, requested_fixtures
from .module_source import ModuleSource, parse_module
from .scopes import FUNCTIONS, Chain

#: What pytest calls in a class without being asked.
_IMPLICIT_METHODS = ("setup_class", "teardown_class", "setup_method", "teardown_method")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The code that decides what a test does.

    ``test`` is the test function, the classes around it without their methods, and the methods that it
    reaches. ``names`` are the names of its module that all of this reaches, each with the
    statements that bind or change it. ``chains`` are names looked up in the module with the attributes
    after them. ``namespace`` is the module's.
    """

    source: ModuleSource
    namespace: Mapping[str, Any]
    test: tuple[ast.AST, ...]
    names: Mapping[str, tuple[ast.stmt, ...]]
    chains: frozenset[Chain]

    def nodes(self) -> Iterator[ast.AST]:
        """Yield every piece of code, the test first."""
        yield from self.test
        for statements in self.names.values():
            yield from statements


def reach_of(function: Callable[..., Any], *, owner: type | None = None) -> Reach | None:
    """Follow ``function``, a method of ``owner`` where it is one, through its module.

    ``None`` where there is no source: code made by ``exec``, typed into a console, or written in C.
    """
    inner = inspect.unwrap(function)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    try:
        source = parse_module(Path(code.co_filename).read_bytes())
    except (OSError, ValueError):
        return None
    if source is None:
        return None
    walk = _Walk(source, inner.__globals__)
    return walk.reach(code, objects=(function, inner), owner=owner)


class _Walk:
    """Follows names, attributes and fixtures until nothing new is reached."""

    def __init__(self, source: ModuleSource, namespace: Mapping[str, Any]) -> None:
        self._source = source
        self._namespace = namespace
        self._roots: list[ast.AST] = []
        self._test: list[ast.AST] = []
        self._names: dict[str, tuple[ast.stmt, ...]] = {}
        self._chains: set[Chain] = set()
        self._classes: list[ast.ClassDef] = []
        self._pending: list[ast.AST] = []

    def reach(self, code: CodeType, *, objects: tuple[object, ...], owner: type | None) -> Reach | None:
        path = self._source.path_to(code.co_name, code.co_firstlineno)
        bound = [name for name, value in self._namespace.items() if any(value is item for item in objects)]
        if path is None and not bound:
            return None
        self._activate_classes(path or (), owner)
        if path is not None:
            self._roots.append(path[-1])
            self._add_test(path[-1])
        for name in bound:
            self._roots.extend(self._source.bindings.get(name, ()))
        for name in (*bound, *self._source.implicit):
            self._add_name(name)
        while self._pending:
            self._follow(self._pending.pop())
        return Reach(
            source=self._source,
            namespace=self._namespace,
            test=tuple(self._test),
            names=dict(sorted(self._names.items())),
            chains=frozenset(self._chains),
        )

    def _activate_classes(self, path: tuple[ast.AST, ...], owner: type | None) -> None:
        self._classes = [node for node in path[:-1] if isinstance(node, ast.ClassDef)]
        for base in owner.__mro__ if owner else ():
            found = self._source.class_named(base.__qualname__)
            if base.__module__ == self._namespace.get("__name__") and found and found not in self._classes:
                self._classes.append(found)
        for node in self._classes:
            self._add_test(self._source.shell_of(node))
            for member in node.body:
                if isinstance(member, FUNCTIONS) and (member.name in _IMPLICIT_METHODS or is_autouse(member)):
                    self._add_test(member)

    def _add_test(self, node: ast.AST) -> None:
        if node not in self._test:
            self._test.append(node)
            self._pending.append(node)

    def _add_name(self, name: str) -> None:
        statements = self._source.bindings.get(name)
        if statements is None:
            # Perhaps a star import's: which names that brings is not written here.
            name, statements = "*", self._source.stars
        if statements and name not in self._names and statements[0] not in self._classes:
            self._names[name] = tuple(statements)
            self._pending.extend(statements)

    def _follow(self, node: ast.AST) -> None:
        chains = self._source.chains_of(node)
        self._chains |= chains
        for chain in chains:
            self._add_name(chain[0])
        fixtures = requested_fixtures(node, is_test=node in self._roots)
        for name in fixtures:
            if name in self._source.fixtures:
                self._add_name(self._source.fixtures[name])
        if self._classes:
            members = self._source.attributes_of(node) | fixtures
            for around in self._classes:
                for member in self._source.members_of(around, members):
                    self._add_test(member)
