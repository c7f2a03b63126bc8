"""Which of a server's two endpoints a task talks to."""

from __future__ import annotations

from enum import Enum


class Endpoint(Enum):
    """Chat takes messages; completion takes a text and is what base models need."""

    CHAT = "chat"
    COMPLETION = "completion"
