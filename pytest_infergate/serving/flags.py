"""What a reader should look at though no verdict follows from it."""

from __future__ import annotations

from enum import Enum


class Flag(Enum):
    """Values of ``Exchange.flags``."""

    #: The server said ``stop`` and used exactly as many tokens as the limit allows.
    SUSPECTED_TRUNCATION = "suspected_truncation"
    #: The reply names another model than was asked; written with its id, ``served_model:<id>``.
    SERVED_MODEL = "served_model"
    #: The server refused a field and was asked without it; written with its name, ``field_left_out:<name>``.
    FIELD_LEFT_OUT = "field_left_out"
    #: The picture is of another format than was asked for; written with it, ``output_format:<media type>``.
    OUTPUT_FORMAT = "output_format"
    #: A finish reason came, the end mark ``[DONE]`` did not.
    NO_DONE = "no_done"
    #: The server counts fewer prompt tokens than the prompt has: its front was dropped.
    PROMPT_SHORTENED = "prompt_shortened"
    #: The reply does not satisfy the schema, or the choice of tools, that it was to be held to.
    CONSTRAINT_IGNORED = "constraint_ignored"
    #: A call stands in the text, where the server should have made a tool call of it.
    TOOL_CALLS_LEAKED = "tool_calls_leaked"
    #: Ids of tool calls were absent or repeated, or arguments no JSON; the history has usable ones.
    TOOL_CALLS_REPAIRED = "tool_calls_repaired"
    #: The model reasoned for more tokens than it was asked to, or at all where it was asked not to.
    REASONING_OVER_BUDGET = "reasoning_over_budget"
