"""What ``infer_visual`` says about the pictures and clips of an eval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import DeclarationError, did_you_mean, excerpt

VISUAL_ARGUMENTS = ("require",)


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualDeclaration:
    """Which checks must have come to a verdict before an evaluation can pass; in order, each once."""

    require: tuple[str, ...] = ()


def parse_visual(
    marks: Iterable[tuple[Sequence[object], Mapping[str, Any]]], *, where: str, checks: Sequence[str]
) -> VisualDeclaration:
    """Read the arguments of all ``infer_visual`` markers on a test; what they require adds up.

    A marker without arguments requires nothing. ``where`` (the test's file and line) begins every message;
    ``checks`` are the names there are. Raises ``DeclarationError``.
    """
    where = f"{where}: infer_visual"
    required: dict[str, None] = {}
    for args, kwargs in marks:
        if args:
            raise DeclarationError(
                f"{where} got {excerpt(args[0])} without a name; write require=[{excerpt(args[0])}]"
                if isinstance(args[0], str)
                else f"{where} got {excerpt(args[0])} without a name; it takes {', '.join(VISUAL_ARGUMENTS)}"
            )
        for name in kwargs:
            if name not in VISUAL_ARGUMENTS:
                raise DeclarationError(
                    f"{where}: unknown argument {name!r}{did_you_mean(name, VISUAL_ARGUMENTS)}; valid: "
                    f"{', '.join(VISUAL_ARGUMENTS)}"
                )
        if "require" in kwargs:
            required.update(dict.fromkeys(_names(kwargs["require"], checks, where)))
    return VisualDeclaration(require=tuple(required))


def _names(value: object, checks: Sequence[str], where: str) -> list[str]:
    accepted = f"a list of names of checks: {', '.join(checks)}"
    # An empty list would read as if something were asked for.
    if not isinstance(value, (list, tuple, set, frozenset)) or not value:
        raise DeclarationError(f"{where}: require={excerpt(value)}; accepted: {accepted}")
    for name in value:
        if not isinstance(name, str) or name not in checks:
            near = did_you_mean(name, checks) if isinstance(name, str) else ""
            raise DeclarationError(f"{where}: require holds {excerpt(name)}{near}; accepted: {accepted}")
    return sorted(value) if isinstance(value, (set, frozenset)) else list(value)
