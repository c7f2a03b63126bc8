"""Cases and answers of a judge, made by hand."""

from __future__ import annotations

import json
from typing import Any

from pytest_infergate.evidence import Exchange, Missing, Reply, Role, Timing
from pytest_infergate.judge import Case

CASE = Case(question="Which planet is red?", reply="Mars")
PAIR = Case(question="Which planet is red?", reply="Mars", against="Venus")


def answer(text: str, *, error: Missing | None = None, **fields: Any) -> Exchange:
    """An exchange in which a judge said ``text``."""
    return Exchange(
        endpoint="chat",
        request={},
        request_digest="sha256:0",
        reply=Reply(text=text, **fields),
        timing=Timing(),
        attempts=1,
        role=Role.JUDGE,
        error=error,
    )


def says(word: str, reason: str = "So it is.", field: str = "verdict") -> Exchange:
    return answer(json.dumps({"reason": reason, field: word}))
