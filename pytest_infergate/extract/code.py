"""The program that a reply gives."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .extractor import Extractor, ExtractorError, GoldError, Sample
from .fences import Block, find_blocks
from .python_source import defined_names, is_program, is_session, join_parts, source_of_session

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
# What the line before a block says of it, when the block is not the answer.
_ASIDE = re.compile(
    r"\b(?:examples?|usage|sample|outputs?|prints?|results?|tests?|try it|run it|to run|install|call it"
    r"|original|buggy|broken|wrong|incorrect|instead of|old version|naive|before|avoid|don't|do not"
    r"|previous|alternatively|alternative|you could also)\b[^.]*[:.]?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Code(Extractor[str]):
    """Read the program of a reply as source text, without its fence; see ``rule``.

    ``language``: the one wanted, with its usual aliases (``py``, ``js`` …); ``None``: whichever. ``parse``
    takes a source text; ``same`` ignores blank lines and white space at the ends of lines.
    """

    name = "code"
    version = "1"
    rule = (
        "Of the fenced blocks (backticks or tildes, indented, quoted, within Markdown blocks) those in "
        "the wanted language; where there are none those without a language. Of them the last one, "
        "passing over blocks that the line before them calls an example, output, test, earlier or faulty "
        "version, and for Python over blocks that define nothing when another does. For Python the "
        "earlier blocks that define names which it uses and does not define itself stand before it. "
        "Prompts and results of a pycon session are taken out. A fence that is never closed ends with "
        "the reply. Without any fence, Python alone: the text itself, or its part from the first line of "
        "code on, where that parses as a program."
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
            return main[-1].content
        sources = [_source(block) for block in main]
        defining = [source for source in sources if defined_names(source)]
        return join_parts(defining) if defining else sources[-1]


def _source(block: Block) -> str:
    is_console = block.language in ("pycon", "python-repl") or is_session(block.content)
    return source_of_session(block.content) if is_console else block.content


def _plain_name(language: str) -> str:
    return _NAME_OF.get(language.lower(), language.lower())


def _lines(source: str) -> list[str]:
    return [line.rstrip() for line in source.splitlines() if line.strip()]


code = Code
