"""Which question a judge is asked, and so which words its answer may hold."""

from __future__ import annotations

from enum import Enum


class VerdictForm(Enum):
    """Whether one reply passes, which of two is better, or whether a picture shows what is asked."""

    SINGLE = "single"
    PAIRWISE = "pairwise"
    PICTURE = "picture"
