"""Hooks through which other packages add to the plugin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..extract import Extractor
    from ..serving import Engine
    from ..speech import Transcriber
    from ..visual import Check


@pytest.hookspec
def pytest_infergate_engines(config: pytest.Config) -> Sequence[Engine]:
    """Return engines that are asked for proof before the built-in ones.

    An engine tells one kind of model server from the others and says what is known of it; see
    ``pytest_infergate.serving.Engine``.
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_infergate_extractors(config: pytest.Config) -> Sequence[Extractor[Any]]:
    """Return extractors that ``infer_extract("name")`` finds by their ``name``.

    A test can as well import an extractor and give it as a value; a name serves where the suite must
    not depend on where the extractor comes from.
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_infergate_visual_checks(config: pytest.Config) -> Mapping[str, Check]:
    """Return checks of pictures and clips by name, for ``visual.check("name", media, …)``.

    ``infer_visual(require=["name"])`` takes them too. A check returns a ``CheckResult`` of that name; see
    ``pytest_infergate.visual.Check``.
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_infergate_transcribers(config: pytest.Config) -> Sequence[Transcriber]:
    """Return further transcribers, in the order of preference; see ``pytest_infergate.speech.Transcriber``.

    Those that options name come first, so that these hear where none is named, or stand in as a fallback.
    Each has its canary before its first score counts.
    """
    raise NotImplementedError
