"""Every task of a session: what its markers, its data set and its code say, read once a function."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from ...evidence import EvaluationKey, EvaluatorIdentity, canonical_json
from ...extract import Extractor
from ...tasks import (
    DeclarationError,
    WerDeclaration,
    load_dataset,
    parse_task,
    parse_wer,
    reached_extractors,
    task_digest,
)
from ...tasks.visual_declaration import VisualDeclaration, parse_visual
from ..evaluations.requesting import check_schema, tools_as_sent
from ..evaluations.task import Task
from ..options.settings import Settings
from ..scoring.visual_checks import BUILT_IN, added_checks
from .named_extractors import extractor_named


class TaskBook:
    """Every task of the session, built once per test function."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_function: dict[str, Task] = {}
        self._by_name: dict[str, str] = {}
        self._keys: set[EvaluationKey] = set()

    def has(self, node: pytest.Function) -> bool:
        """Whether the node's function was collected as a task; unittest's methods are not."""
        return _function_id(node) in self._by_function

    def take_key(self, key: EvaluationKey) -> bool:
        """Give the key to one item; say whether it was still free."""
        is_free = key not in self._keys
        self._keys.add(key)
        return is_free

    def task_of(self, node: pytest.Function) -> Task:
        """Return the task of a test function or of one of its items.

        Raises ``InfergateError`` with the function's place where its markers or its data set are not
        usable, or where its name is taken.
        """
        function = _function_id(node)
        task = self._by_function.get(function)
        if task is None:
            task = self._build(node, function)
            other = self._by_name.setdefault(task.name, function)
            if other != function:
                raise DeclarationError(
                    f"{function}: task name {task.name!r} is taken by {other}; "
                    "give one of them another name with infer_task(name=…)"
                )
            self._by_function[function] = task
        return task

    def _build(self, node: pytest.Function, function: str) -> Task:
        mark = node.get_closest_marker("infer_task")
        given = dict(mark.kwargs) if mark else {}
        if "tools" in given:
            given["tools"] = tools_as_sent(given["tools"], function)
        declaration = parse_task(
            mark.args if mark else (),
            given,
            where=function,
            default_name=_task_name(node),
            test_folder=node.path.parent,
        )
        check_schema(declaration.sampling, function)
        extractor = _extractor_of(node, function)
        code_digest = task_digest(node.function, owner=node.cls)
        dataset = None
        if declaration.dataset is not None:
            dataset = load_dataset(declaration.dataset, limit=self._settings.limit)
            if declaration.prompt is not None:
                declaration.prompt.check(dataset.samples)
        return Task(
            declaration=declaration,
            digest=code_digest,
            nodeid=function,
            folder=node.path.parent,
            evaluator=EvaluatorIdentity(
                kind="test",
                name=declaration.name,
                version=declaration.version,
                settings={"extractors": _extractors(node, extractor)},
                digest=code_digest,
            ),
            wer=_wer_of(node, function),
            visual=_visual_of(node, function),
            extractor=extractor,
            dataset=dataset,
        )


def _extractor_of(node: pytest.Function, function: str) -> Extractor[Any] | None:
    mark = node.get_closest_marker("infer_extract")
    if mark is None:
        return None
    if len(mark.args) == 1 and not mark.kwargs and isinstance(mark.args[0], str):
        return extractor_named(mark.args[0], node.config, where=function)
    if len(mark.args) != 1 or mark.kwargs or not isinstance(mark.args[0], Extractor):
        given = ", ".join([*map(repr, mark.args), *(f"{k}={v!r}" for k, v in mark.kwargs.items())])
        raise DeclarationError(
            f"{function}: infer_extract({given}) needs one extractor, such as extract.number or "
            "extract.choice('ABCD')"
        )
    return mark.args[0]


def _wer_of(node: pytest.Function, function: str) -> WerDeclaration | None:
    mark = node.get_closest_marker("infer_wer")
    if mark is None:
        return None
    from ...speech import NORMALIZERS, parse_language

    return parse_wer(
        mark.args, mark.kwargs, where=function, normalizers=NORMALIZERS, read_language=parse_language
    )


def _visual_of(node: pytest.Function, function: str) -> VisualDeclaration:
    marks = [(mark.args, mark.kwargs) for mark in node.iter_markers("infer_visual")]
    if not marks:
        return VisualDeclaration()
    return parse_visual(marks, where=function, checks=(*BUILT_IN, *added_checks(node.config)))


def _extractors(node: pytest.Function, given: Extractor[Any] | None) -> list[dict[str, Any]]:
    """Return the extractors that a test uses: the marker's, and those that its code reaches."""
    found: list[Any] = list(reached_extractors(node.function, _is_extractor, owner=node.cls))
    if given is not None:
        found.append(given)
    made = {type(one) for one in found}
    # A class that made another of them adds nothing; one that is called in the test stands for itself.
    shown = [_extractor_json(one) for one in found if one not in made]
    distinct = {canonical_json(one): one for one in shown}
    return [distinct[key] for key in sorted(distinct)]


def _is_extractor(value: object) -> bool:
    """Say whether a value is an extractor, or the class of one; a base class that others build on is none."""
    if isinstance(value, type):
        return issubclass(value, Extractor) and not inspect.isabstract(value)
    return isinstance(value, Extractor)


def _extractor_json(value: Any) -> dict[str, Any]:
    # A class is an extractor whose settings are given where it is called: they are in the task digest.
    settings = {} if isinstance(value, type) else dict(value.settings)
    return {"name": value.name, "version": value.version, "settings": settings}


def _function_id(node: pytest.Function) -> str:
    return f"{node.parent.nodeid}::{node.originalname}" if node.parent else node.nodeid


def _task_name(node: pytest.Function) -> str:
    parts = [node.module.__name__]
    if node.cls is not None:
        parts.append(node.cls.__qualname__)
    return ".".join((*parts, node.originalname))
