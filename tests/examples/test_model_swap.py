"""The example of a model swap, for real: the packaged model against itself and against what is not quite it.

The figures of its README are those of one machine. Asserted here is what holds wherever sums are rounded a
little otherwise.
"""

from __future__ import annotations

import json
import re
import runpy
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import build_parser as cli_parser
from pytest_infergate.serving import packaged_weights

from .embedded_session import EmbeddedSession, call, infergate, run_embedded

SUITE = Path(__file__).resolve().parents[2] / "examples" / "model_swap"
COUNTRIES, VERBS, PLURALS = (
    "test_countries.test_country",
    "test_past_tense.test_past_tense",
    "test_plurals.test_plural",
)
PLANNED = {COUNTRIES: 64, VERBS: 66, PLURALS: 64}
#: Module → its data set, and the field of a row that must not stand in the prompt already.
ASKED = {
    "test_countries.py": ("countries.jsonl", "capital"),
    "test_past_tense.py": ("verbs.jsonl", "verb"),
    "test_plurals.py": ("nouns.jsonl", "noun"),
}
TENSOR = "blk.9.ffn_down.weight"

pytestmark = pytest.mark.xdist_group("embedded")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("swap")


@pytest.fixture(scope="module")
def base(folder: Path) -> EmbeddedSession:
    """The whole suite on the packaged model."""
    return run_embedded(SUITE, cwd=folder, run="base")


@pytest.fixture(scope="module")
def damaged(folder: Path) -> Callable[[int], Path]:
    """Make a copy of the packaged model with every Nth byte of the tensor inverted."""
    script = runpy.run_path(str(SUITE / "damage.py"))
    source = packaged_weights(on_progress=lambda _: None).path
    where = script["bytes_of"](source, TENSOR)

    def make(every: int) -> Path:
        copy = folder / f"every-{every}.gguf"
        script["damage"](source, copy, where, every)
        return copy

    return make


def compared(base: EmbeddedSession, candidate: EmbeddedSession) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code of ``infergate compare``, and what it says of each task."""
    done = infergate("compare", base.folder, candidate.folder, "--json", cwd=base.folder.parent)
    assert done.returncode not in (2, 5), done.stdout + done.stderr
    return done.returncode, {task["task"]: task for task in json.loads(done.stdout)["tasks"]}


def lost(task: dict[str, Any]) -> list[str]:
    """The samples that passed on the base only, by name."""
    return [flip["sample"] for flip in task["flips"] if flip["base"] == "passed"]


@contextmanager
def serving(*arguments: str) -> Iterator[list[str]]:
    """Run serve.py; gives the options of pytest that it says it is asked with."""
    command = [sys.executable, str(SUITE / "serve.py"), "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = next(line for line in process.stdout if line.startswith("serving"))
        yield shlex.split(said.partition("pytest ")[2])
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        process.stdout.close()


def test_the_base_passes_at_the_rates_of_the_readme(base: EmbeddedSession) -> None:
    assert base.status == 0, base.output
    assert base.gates == dict.fromkeys(PLANNED, "passed")
    assert {task: totals["planned"] for task, totals in base.totals.items()} == PLANNED
    stated = stated_intervals()
    assert stated.keys() == PLANNED.keys()
    rates = {task: base.totals[task]["passed"] / planned for task, planned in PLANNED.items()}
    assert {task: low <= rates[task] <= high for task, (low, high) in stated.items()} == dict.fromkeys(
        PLANNED, True
    )


def test_restarted_it_is_unchanged(base: EmbeddedSession, folder: Path) -> None:
    again = run_embedded(SUITE, "--infer-limit=10", cwd=folder, run="again")
    code, tasks = compared(base, again)
    assert (code, {name: task["outcome"] for name, task in tasks.items()}) == (
        0,
        dict.fromkeys(PLANNED, "unchanged"),
    )
    assert tasks[VERBS]["subset"] == [10, PLANNED[VERBS]]


def test_judged_again_from_its_replies_it_is_unchanged(base: EmbeddedSession, folder: Path) -> None:
    replay = run_embedded(SUITE, cwd=folder, run="replay", source=f"--infer-replay={base.folder}")
    assert replay.status == 0, replay.output
    assert replay.totals == base.totals
    code, tasks = compared(base, replay)
    assert (code, {task["outcome"] for task in tasks.values()}) == (0, {"unchanged"})


def test_37_bytes_of_it_are_a_regression_where_the_suite_asks_what_they_hold(
    base: EmbeddedSession, damaged: Callable[[int], Path], folder: Path
) -> None:
    """They cost nearly all of the past tense and none of what the model knows of capitals."""
    gguf = damaged(19_997)
    candidate = run_embedded(
        SUITE, "--infer-limit=14", cwd=folder, run="damaged-37", source=f"--infer-server=embedded:{gguf}"
    )
    code, tasks = compared(base, candidate)
    assert (code, tasks[VERBS]["outcome"]) == (1, "regressed")
    assert len(lost(tasks[VERBS])) >= 11
    assert {"walk", "work"} <= set(lost(tasks[VERBS]))
    assert tasks[COUNTRIES]["outcome"] != "regressed"
    weights = [run.run["server"]["fields"]["weights_digest"]["value"] for run in (base, candidate)]
    assert weights[0] != weights[1]


def test_every_seventh_byte_of_it_leaves_little(
    base: EmbeddedSession, damaged: Callable[[int], Path], folder: Path
) -> None:
    gguf = damaged(7)
    candidate = run_embedded(
        SUITE / "test_past_tense.py",
        "--infer-limit=14",
        cwd=folder,
        run="damaged-7th",
        source=f"--infer-server=embedded:{gguf}",
    )
    code, tasks = compared(base, candidate)
    assert (code, tasks[VERBS]["outcome"]) == (1, "regressed")
    assert candidate.totals[VERBS]["passed"] <= 4
    assert tasks[COUNTRIES]["outcome"] == "missing", "a task that was not run is not a task that held"


def test_a_cache_of_8_bits_is_comparable_and_no_regression(base: EmbeddedSession, folder: Path) -> None:
    with serving("--cache-type", "q8_0") as (source, *declared):
        candidate = run_embedded(SUITE, "--infer-limit=10", *declared, cwd=folder, run="q8_0", source=source)
    code, tasks = compared(base, candidate)
    assert code in (0, 3)
    assert {task["outcome"] for task in tasks.values()} <= {
        "unchanged", "improved", "no_worse", "inconclusive"
    }  # fmt: skip
    fields = candidate.run["server"]["fields"]
    assert fields["kv_cache_type"] == {"value": "q8_0", "origin": "declared"}
    assert fields["weights_digest"]["value"] == base.run["server"]["fields"]["weights_digest"]["value"]


def test_a_swap_of_the_real_server_tells_what_was_swapped_and_finds_the_base_like_itself(
    folder: Path,
) -> None:
    """Base, candidate, base: three starts of serve.py at one address, and a cache of 4 bits between them."""
    base = shlex.join([sys.executable, str(SUITE / "serve.py")]) + " --port {port}"
    candidate = f"{base} --cache-type q4_0"
    evals = [str(SUITE / "test_plurals.py"), "--infer-limit=8", "-p", "no:cacheprovider"]
    done = infergate(
        "swap", "--base", base, "--candidate", candidate, "-o", "swap", "--json", "--", *evals, cwd=folder
    )
    assert done.returncode in (0, 1, 3), done.stdout + done.stderr
    told = json.loads(done.stdout)
    treatment = told["comparison"]["treatment"]
    assert [(one["field"], one["base"], one["candidate"]) for one in treatment] == [
        ("command", base, candidate)
    ]
    assert [task["samples"] for task in told["comparison"]["tasks"]] == [8]
    assert [task["outcome"] for task in told["base_again"]["tasks"]] == ["unchanged"]


README = (SUITE / "README.md").read_text("utf-8")
#: The fenced blocks that hold what a person types, each with one command a line.
COMMANDS = [
    command
    for block in re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    for command in block.replace("\\\n", " ").splitlines()
]
#: A row of a session's table.
_ROW = re.compile(r"^(test_\S+) +\d+ +\d+ +\d+ +\d+ +[\d.]+ % +([\d.]+) % – +([\d.]+) %$", re.MULTILINE)
_SCRIPT = "examples/model_swap/"


def stated_intervals() -> dict[str, tuple[float, float]]:
    """Task → the 95 % interval that the README shows, as shares."""
    return {name: (float(low) / 100, float(high) / 100) for name, low, high in _ROW.findall(README)}


def parse(words: list[str], cwd: Path) -> None:
    """Let whatever would carry out a command read it, and do no more."""
    if words[:1] == ["pytest"]:
        done = call("-m", *words, "--collect-only", "-q", "-p", "no:cacheprovider", cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
    elif words[:1] == ["infergate"]:
        arguments = cli_parser().parse_args(words[1:])
        for nested in (getattr(arguments, "base", ""), getattr(arguments, "candidate", "")):
            if isinstance(nested, str) and nested:
                parse(shlex.split(nested.replace("{port}", "8080")), cwd)
    elif words[:1] == ["python"] and words[1].startswith(_SCRIPT):
        script = runpy.run_path(str(SUITE / words[1].removeprefix(_SCRIPT)))
        script["build_parser"]().parse_args(words[2:])
    else:
        assert words[:2] == ["pip", "install"], words


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_readme_are_understood(
    command: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Where the files are that the commands before it make, and with the folders of the repository."""
    (tmp_path / "examples").symlink_to(SUITE.parent)
    files = [word for word in re.findall(r"[\w./-]+", README) if word.startswith(".infergate/")]
    for path in (tmp_path / file for file in files):
        if path.suffix:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        else:
            path.mkdir(parents=True, exist_ok=True)
    if replayed := re.search(r"--infer-replay=(\S+)", command):
        (tmp_path / replayed[1]).rmdir()
        (tmp_path / replayed[1]).symlink_to(request.getfixturevalue("base").folder)
    parse(shlex.split(command), tmp_path)


def test_the_readme_has_commands_and_what_they_say() -> None:
    assert len(COMMANDS) >= 8
    for outcome in ("comparison: passed", "comparison: regressed", "comparison: inconclusive"):
        assert outcome in README


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_links_of_the_readme_lead_somewhere(target: str) -> None:
    assert (SUITE / target).exists()


def test_damage_inverts_every_nth_byte_of_the_tensor_and_nothing_else(tmp_path: Path) -> None:
    damage = runpy.run_path(str(SUITE / "damage.py"))["damage"]
    source, copy = tmp_path / "source", tmp_path / "new" / "copy"
    source.write_bytes(bytes(range(20)))
    assert damage(source, copy, range(5, 15), 4) == 3
    changed = {i: byte for i, byte in enumerate(copy.read_bytes()) if byte != i}
    assert changed == {5: 5 ^ 0xFF, 9: 9 ^ 0xFF, 13: 13 ^ 0xFF}
    assert source.read_bytes() == bytes(range(20))


def test_damage_never_writes_into_its_source(tmp_path: Path) -> None:
    damage = runpy.run_path(str(SUITE / "damage.py"))["damage"]
    source = tmp_path / "source"
    source.write_bytes(bytes(20))
    with pytest.raises(ValueError, match="is the source itself; name another file"):
        damage(source, tmp_path / "." / "source", range(20), 4)
    assert source.read_bytes() == bytes(20)


@pytest.mark.parametrize(("module", "dataset", "field"), [(m, *asked) for m, asked in ASKED.items()])
def test_no_row_is_one_of_the_prompts_examples_and_none_comes_twice(
    module: str, dataset: str, field: str
) -> None:
    prompt = runpy.run_path(str(SUITE / module))["PROMPT"]
    asked = [json.loads(line)[field] for line in (SUITE / dataset).read_text("utf-8").splitlines()]
    assert [word for word in asked if re.search(rf"\b{word}\b", prompt)] == []
    assert len(set(asked)) == len(asked)
