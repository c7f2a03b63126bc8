"""The collector is as it was afterwards, whatever happened."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from pytest_infergate.compare import read_side
from pytest_infergate.compare.collector import paused_collector
from pytest_infergate.runs import ForeignFolderError


def test_it_is_off_inside_and_on_again_also_after_an_error(tmp_path: Path) -> None:
    assert gc.isenabled()
    with paused_collector(), paused_collector():
        assert not gc.isenabled()
    with pytest.raises(ForeignFolderError):
        read_side(tmp_path)
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with paused_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
