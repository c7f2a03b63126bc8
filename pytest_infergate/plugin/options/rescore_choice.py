"""Which evaluations of a run are judged again where its replies are replayed."""

from __future__ import annotations

from enum import Enum


class RescoreChoice(Enum):
    """Evaluations to judge again; the others keep what the run says of them."""

    #: Those that are missing, for whatever reason.
    MISSING = "missing"
    #: Those with a score that a fallback made, or that is missing since none was allowed to.
    FALLBACK = "fallback"
