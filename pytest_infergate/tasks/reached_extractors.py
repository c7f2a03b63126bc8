"""The extractors that a test function's code names."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import resolve_name
from types import ModuleType
from typing import Any

from .reach import Reach, reach_of
from .scopes import Chain, chain_of

_NOTHING = object()


def reached_extractors(
    function: Callable[..., Any],
    is_extractor: Callable[[object], bool],
    *,
    owner: type | None = None,
) -> tuple[Any, ...]:
    """Return the objects for which ``is_extractor`` holds among those that the code names, by their ``name``.

    The code is what the task digest covers. A name and the attributes after it are looked up in modules and
    read statically elsewhere: nothing is called and no property runs, so an extractor that only a call
    makes inside a function is not seen. Empty where there is no source.
    """
    reach = reach_of(function, owner=owner)
    if reach is None:
        return ()
    found: list[Any] = []
    for item in _named_objects(reach):
        if is_extractor(item) and not any(item is seen for seen in found):
            found.append(item)
    return tuple(sorted(found, key=_order))


def _order(extractor: Any) -> tuple[str, str, str]:
    return (
        str(getattr(extractor, "name", "")),
        str(getattr(extractor, "version", "")),
        repr(getattr(extractor, "settings", None)),
    )


def _named_objects(reach: Reach) -> Iterator[object]:
    for node in reach.nodes():
        for chain in sorted(reach.source.chains_of(node)):
            yield from _along(reach.namespace, chain)
        imported = dict(_imported_inside(node, reach.namespace))
        for item in ast.walk(node) if imported else ():
            if isinstance(item, (ast.Name, ast.Attribute)):
                chain, rest = chain_of(item)
                if rest is None and chain[0] in imported:
                    yield from _along(imported, chain)


def _along(namespace: Mapping[str, object], chain: Chain) -> Iterator[object]:
    item = namespace.get(chain[0], _NOTHING)
    for attribute in chain[1:]:
        if item is _NOTHING:
            return
        yield item
        item = _attribute(item, attribute)
    if item is not _NOTHING:
        yield item


def _attribute(item: object, name: str) -> object:
    if isinstance(item, ModuleType):
        # Not getattr: a module may import on being asked.
        submodule = sys.modules.get(f"{item.__name__}.{name}", _NOTHING)
        return vars(item).get(name, submodule)
    return inspect.getattr_static(item, name, _NOTHING)


def _imported_inside(node: ast.AST, namespace: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the names that imports in ``node`` bind, where the module is already loaded."""
    for item in ast.walk(node):
        if isinstance(item, ast.Import):
            for alias in item.names:
                path = alias.name if alias.asname else alias.name.partition(".")[0]
                if path in sys.modules:
                    yield alias.asname or path, sys.modules[path]
        elif isinstance(item, ast.ImportFrom):
            try:
                path = resolve_name("." * item.level + (item.module or ""), namespace.get("__package__"))
            except (ImportError, ValueError):
                continue
            if path in sys.modules:
                for alias in item.names:
                    yield alias.asname or alias.name, _attribute(sys.modules[path], alias.name)
