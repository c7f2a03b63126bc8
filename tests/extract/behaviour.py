"""What every adapter makes of the recorded corpus, and what was recorded of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_infergate.evidence import NoAnswer, digest
from pytest_infergate.extract import Extractor, SchemaViolation

from .adapters import ADAPTERS
from .corpus import CORPUS

LOCK = Path(__file__).with_name("lock.json")


def behaviour() -> dict[str, dict[str, str]]:
    """Return version and digest of what each adapter answers to the corpus."""
    return {
        name: {"version": extractor.version, "digest": digest([_said(extractor, text) for text in CORPUS])}
        for name, extractor in ADAPTERS.items()
    }


def recorded() -> dict[str, Any]:
    """Return what was recorded: ``corpus``, a digest of the texts, and ``adapters``, one entry each."""
    found: dict[str, Any] = json.loads(LOCK.read_text("utf-8"))
    return found


def corpus_digest() -> str:
    return digest(CORPUS)


def _said(extractor: Extractor[Any], text: str) -> str:
    try:
        value = extractor(text)
    except NoAnswer as missing:
        return missing.reason.value
    except SchemaViolation as violation:
        return f"violation: {violation}"
    return f"{type(value).__name__}: {value!r}"
