"""The sandbox that these tests run code in. Without one they fail: nothing here is worth skipping."""

from __future__ import annotations

import pytest

from pytest_infergate.sandbox import Sandbox, choose_backend


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    """Bubblewrap. Where it does not work the error says what to install: ``apt-get install bubblewrap``."""
    return choose_backend("bubblewrap")
