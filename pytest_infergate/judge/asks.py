"""Which questions make one judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .case import Case
from .errors import JudgeError
from .form import VerdictForm
from .picture_case import PictureCase
from .picture_prompts import picture_messages
from .prompts import judge_messages
from .verdict_json import verdict_schema

#: Room for a judge that thinks first. A judge that needs more is truncated, which is missing evidence.
MAX_TOKENS = 4096
#: Several votes at temperature 0 would be one vote, counted often. Source: X. Wang et al.,
#: "Self-consistency improves chain of thought reasoning in language models", ICLR 2023.
VOTING_TEMPERATURE = 0.7
MOST_VOTES = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request to the judge: ``case`` in the order in which its replies are shown."""

    case: Case | PictureCase
    messages: tuple[Mapping[str, Any], ...]
    sampling: Mapping[str, Any]


def plan_asks(case: Case | PictureCase, votes: int) -> tuple[Ask, ...]:
    """Return what to ask for ``votes`` votes, each with a seed of its own.

    Two replies, or pictures, are asked about in both orders, one after the other, with the same seed: twice
    as many asks.
    Raises ``JudgeError`` for a number of votes that is not from 1 to 99.
    """
    if isinstance(votes, bool) or not isinstance(votes, int) or not 1 <= votes <= MOST_VOTES:
        raise JudgeError(f"votes={votes!r} is not a whole number from 1 to {MOST_VOTES}")
    orders: list[Case | PictureCase] = [case, case.swapped()] if case.is_pairwise else [case]
    shared = sampling_of(votes, case.form)
    return tuple(
        Ask(case=order, messages=_messages(order), sampling={**shared, "seed": seed})
        for seed in range(1, votes + 1)
        for order in orders
    )


def _messages(case: Case | PictureCase) -> tuple[dict[str, Any], ...]:
    return picture_messages(case) if isinstance(case, PictureCase) else judge_messages(case)


def sampling_of(votes: int, form: VerdictForm) -> dict[str, Any]:
    """Return the sampling fields that all asks share: greedy for one vote, drawn for several."""
    schema = verdict_schema(form)
    return {
        "temperature": 0 if votes == 1 else VOTING_TEMPERATURE,
        "max_tokens": MAX_TOKENS,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": schema},
        },
    }
