"""What a result is: verdicts, reasons, scores, evaluator identity, records, gates. Pure."""

from .artifact import Artifact
from .canonical import canonical_json, digest, digest_bytes, seal_of
from .components import Component, ComponentTally
from .corpus_gate import PooledRate, judge_corpus
from .corpus_rule import CorpusRule
from .errors import InfergateError, NoAnswer
from .evaluator import ERROR_RATE, TRANSCRIBER, EvaluatorIdentity
from .exchange import Exchange, ReplySource, Role
from .gates import Gate, GateRule, judge_task
from .input_file import InputFile
from .interval import wilson_interval
from .json_schema import JsonSchema, SchemaError, SchemaFault
from .pass_at_k import pass_at_k
from .reasoning import ReasoningSplit, split_reasoning
from .reasons import ALLOWABLE, Missing, Reason, ReasonGroup
from .record import RECORD_SCHEMA, Evaluation, EvaluationKey, Record
from .repeats import RepeatOutcome, Repeats, clustered_interval, summarise_repeats
from .reply import Reply, Timing, ToolCall, Usage
from .score import PASSED, Fallback, Pooled, Score
from .tally import Tally, tally
from .undecodable import UndecodableMedia
from .verdicts import Verdict, combine_verdicts

__all__ = [
    "ALLOWABLE",
    "ERROR_RATE",
    "PASSED",
    "RECORD_SCHEMA",
    "TRANSCRIBER",
    "Artifact",
    "Component",
    "ComponentTally",
    "CorpusRule",
    "Evaluation",
    "EvaluationKey",
    "EvaluatorIdentity",
    "Exchange",
    "Fallback",
    "Gate",
    "GateRule",
    "InfergateError",
    "InputFile",
    "JsonSchema",
    "Missing",
    "NoAnswer",
    "Pooled",
    "PooledRate",
    "Reason",
    "ReasonGroup",
    "ReasoningSplit",
    "Record",
    "RepeatOutcome",
    "Repeats",
    "Reply",
    "ReplySource",
    "Role",
    "SchemaError",
    "SchemaFault",
    "Score",
    "Tally",
    "Timing",
    "ToolCall",
    "UndecodableMedia",
    "Usage",
    "Verdict",
    "canonical_json",
    "clustered_interval",
    "combine_verdicts",
    "digest",
    "digest_bytes",
    "judge_corpus",
    "judge_task",
    "pass_at_k",
    "seal_of",
    "split_reasoning",
    "summarise_repeats",
    "tally",
    "wilson_interval",
]
