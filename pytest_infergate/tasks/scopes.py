"""Which names code looks up in its module, by Python's rules of scope."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Chain = tuple[str, ...]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def global_chains(node: ast.AST) -> frozenset[Chain]:
    """Return the names that ``node`` looks up outside its own functions, each with the attributes after it.

    ``extract.number.parse`` gives ``("extract", "number", "parse")``. A name that a class body binds
    still counts, since its methods look past it.
    """
    chains: set[Chain] = set()
    # A stack, not recursion: a long sum is a deep tree.
    pending: list[tuple[ast.AST, frozenset[str]]] = [(node, frozenset())]
    while pending:
        item, hidden = pending.pop()
        if isinstance(item, (ast.Attribute, ast.Name)):
            chain, rest = chain_of(item)
            if rest is not None:
                pending.append((rest, hidden))
            elif chain[0] not in hidden:
                chains.add(chain)
        elif isinstance(item, ast.Global):
            chains.update((name,) for name in item.names)
        else:
            pending.extend(_inside(item, hidden))
    return frozenset(chains)


def chain_of(node: ast.expr) -> tuple[Chain, ast.expr | None]:
    """Return the attribute chain of ``node``, and what it begins with where that is not a name."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return (node.id, *reversed(attributes)), None
    return tuple(reversed(attributes)), node


def bound_names(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that the statements bind in their own scope."""
    bound: set[str] = set()
    # False: inside a comprehension, where only := reaches the scope around it.
    pending = [(node, True) for node in nodes]
    while pending:
        item, is_own = pending.pop()
        if isinstance(item, (*FUNCTIONS, ast.ClassDef)):
            bound.add(item.name)
        elif isinstance(item, ast.Lambda):
            continue
        elif isinstance(item, _COMPREHENSIONS):
            pending.extend((child, False) for child in ast.iter_child_nodes(item))
        elif isinstance(item, ast.NamedExpr):
            bound.add(item.target.id)
            pending.append((item.value, is_own))
        else:
            if is_own:
                bound.update(_bound_by(item))
            pending.extend((child, is_own) for child in ast.iter_child_nodes(item))
    return frozenset(bound)


def parameters(arguments: ast.arguments) -> frozenset[str]:
    """Return the names of all parameters."""
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return frozenset(arg.arg for arg in (*plain, arguments.vararg, arguments.kwarg) if arg is not None)


def _bound_by(item: ast.AST) -> Iterator[str]:
    if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Load):
        yield item.id
    elif isinstance(item, ast.alias):
        yield item.asname or item.name.partition(".")[0]
    elif isinstance(item, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and item.name:
        yield item.name
    elif isinstance(item, ast.MatchMapping) and item.rest:
        yield item.rest


def _inside(item: ast.AST, hidden: frozenset[str]) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """Yield the children of ``item``, each with the names that functions around it hide."""
    if isinstance(item, (*FUNCTIONS, ast.ClassDef)):
        type_params = getattr(item, "type_params", [])
        hidden |= {param.name for param in type_params}
        inner = hidden
        if not isinstance(item, ast.ClassDef):
            declared = set(_declared_global(item.body))
            inner = (hidden | parameters(item.args) | bound_names(item.body)) - declared
        body = {id(statement) for statement in item.body}
        for child in ast.iter_child_nodes(item):
            yield child, inner if id(child) in body else hidden
    elif isinstance(item, ast.Lambda):
        yield item.args, hidden
        yield item.body, hidden | parameters(item.args)
    elif isinstance(item, _COMPREHENSIONS):
        inner = hidden | bound_names(generator.target for generator in item.generators)
        yield item.generators[0].iter, hidden
        for child in ast.iter_child_nodes(item):
            if isinstance(child, ast.comprehension):
                parts = [*child.ifs] if child is item.generators[0] else [child.iter, *child.ifs]
                yield from ((part, inner) for part in parts)
            else:
                yield child, inner
    else:
        for child in ast.iter_child_nodes(item):
            yield child, hidden


def _declared_global(body: Iterable[ast.AST]) -> Iterator[str]:
    pending = list(body)
    while pending:
        item = pending.pop()
        if isinstance(item, ast.Global):
            yield from item.names
        elif not isinstance(item, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(item))
