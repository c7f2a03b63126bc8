"""How long the server under test took for what it made, beside the verdict."""

from __future__ import annotations

from ...evidence import Score, Timing
from ...traits import byproduct


def request_speeds(timing: Timing | None, seconds: float | None) -> list[Score]:
    """Return by-products: how long until the answer began, and all of it beside ``seconds`` of a clip."""
    if timing is None or timing.sent is None or timing.done is None:
        return []
    begun = timing.done if timing.first_token is None else timing.first_token
    found = [byproduct("latency", begun - timing.sent, unit="s")]
    if seconds:
        found.append(byproduct("real_time_factor", (timing.done - timing.sent) / seconds, unit="ratio"))
    return found
