"""Test functions that a decorator swallowed, so that pytest would not see them at all."""

from __future__ import annotations

from typing import Any

import pytest

from ..evaluations.origin import MARKERS


def refuse_swallowed_test(collector: pytest.Collector, name: str, obj: object) -> None:
    """Refuse an extractor, or one of our marks, where a test function should be.

    ``@pytest.mark.infer_extract(Word)`` with a class marks the class, and the class is then called with the
    function: the test would vanish with a warning. Raises ``CollectError`` with one line.
    """
    if not (_is_extractor(obj) or (isinstance(obj, pytest.MarkDecorator) and obj.name in MARKERS)):
        return
    is_test_name: Any = getattr(collector, "funcnamefilter", None)
    if is_test_name is not None and is_test_name(name):
        raise collector.CollectError(
            f"{collector.nodeid}::{name} is no test function any more: infer_extract was given a class; give "
            "it a value, such as infer_extract(Word()) or infer_extract(extract.choice('ABCD'))"
        )


def _is_extractor(obj: object) -> bool:
    # By name: importing the extractors would cost every session that has no evaluations.
    return not isinstance(obj, type) and any(
        one.__name__ == "Extractor" and one.__module__.startswith("pytest_infergate.")
        for one in type(obj).__mro__
    )
