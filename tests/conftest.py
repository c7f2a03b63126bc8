"""What all tests share."""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

# pytester forgets every module that an inner session was the first to import: import them here, once.
import httpcore  # noqa: F401
import httpx  # noqa: F401
import hypothesis
import jsonschema  # noqa: F401
import msgspec  # noqa: F401
import pytest
import scipy.optimize
import scipy.special
import scipy.stats  # noqa: F401

import pytest_infergate.plugin.session  # noqa: F401
from pytest_infergate.cli import main
from tests.terminal import Cli

pytest_plugins = ["pytester"]


def _import_all(folder: str) -> None:
    """Import every module of a folder of the package."""
    package = import_module(f"pytest_infergate.{folder}")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(("_child", "runner")):  # those are programs
            import_module(module.name)


for _folder in ("serving", "runs", "compare", "report", "judge", "tasks", "plugin"):
    _import_all(_folder)
# At the end of every inner session pytest collects garbage five times; what is here by now is none.
gc.freeze()

hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A terminal of 80 columns in an empty folder."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run ``infergate`` as a terminal does."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return run
