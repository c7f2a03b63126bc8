"""What is comparable, the statistics, the verdict of a comparison."""

from .comparison import (
    ExitCode,
    FieldDifference,
    Flip,
    Outcome,
    PairedDifference,
    PairedTable,
    RunComparison,
    ScoreComparison,
    TaskComparison,
)
from .side import FlipRate, Observation, ObservedExchange, ObservedScore, RunSide, ScoreKind, TaskSide

__all__ = [
    "ExitCode",
    "FieldDifference",
    "Flip",
    "FlipRate",
    "Observation",
    "ObservedExchange",
    "ObservedScore",
    "Outcome",
    "PairedDifference",
    "PairedTable",
    "RunComparison",
    "RunSide",
    "ScoreComparison",
    "ScoreKind",
    "TaskComparison",
    "TaskSide",
]
