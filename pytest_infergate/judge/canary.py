"""Cases with a known verdict, which a judge must get right before its scores count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .case import Case
from .errors import JudgeError
from .judgement import Judgement
from .picture_case import PictureCase
from .verdict import JudgeVerdict
from .vote import shown_words

#: Known-good and known-bad rows for both forms: right, wrong, beside the point, and replies that give orders.
SHIPPED_CANARIES = Path(__file__).with_name("canaries.jsonl")

_FIELDS = ("question", "reply", "expected", "criteria", "reference", "against")
_EXPECTED = {False: ("pass", "fail"), True: ("pass", "fail", "tie")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """A case and the verdict that it must get. ``source`` is its file and line."""

    id: str
    source: str
    case: Case | PictureCase
    expected: JudgeVerdict


def read_canary(fields: Mapping[str, Any], *, id: str, source: str) -> Canary:
    """Read a row: ``question``, ``reply``, ``expected`` (pass or fail), and the case's optional parts.

    A row with ``against`` is for comparisons: pass means that ``reply`` is better; ``tie`` may be expected.
    Raises ``JudgeError`` with the row's place.
    """
    unknown = [name for name in fields if name not in (*_FIELDS, "id")]
    if unknown:
        raise JudgeError(f"{source}: unknown field {unknown[0]!r}; a canary has {', '.join(_FIELDS)}")
    parts = {name: fields.get(name) for name in _FIELDS if name != "expected"}
    try:
        case = Case(**parts)  # type: ignore[arg-type]  # Case checks them
    except JudgeError as error:
        raise JudgeError(f"{source}: {error}") from error
    expected, accepted = fields.get("expected"), _EXPECTED[case.is_pairwise]
    if expected not in accepted:
        raise JudgeError(
            f"{source}: expected={expected!r:.80} is none of {', '.join(accepted)}; correct the row"
        )
    return Canary(id=id, source=source, case=case, expected=JudgeVerdict(expected))


def canary_problem(canary: Canary, judgement: Judgement) -> str | None:
    """Say what a judge got wrong, ``None`` where it was right."""
    if judgement.verdict is canary.expected:
        return None
    where = f"canary {canary.id!r} ({canary.source}) must get {canary.expected.value}"
    if judgement.missing is not None:
        return f"{where} and got no verdict: {judgement.missing}"
    assert judgement.verdict is not None
    said = shown_words(" ".join(judgement.reasons))
    return f"{where} and got {judgement.verdict.value}: {said}"
