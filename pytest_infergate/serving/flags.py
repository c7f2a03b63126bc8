"""What a reader should look at though no verdict follows from it."""

from __future__ import annotations

from enum import Enum


class Flag(Enum):
    """Values of ``Exchange.flags``."""

    #: The server said ``stop`` and used exactly as many tokens as the limit allows.
    SUSPECTED_TRUNCATION = "suspected_truncation"
    #: The reply names another model than was asked; written with its id, ``served_model:<id>``.
    SERVED_MODEL = "served_model"
    #: A finish reason came, the end mark ``[DONE]`` did not.
    NO_DONE = "no_done"
    #: The server counts fewer prompt tokens than the prompt has: its front was dropped.
    PROMPT_SHORTENED = "prompt_shortened"
