"""The two real models, loaded once for all tests of a process."""

from __future__ import annotations

import pytest

from pytest_infergate.speech import FasterWhisper, find_whisper

from .whisper_models import base_folder, tiny_en_folder


@pytest.fixture(scope="session")
def tiny_en() -> FasterWhisper:
    return FasterWhisper(find_whisper(str(tiny_en_folder())))


@pytest.fixture(scope="session")
def base() -> FasterWhisper:
    return FasterWhisper(find_whisper(str(base_folder())))
