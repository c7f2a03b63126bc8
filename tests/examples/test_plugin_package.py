"""A package of somebody else adds an extractor and an evaluator, without a line in this one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import ScriptedServer

PACKAGE = Path(__file__).resolve().parents[2] / "examples" / "plugin_package"
#: Words of what is asked → what a good model says.
ANSWERS = {"dough": "Rest: half an hour.\nBake: an hour.\n1 h 30 min", "lentils": f"{'Long ' * 20}\n35 min"}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with the package as an installer leaves it there: its modules, and its entry points."""
    site = tmp_path / "site"
    shutil.copytree(PACKAGE / "infergate_recipes", site / "infergate_recipes")
    project = (PACKAGE / "pyproject.toml").read_text("utf-8")
    # No tomllib before Python 3.11; the file is the example's own.
    section = re.search(r"^\[project\.entry-points\.pytest11\]\n((?:\w+ = \".*\"\n)+)", project, re.MULTILINE)
    assert section is not None
    metadata = site / "infergate_recipes-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: infergate-recipes\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\n" + section[1].replace('"', ""))
    return site


def run_pytest(site: Path, *arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env["PYTHONPATH"] = os.pathsep.join([str(site), *filter(None, [env.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300)


def test_its_suite_runs_with_its_extractor_and_its_evaluator(installed: Path, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> str:
        asked = body["messages"][-1]["content"]
        return next(said for word, said in ANSWERS.items() if word in asked)

    shutil.copytree(PACKAGE / "evals", tmp_path / "evals")
    with ScriptedServer.answering(answer) as server:
        done = run_pytest(installed, "evals", f"--infer-server={server.url}", "--infer-run=run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (task,) = json.loads((tmp_path / "run" / "run.json").read_text())["tasks"]
    assert task["evaluator"]["settings"]["extractors"] == [
        {"name": "duration", "version": "1", "settings": {}}
    ]
    records = [json.loads(line) for line in (tmp_path / "run" / "records.jsonl").read_text().splitlines()]
    measured = {}
    for record in records:
        scores = {score["name"]: score for score in record["scores"]}
        measured[record["sample"]["id"]] = scores["lines that fit"]["value"]
        who = scores["lines that fit"]["evaluator"]
        assert (who["kind"], who["name"], who["version"], who["settings"]) == (
            "text",
            "line_width",
            "1",
            {"limit": 60},
        )
    assert measured == {"bread": 1.0, "soup": 0.5}


def test_its_own_tests_pass(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "tests", tmp_path / "tests")
    done = run_pytest(installed, "tests", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_an_instrument_that_cannot_tell_is_missing_evidence(installed: Path, tmp_path: Path) -> None:
    """Break what it measures: its canary notices, and nothing is wrong or right by it."""
    shutil.copytree(PACKAGE / "evals", tmp_path / "evals")
    module = installed / "infergate_recipes" / "line_width.py"
    module.write_text(module.read_text("utf-8").replace("<= self.limit", "< self.limit"))
    with ScriptedServer.answering(lambda body: "1 h 30 min") as server:
        done = run_pytest(installed, "evals", f"--infer-server={server.url}", "--infer-run=run", cwd=tmp_path)
    assert done.returncode == 1
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["verdict"] == "missing"
    assert run["tasks"][0]["reasons"] == {"evaluator_unavailable": 2}
