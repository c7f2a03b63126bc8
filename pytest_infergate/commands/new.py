"""``infergate new TASK``: a task to go on from, with its data set and its test."""

from __future__ import annotations

import argparse
import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

from .answer import Answer, answer_with

_NAME = re.compile(r"(?!test_)[A-Za-z_][A-Za-z0-9_]{0,99}")
#: What stands for the task's name in the templates, and how its test imports it.
_TASK, _PACKAGE = "TASK_NAME", "from test_TASK_NAME import"
_FILES = {
    "task.py.txt": "test_{}.py",
    "task.jsonl": "{}.jsonl",
    "task_selftest.py.txt": "test_{}_selftest.py",
}


def add_new(commands: Any) -> None:
    parser = commands.add_parser(
        "new",
        help="write a task that runs as it is: its test function, its data set, and a test of its own",
        description="Write a task to go on from: an eval file, its data set of three rows, and a test that "
        "checks without a model that answers are read as you think. Nothing is overwritten.",
    )
    parser.add_argument("task", metavar="TASK", help="its name: letters, digits and _, such as unit_prices")
    parser.add_argument(
        "--dir", metavar="DIR", type=Path, default=Path("evals"), help="the folder (default: evals)"
    )
    answer_with(new, parser)


def new(arguments: argparse.Namespace) -> Answer:
    """Raises ``StarterError`` for a name that is none, and where a file is there already."""
    from ..report import line
    from .errors import StarterError
    from .writing import write_new

    task, folder = arguments.task, arguments.dir
    if not _NAME.fullmatch(task):
        raise StarterError(
            f"{task!r} is no name for a task; accepted: letters, digits and _, not beginning with a digit "
            "or with test_, such as unit_prices"
        )
    starter = files("pytest_infergate") / "starter"
    texts: dict[Path, str] = {}
    for name, place in _FILES.items():
        text = (starter / name).read_text(encoding="utf-8")
        if (folder / "__init__.py").exists():  # a package: its modules know each other by their place in it
            text = text.replace(_PACKAGE, _PACKAGE.replace("from ", "from ."))
        texts[folder / place.format(task)] = text.replace(_TASK, task)
    write_new(texts, "name another task or folder: infergate new TASK --dir DIR")
    written = [str(path) for path in texts]
    check, ask = (f"pytest {shlex.quote(written[which])}" for which in (2, 0))
    if arguments.json:
        return Answer.of_json({"written": written, "next": check})
    return Answer(
        [
            *(line(f"wrote {path}") for path in written),
            (),
            line("next, see that answers are read as you think, without a model:"),
            line(f"  {check}"),
            line("then ask a server:"),
            line(f"  {ask} --infer-server=http://127.0.0.1:8080"),
        ]
    )
