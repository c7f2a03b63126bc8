"""How many samples a comparison takes: before a session, and with ``infergate show --power``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pytest_infergate.compare import FlipRate
from pytest_infergate.compare.baseline_file import write_baseline
from pytest_infergate.compare.baseline_saving import make_baseline
from pytest_infergate.compare.power_of_task import TaskPower, power_of_task
from pytest_infergate.compare.statistics.power import samples_to_decide, smallest_without_flips
from pytest_infergate.report import plain_text
from pytest_infergate.report.power_text import power_lines, power_warning

from .runs.made import CAPITALS, HEAD, SUMS, record, write_run
from .terminal import Cli

ROWS = replace(CAPITALS, has_dataset=True)


pytestmark = pytest.mark.usefixtures("terminal")


def power(samples: int, smallest: int | None = 52, margin: float = 0.05, **fields: Any) -> TaskPower:
    shares = fields.pop("to_decide", ((0.1, 263),))
    return TaskPower(
        task="capitals", samples=samples, margin=margin, smallest=smallest, to_decide=shares, **fields
    )


MEASURED = FlipRate(flips=3, pairs=60)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            power(51),
            "capitals: 51 samples cannot show a loss of less than 0.05, unless it gains; that takes 52 if no "
            "verdict flips, about 263 if 10.0 % flip",
        ),
        (power(52), None),
        (
            power(9, None, 0.0),
            "capitals: no number of samples shows a loss of less than 0; its margin is 0",
        ),
        (
            power(40, flip_rate=MEASURED, to_decide=((0.05, 158),)),
            "capitals: 40 samples cannot show a loss of less than 0.05, unless it gains; that takes 52 if no "
            "verdict flips, about 158 if 5.0 % flip, as 3 of 60 did from run to run",
        ),
        (
            power(157, flip_rate=MEASURED, to_decide=((0.05, 158),)),
            "capitals: 157 samples will hardly show a loss of less than 0.05; that takes about 158 if 5.0 % "
            "flip, as 3 of 60 did from run to run",
        ),
        (power(158, flip_rate=MEASURED, to_decide=((0.05, 158),)), None),
        (
            power(158, flip_rate=MEASURED, to_decide=((0.05, None),)),
            "capitals: 158 samples will hardly show a loss of less than 0.05; that takes no number if 5.0 % "
            "flip, as 3 of 60 did from run to run",
        ),
    ],
)
def test_a_warning_is_for_what_cannot_or_will_hardly_reach_its_margin(
    found: TaskPower, said: str | None
) -> None:
    assert power_warning(found) == said


def test_the_numbers_are_those_of_the_statistics() -> None:
    found = power_of_task("capitals", samples=60, margin=0.05)
    assert found.smallest == smallest_without_flips(0.05) == 52
    assert found.to_decide == tuple(
        (rate, samples_to_decide(margin=0.05, discordant_rate=rate)) for rate in (0.05, 0.1, 0.2)
    )
    measured = power_of_task("capitals", samples=60, margin=0.05, flip_rate=MEASURED)
    assert measured.to_decide == ((0.05, samples_to_decide(margin=0.05, discordant_rate=0.05)),)
    steady = power_of_task("capitals", samples=60, margin=0.05, flip_rate=FlipRate(flips=0, pairs=60))
    assert steady.to_decide == ((0.0, 52),)
    assert power_of_task("capitals", samples=60, margin=0).to_decide[0] == (0.05, None)


def test_the_table() -> None:
    shares = ((0.05, 158), (0.1, 263), (0.2, 501))
    powers = [
        power(60, to_decide=shares),
        power(1319, flip_rate=MEASURED, to_decide=((0.05, 158),)),
        power(9, None, 0.0, to_decide=((0.05, None),)),
    ]
    assert plain_text(power_lines(powers, ["hello"], 80)) == dedent("""\
        samples that a comparison takes
          task      samples  margin  no flip  where verdicts flip
          capitals       60    0.05       52  5.0 %: 158, 10.0 %: 263, 20.0 %: 501
          capitals    1,319    0.05       52  5.0 %: 158 (measured)
          capitals        9       0     none  5.0 %: none  too small
          too small: a candidate that neither gains nor loses stays inconclusive
          no flip: the fewest samples that can be no worse at all; the others: samples
          with which a candidate that is as good is called so four times of five, where
          this share of verdicts flips
          hello: has no data set, so flips alone decide and no number of samples is
            asked
        """)
    assert plain_text(power_lines([], [], 80)) == "samples that a comparison takes\n  no task\n"


def test_no_line_is_wider_than_the_screen() -> None:
    long = replace(power(60, to_decide=((0.05, 158), (0.1, 263), (0.2, 501))), task="x" * 300)
    for width in (60, 80, 120):
        text = plain_text(power_lines([long], ["y" * 20], width))
        assert max(map(len, text.splitlines())) <= width


def test_show_power_tells_of_a_run_and_of_a_baseline(cli: Cli) -> None:
    records = [record(str(n), plan=ROWS) for n in range(60)] + [record("2+2", plan=SUMS)]
    for name in ("one", "two"):
        write_run(Path(name), records, [ROWS, SUMS], head=replace(HEAD, run_id=name))
    write_baseline(Path("b.json"), make_baseline([Path("one"), Path("two")]))
    code, out, err = cli("show", "one", "--power")
    assert (code, err) == (0, "")
    assert "  capitals       60    0.05       52  5.0 %: " in out
    assert "  sums: has no data set" in out
    _, out, _ = cli("show", "b.json", "--power", "--margin", "0.1")
    assert "  capitals       60     0.1       25  0.0 %: 25 (measured)\n" in out
    value = json.loads(cli("show", "b.json", "--power", "--json")[1])
    assert value["without_dataset"] == ["sums"]
    assert value["tasks"][0]["flip_rate"] == {"flips": 0, "pairs": 60}


def test_a_task_s_own_margin_and_its_samples_count(cli: Cli) -> None:
    """Repeats make no samples."""
    own = replace(ROWS, margin=0.2, repeat=2)
    write_run(Path("run"), [record(str(n), plan=own, repeat=r) for n in range(9) for r in (0, 1)], [own])
    _, out, _ = cli("show", "run", "--power", "--margin", "0.01")
    assert "  capitals        9     0.2       11  " in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--margin", "0.1"], "--margin is for --power; add it"),
        (["run", "--power", "--sample", "x"], "--power is about tasks and --sample about evaluations"),
        (["run", "--power", "--margin", "5"], "'5' is not a number from 0 to 1; write 5 % as 0.05"),
        (["run", "--power", "--margin", "nan"], "'nan' is not a number from 0 to 1"),
        (["unfinished", "--power"], "'unfinished' is not finished, and what was planned in it is unknown"),
        (["nowhere", "--power"], "'nowhere' is not a folder"),
        (["edited.json", "--power"], "edited by hand"),
        (["b.json"], "'b.json' is not a folder"),
    ],
)
def test_what_cannot_be_told_is_one_line(cli: Cli, arguments: list[str], said: str) -> None:
    write_run(Path("run"))
    write_run(Path("unfinished"), is_finished=False)
    write_baseline(Path("b.json"), make_baseline([Path("run")]))
    Path("edited.json").write_text(Path("b.json").read_text().replace('"france"', '"franche"'))
    code, out, err = cli("show", *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
