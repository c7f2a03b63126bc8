"""Which items are evaluations: decided by marker, or by a fixture's origin, never by its name alone."""

from __future__ import annotations

from typing import Any

import pytest

#: Every marker of this plugin; each makes an item an evaluation.
MARKERS = {
    "infer": "infer: a model evaluation; put on every evaluation by pytest-infergate, for use with -m",
    "infer_task": (
        "infer_task(name=None, version='1', dataset=None, prompt=None, system=None, "
        "endpoint='chat'|'completion', repeat=1, min_pass_rate=None, max_missing=0, margin=None, allow=(), "
        "**sampling): what is asked, and what the task must reach"
    ),
    "infer_extract": "infer_extract(extractor or name): how the fixture 'answer' is read out of the reply",
    "infer_visual": (
        "infer_visual(require=[names]): the checks of the fixture 'visual' that must have come to a verdict"
    ),
    "infer_wer": (
        "infer_wer(max=None, corpus_max=None, normalizer='basic', metric='wer'|'cer'|'mer', language=None, "
        "fallback='forbid'|'allow'): how the fixture 'wer' measures clips, and the rates that are enough"
    ),
}

#: Fixtures that need a reply to the marker's prompt.
PROMPTED = frozenset({"reply", "answer"})
_FIXTURES = frozenset({"infer", "infer_server", "sample", "sandbox", "visual", "wer"}) | PROMPTED
_HOME = "pytest_infergate.plugin."


def own_fixtures(node: pytest.Item) -> frozenset[str]:
    """Return the fixtures of this plugin in the node's closure.

    A fixture of the same name that a project defines stays the project's, unless it asks for ours.
    """
    info = getattr(node, "_fixtureinfo", None)
    if info is None:
        return frozenset()
    names = _FIXTURES.intersection(info.names_closure)
    return frozenset(name for name in names if _is_own(name, info.name2fixturedefs.get(name, ())))


def _is_own(name: str, definitions: Any) -> bool:
    for definition in reversed(definitions):
        if definition.func.__module__.startswith(_HOME):
            return True
        if name not in definition.argnames:
            return False
    return False


def is_evaluation(node: pytest.Item) -> bool:
    """Say whether an item, or the definition of a test function, is an evaluation."""
    return any(mark.name in MARKERS for mark in node.iter_markers()) or bool(own_fixtures(node))
