"""Shards of one suite, from several machines or jobs, put together into the run that was meant.

Loads jsonschema: every shard is validated first.
"""

from .merge import MergedRun, merge_runs
from .refusal import MergeRefused, Refusal, RefusalKind

__all__ = ["MergeRefused", "MergedRun", "Refusal", "RefusalKind", "merge_runs"]
