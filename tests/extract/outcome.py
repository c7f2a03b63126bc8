"""What an extractor makes of a text: its answer, or the reason why there is none."""

from __future__ import annotations

from typing import Any

from pytest_infergate.evidence import NoAnswer, Reason, Reply
from pytest_infergate.extract import Extractor

NONE = Reason.NO_ANSWER


def outcome(extractor: Extractor[Any], reply: str | Reply, sample: dict[str, Any] | None = None) -> Any:
    try:
        return extractor(reply, sample)
    except NoAnswer as missing:
        return missing.reason
