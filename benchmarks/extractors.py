"""Measure every extractor on 1 MB of adversarial text, and on twice that.

Run: python benchmarks/extractors.py
To reach: at most 0.2 s for 1 MB, growth linear (a ratio near 2). ``regex`` runs a pattern of the user's and
stops at its timeout. Seconds are of this process alone, whatever else the machine does.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

from pytest_infergate import extract, speech
from pytest_infergate.evidence import NoAnswer

MEGABYTE = 1_000_000
REPEATED = [
    *("1,", "1", "1 ", "1+", "12-", "10^", "½", "１", "1. a\n", "$1", "1/", "'", "a ", " ", "\n", "\t", "İ"),
    *(
        "{",
        "{}",
        "[",
        "[1,",
        '{"a":',
        '{"a\n',
        '[{"a":1},',
        '"',
        "\\",
        "(",
        "```\n",
        "~~~\n",
        "`",
        "> ```\n",
        "```json\n{\n",
        ">",
    ),
    *(
        "\\boxed{",
        "\\boxed{1}",
        "\\frac{1}",
        "\\text{",
        "**",
        "####\n",
        "#### 1\n",
        "= ",
        "answer is ",
        "Answer: A\n",
        "the answer to ",
    ),
    *(
        "<think>",
        "</think>",
        "<think>a</think>",
        "<answer>",
        "<tool_call>{",
        "<|channel|>analysis",
        "A ",
        "(A)",
        "A or ",
        "option A ",
    ),
    *(
        "A or B ",
        "A. ",
        "Q: ",
        "18\nQ: a\n",
        "</s>",
        "<|im_end|>\n<|im_start|>",
        "\\boxed{1}, ",
        "between 1 and ",
        "It is true. ",
        "```python\n'''\n```\n",
        "$ ls\n",
    ),
    *(
        "“",
        "”",
        "“a” ",
        '"a" ',
        "'a ",
        "a' ",
        "‘’",
        "« ",
        "“\n\n",
        '"a\n\n',
        "``",
        "*a* ",
        "*a ",
        "(a) ",
        "[a",
        "<a ",
    ),
    *(
        "A: ",
        "A: b\n",
        "A: b. ",
        "A:\n\n",
        "says a ",
        "say: a\n\n",
        "says, a. ",
        "INT. \n\nA\n",
        "1\n00:01,0 --> 00:02,0\na\n",
    ),
    *(
        "WEBVTT\n\n",
        "00:01.0 --> 00:02.0\n<v A>b\n",
        "NOTE a\n\n",
        "A (",
        "**A** ",
        "A B ",
        ". A",
        "says to a ",
    ),
    *(
        "A is ",
        "not A ",
        "no, ",
        "yes ",
        "so yes. ",
        "not ",
        "checked 3 times ",
        "cannot be ",
        "x=1\n",
        "def f():\n",
        "Wait, no. ",
        "The answer is 4. Actually, ",
        "__A__ ",
    ),
]
WRAPPED = [
    ("\\boxed{", "1", "}"),
    ("\\boxed{", "{a}", "}"),
    ("<think>", "a</thin", ""),
    ("```python\n", "x=1\n", "```"),
    ("```pycon\n", ">>> x\n", "```"),
    ("[", "1,", "1]"),
    ("Answer: ", "not A or B ", ""),
    ("“", "a ‘b’ ", "”"),
    ("says ", "a b ", ""),
    ("WEBVTT\n\n00:01.0 --> 00:02.0\n", "a\n", ""),
    ("INT. A\n\nA\n", "a. B: c ", ""),
    ("", "He said, “I know, ‘it’s’ late.” ANNA: Go on!\n", ""),
    ("", "The quick brown fox jumps over 12 lazy dogs (see step 3). ", ""),
]
EXTRACTORS: dict[str, extract.Extractor[Any]] = {
    "number": extract.number,
    "choice (letters)": extract.choice("ABCD"),
    "choice (texts)": extract.choice({"A": "saw", "B": "drill", "C": "file"}),
    "boxed": extract.boxed,
    "yes_no": extract.yes_no,
    "last_line": extract.last_line,
    "final_answer": extract.final_answer,
    "regex (a number)": extract.regex(r"-?\d+"),
    "code": extract.code(),
    "code (python)": extract.code("python"),
    "json_value": extract.json_value(),
    "tool_calls": extract.tool_calls,
    "speech.script": speech.script,
}


def texts_of(size: int) -> dict[str, str]:
    """Return the adversarial texts of ``size`` characters by what they repeat."""
    found = {f"{piece!r}": (piece * (size // len(piece) + 1))[:size] for piece in REPEATED}
    for before, piece, after in WRAPPED:
        found[f"{before + piece + after!r}"] = before + piece * (size // len(piece)) + after
    found["'[[…]]'"] = "[" * (size // 2) + "]" * (size // 2)
    return found


def seconds(extractor: extract.Extractor[Any], text: str) -> float:
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        with contextlib.suppress(NoAnswer):
            extractor(text)
        best = min(best, time.process_time() - begun)
    return best


def main() -> None:
    single, double = texts_of(MEGABYTE), texts_of(2 * MEGABYTE)
    print(f"{'extractor':18} {'worst 1 MB':>10} {'2 MB':>8} {'ratio':>6}  text")
    for name, extractor in EXTRACTORS.items():
        worst, text = max((seconds(extractor, text), label) for label, text in single.items())
        twice = seconds(extractor, double[text])
        print(f"{name:18} {worst:9.3f}s {twice:7.3f}s {twice / worst:6.2f}  {text}")


if __name__ == "__main__":
    main()
