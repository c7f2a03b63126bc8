"""The form of a judge's answer, and reading it strictly."""

from __future__ import annotations

import json
import re
from typing import Any

from ..evidence import Exchange, Missing, Reason, Reply
from .case import Case
from .form import VerdictForm
from .picture_case import PictureCase
from .verdict import JudgeVerdict
from .vote import Vote, shown_words

_WORDS = {
    VerdictForm.SINGLE: ("verdict", {"pass": "pass", "fail": "fail", "abstain": "abstain"}),
    VerdictForm.PAIRWISE: ("better", {"first": "pass", "second": "fail", "tie": "tie", "abstain": "abstain"}),
    VerdictForm.PICTURE: ("answer", {"yes": "pass", "no": "fail", "unsure": "abstain"}),
}
#: A fence around the whole answer is how chat models write JSON; it adds nothing to it.
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n[ \t]*```\Z", re.DOTALL | re.IGNORECASE)
#: A longer answer is no verdict, and is not parsed.
_LONGEST = 100_000


def verdict_schema(form: VerdictForm) -> dict[str, Any]:
    """Return the JSON Schema of an answer. The reason comes first, so that it is not made up afterwards."""
    field, words = _WORDS[form]
    return {
        "type": "object",
        "properties": {"reason": {"type": "string"}, field: {"enum": list(words)}},
        "required": ["reason", field],
        "additionalProperties": False,
    }


def read_vote(exchange: Exchange, case: Case | PictureCase) -> Vote:
    """Return the vote in a judge's reply to ``case``, shown in this order.

    The reply's text must be one JSON object as ``verdict_schema`` has it and nothing more (a fence around all
    of it is let pass); what stands in the reasoning does not count. Anything else is ``evaluator_error``, and
    so is an answer that stands word for word in the material: it may be an echo. A judge that delivered
    nothing is ``evaluator_unavailable``, whatever kept it.
    """
    if exchange.missing is not None:
        return _missing(Reason.EVALUATOR_UNAVAILABLE, f"the judge gave no answer: {exchange.missing}")
    reply = exchange.reply
    assert reply is not None  # an exchange that delivers has one
    try:
        fields = _read_object(reply)
        vote = _vote(fields, case.form)
        if any(_bare(reply.text) in _bare(text) for text in case.texts):
            raise _NoVerdict("it stands word for word in the material, so it may be an echo")
    except _NoVerdict as error:
        said = shown_words(reply.text)
        return _missing(Reason.EVALUATOR_ERROR, f"the judge's answer is no verdict: {error}; it is {said}")
    return vote


class _NoVerdict(Exception):
    """Why an answer is no verdict."""


def _read_object(reply: Reply) -> dict[str, Any]:
    if reply.tool_calls:
        raise _NoVerdict("it calls a tool")
    text = reply.text.strip()
    if len(text) > _LONGEST:
        raise _NoVerdict(f"it has {len(text)} characters")
    fenced = _FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text, object_pairs_hook=_object, parse_constant=_constant)
    except _NoVerdict:
        raise
    except (ValueError, RecursionError) as error:  # RecursionError: nested beyond Python's limit
        what = error.msg if isinstance(error, json.JSONDecodeError) else "a value out of range"
        raise _NoVerdict(f"it is not one JSON object ({what})") from error
    if not isinstance(value, dict):
        raise _NoVerdict("it is JSON and no object")
    return value


def _vote(fields: dict[str, Any], form: VerdictForm) -> Vote:
    field, words = _WORDS[form]
    if fields.keys() != {"reason", field}:
        raise _NoVerdict(f"its fields are not 'reason' and {field!r}")
    said, reason = fields[field], fields["reason"]
    if not isinstance(reason, str):
        raise _NoVerdict("its reason is no text")
    if not isinstance(said, str) or said not in words:
        raise _NoVerdict(f"{field} is none of {', '.join(words)}")
    return Vote(verdict=JudgeVerdict(words[said]), reason=reason)


def _missing(reason: Reason, detail: str) -> Vote:
    return Vote(missing=Missing(reason, detail))


def _bare(text: str) -> str:
    return "".join(text.split())


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _NoVerdict("a field occurs twice in it")
    return found


def _constant(name: str) -> Any:
    raise _NoVerdict(f"{name} is not JSON")
