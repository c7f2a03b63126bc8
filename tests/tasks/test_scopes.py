# ruff: noqa: E501 - a case a line
"""Names that code looks up in its module, by Python's rules of scope."""

from __future__ import annotations

import ast
import builtins
import symtable

import pytest

from pytest_infergate.tasks.scopes import global_chains

LOOKED_UP = [
    ("def f(a): return a + b", {"b"}, "a parameter hides"),
    ("def f(a=c): return a", {"c"}, "a default is looked up outside"),
    ("def f(*a, b, **c): return a, b, c, d", {"d"}, "every kind of parameter hides"),
    ("def f(): a = 1; return a, b", {"b"}, "an assignment hides"),
    ("def f(): return a\n", {"a"}, "nothing hides"),
    ("def f():\n  global a\n  a = b", {"a", "b"}, "global does not hide"),
    ("def f():\n  for a in b: print(a)", {"b"}, "a loop binds"),
    ("def f():\n  with a as b: b", {"a"}, "with binds"),
    ("def f():\n  try: x\n  except E as e: e", {"x", "E"}, "except binds"),
    ("def f():\n  import a.b as c, d.e\n  return c, d, g", {"g"}, "imports bind"),
    ("def f(x):\n  match x:\n    case {'k': [p, *q], **r}: return p, q, r, s\n    case Kind(y=z) as w: return z, w", {"s", "Kind"}, "patterns bind"),
    ("def f():\n  def g(): return a\n  a = 1\n  return g", set(), "the function around hides"),
    ("def f():\n  def g():\n    a = 1\n    return a\n  return g, a", {"a"}, "the function inside hides only inside"),
    ("def f(): return [a for a in b if c(a)]", {"b", "c"}, "a comprehension binds"),
    ("def f(): return [a for a in a]", {"a"}, "its first source is looked up outside"),
    ("def f(): return [x for a in b for x in a]", {"b"}, "its other sources inside"),
    ("def f(): return [a for a in b], a", {"b", "a"}, "a comprehension hides only inside"),
    ("def f(): return [(y := a) for a in b], y", {"b"}, ":= binds around"),
    ("def f(): return lambda a, b=c: (a, b, d)", {"c", "d"}, "a lambda"),
    ("class C:\n  a = 1\n  def f(self): return a", {"a"}, "methods look past the class"),
    ("def f():\n  class C: a = 1\n  return C, a", {"a"}, "a class's names stay in it"),
    ("@a.b(c)\ndef f(): pass", {"a", "c"}, "decorators"),
    ("def f(x: T) -> U: v: V = 1", {"T", "U", "V"}, "annotations"),
    ("def f(): return f'{a!r:{b}}'", {"a", "b"}, "f-strings"),
    ("def f(): return f()", {"f"}, "itself"),
    ("def f():\n  del a", set(), "del binds"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names", "why"), LOOKED_UP, ids=[case[2] for case in LOOKED_UP])
def test_looks_up(text, names, why):
    found = {chain[0] for chain in global_chains(ast.parse(text).body[0])}
    assert found - set(vars(builtins)) == names


@pytest.mark.parametrize("text", [case[0] for case in LOOKED_UP if case[0].startswith("def")])
def test_agrees_with_the_compiler_about_bodies(text):
    def looked_up(table):
        mine = {s.get_name() for s in table.get_symbols() if s.is_global()}
        return mine.union(*map(looked_up, table.get_children()))

    (function,) = symtable.symtable(text, "text", "exec").get_children()[:1]
    found = {chain[0] for chain in global_chains(ast.parse(text).body[0])}
    assert looked_up(function) <= found


def test_keeps_the_attributes_after_a_name():
    (statement,) = ast.parse("def f(x): return a.b.c(x.y), d().e, g").body
    assert global_chains(statement) == {("a", "b", "c"), ("d",), ("g",)}
