"""Waits of the client are short in these tests."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Own backoff is tested by itself; here it only has to be there."""
    monkeypatch.setattr("pytest_infergate.serving.client.backoff", lambda attempt: 0.01)
