"""Python source in replies: sessions, programs without a fence, blocks that need each other."""

from __future__ import annotations

import ast
import re
import warnings

_LONGEST = 32_768  # characters that are parsed; parsing a megabyte takes seconds
_PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.)(?: |$)")
_IN = re.compile(r"^[ \t]*(?:In \[\d+\]:|   \.\.\.:)[ ]?")
_SESSION = re.compile(r"[ \t]*(?:>>>[ ]\S|In \[\d+\]:[ ])")
_CODE_LINE = re.compile(
    r"^(?:(?:async[ ]+)?def[ ]\w|class[ ]\w|import[ ]\w|from[ ][\w.]+[ ]import\b|@\w"
    r"|if[ ]__name__\b|\w+[ ]*=[ ]*\S)",
    re.MULTILINE,
)
_MOST_TRIES = 6
#: What prompts ask to be put around a program: a line of its own.
_TAG_LINE = re.compile(
    r"^[ \t]*(?:\[/?(?:PYTHON|CODE|BEGIN|DONE|END)\]|</?(?:code|python|answer|solution)>)[ \t]*\r?\n?",
    re.MULTILINE,
)


def is_session(text: str) -> bool:
    """Whether ``text`` begins as an interactive session does."""
    return _SESSION.match(text.lstrip("\r\n")) is not None


def source_of_session(text: str) -> str:
    """Return what was typed in a session: no prompts, no printed results."""
    typed: list[str] = []
    for line in text.splitlines():
        prompt = _PROMPT.match(line) or _IN.match(line)
        if prompt:
            typed.append(line[prompt.end() :])
    return "\n".join(typed).strip("\n")


def is_program(text: str) -> str | None:
    """Return the program in a text without fences, ``None`` where none is.

    The whole text, or what stands from its first line of code on, less the paragraphs of prose at its end.
    """
    if len(text) > _LONGEST:
        return None
    text = _TAG_LINE.sub("", text)
    begins = _CODE_LINE.search(text)
    if begins is None:
        source = text.strip("\r\n")
        return source if _is_code(source) else None
    for start in dict.fromkeys((0, begins.start())):
        paragraphs = re.split(r"\n[ \t]*\n", text[start:].strip("\r\n"))
        for kept in range(len(paragraphs), max(0, len(paragraphs) - _MOST_TRIES), -1):
            source = "\n\n".join(paragraphs[:kept])
            if _is_code(source):
                return source
    return None


def is_parsed(source: str) -> bool:
    """Whether ``source`` parses, or is too long to be asked."""
    return len(source) > _LONGEST or _parsed(source) is not None


def are_imports(source: str) -> bool:
    """Whether ``source`` imports names and does nothing else."""
    tree = _parsed(source)
    return (
        tree is not None
        and bool(tree.body)
        and all(isinstance(n, (ast.Import, ast.ImportFrom)) for n in tree.body)
    )


def defined_names(source: str) -> frozenset[str]:
    """Return the functions and classes that ``source`` defines at its top level."""
    tree = _parsed(source)
    if tree is None:
        return frozenset(
            re.findall(r"^(?:async[ ]+)?(?:def|class)[ ]+(\w+)", source[: 8 * _LONGEST], re.MULTILINE)
        )
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    )


def join_parts(sources: list[str]) -> str:
    """Return the last source with those before it that define what it uses and does not define."""
    parts = [sources[-1]]
    tree = _parsed(sources[-1])
    if tree is None:
        return sources[-1]
    bound, used = _bound(tree), _used(tree)
    for source in reversed(sources[:-1][-16:]):
        earlier = _parsed(source)
        if earlier is None:
            continue
        names = _bound(earlier)
        if names & used - bound and not names & bound:
            parts.insert(0, source)
            bound |= names
            used |= _used(earlier)
    return "\n\n".join(parts)


def _bound(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _used(tree: ast.Module) -> set[str]:
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _is_code(source: str) -> bool:
    """Whether ``source`` parses and does something: 'Yes' and '42' parse too."""
    tree = _parsed(source)
    if tree is None or not tree.body:
        return False
    return any(
        not isinstance(node, ast.Expr) or isinstance(node.value, (ast.Call, ast.Await)) for node in tree.body
    )


def _parsed(source: str) -> ast.Module | None:
    if len(source) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a model's invalid escape is not our user's warning
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
