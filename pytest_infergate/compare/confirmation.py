"""Whether asking again gave the same: what further attempts say of a pass that turned into a failure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..evidence import Missing, ReasonGroup, Verdict
from ..runs import ATTEMPTS_FILE, RUN_FILE, Attempt, Because, RunFolderError, read_run, read_run_json

#: Task, sample, repeat.
Key = tuple[str, str, int]


def has_delivered(verdict: Verdict, missing: Missing | None) -> bool | None:
    """Say whether an evaluation passed; a reason of the model's group is a no, any other one ``None``."""
    if missing is None:
        return verdict is Verdict.PASSED
    return False if missing.reason.group is ReasonGroup.MODEL else None


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
    path = folder / ATTEMPTS_FILE
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise RunFolderError(f"cannot read {str(path)!r}: {error.strerror}; restore the file") from error
    else:
        found = {"count": raw.count(b"\n"), "sha256": sha256(raw).hexdigest()}
    if found != stated:
        raise RunFolderError(
            f"{path}: {RUN_FILE} says {stated!r} of it, and it is {found!r}; the run is damaged or was "
            f"edited: restore the folder or run again, and see infergate validate {folder}"
        )


def _answers(attempts: Iterable[Attempt]) -> Mapping[Key, list[bool | None]]:
    answers = defaultdict[Key, "list[bool | None]"](list)
    for attempt in attempts:
        # A plugin that runs failing tests again stops at the first that passes: no fair draw.
        if attempt.because is Because.CONFIRM:
            record, key = attempt.record, attempt.record.evaluation.key
            answers[key.task, key.sample, key.repeat].append(has_delivered(record.verdict, record.missing))
    return answers


def _is_majority(first: bool, again: Sequence[bool | None]) -> bool | None:
    """Say whether more than half of all answers are as the first; ``None``: what is unknown decides."""
    asked, same = 1 + len(again), 1 + again.count(first)
    if 2 * same > asked:
        return True
    return False if 2 * (same + again.count(None)) <= asked else None
