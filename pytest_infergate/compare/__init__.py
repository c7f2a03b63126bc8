"""What is comparable, the statistics, the verdict of a comparison."""

from ..runs.exit_code import ExitCode, first_code
from .comparing import MARGIN, Confirmed, compare_runs
from .comparison import (
    FieldDifference,
    Flip,
    Outcome,
    PairedDifference,
    PairedTable,
    RunComparison,
    ScoreComparison,
    TaskComparison,
)
from .read import read_side
from .rescoring import rescore
from .servers import TreatmentError, check_treatment
from .side import FlipRate, Observation, ObservedExchange, ObservedScore, RunSide, ScoreKind, TaskSide
from .stored_side import side_of_records

__all__ = [
    "MARGIN",
    "Confirmed",
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
    "TreatmentError",
    "check_treatment",
    "compare_runs",
    "first_code",
    "read_side",
    "rescore",
    "side_of_records",
]
