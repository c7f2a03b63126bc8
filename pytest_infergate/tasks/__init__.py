"""What a task is made of: data sets, samples, prompts, its declaration and its digest. Pure."""

from __future__ import annotations

from .dataset import Dataset, load_dataset
from .declaration import ARGUMENTS, TaskDeclaration, parse_allow, parse_task
from .endpoint import Endpoint
from .errors import DatasetError, DeclarationError, MissingFieldError
from .limit import Limit, parse_limit
from .prompt import Prompt, parse_prompt
from .sample import Sample
from .sampling import DEFAULT_SAMPLING, SAMPLING_NAMES, parse_sampling
from .template import few_shot

__all__ = [
    "ARGUMENTS",
    "DEFAULT_SAMPLING",
    "SAMPLING_NAMES",
    "Dataset",
    "DatasetError",
    "DeclarationError",
    "Endpoint",
    "Limit",
    "MissingFieldError",
    "Prompt",
    "Sample",
    "TaskDeclaration",
    "few_shot",
    "load_dataset",
    "parse_allow",
    "parse_limit",
    "parse_prompt",
    "parse_sampling",
    "parse_task",
]
