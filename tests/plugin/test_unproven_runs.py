"""A run of which nobody knows whose replies it holds: it proves nothing in a comparison, on either side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_infergate.cli import main
from pytest_infergate.compare.baseline_saving import make_baseline
from pytest_infergate.compare.provenance import unproven_by
from pytest_infergate.evidence import Gate, Verdict
from pytest_infergate.runs import RunFolderError
from tests.scripted import Received, Script, ScriptedServer, json_script, reply_stream

from .conftest import Evaluate, Outcome

SUITE = """
import pytest

@pytest.mark.infer_task(prompt="say yes", repeat=4)
def test_yes(reply):
    assert reply.text == "yes"
"""


def gone_at_the_end(asked: int) -> str | None:
    return "m" if not asked else None


def another_at_the_end(asked: int) -> str | None:
    return "m" if not asked else "n"


@contextmanager
def serving(lists: object = lambda asked: "m", *, served: str = "m") -> Iterator[ScriptedServer]:
    """``lists`` names the model that the server lists, ``None``: it says nothing; ``served``: in turn."""

    def handle(received: Received) -> Script:
        if received.method == "POST":
            asked.append(received)
            return Script(body=[reply_stream("yes", model=served[len(asked) % len(served)])])
        listed = lists(len(asked))  # type: ignore[operator]
        if received.path != "/v1/models":
            return json_script({"error": {"code": 404}}, status=404)
        return json_script({"data": [{"id": listed}]} if listed else {}, status=200 if listed else 500)

    asked: list[Received] = []
    with ScriptedServer(handle) as server:
        yield server


@pytest.fixture
def good(evaluate: Evaluate) -> Outcome:
    with serving() as server:
        return evaluate(SUITE, url=server.url)


UNPROVEN = [
    # what the server lists after so many requests, the models that replies name in turn, what is said
    (gone_at_the_end, "m", "identity: not confirmed at the end"),
    (another_at_the_end, "m", "became another one during the run"),
    (lambda asked: "m", "mn", "is no evidence as a whole (served_model: "),
]


@pytest.mark.parametrize(("lists", "served", "said"), UNPROVEN)
def test_it_is_no_evidence_on_either_side_and_no_baseline(
    evaluate: Evaluate,
    good: Outcome,
    capsys: pytest.CaptureFixture[str],
    lists: object,
    served: str,
    said: str,
) -> None:
    with serving(lists, served=served) as server:
        found = evaluate(SUITE, f"--infer-baseline={good.folder}", url=server.url)
    assert {"passed"} == set(found.verdicts.values()), "every reply is as good"
    gates = [gate for gate in found.run["gates"] if gate["name"] == "baseline"]
    assert [gate["verdict"] for gate in gates] == ["missing"]
    assert said in gates[0]["detail"]
    for sides in ([good.folder, found.folder], [found.folder, good.folder]):
        assert main(["compare", *map(str, sides)]) == 5
        assert said.partition(" ")[2][:20] in capsys.readouterr().out.replace("\n      ", " ")
    with serving() as server:
        after = evaluate(SUITE, f"--infer-baseline={found.folder}", url=server.url)
    assert (int(after.result.ret), after.run["verdict"]) == (1, "missing")
    with pytest.raises(RunFolderError, match="is no evidence as a whole"):
        make_baseline([found.folder])
    with pytest.raises(RunFolderError, match="is no evidence as a whole"):
        make_baseline([good.folder, found.folder])


def test_a_second_server_that_is_gone_at_the_end_is_nothing_to_compare_with(evaluate: Evaluate) -> None:
    with serving() as candidate, serving(gone_at_the_end) as base:
        found = evaluate(SUITE, f"--infer-against={base.url}", url=candidate.url)
    gates = {gate["name"]: gate["verdict"] for gate in found.run["gates"]}
    assert (gates["baseline"], gates["base_identity"]) == ("missing", "missing")
    # The candidate is what it says it is: another run may be compared with it.
    assert make_baseline_verdict(found.folder) == "passed"


def make_baseline_verdict(folder: Path) -> str:
    return "passed" if make_baseline([folder]).side.unproven is None else "missing"


def test_a_run_merged_of_shards_without_a_baseline_yet_can_become_the_first(
    evaluate: Evaluate, pytester: pytest.Pytester
) -> None:
    suite = SUITE + "\n@pytest.mark.infer_task(prompt='say yes')\ndef test_two(reply): assert reply.text\n"
    with serving() as server:
        shards = [
            evaluate(suite, "-k", words, "--infer-baseline=main.json", url=server.url)
            for words in ("test_yes", "test_two")
        ]
    assert [shard.run["verdict"] for shard in shards] == ["missing", "missing"]
    merged = pytester.path / "merged"
    assert main(["merge", *(str(shard.folder) for shard in shards), "-o", str(merged)]) == 0
    baseline = make_baseline([merged])
    assert (baseline.verdict, len(baseline.side.tasks)) == (Verdict.PASSED, 2)


@pytest.mark.parametrize(
    ("name", "task", "verdict", "is_unproven"),
    [
        ("identity", None, Verdict.PASSED, False),
        ("identity", None, Verdict.MISSING, True),
        ("conditions", None, Verdict.MISSING, True),
        ("served_judge", None, Verdict.MISSING, True),
        ("workers", None, Verdict.MISSING, True),
        ("anything of a version to come", None, Verdict.MISSING, True),
        ("task", "sums", Verdict.FAILED, False),  # of that task alone
        ("baseline", None, Verdict.MISSING, False),  # of the run that this one was compared with
        ("shard_baseline", None, Verdict.MISSING, False),  # of the shards of a merged run
        ("base_identity", None, Verdict.MISSING, False),  # of the second server, in whose run it is as well
        ("collection", None, Verdict.MISSING, False),  # of what is not in the run: that is missing anyway
    ],
)
def test_gates_over_the_run_are_asked(
    name: str, task: str | None, verdict: Verdict, is_unproven: bool
) -> None:
    gate = Gate(name=name, task=task, rule="a rule", observed="seen", verdict=verdict, detail="")
    assert unproven_by([gate]) == (f"{name}: seen" if is_unproven else None)
