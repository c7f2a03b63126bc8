"""Modules made from text, for tests about reading them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

_NUMBERS = count()


def load_module(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Write ``text`` as a module and import it; the markers of this plugin are known to it."""
    # The session is strict about markers, and need not have this plugin loaded.
    monkeypatch.setattr(pytest, "mark", pytest.MarkGenerator(_ispytest=True))
    name = f"module_{next(_NUMBERS)}"
    path = folder / f"{name}.py"
    path.write_text(dedent(text), encoding="utf-8")
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


Loader = Callable[[str], ModuleType]
