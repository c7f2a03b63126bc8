"""From test functions to items, one for each sample and repeat, and from items to evaluations."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import pytest
from _pytest.compat import NOTSET

from ...evidence import Evaluation, EvaluationKey, EvaluatorIdentity, InfergateError, canonical_json, digest
from ...tasks import DeclarationError, Sample, parse_task
from ..evaluations.evaluation import RUNNING, RunningEvaluation
from ..evaluations.origin import MARKERS, PROMPTED, own_fixtures
from ..evaluations.task import Task
from .task_book import TaskBook

#: The parameter through which an item knows its sample.
CASE = "_infer_case"
#: The id of the only sample of a task that has neither a data set nor parameters.
ONLY_SAMPLE = "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A sample (``None`` without a data set) and its repeat; ``is_empty`` stands for no sample at all."""

    sample: Sample | None
    repeat: int = 0
    is_empty: bool = False


def parametrize_samples(metafunc: pytest.Metafunc, book: TaskBook) -> None:
    """Give the test function of a task one item per sample and repeat.

    Every fault that is known by now ends the collection of that function with one line.
    """
    definition = metafunc.definition
    fault = None
    try:
        if inspect.iscoroutinefunction(metafunc.function) or inspect.isasyncgenfunction(metafunc.function):
            raise DeclarationError(
                f"{definition.nodeid}: an async evaluation is not supported; write it as a plain function, "
                "requests run ahead of the tests on threads anyway"
            )
        task = book.task_of(definition)
        _check_fixtures(definition, task)
        _check_lone_prompt(definition, task)
    except InfergateError as error:
        fault = str(error)
    if fault is not None:  # outside of the handler, or pytest shows the line twice
        pytest.fail(fault, pytrace=False)
    cases = _cases(task)
    if cases is None:
        return
    if CASE not in metafunc.fixturenames:
        metafunc.fixturenames.append(CASE)
    ids = [_case_id(case, task.declaration.repeat) for case in cases]
    metafunc.parametrize(CASE, cases, ids=ids, indirect=True, scope="function")


def begin_evaluation(item: pytest.Item, book: TaskBook) -> None:
    """Make an item an evaluation, the placeholder of an empty data set, or one that refuses to run."""
    running = evaluation_of(item, book)
    id = str(running.evaluation.key)
    if running.refusal is None and not book.take_key(running.evaluation.key):
        running = _refused(item, f"another item has the id {id!r}; give samples and parameters distinct ids")
    item.stash[RUNNING] = running


def evaluation_of(item: pytest.Item, book: TaskBook) -> RunningEvaluation:
    """Return the evaluation that an item is, or its refusal."""
    callspec = getattr(item, "callspec", None)
    unread = [mark.name for mark in (callspec.marks if callspec else ()) if mark.name in MARKERS]
    if unread:
        return _refused(
            item, f"{unread[0]} on one parameter is not read; mark the test function, or write two tests"
        )
    if not isinstance(item, pytest.Function) or not book.has(item):
        kind = type(item).__name__
        return _refused(item, f"a {kind} cannot be an evaluation; write it as a plain test function")
    task = book.task_of(item)
    params: dict[str, Any] = dict(callspec.params) if callspec else {}
    case: Case = params.pop(CASE, None) or Case(sample=None)
    # Ours is the first parameter, since our hook runs before every other that parametrizes.
    others = callspec._idlist[len(callspec.params) - len(params) :] if callspec and params else ()
    sample = _sample(case, params, "-".join(map(str, others)), task)
    return RunningEvaluation(
        evaluation=_evaluation(item, task, sample, case.repeat),
        task=task,
        sample=sample,
        is_placeholder=case.is_empty or any(value is NOTSET for value in params.values()),
    )


def _evaluation(item: pytest.Item, task: Task, sample: Sample, repeat: int) -> Evaluation:
    return Evaluation(
        key=EvaluationKey(task=task.name, sample=sample.id, repeat=repeat),
        nodeid=item.nodeid,
        task_version=task.declaration.version,
        task_digest=task.digest,
        sample_digest=sample.digest,
    )


def _sample(case: Case, params: dict[str, Any], other_ids: str, task: Task) -> Sample:
    """Return the sample of an item; the parameters of other marks belong to it."""
    if case.sample is not None and not params:
        return case.sample
    content = {
        name: value if _is_json(value) else f"<{type(value).__qualname__}>" for name, value in params.items()
    }
    if case.sample is not None:
        joined = digest([case.sample.digest, content])
        return replace(case.sample, id=f"{case.sample.id}-{other_ids}", digest=joined)
    fields = {name: value for name, value in params.items() if _is_json(value)}
    return Sample(id=other_ids or ONLY_SAMPLE, digest=digest(content), source=task.nodeid, fields=fields)


def _refused(item: pytest.Item, why: str) -> RunningEvaluation:
    declaration = parse_task(
        (), {}, where=item.nodeid, default_name=item.nodeid, test_folder=item.path.parent
    )
    code_digest = digest(item.nodeid)
    task = Task(
        declaration=declaration,
        digest=code_digest,
        nodeid=item.nodeid,
        folder=item.path.parent,
        evaluator=EvaluatorIdentity(kind="test", name=item.nodeid, version="1", digest=code_digest),
    )
    sample = Sample(id=ONLY_SAMPLE, digest=digest({}), source=item.nodeid)
    return RunningEvaluation(
        evaluation=_evaluation(item, task, sample, 0),
        task=task,
        sample=sample,
        refusal=f"{item.nodeid}: {why}",
    )


def _cases(task: Task) -> list[Case] | None:
    repeats = range(task.declaration.repeat)
    if task.dataset is None:
        return None if len(repeats) == 1 else [Case(sample=None, repeat=r) for r in repeats]
    if not task.dataset.samples:
        return [Case(sample=None, is_empty=True)]
    return [Case(sample=sample, repeat=r) for sample in task.dataset.samples for r in repeats]


def _case_id(case: Case, repeat: int) -> str:
    if case.is_empty:
        return "empty_dataset"
    stem = case.sample.id if case.sample else ""
    return f"{stem}#{case.repeat}" if repeat > 1 else stem


def _check_lone_prompt(node: pytest.Function, task: Task) -> None:
    """Check a prompt that has neither a data set nor parameters to fill it in."""
    prompt, has_parameters = task.declaration.prompt, any(node.iter_markers("parametrize"))
    if prompt is not None and task.dataset is None and not has_parameters:
        prompt.check([Sample(id=ONLY_SAMPLE, digest=digest({}), source=task.nodeid)])


def _check_fixtures(node: pytest.Function, task: Task) -> None:
    wanted = own_fixtures(node) & PROMPTED
    if not wanted:
        return
    if task.declaration.prompt is None:
        name = min(wanted)  # "answer" brings "reply" along
        raise DeclarationError(f"{node.nodeid}: fixture {name!r} needs a prompt; add infer_task(prompt=…)")
    if "answer" in wanted and task.extractor is None:
        raise DeclarationError(
            f"{node.nodeid}: fixture 'answer' needs an extractor; add "
            "@pytest.mark.infer_extract(extract.final_answer), or another one"
        )


def _is_json(value: object) -> bool:
    try:
        canonical_json(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True
