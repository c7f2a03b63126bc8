"""Whether an evaluation that was kept is still the one that would be asked now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...evidence import (
    ERROR_RATE,
    TRANSCRIBER,
    EvaluatorIdentity,
    InfergateError,
    Record,
    Role,
    UndecodableMedia,
    canonical_json,
)
from ...media import find_source
from ...serving import Engine
from ...tasks import WerDeclaration
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.requesting import prompt_request

#: So many characters of a value are shown.
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between an evaluation as it was kept and as it would be asked now."""

    what: str
    field: str
    there: object
    now: object

    def __str__(self) -> str:
        return f"{self.what}: its {self.field} is {_shown(self.there)} there and {_shown(self.now)} now"


def changes_since(
    record: Record, running: RunningEvaluation, engine: Engine | None, *, is_prompted: bool
) -> Iterator[Change]:
    """Yield what differs; ``engine`` says how the server is asked for the prompt of an item that has one."""
    there, now, task = record.evaluation, running.evaluation, running.task
    what = str(now.key)
    if there.task_version != now.task_version:
        yield Change(what, "task version", there.task_version, now.task_version)
    if there.task_digest != now.task_digest:
        yield Change(what, "task digest (its code and its marks)", there.task_digest, now.task_digest)
    for score in record.scores:
        if (score.evaluator.kind, score.evaluator.name) == (task.evaluator.kind, task.evaluator.name):
            yield from _evaluator_changes(what, score.evaluator, task.evaluator)
            break
    if there.sample_digest != now.sample_digest:
        yield Change(what, "sample digest (its row of the data set)", there.sample_digest, now.sample_digest)
    yield from _limit_changes(record, running.task.wer)
    yield from _file_changes(record)
    if is_prompted:
        yield from _request_changes(record, running, engine)


def _evaluator_changes(what: str, there: EvaluatorIdentity, now: EvaluatorIdentity) -> Iterator[Change]:
    ours, theirs = there.as_json(), now.as_json()
    for name in ours:
        # Its version and digest are the task's own, told above.
        if name not in ("version", "digest") and canonical_json(ours[name]) != canonical_json(theirs[name]):
            yield Change(what, f"evaluator's {name}", ours[name], theirs[name])


def _limit_changes(record: Record, declared: WerDeclaration | None) -> Iterator[Change]:
    """Compare what was enough of each clip's rate with what is now, where the verdict hangs on it.

    The limits are no part of the task digest, so that a stricter gate does not make two runs incomparable.
    """
    if declared is None:
        return
    for score in record.scores:
        details = score.details or {}
        if score.evaluator.kind not in (TRANSCRIBER, ERROR_RATE) or score.pooled is None:
            continue  # words in silence have no limit but 0
        there, now = details.get("max"), declared.max
        if "max" in details and _is_over(score.value, there) != _is_over(score.value, now):
            what = f"{record.evaluation.key}, whose {score.name} is {score.value:.4g}"
            yield Change(what, "limit (max of infer_wer)", there, now)


def _is_over(value: float | None, limit: object) -> bool:
    return value is not None and isinstance(limit, (int, float)) and value > limit


def _file_changes(record: Record) -> Iterator[Change]:
    """Compare the files that were sent, heard, looked at and held against with what they are now.

    Of a clip or a picture that is gone nobody can tell; a reference that is gone holds nothing any more.
    """
    seen: set[tuple[object, object]] = set()
    for what, path, there in _files_of(record):
        # ``bytes`` and ``reply`` are no files; every file that was opened has its whole path.
        if there is None or not isinstance(path, str) or not Path(path).is_absolute():
            continue
        if (path, there) in seen:
            continue
        seen.add((path, there))
        try:
            now = find_source(path, "media").sha256
        except UndecodableMedia as error:
            if what == "reference":
                yield Change(str(record.evaluation.key), f"reference {path!r}", there, error.missing.detail)
            continue
        if now != there:
            yield Change(str(record.evaluation.key), f"{what} {path!r} (its sha256)", there, now)


def _files_of(record: Record) -> Iterator[tuple[object, object, object]]:
    """Yield what kind of file was read, its path and its sha256."""
    for score in record.scores:
        details = score.details or {}
        audio, media, reference = (_mapping(details.get(name)) for name in ("audio", "media", "reference"))
        yield "clip", audio.get("path"), audio.get("sha256")
        yield media.get("kind"), media.get("source"), media.get("sha256")
        yield "reference", reference.get("path"), details.get("against")
    for file in record.files:
        yield "file", file.path, file.sha256


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _request_changes(record: Record, running: RunningEvaluation, engine: Engine | None) -> Iterator[Change]:
    """Compare the request of the marker's prompt with what was asked; where nothing was, there is nothing."""
    asked = [one["request_digest"] for one in record.exchanges if one["role"] == Role.MODEL.value]
    if not asked:
        return
    try:
        now = prompt_request(running, engine).digest
    except (InfergateError, OSError) as error:
        now = f"none, since {error}"
    if now not in asked:
        what = str(running.evaluation.key)
        yield Change(what, "request digest (its prompt, its pictures or its settings)", asked[0], now)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]} …"
