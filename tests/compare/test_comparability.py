"""What must be equal on both sides, and what is said where it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.compare import (
    FieldDifference,
    Observation,
    ObservedExchange,
    ObservedScore,
    Outcome,
    ScoreKind,
    TaskComparison,
    TaskSide,
    compare_runs,
)
from pytest_infergate.evidence import EvaluatorIdentity, Fallback, digest
from tests.compare.sides import (
    CODE,
    PASSED,
    STYLE,
    TEST,
    WER,
    compare,
    compare_sides,
    exchange,
    observation,
    plan,
    score,
    side,
    task,
    task_of,
)

OTHER = digest("other code")


def refused(base: TaskSide, candidate: TaskSide) -> list[tuple[str, str | None, str | None, str, int]]:
    found = compare(base, candidate)
    assert found.outcome is Outcome.INCOMPARABLE
    assert (found.table, found.difference) == (None, None)
    return [(one.field, one.base, one.candidate, one.where, one.count) for one in found.refusals]


PLANS: list[tuple[str, dict[str, Any], tuple[str, str | None, str | None]]] = [
    ("version", {"version": "2"}, ("task version", "1", "2")),
    ("digest", {"digest": OTHER}, ("task digest", CODE, OTHER)),
    ("repeats", {"repeat": 2}, ("repeats", "1", "2")),
    ("a data set", {"has_dataset": False}, ("data set", "yes", "no")),
    ("no evaluator", {"evaluator": None}, ("evaluator identity", "test math v1", None)),
]


@pytest.mark.parametrize(("changes", "expected"), [row[1:] for row in PLANS], ids=[row[0] for row in PLANS])
def test_a_task_that_is_another_is_refused(
    changes: dict[str, Any], expected: tuple[str, str | None, str | None]
) -> None:
    base = task("PPPF")
    candidate = replace(base, plan=replace(base.plan, **changes))
    assert refused(base, candidate) == [(*expected, "math", 4)]


def with_kind(kind: ScoreKind) -> TaskSide:
    return task_of({f"s{n}": observation("P", f"s{n}", passed=kind) for n in range(3)})


def judged_by(**changes: Any) -> ScoreKind:
    return replace(PASSED, evaluator=replace(TEST, **changes))


FELL_BACK = Fallback(preferred="large-v3", because="not installed")
KINDS = [
    ("version", PASSED, judged_by(version="2"), "evaluator version of passed", "1", "2"),
    ("kind", PASSED, judged_by(kind="judge"), "evaluator kind of passed", "test", "judge"),
    ("name", PASSED, judged_by(name="sums"), "evaluator name of passed", "math", "sums"),
    ("backend", PASSED, judged_by(backend="cpu"), "evaluator backend of passed", None, "cpu"),
    ("digest", PASSED, judged_by(digest=OTHER), "evaluator digest of passed", CODE, OTHER),
    (
        "settings",
        PASSED,
        judged_by(settings={"extractors": [], "votes": 3}),
        "evaluator settings.votes of passed",
        None,
        "3",
    ),
    (
        "the version of an extractor",
        judged_by(settings={"extractors": [{"name": "number", "version": "1"}]}),
        judged_by(settings={"extractors": [{"name": "number", "version": "2"}]}),
        "evaluator settings.extractors[number].version of passed",
        '"1"',
        '"2"',
    ),
    (
        "another extractor",
        judged_by(settings={"extractors": [{"name": "number", "version": "1"}]}),
        judged_by(settings={"extractors": [{"name": "boxed", "version": "1"}]}),
        "evaluator settings.extractors[number] of passed",
        '{"name":"number","version":"1"}',
        None,
    ),
    (
        "true is not 1",
        judged_by(settings={"strict": True}),
        judged_by(settings={"strict": 1}),
        "evaluator settings.strict of passed",
        "true",
        "1",
    ),
    ("unit", PASSED, replace(PASSED, unit="points"), "unit of passed", "ratio", "points"),
    (
        "direction",
        PASSED,
        replace(PASSED, higher_is_better=False),
        "direction of passed",
        "higher is better",
        "lower is better",
    ),
    (
        "fallback",
        PASSED,
        replace(PASSED, fallback=FELL_BACK),
        "fallback of passed",
        "none",
        "in place of large-v3: not installed",
    ),
]


@pytest.mark.parametrize(
    ("base", "candidate", "field", "ours", "theirs"),
    [row[1:] for row in KINDS],
    ids=[row[0] for row in KINDS],
)
def test_a_score_of_another_evaluator_is_refused(
    base: ScoreKind, candidate: ScoreKind, field: str, ours: str | None, theirs: str | None
) -> None:
    found = refused(with_kind(base), with_kind(candidate))
    assert found[0] == (field, ours, theirs, "math/s0#0", 3)


def test_another_extractor_is_refused_also_where_no_score_tells() -> None:
    """Every evaluation of the candidate timed out: what would have judged it still counts."""
    who = replace(TEST, settings={"extractors": [{"name": "number", "version": "2"}]})
    assert refused(task("PP"), task("ss", evaluator=who)) == [
        ("evaluator settings.extractors[number]", None, '{"name":"number","version":"2"}', "math", 2)
    ]


def test_the_words_for_why_a_backend_was_not_used_are_no_difference() -> None:
    other = replace(FELL_BACK, because="not installed on this machine")
    base, candidate = (with_kind(replace(PASSED, fallback=why)) for why in (FELL_BACK, other))
    assert compare(base, candidate).outcome is Outcome.UNCHANGED


def test_every_differing_field_is_listed() -> None:
    base = with_kind(PASSED)
    made = with_kind(judged_by(version="2", backend="cpu"))
    candidate = replace(made, plan=plan(version="2", digest=OTHER))
    fields = [field for field, *_ in refused(base, candidate)]
    assert fields == [
        "task version",
        "task digest",
        "evaluator version of passed",
        "evaluator backend of passed",
    ]


def test_a_task_whose_code_changed_says_so_once() -> None:
    """The digest of a test as an evaluator is its task's."""
    made = with_kind(judged_by(digest=OTHER))
    candidate = replace(made, plan=plan(digest=OTHER, evaluator=replace(TEST, digest=OTHER)))
    assert [field for field, *_ in refused(with_kind(PASSED), candidate)] == ["task digest"]


@pytest.mark.parametrize("kind", [STYLE, WER], ids=["style", "wer"])
def test_each_component_score_counts(kind: ScoreKind) -> None:
    other = replace(kind, evaluator=replace(kind.evaluator, version="2", digest=OTHER))

    def side_of(kind: ScoreKind) -> TaskSide:
        return task_of({"s0": observation("P", "s0", scores=[score(kind, 0.5)])})

    fields = [field for field, *_ in refused(side_of(kind), side_of(other))]
    assert fields == [f"evaluator version of {kind.name}", f"evaluator digest of {kind.name}"]
    (shown,) = compare(side_of(kind), side_of(other)).scores
    assert (shown.name, shown.outcome) == (kind.name, Outcome.INCOMPARABLE)
    assert [one.field for one in shown.refusals] == fields


def test_a_sample_of_other_content_is_refused() -> None:
    base = task("PPP")
    changed = replace(base.observations["s1", 0], sample_digest=digest("edited"))
    candidate = replace(base, observations={**base.observations, ("s1", 0): changed})
    assert refused(base, candidate) == [
        ("sample digest", digest("s1"), digest("edited"), "math/s1#0", 1),
    ]


def test_a_record_of_another_major_version_is_refused() -> None:
    base, candidate = side(task("P")), side(task("P"), label="candidate", schema="infergate.record/2")
    (found,) = compare_runs(base, candidate).tasks
    assert found.outcome is Outcome.INCOMPARABLE
    assert found.refusals == (
        FieldDifference(
            field="record schema", base="infergate.record/1", candidate="infergate.record/2", where="math"
        ),
    )


# Samples.


def test_a_subset_of_the_samples_is_compared_and_stated() -> None:
    found = compare(task("P" * 100), task("P" * 60, said="other "))
    assert (found.outcome, found.subset, found.samples) == (Outcome.NO_WORSE, (60, 100), 60)
    whole = compare(task("P" * 60), task("P" * 60))
    assert whole.subset is None


def test_samples_that_the_base_does_not_have_are_named() -> None:
    base = task_of({id: observation("P", id) for id in ("a", "b")})
    candidate = task_of({id: observation("P", id) for id in ("b", "c", "d")})
    assert refused(base, candidate) == [
        ("sample ids", "alone has 'a'", "alone has 'c', 'd'", "math", 2),
    ]
    assert refused(task("PP"), task("P" * 9))[0][:3] == (
        "sample ids",
        "has no other",
        "alone has 's2', 's3', 's4', 's5', 's6' and 2 more",
    )


def test_repeats_of_a_sample_that_one_side_does_not_have_are_refused() -> None:
    base = task("PPPP", repeat=2)
    candidate = replace(base, observations={k: v for k, v in base.observations.items() if k != ("s1", 1)})
    assert refused(base, candidate) == [("repeats of a sample", "0, 1", "0", "math/s1", 1)]


# Requests.

ASK, MORE, ELSE = (digest(name) for name in ("ask", "more", "else"))


def asked(*exchanges: ObservedExchange, letter: str = "P") -> TaskSide:
    return task_of({"s0": observation(letter, "s0", exchanges=exchanges)})


#: base, candidate, what is refused.
CONVERSATIONS = [
    ("the same", asked(exchange()), asked(exchange()), None),
    ("another first request", asked(exchange()), asked(exchange("else")), ("request 1", ASK, ELSE)),
    (
        "another second request after the same reply",
        asked(exchange(), exchange("more")),
        asked(exchange(), exchange("else")),
        ("request 2", MORE, ELSE),
    ),
    (
        "another second request after another reply: it holds that reply",
        asked(exchange(), exchange("more")),
        asked(exchange(reply="other"), exchange("else")),
        None,
    ),
    (
        "more requests after another reply",
        asked(exchange()),
        asked(exchange(reply="other"), exchange("else")),
        None,
    ),
    (
        "more requests after the same reply",
        asked(exchange()),
        asked(exchange(), exchange("more")),
        ("number of requests", "1", "2"),
    ),
    (
        "a request in place of none",
        asked(),
        asked(exchange()),
        ("number of requests", "0", "1"),
    ),
    ("never sent, since the server was not there", asked(exchange()), asked(letter="s"), None),
    ("never sent, since it never ran", asked(exchange()), asked(letter="n"), None),
    ("never sent, since the evaluator was not there", asked(letter="e"), asked(exchange()), None),
    (
        "cut short by the server after the same reply",
        asked(exchange(), exchange("more")),
        asked(exchange(), letter="s"),
        None,
    ),
    (
        "asked otherwise, though nothing came back",
        asked(exchange()),
        asked(exchange("else", "none:timeout"), letter="s"),
        ("request 1", ASK, ELSE),
    ),
    (
        "ids of tool calls that the server drew: the next request repeats them",
        asked(exchange(reply="call+1"), exchange("more")),
        asked(exchange(reply="call+2"), exchange("else")),
        None,
    ),
]


@pytest.mark.parametrize(
    ("base", "candidate", "expected"), [r[1:] for r in CONVERSATIONS], ids=[r[0] for r in CONVERSATIONS]
)
def test_requests_are_equal_as_long_as_what_came_before_is(
    base: TaskSide, candidate: TaskSide, expected: tuple[str, str, str] | None
) -> None:
    found = compare(base, candidate)
    if expected is None:
        assert found.outcome is not Outcome.INCOMPARABLE
    else:
        assert found.outcome is Outcome.INCOMPARABLE
        assert [(one.field, one.base, one.candidate) for one in found.refusals] == [expected]


def test_the_same_calls_under_other_ids_are_unchanged() -> None:
    base, candidate = asked(exchange(reply="call+1")), asked(exchange(reply="call+2"))
    assert compare(base, candidate).outcome is Outcome.UNCHANGED


def test_requests_that_differ_are_counted_with_an_example() -> None:
    base = task("P" * 5)
    other = {(f"s{n}", 0): observation("P", f"s{n}", exchanges=[exchange(f"hotter {n}")]) for n in range(5)}
    (found,) = refused(base, replace(base, observations={**base.observations, **other}))
    assert found == ("request 1", digest("ask s0"), digest("hotter 0"), "math/s0#0", 5)


# Stored media: no exchange on either side.


def media(value: float, letter: str = "P") -> Observation:
    return observation(letter, "s0", exchanges=(), scores=[score(WER, value)])


def test_stored_media_are_unchanged_only_where_every_score_is_equal() -> None:
    same = compare(task_of({"s0": media(0.1)}), task_of({"s0": media(0.1)}))
    assert same.outcome is Outcome.UNCHANGED
    moved = compare(
        task_of({"s0": media(0.1)}, has_dataset=False), task_of({"s0": media(0.2)}, has_dataset=False)
    )
    assert moved.outcome is Outcome.NO_WORSE
    assert "no reply differs, yet the scores of 1 evaluations do" in moved.detail


# The way out.


def detail(candidate: TaskSide, **changes: Any) -> str:
    found: TaskComparison = compare_sides([task("PPP")], [candidate], **changes).tasks[0]
    return found.detail


def test_what_came_of_judging_is_mended_by_judging_again() -> None:
    told = detail(replace(task("PPP"), plan=plan(version="2")))
    assert told == "re-score the baseline: pytest --infer-replay=base, and compare with that run"


def test_what_was_never_asked_is_mended_by_asking() -> None:
    told = detail(task("PPPP"))
    assert told == (
        "what was asked differs, and --infer-replay cannot answer what was never asked: run the baseline "
        "again with the same samples, requests and repeats"
    )
    both = detail(replace(task("PPPP"), plan=plan(version="2")))
    assert "--infer-replay=base, and" in both
    assert "run the baseline again" in both


def test_a_path_with_a_blank_can_be_copied() -> None:
    base = side(task("PPP"), label="my runs/a")
    candidate = side(replace(task("PPP"), plan=plan(version="2")))
    assert "--infer-replay='my runs/a'," in compare_runs(base, candidate).tasks[0].detail


def test_a_baseline_file_keeps_nothing_to_judge_again(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    file.write_text("{}")
    base = side(task("PPP"), label=str(file))
    told = compare_runs(base, side(replace(task("PPP"), plan=plan(version="2")))).tasks[0].detail
    assert told == (
        "re-score the run that the baseline was saved from: pytest --infer-replay=RUN, and save what comes "
        f"of it: infergate baseline save NEW -o {file} --replace"
    )


def test_by_observed_kind_scores_pair_by_name_and_place() -> None:
    """Two scores of one name in an evaluation: the second is held against the second."""
    weak = replace(
        WER, evaluator=EvaluatorIdentity(kind="transcriber", name="whisper", version="1", backend="b")
    )

    def both(*kinds: ScoreKind) -> TaskSide:
        scores: list[ObservedScore] = [score(kind, 0.5) for kind in kinds]
        return task_of({"s0": observation("P", "s0", scores=scores)})

    assert compare(both(WER, weak), both(WER, weak)).outcome is Outcome.UNCHANGED
    fields = {field for field, *_ in refused(both(WER, weak), both(weak, WER))}
    assert fields == {"evaluator backend of wer", "evaluator digest of wer"}


def held_against(*references: str | None, letters: str = "PPP") -> TaskSide:
    return task_of(
        {
            f"s{n}": observation(
                letter, f"s{n}", scores=[ObservedScore(STYLE, 0.5, against=against)] if against != "-" else []
            )
            for n, (letter, against) in enumerate(zip(letters, references, strict=True))
        }
    )


def test_a_score_that_was_held_against_another_picture_is_refused() -> None:
    base, candidate = held_against("a" * 16, "b" * 16, "c" * 16), held_against("a" * 16, "d" * 16, "e" * 16)
    assert refused(base, candidate) == [("reference of style", "b" * 16, "d" * 16, "math/s1#0", 2)]
    (shown,) = compare(base, candidate).scores
    assert (shown.outcome, shown.pairs) == (Outcome.INCOMPARABLE, 1)
    assert [one.field for one in shown.refusals] == ["reference of style"]


@pytest.mark.parametrize(
    ("references", "letters", "why"),
    [
        (["a" * 16, "b" * 16, "c" * 16], "PPP", "the same"),
        (["a" * 16, None, "c" * 16], "PPF", "nothing was held against: the media are the model's own"),
        (["a" * 16, "-", "c" * 16], "PFP", "its test failed before it came that far"),
    ],
    ids=["same", "none", "not reached"],
)
def test_a_reference_of_one_side_alone_is_no_difference(
    references: list[str | None], letters: str, why: str
) -> None:
    found = compare(held_against("a" * 16, "b" * 16, "c" * 16), held_against(*references, letters=letters))
    assert found.outcome is not Outcome.INCOMPARABLE, why
