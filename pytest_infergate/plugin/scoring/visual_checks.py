"""The checks that there are for pictures and clips: the built-in ones, and those that other packages add."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from ...evidence import NoAnswer, Reason
from ...tasks import DeclarationError

if TYPE_CHECKING:
    from ...visual import Check

#: Each a module of ``visual.checks`` with a function of that name.
PIXEL_CHECKS = (
    "size",
    "aspect",
    "duration",
    "fps",
    "not_blank",
    "not_frozen",
    "not_corrupt",
    "no_black_gap",
    "matches",
    "same_clip",
    "has_audio",
    "reads",
    "shows_no_text",
)
#: Asks the judge.
ASK = "ask"
#: Is heard by the transcribers of ``wer``.
SPOKEN = "spoken"
BUILT_IN = (*PIXEL_CHECKS, ASK, SPOKEN)
_NOT_INSTALLED = "a library that pictures need is not installed; run: pip install 'pytest-infergate[visual]'"


def added_checks(config: pytest.Config) -> dict[str, Check]:
    """Return the checks that other packages add, by name.

    Raises ``DeclarationError`` for a name that is taken, and for what is no check.
    """
    found: dict[str, Check] = {}
    for added in config.hook.pytest_infergate_visual_checks(config=config):
        if not isinstance(added, Mapping):
            raise DeclarationError(
                f"the hook pytest_infergate_visual_checks was given {added!r:.120}; it takes a mapping of "
                "names to checks"
            )
        for name, check in added.items():
            if not isinstance(name, str) or not name.isidentifier() or not callable(check):
                raise DeclarationError(
                    f"the hook pytest_infergate_visual_checks was given {name!r}: {check!r:.120}; it takes "
                    "an identifier and a callable that returns a CheckResult"
                )
            if name in BUILT_IN or found.setdefault(name, check) is not check:
                raise DeclarationError(
                    f"the hook pytest_infergate_visual_checks was given {name!r}, which is taken; give the "
                    "check another name"
                )
    return found


def load_check(name: str) -> Check:
    """Return a built-in check. Raises ``NoAnswer`` (``evaluator_unavailable``) where a library is missing."""
    try:
        check: Check = getattr(import_module(f"...visual.checks.{name}", __package__), name)
    except ImportError as error:
        raise not_installed(error) from error
    return check


def not_installed(error: ImportError) -> NoAnswer:
    """Return what to say where the libraries of pictures are not there."""
    return NoAnswer(Reason.EVALUATOR_UNAVAILABLE, f"{_NOT_INSTALLED} ({error})")
