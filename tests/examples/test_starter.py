"""A newcomer's first minute: what ``infergate init`` writes runs as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from .embedded_session import infergate, run_embedded


@pytest.mark.xdist_group("embedded")
def test_the_starter_is_green_on_the_embedded_model(tmp_path: Path) -> None:
    assert infergate("init", cwd=tmp_path).returncode == 0
    session = run_embedded(cwd=tmp_path)
    assert session.status == 0, session.output
    assert session.gates == {"test_capitals.test_capital": "passed"}
    totals = session.totals["test_capitals.test_capital"]
    assert (totals["planned"], totals["missing"]) == (20, 0)
    assert infergate("validate", "run", cwd=tmp_path).returncode == 0
