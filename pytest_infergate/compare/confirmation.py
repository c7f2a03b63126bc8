"""Whether asking again gave the same: what further attempts say of a pass that turned into a failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..runs import ATTEMPTS_FILE, Attempt, Because, RunFolderError, read_run, read_run_json
from ..runs.sealed_file import sealed_file_problems
from .side import has_delivered

#: Task, sample, repeat.
Key = tuple[str, str, int]


def confirmed_flips(base: Iterable[Attempt], candidate: Iterable[Attempt]) -> Mapping[Key, bool]:
    """Return of each loss that was asked again whether it is confirmed.

    It is where more than half of all the candidate's answers, the first one included, were wrong, and more
    than half of the base's right where that was asked again too. Attempts that measured nothing count for
    neither: a loss that they could still make one is left out, and stands as if it had not been asked again.
    """
    ours, theirs = _answers(base), _answers(candidate)
    confirmed = {}
    for key, answers in theirs.items():
        is_wrong = _is_majority(False, answers)
        is_right = _is_majority(True, ours.get(key, ()))
        if is_wrong is False or is_right is False:
            confirmed[key] = False
        elif is_wrong and is_right:
            confirmed[key] = True
    return confirmed


def read_confirmed(base: Path, candidate: Path) -> Mapping[Key, bool]:
    """Return ``confirmed_flips`` of two runs; a baseline file holds no further attempts.

    Raises ``ForeignFolderError`` and ``RunFolderError`` as ``read_side`` does.
    """
    return confirmed_flips(_attempts(base), _attempts(candidate))


def _attempts(path: Path) -> Iterator[Attempt]:
    if path.is_file():
        return iter(())
    run = read_run(path)
    if run.finished is not None:
        _check_seal(path, read_run_json(path)["attempts"])
    return run.attempts()


def _check_seal(folder: Path, stated: Mapping[str, Any] | None) -> None:
    """Hold the attempts of a finished run against what it says of them: an edit could excuse a loss."""
    for where, what in sealed_file_problems(
        folder / ATTEMPTS_FILE,
        lambda line: None,
        sealed=stated,
        unsealed="no evaluation was asked again",
        is_finished=True,
    ):
        raise RunFolderError(
            f"{folder / where}: {what}; the run is damaged or was edited: restore the folder or run again, "
            f"and see infergate validate {folder}"
        )


def _answers(attempts: Iterable[Attempt]) -> Mapping[Key, list[bool | None]]:
    answers = defaultdict[Key, "list[bool | None]"](list)
    for attempt in attempts:
        # A plugin that runs failing tests again stops at the first that passes: no fair draw.
        if attempt.because is Because.CONFIRM:
            record, key = attempt.record, attempt.record.evaluation.key
            reason = record.missing.reason if record.missing else None
            answers[key.task, key.sample, key.repeat].append(has_delivered(record.verdict, reason))
    return answers


def _is_majority(first: bool, again: Sequence[bool | None]) -> bool | None:
    """Say whether more than half of all answers are as the first; ``None``: what is unknown decides."""
    asked, same = 1 + len(again), 1 + again.count(first)
    if 2 * same > asked:
        return True
    return False if 2 * (same + again.count(None)) <= asked else None
