"""A module's syntax tree, cleaned of what decides nothing, and who binds which name in it."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterator
from functools import lru_cache

from .canonical_tree import dump_tree
from .fixtures import defined_fixtures, is_autouse
from .gate_arguments import remove_gate_arguments
from .scopes import FUNCTIONS, Chain, bound_names, global_chains

#: What pytest looks up in a module without being asked.
_IMPLICIT = (
    "pytestmark",
    "setup_module",
    "teardown_module",
    "setup_function",
    "teardown_function",
    "pytest_generate_tests",
)
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)


class ModuleSource:
    """The statements of a module by the names they bind or change, in file order.

    ``implicit`` are the names that matter to every test of the module, ``fixtures`` the name that binds
    each fixture, ``stars`` the star imports. What is asked of a piece of code is worked out once.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.bindings: dict[str, list[ast.stmt]] = {}
        self.fixtures: dict[str, str] = {}
        self.implicit: list[str] = []
        self._statements = [single for statement in tree.body for single in _single_imports(statement)]
        self._paths: dict[tuple[str, int], tuple[ast.AST, ...]] = {}
        self._chains: dict[ast.AST, frozenset[Chain]] = {}
        self._attributes: dict[ast.AST, frozenset[str]] = {}
        self._dumps: dict[ast.AST, str] = {}
        self._shells: dict[ast.ClassDef, ast.ClassDef] = {}
        for statement in self._statements:
            for name in bound_names([statement]) | _changed_names(statement):
                self.bindings.setdefault(name, []).append(statement)
            for fixture, bound in defined_fixtures(statement):
                self.fixtures[fixture] = bound
                if is_autouse(statement):
                    self.implicit.append(bound)
        self.stars = self.bindings.pop("*", [])
        self.implicit.extend(name for name in _IMPLICIT if name in self.bindings)
        self._index_functions()

    def path_to(self, name: str, first_line: int) -> tuple[ast.AST, ...] | None:
        """Return the classes around a function and the function; for a closure the whole statement."""
        found = self._paths.get((name, first_line))
        if found is not None:
            return found
        for statement in self._statements:
            if _first_line(statement) <= first_line <= (statement.end_lineno or 0):
                return (statement,)
        return None

    def class_named(self, qualname: str) -> ast.ClassDef | None:
        """Return the class of that dotted name, the last where there are several."""
        body, found = self._statements, None
        for name in qualname.split("."):
            found = next((s for s in reversed(body) if isinstance(s, ast.ClassDef) and s.name == name), None)
            if found is None:
                return None
            body = found.body
        return found

    def shell_of(self, node: ast.ClassDef) -> ast.ClassDef:
        """Return the class without its methods and inner classes."""
        if node not in self._shells:
            shell = copy.copy(node)
            shell.body = [statement for statement in node.body if not isinstance(statement, _DEFINITIONS)]
            self._shells[node] = shell
        return self._shells[node]

    def members_of(self, node: ast.ClassDef, names: frozenset[str]) -> Iterator[ast.stmt]:
        """Yield the methods and inner classes of those names, or that define fixtures of those names."""
        for member in node.body:
            if isinstance(member, _DEFINITIONS):
                fixtures = (fixture for fixture, _ in defined_fixtures(member))
                if member.name in names or any(fixture in names for fixture in fixtures):
                    yield member

    def chains_of(self, node: ast.AST) -> frozenset[Chain]:
        """Return what ``node`` looks up in the module."""
        if node not in self._chains:
            self._chains[node] = global_chains(node)
        return self._chains[node]

    def attributes_of(self, node: ast.AST) -> frozenset[str]:
        """Return every attribute that ``node`` names, of whatever object."""
        if node not in self._attributes:
            self._attributes[node] = frozenset(
                item.attr for item in ast.walk(node) if isinstance(item, ast.Attribute)
            )
        return self._attributes[node]

    def dump_of(self, node: ast.AST) -> str:
        """Return the canonical text of ``node``."""
        if node not in self._dumps:
            self._dumps[node] = dump_tree(node)
        return self._dumps[node]

    def _index_functions(self) -> None:
        pending: list[tuple[ast.AST, tuple[ast.AST, ...]]] = [(s, ()) for s in self._statements]
        while pending:
            node, classes = pending.pop()
            if isinstance(node, FUNCTIONS):
                self._paths[node.name, _first_line(node)] = (*classes, node)
                continue
            if isinstance(node, ast.ClassDef):
                classes = (*classes, node)
            if isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                pending.extend((child, classes) for child in ast.iter_child_nodes(node))


@lru_cache(maxsize=16)
def parse_module(raw: bytes) -> ModuleSource | None:
    """Return the source of a module, ``None`` where it is not Python.

    Cached by content: the same path can hold another module a moment later.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the import has already given the module's own
            tree = ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    _remove_idle_statements(tree)
    remove_gate_arguments(tree)
    return ModuleSource(tree)


def _first_line(statement: ast.stmt) -> int:
    decorators = statement.decorator_list if isinstance(statement, _DEFINITIONS) else []
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _remove_idle_statements(tree: ast.Module) -> None:
    # Docstrings, strings below a constant, ``...`` and ``pass`` do nothing.
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                body[:] = [statement for statement in body if not _is_idle(statement)]


def _is_idle(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _single_imports(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield an import as one statement a name: what stands beside it is not reached with it."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield ast.copy_location(ast.Import(names=[alias]), statement)
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            single = ast.ImportFrom(module=statement.module, names=[alias], level=statement.level)
            yield ast.copy_location(single, statement)
    else:
        yield statement


def _changed_names(statement: ast.stmt) -> frozenset[str]:
    """Return the names whose objects the statement changes where it stands: ``X[1] = 2``, ``X.append(3)``."""
    changed: set[str] = set()
    pending: list[ast.AST] = [statement]
    while pending:
        item = pending.pop()
        if isinstance(item, (*_DEFINITIONS, ast.Lambda)):
            continue
        target: ast.AST | None = None
        if isinstance(item, (ast.Attribute, ast.Subscript)) and not isinstance(item.ctx, ast.Load):
            target = item
        elif isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
            target = item.value.func if isinstance(item.value.func, ast.Attribute) else None
        while isinstance(target, (ast.Attribute, ast.Subscript)):
            target = target.value
        if isinstance(target, ast.Name):
            changed.add(target.id)
        pending.extend(ast.iter_child_nodes(item))
    return frozenset(changed)
