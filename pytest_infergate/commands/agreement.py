"""``infergate agreement RUN LABELS``: how far a judge agreed with people."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with

if TYPE_CHECKING:
    from ..judge import Agreement
    from ..runs import StoredRun

_WORDS = {1.0: "pass", 0.0: "fail", 0.5: "tie"}
_LABELS: Mapping[Any, str] = {"pass": "pass", "fail": "fail", "tie": "tie", True: "pass", False: "fail"}


def add_agreement(commands: Any) -> None:
    parser = commands.add_parser(
        "agreement",
        help="tell how far a judge agreed with people",
        description="Compare the scores that a judge gave in a run with the labels that people gave the same "
        "rows: accuracy and Cohen's kappa, each with its 95 % interval. Rows and evaluations are matched by "
        "id; nothing is asked again.",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="a run folder")
    parser.add_argument("labels", metavar="LABELS", type=Path, help="the data set with people's labels")
    parser.add_argument(
        "--label", metavar="FIELD", default="label", help="its field: pass, fail, tie, true or false (label)"
    )
    parser.add_argument(
        "--score", metavar="NAME", default="judge", help="the judge's score in the run (judge)"
    )
    answer_with(agreement, parser)


def agreement(arguments: argparse.Namespace) -> Answer:
    """Raises ``DatasetError``, ``RunFolderError``, and ``LabelsError`` for labels that do not fit the run."""
    from ..judge import measure_agreement
    from ..runs import read_run

    labels = _read_labels(arguments.labels, arguments.label)
    verdicts = _read_verdicts(read_run(arguments.run), arguments.score, labels)
    # A row that the run did not reach has no verdict; one that it repeated has several.
    pairs = [(label, verdict) for id, label in labels.items() for verdict in verdicts.get(id, [None])]
    found = measure_agreement(pairs)
    return Answer.of_json(found.as_json()) if arguments.json else Answer(_lines(found))


def _read_labels(path: Path, field: str) -> dict[str, str]:
    from ..tasks import load_dataset
    from .errors import LabelsError

    labels = {}
    for sample in load_dataset(path).samples:
        label = sample.get(field)
        word = _LABELS.get(label) if isinstance(label, (str, bool)) else None
        if word is None:
            raise LabelsError(
                f"{sample.source}: {field}={label!r:.80} is no label; accepted: pass, fail, tie, true, "
                "false; name another field with --label=FIELD"
            )
        labels[sample.id] = word
    if not labels:
        raise LabelsError(f"{path}: no rows, so there is nothing to agree with")
    return labels


def _read_verdicts(run: StoredRun, name: str, labels: Mapping[str, str]) -> dict[str, list[str | None]]:
    from .errors import LabelsError

    verdicts: dict[str, list[str | None]] = {}
    tasks: set[str] = set()
    names: set[str] = set()
    for record in run.records():
        names.update(score.name for score in record.scores if score.evaluator.kind == "judge")
        key = record.evaluation.key
        score = next((score for score in record.scores if score.name == name), None)
        if key.sample not in labels or score is None:
            continue
        tasks.add(key.task)
        if score.value is not None and score.value not in _WORDS:
            raise LabelsError(f"{key}: the score {name!r} is {score.value!r}, which is no verdict of a judge")
        verdicts.setdefault(key.sample, []).append(None if score.value is None else _WORDS[score.value])
    if not verdicts:
        judged = ", ".join(map(repr, sorted(names))) or "none"
        raise LabelsError(
            f"no row of the labels has a score {name!r} in {str(run.path)!r}; scores of a judge there: "
            f"{judged}; use the data set of the run, and --score=NAME"
        )
    if len(tasks) > 1:
        raise LabelsError(
            f"the rows are in several tasks of {str(run.path)!r}: {', '.join(sorted(tasks))}; "
            "judge them in one task, or give its score a name of its own"
        )
    return verdicts


def _lines(found: Agreement) -> list[Any]:
    from ..report import line

    def interval(low: float | None, high: float | None) -> str:
        return "interval unknown" if low is None or high is None else f"95 % interval {low:.3f} to {high:.3f}"

    lines = [f"labels    {found.planned}, judged {found.judged}, missing {found.missing}"]
    if found.accuracy is None or found.accuracy_interval is None:
        lines.append("accuracy  unknown: nothing was judged")
    else:
        low, high = found.accuracy_interval
        lines.append(
            f"accuracy  {found.accuracy:.3f} ({found.agreed} of {found.judged}), {interval(low, high)}"
        )
    if found.kappa is None:
        lines.append("kappa     not defined: there is one category, or nothing was judged")
    else:
        lines.append(f"kappa     {found.kappa.value:.3f}, {interval(found.kappa.low, found.kappa.high)}")
    for (label, verdict), count in sorted(found.table.items()):
        lines.append(f"  people {label}, judge {verdict}: {count}")
    return [line(text) for text in lines]
