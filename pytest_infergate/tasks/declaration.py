"""What ``infer_task`` says about an eval."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evidence import ALLOWABLE, GateRule, Reason
from .endpoint import Endpoint
from .errors import DeclarationError, did_you_mean, excerpt
from .prompt import Prompt, parse_prompt
from .sample_ids import UNSAFE
from .sampling import DEFAULT_SAMPLING, SAMPLING_NAMES, is_integer, is_number, parse_sampling

#: Arguments that say what is enough, not what is measured: no part of the task digest.
GATE_ARGUMENTS = ("min_pass_rate", "max_missing", "margin")
#: Repeats of one sample; beyond it the figures over repeats would take longer than the replies.
MAX_REPEAT = 1000
ARGUMENTS = (
    "name",
    "version",
    "dataset",
    "prompt",
    "system",
    "endpoint",
    "repeat",
    *GATE_ARGUMENTS,
    "allow",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDeclaration:
    """A task as its marker declares it.

    ``dataset`` and ``prompt`` are ``None`` where there is none. ``repeat`` >= 1 is how often each sample
    is evaluated. ``margin`` is what a comparison may lose, ``None``: the option's. ``allow`` are the
    reasons that do not make an evaluation missing. ``sampling`` holds request fields, defaults included.
    """

    name: str
    version: str
    dataset: Path | None
    prompt: Prompt | None
    endpoint: Endpoint
    repeat: int
    gate: GateRule
    margin: float | None
    allow: frozenset[Reason]
    sampling: Mapping[str, Any]


def parse_task(
    args: Sequence[object],
    kwargs: Mapping[str, Any],
    *,
    where: str,
    default_name: str,
    test_folder: Path,
) -> TaskDeclaration:
    """Read the arguments of one ``infer_task`` marker.

    ``where`` (the test's file and line) begins every message. Raises ``DeclarationError``.
    """
    where = f"{where}: infer_task"
    if args:
        raise DeclarationError(
            f"{where} got {excerpt(args[0])} without a name; "
            f"it takes keyword arguments only: {', '.join(ARGUMENTS)}"
        )
    valid = (*ARGUMENTS, *SAMPLING_NAMES)
    for name in kwargs:
        if name not in valid:
            raise DeclarationError(
                f"{where}: unknown argument {name!r}{did_you_mean(name, valid)}; "
                f"valid: {', '.join(ARGUMENTS)}; and sampling: {', '.join(SAMPLING_NAMES)}"
            )
    endpoint = _endpoint(kwargs.get("endpoint", "chat"), where)
    return TaskDeclaration(
        name=_name(kwargs["name"], where) if kwargs.get("name") is not None else default_name,
        version=_version(kwargs.get("version", "1"), where),
        dataset=_dataset(kwargs.get("dataset"), test_folder, where),
        prompt=_prompt(kwargs, endpoint, test_folder, where),
        endpoint=endpoint,
        repeat=_checked(
            kwargs,
            "repeat",
            1,
            lambda n: is_integer(n) and 1 <= n <= MAX_REPEAT,
            f"an integer from 1 to {MAX_REPEAT}",
            where,
        ),
        gate=GateRule(
            min_pass_rate=_rate(kwargs, "min_pass_rate", None, "above 0, up to 1", where),
            max_missing=_rate(kwargs, "max_missing", 0, "from 0 to 1", where),
        ),
        margin=_rate(kwargs, "margin", None, "from 0 to 1", where),
        allow=parse_allow(kwargs.get("allow", ()), where=where),
        sampling=parse_sampling(
            {name: value for name, value in kwargs.items() if name in SAMPLING_NAMES},
            defaults=DEFAULT_SAMPLING,
            endpoint=endpoint,
            where=where,
        ),
    )


def parse_allow(value: object, *, where: str) -> frozenset[Reason]:
    """Read ``allow``: a list of reasons, or of their names, that an exchange may end with.

    Raises ``DeclarationError`` that begins with ``where``.
    """
    names = sorted(reason.value for reason in ALLOWABLE)
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise DeclarationError(f"{where}: allow={excerpt(value)}; accepted: a list of {', '.join(names)}")
    reasons = set()
    for item in value:
        reason = next((r for r in ALLOWABLE if item is r or item == r.value), None)
        if reason is None:
            shown = item.value if isinstance(item, Reason) else item
            near = did_you_mean(shown, names) if isinstance(shown, str) else ""
            raise DeclarationError(
                f"{where}: allow holds {excerpt(shown)}{near}; accepted: {', '.join(names)}"
            )
        reasons.add(reason)
    return frozenset(reasons)


def _checked(
    kwargs: Mapping[str, Any], name: str, default: Any, accepts: Callable[[Any], bool], form: str, where: str
) -> Any:
    value = kwargs.get(name, default)
    if not accepts(value):
        raise DeclarationError(f"{where}: {name}={excerpt(value)}; accepted: {form}")
    return value


def _rate(kwargs: Mapping[str, Any], name: str, default: float | None, span: str, where: str) -> Any:
    is_open = span.startswith("above")

    def accepts(value: Any) -> bool:
        if value is None:
            return default is None
        return is_number(value) and 0 <= value <= 1 and not (is_open and value == 0)

    return _checked(kwargs, name, default, accepts, f"a number {span}; write 55 % as 0.55", where)


def _endpoint(value: object, where: str) -> Endpoint:
    for endpoint in Endpoint:
        if value == endpoint.value:
            return endpoint
    accepted = " or ".join(f'"{endpoint.value}"' for endpoint in Endpoint)
    raise DeclarationError(f"{where}: endpoint={excerpt(value)}; accepted: {accepted}")


def _name(value: object, where: str) -> str:
    # A slash ends the task's name in an evaluation's id, "task/sample#repeat".
    if not isinstance(value, str) or not value.strip() or UNSAFE.search(value) or "/" in value:
        raise DeclarationError(f"{where}: name={excerpt(value)}; accepted: printable text without a slash")
    return value


def _version(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip() or UNSAFE.search(value):
        raise DeclarationError(f'{where}: version={excerpt(value)}; accepted: a string such as "2"')
    return value


def _dataset(value: object, test_folder: Path, where: str) -> Path | None:
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)) or not str(value).strip():
        raise DeclarationError(
            f"{where}: dataset={excerpt(value)}; accepted: the path of a file, from the test file"
        )
    return test_folder / Path(value)


def _prompt(kwargs: Mapping[str, Any], endpoint: Endpoint, test_folder: Path, where: str) -> Prompt | None:
    prompt, system = kwargs.get("prompt"), kwargs.get("system")
    if prompt is not None:
        return parse_prompt(prompt, system=system, endpoint=endpoint, where=where, test_folder=test_folder)
    if system is not None:
        raise DeclarationError(
            f"{where}: system={excerpt(system)} without a prompt; give prompt=…, "
            "or put a system message first in what infer.chat gets"
        )
    return None
