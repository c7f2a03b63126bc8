# ruff: noqa: E501  (a case is one line)
from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.evidence import Reason, Reply
from pytest_infergate.extract import GoldError, code
from pytest_infergate.extract.extractor import ExtractorError

from .outcome import NONE, outcome

PYTHON = [
    ("```python\nx = 1\n```", "x = 1", "a fence"),
    ("~~~py\nx = 1\n~~~", "x = 1", "tildes and an alias"),
    ("```Python3 title=\"a.py\"\nx = 1\n```", "x = 1", "an info string with more in it"),
    ("```{.python .numberLines}\nx = 1\n```", "x = 1", "Pandoc's attributes"),
    ("````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''", "a longer fence around a shorter one"),
    ("1. Do this:\n\n    ```python\n    def f():\n        return 1\n    ```\n", "def f():\n    return 1", "indented in a list"),
    ("> ```python\n> x = 1\n> ```", "x = 1", "quoted"),
    ("```python\r\nx = 1\r\ny = 2\r\n```", "x = 1\ny = 2", "CRLF"),
    ("````markdown\nUse it:\n```python\nx = 1\n```\n````", "x = 1", "inside a block of Markdown"),
    ("```markdown\nUse it:\n```python\nx = 1\n```\nBye\n```", "x = 1", "inside Markdown with a fence of the same length"),
    ("```python\nx = 1\n", "x = 1", "a complete reply without its last fence"),
    ("```python\nx = 1\nOops, again:\n```python\nx = 2\n```", "x = 2", "a fence that begins before the other ended"),
    ("```python x = 1```", "x = 1", "a fence on one line"),
    ("First try:\n```python\ndef f():\n    return 0\n```\nFixed:\n```python\ndef f():\n    return 1\n```",
     "def f():\n    return 1", "the final version"),
    ("```python\ndef f():\n    return 1\n```\nExample usage:\n```python\nprint(f())\n```", "def f():\n    return 1", "an example"),
    ("```python\ndef f():\n    return 1\n```\nThen:\n```python\nf()\n```", "def f():\n    return 1", "a call that defines nothing"),
    ("Here is the fix:\n```python\ndef f():\n    return 1\n```\nThe original code:\n```python\ndef f():\n    return 0\n```",
     "def f():\n    return 1", "the faulty version quoted last"),
    ("```python\nimport math\n\ndef area(r):\n    return math.pi * r * r\n```\nand\n```python\ndef twice(r):\n    return 2 * area(r)\n```",
     "import math\n\ndef area(r):\n    return math.pi * r * r\n\ndef twice(r):\n    return 2 * area(r)", "a part that the last one needs"),
    ("```python\ndef f():\n    return 1\n```\n```\nOutput: 1\n```", "def f():\n    return 1", "a block without a language after it"),
    ("```\ndef f():\n    return 1\n```", "def f():\n    return 1", "no language at all"),
    ("```bash\npip install x\n```\n```\nx = 1\n```", "x = 1", "no language, beside another one"),
    ("```pycon\n>>> def f(n):\n...     return n\n...\n>>> f(4)\n4\n```", "def f(n):\n    return n\n\nf(4)", "a session"),
    ("```python\n>>> x = 1\n>>> x\n1\n```", "x = 1\nx", "a session under the name of the language"),
    ("def f():\n    return 1", "def f():\n    return 1", "no fence"),
    ("Here you are:\n\ndef f():\n    return 1\n\nIt returns one.", "def f():\n    return 1", "no fence, prose around it"),
    ("def f(s):\n    return s + '```'", "def f(s):\n    return s + '```'", "backticks in a text"),
    ("```python\nimport math\n```\nThen:\n```python\ndef f():\n    return math.pi\n```",
     "import math\n\ndef f():\n    return math.pi", "imports in a block of their own"),
    ("```python\nT = \"\"\"\n```\ncode\n```\n\"\"\"\ndef f():\n    return T\n```\nDone.",
     "T = \"\"\"\n```\ncode\n```\n\"\"\"\ndef f():\n    return T", "a fence within a string"),
    ("[PYTHON]\ndef f():\n    return 1\n[/PYTHON]", "def f():\n    return 1", "the tags that a prompt asks for"),
    ("[BEGIN]\ndef f():\n    return 1\n[DONE]", "def f():\n    return 1", "the tags of MBPP"),
    ("def f():\n    return 1\n<|endoftext|>", "def f():\n    return 1", "a leaked token"),
    ("s = '<|im_start|>user\\n'\nt = \"\"\"<|im_end|>\n<|im_start|>\"\"\"\ndef f():\n    return s",
     "s = '<|im_start|>user\\n'\nt = \"\"\"<|im_end|>\n<|im_start|>\"\"\"\ndef f():\n    return s", "a program about such tokens"),
    ("```python```", NONE, "the name of a language on one line"),
    ("```js\nlet x = 1\n```", NONE, "another language only"),
    ("Yes", NONE, "a word parses, and is no program"),
    ("42", NONE, "a number parses, and is no program"),
    ("I would use a dictionary.", NONE, "prose"),
    ("```python\n```", NONE, "an empty block"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "source"), [pytest.param(t, s, id=why) for t, s, why in PYTHON])
def test_the_python_of_a_reply(text: str, source: Any) -> None:
    found = outcome(code("python"), text)
    assert found is NONE if source is NONE else code("python").same(found, source), found


@pytest.mark.parametrize(
    ("language", "text", "source", "why"),
    [
        (None, "```rust\nfn f() {}\n```", "fn f() {}", "whichever language"),
        (None, "```js\nlet a\n```\n```text\nhello\n```", "let a", "text is no code"),
        ("javascript", "```js\nlet a\n```", "let a", "an alias of the reply"),
        ("JS", "```javascript\nlet a\n```", "let a", "an alias of the user"),
        (
            "sql",
            "```sql\nSELECT 1\n```\nwrong:\n```sql\nSELECT\n```",
            "SELECT 1",
            "the line before says what it is",
        ),
        ("bash", "```console\n$ ls -l\ntotal 0\n$ pwd\n/x\n```", "ls -l\npwd", "a session of a shell"),
        ("bash", "```bash\nls > a\n```", "ls > a", "no session"),
        ("c++", "```cpp\nint a;\n```", "int a;", "a name with signs"),
    ],
)
def test_other_languages(language: str | None, text: str, source: str, why: str) -> None:
    assert outcome(code(language), text) == source, why


def test_code_that_the_limit_cut_is_no_code() -> None:
    text = "```python\ndef f(xs):\n    for x in"
    assert outcome(code("python"), Reply(text=text, finish_reason="length")) is Reason.TRUNCATED
    allowed = Reply(text=text, finish_reason="length", allowed=frozenset({Reason.TRUNCATED}))
    assert outcome(code("python"), allowed) == "def f(xs):\n    for x in"


def test_aliases_are_one_setting() -> None:
    assert code("py") == code("python") == code(language="Python3")
    assert code("py").settings == {"language": "python"}


@pytest.mark.parametrize("language", ["", " ", 3, ["python"]])
def test_a_language_is_a_name(language: Any) -> None:
    with pytest.raises(ExtractorError, match=r"extract\.code takes"):
        code(language)


def test_blank_lines_do_not_matter_and_indentation_does() -> None:
    assert code().same("a = 1\n\n\nb = 2  ", "a = 1\nb = 2\n")
    assert not code().same("if a:\n    b", "if a:\n  b")
    assert not code().same("", "")
    with pytest.raises(GoldError):
        code().parse(" ")
