"""What pytest loads through the entry point: a hook and a fixture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_infergate.evidence import Reply


def pytest_infergate_extractors(config: pytest.Config) -> list[Any]:
    """Make ``infer_extract("duration")`` known."""
    from .duration import duration  # not at the top: pytest loads this file in every session

    return [duration]


@pytest.fixture
def line_width(infer: Any) -> Callable[..., float]:
    """Record which share of a reply's lines fits: ``line_width(reply, limit=72)``."""
    from .line_width import LineWidth

    def record(reply: Reply, *, limit: int = 72) -> float:
        evaluator = LineWidth(limit)
        evaluator.check_canary()
        share = evaluator.measure(reply.text)
        infer.score("lines that fit", share, low=0, high=1, evaluator=evaluator.identity)
        return share

    return record
