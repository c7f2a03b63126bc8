"""A value held against a limit: the one place where a measurement becomes the result of a check."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from ..evidence import Missing, Reason
from .check import CheckError, CheckResult, ShownFile
from .clip import Clip
from .picture import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What a check measures: its name and version, the unit of its value, and which way is better."""

    name: str
    version: str
    unit: str
    higher_is_better: bool

    def of(
        self,
        media: Picture | Clip,
        *,
        settings: Mapping[str, Any] | None = None,
        frames: Mapping[str, Any] | None = None,
        against: Picture | Clip | None = None,
    ) -> Measurement:
        """Return the measurement of ``media``, with what its result says as well: see ``CheckResult``."""
        return Measurement(
            measure=self, media=media, settings=dict(settings or {}), frames=frames, against=against
        )

    def needs_clip(self, media: Picture) -> CheckResult:
        """Return the result for a picture where time is asked about."""
        return self.of(media).miss(
            Reason.NOT_EXERCISED,
            f"{self.name} needs a clip; {media.source} is a picture ({media.format})",
        )

    def needs_picture(self, media: Clip, instead: str) -> CheckResult:
        """Return the result for a clip where one picture is asked about."""
        return self.of(media).miss(
            Reason.NOT_EXERCISED,
            f"{self.name} needs a picture; {media.source} is a clip; use {instead}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One picture or clip that is measured: every way in which that may end, as a result."""

    measure: Measure
    media: Picture | Clip
    settings: Mapping[str, Any]
    frames: Mapping[str, Any] | None
    against: Picture | Clip | None

    def hold(
        self, value: float, limit: float, detail: str, *, artifacts: tuple[ShownFile, ...] = ()
    ) -> CheckResult:
        """Return the result of a value that was measured; it holds on the limit itself.

        Where a clip lacks its end, what holds of the rest is missing: the end was not looked at.
        """
        media = self.media
        passed = value >= limit if self.measure.higher_is_better else value <= limit
        if passed and isinstance(media, Clip) and media.cut is not None:
            detail = f"{media.source} is cut off: {media.cut}; of what is there: {detail}"
            return self.miss(Reason.UNDECODABLE_MEDIA, detail)
        return self._result(detail, passed=bool(passed), value=float(value), limit=limit, artifacts=artifacts)

    def fail(self, limit: float, detail: str, *, artifacts: tuple[ShownFile, ...] = ()) -> CheckResult:
        """Return the result of what differs so that nothing can be measured."""
        return self._result(detail, passed=False, limit=limit, artifacts=artifacts)

    def miss(self, reason: Reason, detail: str) -> CheckResult:
        """Return the result of what could not be measured."""
        return self._result(detail, missing=Missing(reason, detail))

    def _result(
        self,
        detail: str,
        *,
        passed: bool | None = None,
        value: float | None = None,
        limit: float | None = None,
        missing: Missing | None = None,
        artifacts: tuple[ShownFile, ...] = (),
    ) -> CheckResult:
        return CheckResult(
            name=self.measure.name,
            version=self.measure.version,
            passed=passed,
            value=value,
            unit=self.measure.unit,
            higher_is_better=self.measure.higher_is_better,
            limit=limit,
            detail=detail,
            settings=self.settings,
            missing=missing,
            frames=self.frames,
            artifacts=artifacts,
            backend=decoder_of(self.media),
            against=reference_of(self.against),
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
