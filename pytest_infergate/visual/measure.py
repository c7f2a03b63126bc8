"""A value held against a limit: the one place where a measurement becomes the result of a check."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from ..evidence import Missing, Reason
from .check import CheckError, CheckResult
from .clip import Clip
from .picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a check measures: its name and version, the unit of its value, and which way is better."""

    name: str
    version: str
    unit: str
    higher_is_better: bool

    def hold(
        self,
        media: Picture | Clip,
        value: float,
        limit: float,
        detail: str,
        *,
        settings: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        against: Picture | Clip | None = None,
        artifacts: tuple[tuple[str, bytes, str], ...] = (),
    ) -> CheckResult:
        """Return the result of a value that was measured; it holds on the limit itself.

        Where a clip lacks its end, what holds of the rest is missing: the end was not looked at.
        """
        passed = value >= limit if self.higher_is_better else value <= limit
        if passed and isinstance(media, Clip) and media.cut is not None:
            detail = f"{media.source} is cut off: {media.cut}; of what is there: {detail}"
            return self.miss(
                media,
                Reason.UNDECODABLE_MEDIA,
                detail,
                settings=settings,
                frames=frames,
                against=against,
            )
        return self._result(
            media,
            bool(passed),
            float(value),
            limit,
            detail,
            settings=settings,
            frames=frames,
            against=against,
            artifacts=artifacts,
        )

    def fail(
        self,
        media: Picture | Clip,
        limit: float,
        detail: str,
        *,
        settings: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        against: Picture | Clip | None = None,
        artifacts: tuple[tuple[str, bytes, str], ...] = (),
    ) -> CheckResult:
        """Return the result of what differs so that nothing can be measured."""
        return self._result(
            media,
            False,
            None,
            limit,
            detail,
            settings=settings,
            frames=frames,
            against=against,
            artifacts=artifacts,
        )

    def miss(
        self,
        media: Picture | Clip,
        reason: Reason,
        detail: str,
        *,
        settings: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        against: Picture | Clip | None = None,
    ) -> CheckResult:
        """Return the result of what could not be measured."""
        return self._result(
            media,
            None,
            None,
            None,
            detail,
            settings=settings,
            missing=Missing(reason, detail),
            frames=frames,
            against=against,
        )

    def needs_clip(self, media: Picture) -> CheckResult:
        """Return the result for a picture where time is asked about."""
        return self.miss(
            media,
            Reason.NOT_EXERCISED,
            f"{self.name} needs a clip; {media.source} is a picture ({media.format})",
        )

    def needs_picture(self, media: Clip, instead: str) -> CheckResult:
        """Return the result for a clip where one picture is asked about."""
        return self.miss(
            media,
            Reason.NOT_EXERCISED,
            f"{self.name} needs a picture; {media.source} is a clip; use {instead}",
        )

    def _result(
        self,
        media: Picture | Clip,
        passed: bool | None,
        value: float | None,
        limit: float | None,
        detail: str,
        *,
        settings: Mapping[str, Any] | None,
        missing: Missing | None = None,
        frames: Mapping[str, Any] | None = None,
        against: Picture | Clip | None = None,
        artifacts: tuple[tuple[str, bytes, str], ...] = (),
    ) -> CheckResult:
        return CheckResult(
            name=self.name,
            version=self.version,
            passed=passed,
            value=value,
            unit=self.unit,
            higher_is_better=self.higher_is_better,
            limit=limit,
            detail=detail,
            settings=dict(settings or {}),
            missing=missing,
            frames=frames,
            artifacts=artifacts,
            backend=decoder_of(media),
            against=reference_of(against),
        )


def reference_of(against: Picture | Clip | None) -> str | None:
    """Return which file was held against; what a model made is an answer, and may differ from run to run."""
    return None if against is None or against.source == "reply" else against.sha256


def decoder_of(media: Picture | Clip) -> str:
    """Return which libraries decoded it, with its version: two may not see the same pixels."""
    if isinstance(media, Clip):
        return media.decoder
    pillow = f"pillow {version('pillow')}"
    return f"{media.renderer}, {pillow}" if media.renderer else pillow


def number_below(
    check: str, name: str, value: object, high: float, *, holds: str = "anything holds"
) -> float:
    """Return a setting as given. Raises ``CheckError`` where it is no number from 0 to less than ``high``.

    ``holds`` says what a check would let pass at ``high`` itself.
    """
    number = number_between(check, name, value, 0)
    if number >= high:
        raise CheckError(
            f"{check}: {name} is {value!r:.80}, with which {holds}; accepted: from 0, less than {high:g}"
        )
    return number


def number_between(check: str, name: str, value: object, low: float, high: float = math.inf) -> float:
    """Return a setting as given. Raises ``CheckError`` where it is no number of ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        accepted = (
            f"a number of {low:g} or more" if high == math.inf else f"a number from {low:g} to {high:g}"
        )
        raise CheckError(f"{check}: {name} is {value!r:.80}; accepted: {accepted}")
    # A whole number may be too large for what is measured, which is a float.
    if abs(value) > sys.float_info.max:
        raise CheckError(f"{check}: {name} is {value!r:.80}; accepted: a finite number")
    return value


def whole_number(check: str, name: str, value: object, most: int) -> int:
    """Return a setting as given. Raises ``CheckError`` where it is no whole number from 1 to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise CheckError(
            f"{check}: {name} is {value!r:.80}; accepted: a whole number above 0, up to {most:,}"
        )
    return value


def true_or_false(check: str, name: str, value: object) -> bool:
    """Return a setting as given. Raises ``CheckError`` for any other value: the word ``"no"`` is true."""
    if not isinstance(value, bool):
        raise CheckError(f"{check}: {name} is {value!r:.80}; accepted: True or False")
    return value
