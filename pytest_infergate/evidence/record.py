"""The line that a run keeps of one evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .input_file import InputFile
from .reasons import Missing
from .score import Score
from .verdicts import Verdict

RECORD_SCHEMA = "infergate.record/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationKey:
    """Task × sample × repeat: what an evaluation is of."""

    task: str
    sample: str
    repeat: int = 0

    def __str__(self) -> str:
        return f"{self.task}/{self.sample}#{self.repeat}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One planned evaluation, known before anything is asked.

    ``nodeid`` is pytest's. Digests are ``sha256:<hex>``; ``sample_digest`` is of the sample's
    content, ``task_digest`` of the test's code.
    """

    key: EvaluationKey
    nodeid: str
    task_version: str
    task_digest: str
    sample_digest: str

    def as_json(self) -> dict[str, Any]:
        return {
            "id": str(self.key),
            "nodeid": self.nodeid,
            "task": {"name": self.key.task, "version": self.task_version, "digest": self.task_digest},
            "sample": {"id": self.key.sample, "digest": self.sample_digest},
            "repeat": self.key.repeat,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Evaluation:
        task, sample = value["task"], value["sample"]
        return cls(
            key=EvaluationKey(task=task["name"], sample=sample["id"], repeat=value["repeat"]),
            nodeid=value["nodeid"],
            task_version=task["version"],
            task_digest=task["digest"],
            sample_digest=sample["digest"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What was measured in one evaluation.

    ``missing`` is given exactly where ``verdict`` is missing. ``exchanges`` are JSON objects, in the
    order of asking. ``is_expected_failure``: the test is marked xfail and its answer was wrong, so no
    gate counts it. ``answer`` is what was read out of the reply, as JSON where it is some and else by
    ``repr``; ``None`` where nothing was. ``started`` is an ISO 8601 time in UTC, ``duration_s`` in seconds;
    both ``None`` where the evaluation never ran. ``message`` is what the test said when it failed, one
    paragraph. ``kept_from`` is the run that judged it, ``None``: this one did. ``files`` are the
    media that it read from files.
    """

    evaluation: Evaluation
    verdict: Verdict
    missing: Missing | None = None
    is_expected_failure: bool = False
    message: str | None = None
    answer: str | None = None
    scores: tuple[Score, ...] = ()
    exchanges: tuple[Mapping[str, Any], ...] = ()
    started: str | None = None
    duration_s: float | None = None
    kept_from: str | None = None
    files: tuple[InputFile, ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is Verdict.MISSING) != (self.missing is not None):
            raise ValueError(
                f"{self.evaluation.key}: verdict {self.verdict.value!r} with missing {self.missing!r}"
            )

    def as_json(self) -> dict[str, Any]:
        files = {"files": [file.as_json() for file in self.files]} if self.files else {}
        return {
            "schema": RECORD_SCHEMA,
            **self.evaluation.as_json(),
            "verdict": self.verdict.value,
            "missing": self.missing.as_json() if self.missing else None,
            "expected_failure": self.is_expected_failure,
            "message": self.message,
            "answer": self.answer,
            "scores": [score.as_json() for score in self.scores],
            "exchanges": [dict(exchange) for exchange in self.exchanges],
            "started": self.started,
            "duration_s": self.duration_s,
            "kept_from": self.kept_from,
            **files,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Record:
        return cls(
            evaluation=Evaluation.from_json(value),
            verdict=Verdict(value["verdict"]),
            missing=Missing.from_json(value["missing"]) if value["missing"] else None,
            is_expected_failure=value["expected_failure"],
            message=value["message"],
            answer=value["answer"],
            scores=tuple(Score.from_json(score) for score in value["scores"]),
            exchanges=tuple(value["exchanges"]),
            started=value["started"],
            duration_s=value["duration_s"],
            kept_from=value["kept_from"],
            files=tuple(map(InputFile.from_json, value.get("files", ()))),
        )
