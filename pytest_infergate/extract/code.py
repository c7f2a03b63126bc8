"""The program that a reply gives."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .extractor import Extractor, ExtractorError, GoldError, Sample
from .fences import Block, find_blocks
from .python_source import (
    are_imports,
    defined_names,
    is_parsed,
    is_program,
    is_session,
    join_parts,
    source_of_session,
)

_ALIASES = {
    "python": (
        "py",
        "python3",
        "python2",
        "py3",
        "pycon",
        "python-repl",
        "ipython",
        "ipython3",
        "python3.x",
        "pyi",
        "sage",
    ),
    "javascript": ("js", "node", "nodejs", "jsx", "mjs", "ecmascript"),
    "typescript": ("ts", "tsx"),
    "bash": ("sh", "shell", "zsh", "console", "shell-session", "shellscript"),
    "c++": ("cpp", "cc", "cxx", "c++17", "c++20"),
    "c#": ("cs", "csharp"),
    "go": ("golang",),
    "rust": ("rs",),
    "ruby": ("rb",),
    "kotlin": ("kt",),
    "sql": ("postgresql", "postgres", "mysql", "sqlite", "plsql"),
    "yaml": ("yml",),
    "html": ("htm", "xhtml"),
    "r": ("rscript",),
}
_NAME_OF = {alias: name for name, aliases in _ALIASES.items() for alias in (*aliases, name)}
_NOT_CODE = frozenset(
    {"text", "txt", "plaintext", "output", "console-output", "stdout", "log", "none", "markdown", "md"}
)
_SHELL_PROMPT = re.compile(r"[ \t]*(?:\$|>)[ ](?=\S)")
_BARE_FENCE = re.compile(r"^```[ \t]*\r?$", re.MULTILINE)
_MOST_TRIES = 16  # fences that are looked at beyond the first, in one reply
# What the line before a block says of it, when the block is not the answer.
_ASIDE = re.compile(
    r"\b(?:examples?|usage|sample|outputs?|prints?|results?|tests?|try it|run it|to run|install|call it"
    r"|original|buggy|broken|wrong|incorrect|instead of|old version|naive|before|avoid|don't|do not"
    r"|previous|alternatively|alternative|you could also)\b[^.]*[:.]?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, repr=False)
class Code(Extractor[str]):
    """Read the program of a reply as source text, without its fence; see ``rule``.

    ``language``: the one wanted, with its usual aliases (``py``, ``js`` …); ``None``: whichever. ``parse``
    takes a source text; ``same`` ignores blank lines and white space at the ends of lines.
    """

    name = "code"
    version = "1"
    rule = (
        "Of the fenced blocks (backticks or tildes, indented, quoted, within Markdown blocks) those in the "
        "wanted language; where there are none those without a language. Of them the last one, passing "
        "over blocks that the line before them calls an example, output, test, earlier or faulty version, "
        "and for Python over blocks that define nothing when another does. For Python the earlier blocks "
        "that define or import names which it uses and does not define itself stand before it, and a fence "
        "within a string is part of it. Prompts and results of a session (pycon, console) are taken out. A "
        "fence that is never closed ends with the reply. Without any fence, Python alone: the text itself, "
        "or its part from the first line of code on, where that parses as a program."
    )

    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            if not isinstance(self.language, str) or not self.language.strip():
                raise ExtractorError(
                    f"extract.code takes the name of a language or None; got {self.language!r}"
                )
            object.__setattr__(self, "language", _plain_name(self.language.strip()))

    def find(self, text: str, sample: Sample | None) -> str:
        blocks = [block for block in find_blocks(text) if block.content.strip()]
        if self.language in (None, "python"):
            blocks = _with_fences_inside(text, blocks)
        if blocks:
            wanted = self._wanted(blocks)
            if wanted:
                return self._chosen(wanted)
            self.no_answer(f"block of {self.language}" if self.language else "block of code")
        if self.language in (None, "python"):
            program = source_of_session(text) if is_session(text) else is_program(text)
            if program:
                return program
        found: str = self.no_answer(f"{self.language or 'code'}, fenced or bare")
        return found

    def parse(self, gold: object) -> str:
        if not isinstance(gold, str) or not gold.strip():
            raise GoldError(self.name, gold, "a source text")
        return gold.strip("\r\n")

    def same(self, value: object, gold: object) -> bool:
        return isinstance(value, str) and isinstance(gold, str) and _lines(value) == _lines(gold) != []

    def _wanted(self, blocks: list[Block]) -> list[Block]:
        if self.language is None:
            return [block for block in blocks if block.language not in _NOT_CODE]
        named = [block for block in blocks if _plain_name(block.language) == self.language]
        return named or [block for block in blocks if not block.language]

    def _chosen(self, blocks: list[Block]) -> str:
        main = [block for block in blocks if not _ASIDE.search(block.lead)] or blocks
        if self.language not in (None, "python") or _plain_name(main[-1].language or "python") != "python":
            return _typed(main[-1])
        sources = [_source(block) for block in main]
        while sources and not defined_names(sources[-1]):
            sources.pop()
        if not sources:
            return _source(main[-1])
        return join_parts([source for source in sources if defined_names(source) or are_imports(source)])


def _with_fences_inside(text: str, blocks: list[Block]) -> list[Block]:
    """Return ``blocks`` with Python ended where it parses: a fence within a string does not end it."""
    found: list[Block] = []
    tries = _MOST_TRIES
    for block in blocks:
        if found and block.start < found[-1].end:
            continue
        is_in_text = any(block.content.count(quotes) % 2 for quotes in ("'''", '"""'))
        if (
            is_in_text
            and _plain_name(block.language) == "python"
            and block.content == text[block.start : block.start + len(block.content)]
        ):
            end = block.end
            while tries and not is_parsed(text[block.start : end].rstrip()):
                tries -= 1
                fence = _BARE_FENCE.search(text, end + 3)
                if fence is None:
                    break
                end = fence.start()
                source = text[block.start : end].rstrip("\r\n")
                if is_parsed(source):
                    block = replace(block, content=source, end=end)
        found.append(block)
    return found


def _typed(block: Block) -> str:
    """Return what was typed where the block is a console session with prompts, else all of it."""
    if _plain_name(block.language) != "bash" or not _SHELL_PROMPT.match(block.content.lstrip("\r\n")):
        return block.content
    lines = block.content.splitlines()
    return "\n".join(line[prompt.end() :] for line in lines if (prompt := _SHELL_PROMPT.match(line)))


def _source(block: Block) -> str:
    is_console = block.language in ("pycon", "python-repl") or is_session(block.content)
    return source_of_session(block.content) if is_console else block.content


def _plain_name(language: str) -> str:
    return _NAME_OF.get(language.lower(), language.lower())


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.splitlines() if line.strip()]


code = Code
