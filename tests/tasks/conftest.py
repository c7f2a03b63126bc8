from __future__ import annotations

from functools import partial

import pytest

from .modules import Loader, load_module


@pytest.fixture
def load(tmp_path, monkeypatch) -> Loader:
    return partial(load_module, tmp_path, monkeypatch=monkeypatch)
