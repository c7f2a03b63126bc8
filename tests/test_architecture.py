"""The house: arrows point one way, and loading the plugin costs those who have no evals next to nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_infergate
from pytest_infergate import plugin

ROOT = Path(pytest_infergate.__file__).parent

#: Folder → the folders it may import.
MAY_IMPORT = {
    "evidence": set(),
    "extract": {"evidence"},
    "media": {"evidence"},
    "tasks": {"evidence"},
    "serving": {"evidence"},
    "sandbox": {"evidence"},
    "traits": {"evidence"},
    "judge": {"evidence"},
    "speech": {"evidence", "media", "extract"},
    "visual": {"evidence", "media"},
    "runs": {"evidence", "traits", "speech", "visual"},
    "compare": {"evidence", "runs"},
    "report": {"evidence", "runs", "compare", "speech", "visual"},
    "strategies": {"evidence", "extract"},
    "tools": {"evidence", "extract"},
    "plugin": {
        "evidence",
        "media",
        "extract",
        "tools",
        "tasks",
        "serving",
        "sandbox",
        "traits",
        "judge",
        "speech",
        "visual",
        "runs",
        "compare",
        "report",
    },
    "commands": {
        "evidence",
        "extract",
        "tasks",
        "serving",
        "sandbox",
        "judge",
        "speech",
        "visual",
        "runs",
        "compare",
        "report",
        "plugin",
    },
}
#: The folders of the plugin, each with those that it may import. The modules beside them import them all.
IN_PLUGIN: dict[str, set[str]] = {
    "options": set(),
    "evaluations": {"options"},
    "run": {"options", "evaluations"},
    "servers": {"options", "evaluations", "run"},
    "stored": {"options", "evaluations", "run", "servers"},
    "scoring": {"options", "evaluations", "run", "servers", "stored"},
    "collecting": {"options", "evaluations", "scoring"},
    "asking": {"options", "evaluations", "run", "servers", "stored", "scoring"},
}
#: What knows nothing of pytest, the network or the clock.
PURE = ("evidence", "extract", "tools", "traits", "judge", "report")
IMPURE = {"pytest", "httpx", "socket", "time", "subprocess", "threading", "datetime", "random"}


def imports(folder: str) -> Iterator[tuple[Path, str]]:
    """Every module that a file of the folder imports, absolute."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        package = ["pytest_infergate", *path.relative_to(ROOT).parent.parts]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                module = ".".join([*base, *([node.module] if node.module else [])])
                yield path, module
                yield from ((path, f"{module}.{alias.name}") for alias in node.names)


def test_no_module_of_the_plugin_hides_a_fixture() -> None:
    """Importing a submodule sets its name on the package, where pytest looks for the fixture."""
    fixtures = set(plugin.__all__) & {path.stem for path in (ROOT / "plugin").iterdir()}
    assert fixtures == set()


def test_every_folder_is_known() -> None:
    folders = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}
    assert folders == set(MAY_IMPORT)


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_arrows_point_one_way(folder: str) -> None:
    wrong = set()
    for path, module in imports(folder):
        parts = module.split(".")
        target = parts[1] if parts[0] == "pytest_infergate" and len(parts) > 1 else folder
        if target in MAY_IMPORT.keys() - MAY_IMPORT[folder] - {folder}:
            wrong.add(f"{path.relative_to(ROOT)} imports {module}")
    assert wrong == set()


@pytest.mark.parametrize("folder", IN_PLUGIN)
def test_arrows_within_the_plugin_point_one_way(folder: str) -> None:
    wrong = set()
    for path, module in imports(f"plugin/{folder}"):
        target = module.removeprefix("pytest_infergate.plugin").strip(".").partition(".")[0]
        is_inside = module.startswith("pytest_infergate.plugin.")
        if is_inside and target not in IN_PLUGIN[folder] | {folder}:
            wrong.add(f"{path.relative_to(ROOT)} imports {module}")
    assert wrong == set()


def test_every_folder_of_the_plugin_is_known() -> None:
    folders = {path.name for path in (ROOT / "plugin").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(IN_PLUGIN)


@pytest.mark.parametrize("folder", PURE)
def test_pure_folders_know_nothing_of_the_world(folder: str) -> None:
    wrong = {f"{path.name}: {module}" for path, module in imports(folder) if module.split(".")[0] in IMPURE}
    assert wrong == set()


def test_loading_the_plugin_imports_nothing_heavy() -> None:
    heavy = [
        "httpx",
        "numpy",
        "scipy",
        "jsonschema",
        "jiwer",
        "pyarrow",
        "xllamacpp",
        "hypothesis",
        "regex",
        "msgspec",
    ]
    code = f"import sys, pytest_infergate.plugin; print(*(m for m in {heavy} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_public_names_are_pinned() -> None:
    assert pytest_infergate.__all__ == ["NoAnswer", "Reply", "__version__", "extract", "tools"]
    for name in pytest_infergate.__all__:
        assert getattr(pytest_infergate, name) is not None


def test_a_name_that_does_not_exist_says_which_do() -> None:
    with pytest.raises(AttributeError, match="it has NoAnswer, Reply, __version__, extract, tools"):
        _ = pytest_infergate.nothing
