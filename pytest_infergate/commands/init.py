"""``infergate init``: a first suite that runs as it is."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path
from typing import Any

from .answer import Answer, answer_with

#: Where each file of the starter goes. The test is kept as text, so that nobody's pytest collects it here.
_FILES = {"test_capitals.py.txt": "evals/test_capitals.py", "capitals.jsonl": "evals/capitals.jsonl"}


def add_init(commands: Any) -> None:
    parser = commands.add_parser(
        "init",
        help="write a first suite that runs as it is",
        description="Write a small suite into evals/: one test, its data set of 20 rows, a prompt that a "
        "base model can answer. Nothing is overwritten.",
    )
    parser.add_argument(
        "folder", metavar="DIR", type=Path, nargs="?", default=Path(), help="where (default: here)"
    )
    answer_with(init, parser)


def init(arguments: argparse.Namespace) -> Answer:
    """Raises ``StarterError`` where a file is there already or cannot be written."""
    from ..report import line
    from .writing import write_new

    folder: Path = arguments.folder
    starter = files("pytest_infergate") / "starter"
    texts = {folder / place: (starter / name).read_text(encoding="utf-8") for name, place in _FILES.items()}
    write_new(texts, "name another folder: infergate init DIR")
    written = [str(path) for path in texts]
    evals = folder / "evals"
    command = f"pytest {evals} --infer-server=embedded"
    if arguments.json:
        return Answer.of_json({"written": written, "next": command})
    return Answer(
        [
            *(line(f"wrote {path}") for path in written),
            (),
            line("next, with a small real model that is started for you (needs pytest-infergate[embedded]):"),
            line(f"  {command}"),
            line("or against a server of your own:"),
            line(f"  pytest {evals} --infer-server=http://127.0.0.1:8080"),
        ]
    )
