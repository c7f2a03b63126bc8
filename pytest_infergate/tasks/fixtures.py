"""Fixtures as they are written: what defines one, and what asks for one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .scopes import FUNCTIONS, chain_of, parameters


def defined_fixtures(statement: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the name of each fixture that ``statement`` defines, and the name that it binds."""
    for bound, call in _definitions(statement):
        given = _keyword(call, "name")
        is_given = isinstance(given, ast.Constant) and isinstance(given.value, str)
        yield (given.value if is_given else bound), bound  # type: ignore[union-attr]


def is_autouse(statement: ast.AST) -> bool:
    """Whether ``statement`` defines a fixture that needs no asking; so it may where that is computed."""
    switches = [_keyword(call, "autouse") for _, call in _definitions(statement)]
    return any(
        switch is not None and not (isinstance(switch, ast.Constant) and not switch.value)
        for switch in switches
    )


def requested_fixtures(node: ast.AST, *, is_test: bool) -> frozenset[str]:
    """Return the names that fixtures in ``node``, and functions where it is a test, ask for.

    Parameters, and the texts given to ``usefixtures`` and ``getfixturevalue``.
    """
    requested: set[str] = set()
    for item in ast.walk(node):
        if isinstance(item, FUNCTIONS) and (is_test or any(True for _ in _definitions(item))):
            requested |= parameters(item.args)
        elif isinstance(item, ast.Call) and _last_name(item) in ("usefixtures", "getfixturevalue"):
            requested.update(
                arg.value for arg in item.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )
    return frozenset(requested)


def _definitions(statement: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, FUNCTIONS):
        for decorator in statement.decorator_list:
            if _last_name(decorator) in ("fixture", "yield_fixture"):
                yield statement.name, decorator
    elif isinstance(statement, ast.Assign) and _last_name(statement.value) == "fixture":
        # thing = pytest.fixture(make), thing = pytest.fixture(scope="module")(make)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value


def _keyword(call: ast.expr, name: str) -> ast.expr | None:
    while isinstance(call, ast.Call):
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        call = call.func
    return None


def _last_name(node: ast.expr) -> str | None:
    while isinstance(node, ast.Call):
        node = node.func
    chain, _ = chain_of(node)
    return chain[-1] if chain else None
