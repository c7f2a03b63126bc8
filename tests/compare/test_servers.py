"""What was changed between two servers: the treatment, and what must then be equal."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.compare import (
    FieldDifference,
    Outcome,
    RunComparison,
    RunSide,
    TreatmentError,
    check_treatment,
    compare_runs,
)
from tests.compare.sides import server, side, task


def swap(ours: dict[str, Any] | None, theirs: dict[str, Any] | None, **options: Any) -> RunComparison:
    return compare_runs(of(ours), of(theirs, "candidate"), **options)


def of(identity: dict[str, Any] | None, label: str = "base") -> RunSide:
    return side(task("P" * 60), label=label, server=identity)


def change(field: str, base: str | None, candidate: str | None) -> FieldDifference:
    return FieldDifference(field=field, base=base, candidate=candidate, where="server")


TREATMENTS = [
    ("a model id", server(), server(model="other"), [change("model", "gemma-3", "other")]),
    ("an engine", server(), server("vllm"), [change("engine", "llama.cpp", "vllm")]),
    ("an engine that gave no proof", server(), server("generic"), [change("engine", "llama.cpp", None)]),
    ("a number", server(slots=1), server(slots=2), [change("slots", "1", "2")]),
    (
        "true is not 1",
        server(prefix_cache=True),
        server(prefix_cache=1),
        [change("prefix_cache", "true", "1")],
    ),
    ("known on one side", server(), server(kv_cache_type="q8_0"), [change("kv_cache_type", None, "q8_0")]),
    (
        "the file of the weights",
        server(model_path="a"),
        server(model_path="b"),
        [change("model_path", "a", "b")],
    ),
    (
        "a default of sampling",
        server(sampling_top_k=40),
        server(sampling_top_k=50),
        [change("sampling_defaults.top_k", "40", "50")],
    ),
    (
        "two things",
        server(quantization="Q8_0"),
        server(quantization="Q4_0", model="b"),
        [change("model", "gemma-3", "b"), change("quantization", "Q8_0", "Q4_0")],
    ),
    ("a server in place of none", None, server(), [change("server", "none", "a model server")]),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "treatment"), [row[1:] for row in TREATMENTS], ids=[row[0] for row in TREATMENTS]
)
def test_what_differs_is_the_treatment(
    ours: dict[str, Any] | None, theirs: dict[str, Any] | None, treatment: list[FieldDifference]
) -> None:
    found = swap(ours, theirs)
    assert list(found.treatment) == treatment
    assert found.confounded == ()
    assert found.tasks[0].outcome is Outcome.UNCHANGED


SAME = [
    ("the address", server(), {**server(), "url": "http://other:9000", "fingerprint": "sha256:0"}),
    ("when it started", server(started_at="1"), server(started_at="2")),
    ("what is in memory", server(loaded=True), server(loaded=False)),
    ("where a value came from", server(slots=1), server(slots=1)),
    ("restarted meanwhile", server(), {**server(), "changes": {"change": "restarted", "detail": ""}}),
]
SAME[3][2]["fields"]["slots"]["origin"] = "declared"


@pytest.mark.parametrize(("ours", "theirs"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_what_does_not_make_another_server(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    found = swap(ours, theirs)
    assert found.treatment == ()
    assert "nothing known differs between the servers" in found.notes


def test_a_restart_during_a_run_voids_times_alone() -> None:
    found = swap(server(), {**server(), "changes": {"change": "restarted", "detail": ""}})
    assert [(one.field, one.base, one.candidate) for one in found.timing] == [
        ("server", None, "restarted during the run")
    ]


def test_stored_media_need_no_server() -> None:
    found = swap(None, None)
    assert (found.treatment, found.notes, found.tasks[0].outcome) == ((), (), Outcome.UNCHANGED)


def test_what_is_unknown_on_both_sides_is_equal_and_listed() -> None:
    found = swap(server(unknown=["slots", "runtime", "loaded"]), server(unknown=["slots"], runtime="cuda"))
    assert [one.field for one in found.treatment] == ["runtime"]
    assert "unknown on both sides, and taken as equal: slots" in found.notes


# A declared treatment.


def test_other_changes_than_the_declared_one_make_every_task_incomparable() -> None:
    theirs = server(quantization="Q4_0", model="other", slots=4)
    found = swap(server(slots=1), theirs, treatment=("quantization",))
    assert [one.field for one in found.treatment] == ["quantization"]
    assert [one.field for one in found.confounded] == ["model", "slots"]
    (task,) = found.tasks
    assert (task.outcome, task.refusals) == (Outcome.INCOMPARABLE, found.confounded)
    assert task.detail == (
        "the servers differ beside the declared treatment, in model, slots: change one thing at a time, or "
        "name these in the treatment too"
    )


def test_the_declared_change_alone_is_compared() -> None:
    found = swap(server(), server(quantization="Q4_0"), treatment=("quantization",))
    assert (found.confounded, found.tasks[0].outcome) == ((), Outcome.UNCHANGED)
    wide = swap(server(), server(quantization="Q4_0", model="b"), treatment=("quantization", "model"))
    assert (wide.confounded, wide.tasks[0].outcome) == ((), Outcome.UNCHANGED)


def test_a_field_that_only_one_side_tells_cannot_be_shown_equal() -> None:
    found = swap(server(), server(quantization="Q4_0", kv_cache_type="q8_0"), treatment=("quantization",))
    assert found.confounded == (change("kv_cache_type", None, "q8_0"),)


def test_no_field_may_differ_under_an_empty_treatment() -> None:
    assert swap(server(), server(model="b"), treatment=()).tasks[0].outcome is Outcome.INCOMPARABLE
    assert swap(server(), server(), treatment=()).tasks[0].outcome is Outcome.UNCHANGED


def test_a_declared_change_that_is_none_is_told() -> None:
    found = swap(server(), server(), treatment=("quantization",))
    assert "declared as treatment and the same on both sides: quantization" in found.notes


def test_a_declared_field_that_nobody_knows_is_told_with_what_may_be_meant() -> None:
    found = swap(server(), server(), treatment=("quantisation", "kv_cache_type"))
    assert (
        "the treatment 'quantisation' is a field that neither server tells; did you mean quantization?"
        in found.notes
    )
    assert "the treatment 'kv_cache_type' is a field that neither server tells" in found.notes


def test_a_declared_field_that_nobody_knows_can_be_refused() -> None:
    check_treatment(("quantization",), of(server()), of(server(), "candidate"))
    with pytest.raises(TreatmentError) as caught:
        check_treatment(("quantisation",), of(server()), of(server(), "candidate"))
    assert str(caught.value) == (
        "treatment 'quantisation': the servers of base and candidate tell no such field; did you mean "
        "'quantization'? known: engine, model, quantization; record what a server does not tell with "
        "--infer-declare quantisation=VALUE"
    )


# A server that became another one.


@pytest.mark.parametrize("name", ["server", "judge"])
@pytest.mark.parametrize("who", ["base", "candidate"])
def test_a_run_whose_server_became_another_proves_nothing(name: str, who: str) -> None:
    became = {
        **server(),
        "changes": {
            "change": "changed",
            "detail": "model: a before, b after",
            "differences": [],
            "unconfirmed": [],
        },
    }
    sides = {label: side(task("P" * 60), label=label) for label in ("base", "candidate")}
    sides[who] = side(task("P" * 60), label=who, **{name: became})
    (found,) = compare_runs(sides["base"], sides["candidate"]).tasks
    assert found.outcome is Outcome.MISSING
    assert (
        found.detail == f"the {name} of the {who} became another one during the run: model: a before, b after"
    )
