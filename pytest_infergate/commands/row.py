"""``infergate row RUN ID``: an evaluation as a row of a data set."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with

if TYPE_CHECKING:
    from ..evidence import Record


def add_row(commands: Any) -> None:
    parser = commands.add_parser(
        "row",
        help="turn an evaluation into a row of a data set",
        description="Print one JSONL row that asks again what an evaluation asked: its prompt or messages as "
        "they were sent, what came back, and an empty gold answer for you to fill in. A record does not hold "
        "the other fields of the row that it came from.",
        epilog="infergate row RUN ID >> evals/regressions.jsonl, and in the task: "
        "prompt=lambda sample: sample['messages'] (or sample['prompt'] for endpoint='completion')",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="a run folder")
    parser.add_argument("evaluation", metavar="ID", help="an evaluation: task/sample#repeat")
    answer_with(row, parser)


def row(arguments: argparse.Namespace) -> Answer:
    """Raises ``EvaluationNotFound`` for an unknown ID and ``RowError`` where no row can be made."""
    from ..report import line
    from ..runs import read_run
    from .errors import RowError
    from .lookup import find_records

    run = read_run(arguments.run)
    found = find_records(run, arguments.evaluation)
    if len(found) > 1:
        ids = ", ".join(repr(str(record.evaluation.key)) for record in found[:5])
        raise RowError(f"{arguments.evaluation!r} is {len(found)} evaluations; name one of them: {ids}")
    made = _row_of(found[0], run.head.run_id)
    if arguments.json:
        return Answer.of_json(made)
    return Answer([line(json.dumps(made, allow_nan=False))])


def _row_of(record: Record, run_id: str) -> dict[str, Any]:
    from ..runs.redact import REDACTED
    from .errors import RowError

    key = record.evaluation.key
    asked = [exchange for exchange in record.exchanges if exchange["role"] == "model"]
    if not asked:
        raise RowError(f"{str(key)!r} asked the model nothing, so there is nothing to ask again")
    if not all(_goes_on(one, other) for one, other in pairwise(asked)):
        raise RowError(
            f"{str(key)!r} asked {len(asked)} times, not in one conversation, and a row holds one prompt; "
            "look at them with infergate show, and write the rows by hand"
        )
    request, reply = asked[-1]["request"], asked[-1]["reply"]
    if asked[-1]["endpoint"] not in ("chat", "completion"):
        raise RowError(
            f"{str(key)!r} asked for a {asked[-1]['endpoint']}, and a row holds a prompt; write the row by "
            "hand, with the path of the file or the text"
        )
    name = "prompt" if "prompt" in request else "messages"
    content = request.get(name)
    if not content:
        raise RowError(
            f"{str(key)!r} has no prompt and no messages in its last request; restore the run (infergate "
            "validate tells more)"
        )
    if name == "messages" and _has_media(content):
        raise RowError(
            f"{str(key)!r} sent a picture, sound or film, and a run keeps its digest alone; write the row by "
            "hand, with the path of the file"
        )
    if REDACTED in repr(content):
        raise RowError(
            f"{str(key)!r}: a secret was taken out of what was sent, {REDACTED} stands in its place; write "
            "the row by hand"
        )
    return {
        "id": key.sample,
        name: content,
        "gold": None,
        # A data set cannot hold half of a surrogate pair, which a reply can.
        "reply": reply["text"].encode("utf-8", "replace").decode("utf-8") if reply else None,
        "from": f"{run_id} {key}",
    }


def _goes_on(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the second exchange goes on with the conversation of the first."""
    before, after = one["request"].get("messages"), other["request"].get("messages")
    return bool(before) and bool(after) and len(after) > len(before) and after[: len(before)] == before


def _has_media(content: Any) -> bool:
    """Whether something in it is known by its digest alone, as ``serving`` records media."""
    if isinstance(content, dict):
        return content.keys() == {"sha256", "bytes", "media_type"} or any(map(_has_media, content.values()))
    return isinstance(content, list) and any(map(_has_media, content))
