"""Run folders: write, read, count, redact.

``validate_run`` is in ``runs.validate``, which loads jsonschema.
"""

from .artifacts import ArtifactStore, artifacts_of
from .attempts import ATTEMPT_SCHEMA, Attempt, Because
from .collected import COLLECTED_SCHEMA, CollectedEvaluation, CollectedTask
from .errors import ForeignFolderError, RunFolderError
from .findings import Findings, FlagFinding, MissingFinding, RerunFinding, WrongFinding
from .folder import ATTEMPTS_FILE, COLLECTED_FILE, RECORDS_FILE, RUN_FILE, new_run_folder, new_run_id
from .head import RUN_SCHEMA, Derivation, DerivedBy, Project, RunHead
from .ledger import RunLedger, summarise
from .origin import project_state, start_of_run, utc_now
from .reader import StoredRun, read_run, read_run_json
from .redact import REDACTED, Secrets, redact_argv, redact_text
from .rescored import Rescored
from .score_rates import ScoreRate
from .served_models import ServedModels, Witnesses
from .summary import TASK_GATE, RunSummary, TaskPlan, TaskSummary
from .writer import RunWriter

__all__ = [
    "ATTEMPTS_FILE",
    "ATTEMPT_SCHEMA",
    "COLLECTED_FILE",
    "COLLECTED_SCHEMA",
    "RECORDS_FILE",
    "REDACTED",
    "RUN_FILE",
    "RUN_SCHEMA",
    "TASK_GATE",
    "ArtifactStore",
    "Attempt",
    "Because",
    "CollectedEvaluation",
    "CollectedTask",
    "Derivation",
    "DerivedBy",
    "Findings",
    "FlagFinding",
    "ForeignFolderError",
    "MissingFinding",
    "Project",
    "RerunFinding",
    "Rescored",
    "RunFolderError",
    "RunHead",
    "RunLedger",
    "RunSummary",
    "RunWriter",
    "ScoreRate",
    "Secrets",
    "ServedModels",
    "StoredRun",
    "TaskPlan",
    "TaskSummary",
    "Witnesses",
    "WrongFinding",
    "artifacts_of",
    "new_run_folder",
    "new_run_id",
    "project_state",
    "read_run",
    "read_run_json",
    "redact_argv",
    "redact_text",
    "start_of_run",
    "summarise",
    "utc_now",
]
