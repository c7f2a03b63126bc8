"""The exam that ``tests`` become: what the code has to sit through, and cannot know before.

Threat model. The code is hostile and owns its interpreter: it can patch builtins and modules, read frames and
its own memory, print, exit, fork, exec, start threads. The tests run in that same interpreter, since they
use the objects that the code made; so nothing in it can be trusted, and four things are done about it.

1. The completion token is made by the host for each run. It enters the sandbox when the tests have come to
   their end, in a last statement that hands it in: while the code or its functions run, it is nowhere in the
   sandbox. What leaves, prints, execs or kills before that has no token, and no output of the code is ever
   read as one.
2. The tests are sent when the code has ended, and sat in a copy (fork) of the interpreter that it left:
   threads of the code are gone there, trace functions are off, the names in ``builtins`` are Python's own.
3. An answer that passed sits a decoy, in another copy: the same tests, which then end in a check that cannot
   hold. Whatever made checks hold blindly - statements skipped, exceptions swallowed, ``exec`` replaced, the
   end of the tests announced by the code, an ``all`` that is always true - passes the decoy too, and is shown
   up. An honest answer never passes it.
4. A comparison in an ``assert`` that holds is asked again with a value that the other side has never seen,
   and with one of the type of a literal that it was compared with: an object that equals everything, or every
   number, is no answer.

What this does not stop is code written against this very scheme: it can take the runner's place, pass the
tests unread and fail the decoy, which it knows by its number or its check. Nor a function replaced that tests
call for their judgement and that is no builtin (``numpy.allclose``), nor one that reads what is expected off
the frame that calls it. Comparing plain values in ``assert``
leaves least room. Isolation from the host rests on none of this.
"""

from __future__ import annotations

import ast
import secrets
from dataclasses import dataclass

from .limits import SandboxError

#: Builtins that tests use to judge → an expression that is false wherever they are Python's own, or right.
_LIES = {
    "abs": "abs({a} - {wrong}) < 1",
    "all": "all([{a} == {wrong}])",
    "any": "any([{a} == {wrong}])",
    "bool": "bool({a} == {wrong})",
    "dict": "dict(a={a}) == {{'a': {wrong}}}",
    "float": "float({a}) == {wrong}",
    "int": "int({a}) == {wrong}",
    "isclose": "__import__('math').isclose({a}, {wrong})",
    "isinstance": "isinstance({a}, str)",
    "issubclass": "issubclass(int, str)",
    "len": "len([{a}]) == {wrong}",
    "list": "list([{a}]) == [{wrong}]",
    "map": "list(map(str, [{a}])) == ['{wrong}']",
    "max": "max({a}, {b}) == {wrong}",
    "min": "min({a}, {b}) == {wrong}",
    "next": "next(iter([{a}])) == {wrong}",
    "repr": "repr({a}) == '{wrong}'",
    "round": "round({a}) == {wrong}",
    "set": "set([{a}]) == {{{wrong}}}",
    "sorted": "sorted([{a}, {b}]) == [{wrong}]",
    "str": "str({a}) == '{wrong}'",
    "sum": "sum([{a}, {b}]) == {wrong}",
    "tuple": "tuple([{a}]) == ({wrong},)",
    "type": "type({a}) is str",
}
_SIGNS = {ast.Eq: "==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One sitting of the tests: their text, and the end that hands in the token.

    ``compare`` and ``hand_in`` are the names that the runner binds for them.
    """

    body: str
    end: str
    compare: str
    hand_in: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exam:
    """The tests as they are sat, and the decoy that nobody honest passes."""

    tests: str
    real: Paper
    decoy: Paper


def set_exam(tests: str) -> Exam:
    """Make the exam of one run.

    Raises ``SandboxError`` with the line where the tests are no Python, and for tests that run nothing.
    """
    tree = _parse(tests)
    if all(_runs_nothing(statement) for statement in tree.body):
        raise SandboxError(
            "sandbox tests check nothing, so every code would pass them; write an assert, call the function "
            "that they define, or leave tests out where status 0 is all that is asked"
        )
    return Exam(tests=tests, real=_paper(tests, tree), decoy=_paper(tests, tree, is_decoy=True))


def _parse(tests: str) -> ast.Module:
    """Read tests as Python. Raises ``SandboxError`` with their line where they are none."""
    try:
        return ast.parse(tests, "tests")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f", line {line}" if line else ""
        raise SandboxError(
            f"sandbox tests{where}: not Python: {error}; the tests are at fault, no code ran"
        ) from error


def _runs_nothing(statement: ast.stmt) -> bool:
    """Whether a statement only gives names, as a data set's ``def check(…)`` does that nobody calls."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not statement.decorator_list
    if isinstance(statement, ast.ClassDef):
        is_plain = not statement.decorator_list and not statement.keywords
        return is_plain and all(_runs_nothing(one) for one in statement.body)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom))


def _paper(tests: str, tree: ast.Module, *, is_decoy: bool = False) -> Paper:
    a, b = (secrets.randbelow(10**6) + 10**6 for _ in range(2))
    wrong = a * b + 1 + secrets.randbelow(10**6)
    check = f"{a} * {b} == {wrong if is_decoy else a * b}"
    if is_decoy:
        names = {getattr(node, "id", None) or getattr(node, "attr", None) for node in ast.walk(tree)}
        lies = [lie.format(a=a, b=b, wrong=wrong) for name, lie in _LIES.items() if name in names]
        check = " or ".join([check, *lies])
    compare, hand_in = (f"_{secrets.token_hex(8)}" for _ in range(2))
    token = secrets.token_hex(16)
    return Paper(
        body=_with_comparisons(tests, tree, compare),
        end=f"assert {check}\n{hand_in}({token!r})\n",
        compare=compare,
        hand_in=hand_in,
        token=token,
    )


def _with_comparisons(tests: str, tree: ast.Module, compare: str) -> str:
    """Return the tests, ``left == right`` in asserts made a call of ``compare``, lines kept.

    It gets the sign, both sides, and of each side whether it is written out in the tests.
    """
    source = _Source(tests)
    judged = {
        node
        for statement in ast.walk(tree)
        if isinstance(statement, ast.Assert)
        for node in _outside_f_strings(statement.test)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SIGNS
    }
    edits: list[tuple[int, int, str]] = []
    for node in judged:
        left, right = node.left, node.comparators[0]
        if any("ANY" in (getattr(one, "id", None), getattr(one, "attr", None)) for one in ast.walk(node)):
            continue  # mock.ANY is meant to equal everything
        start, end = source.span(node)
        (left_start, left_end), (right_start, right_end) = source.span(left), source.span(right)
        gap = source.newlines(left_end, right_start)
        edits.append(
            (
                start,
                left_start,
                f"{compare}({_SIGNS[type(node.ops[0])]!r}, ({source.newlines(start, left_start)}",
            )
        )
        edits.append((left_end, right_start, f"), {gap}("))
        literal = f"{_is_literal(left)}, {_is_literal(right)}"
        edits.append((right_end, end, f"{source.newlines(right_end, end)}), {literal})"))
    return source.edited(edits)


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _outside_f_strings(node: ast.AST) -> list[ast.AST]:
    # Before Python 3.12 what is inside an f-string does not know where it stands.
    if isinstance(node, ast.JoinedStr):
        return []
    return [node, *(one for child in ast.iter_child_nodes(node) for one in _outside_f_strings(child))]


class _Source:
    """A text whose syntax nodes are found by line and byte, as ``ast`` counts them."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._starts = [0]
        # Python's own lines: \f and U+2028 end none.
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def newlines(self, start: int, end: int) -> str:
        return "\n" * self._bytes.count(b"\n", start, end)

    def edited(self, edits: list[tuple[int, int, str]]) -> str:
        pieces, at = [], 0
        # Where two meet, the empty one is of the inner comparison.
        for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
            pieces += [self._bytes[at:start], text.encode()]
            at = end
        return b"".join([*pieces, self._bytes[at:]]).decode()
