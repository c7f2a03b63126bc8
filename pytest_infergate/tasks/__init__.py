"""What a task is made of: data sets, samples, prompts, its declaration and its digest. Pure."""

from __future__ import annotations

from .dataset import Dataset, load_dataset
from .declaration import ARGUMENTS, TaskDeclaration, parse_allow, parse_task
from .digest import task_digest
from .endpoint import Endpoint
from .errors import DatasetError, DeclarationError, MissingFieldError
from .limit import Limit, parse_limit
from .messages import check_messages, render_messages
from .prompt import Prompt, parse_prompt
from .reached_extractors import reached_extractors
from .sample import Sample
from .sampling import DEFAULT_SAMPLING, SAMPLING_NAMES, parse_sampling
from .template import few_shot
from .wer_declaration import ErrorMetric, WerDeclaration, parse_wer

__all__ = [
    "ARGUMENTS",
    "DEFAULT_SAMPLING",
    "SAMPLING_NAMES",
    "Dataset",
    "DatasetError",
    "DeclarationError",
    "Endpoint",
    "ErrorMetric",
    "Limit",
    "MissingFieldError",
    "Prompt",
    "Sample",
    "TaskDeclaration",
    "WerDeclaration",
    "check_messages",
    "few_shot",
    "load_dataset",
    "parse_allow",
    "parse_limit",
    "parse_prompt",
    "parse_sampling",
    "parse_task",
    "parse_wer",
    "reached_extractors",
    "render_messages",
    "task_digest",
]
