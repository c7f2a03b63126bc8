"""What became of a bound on reasoning: how much was used, and whether it left room for an answer."""

from __future__ import annotations

from ..evidence import Missing, Reason, Reply


def reasoning_used(reply: Reply) -> int | None:
    """Return the tokens of reasoning, ``None`` where nothing tells.

    The server's count; without one, that of the whole reply where it is reasoning and nothing else.
    """
    usage = reply.usage
    if usage is None:
        return None
    is_all = bool(reply.reasoning.strip()) and not reply.text.strip() and not reply.tool_calls
    if usage.reasoning_tokens is None and is_all:
        return usage.completion_tokens
    return usage.reasoning_tokens


def is_over_budget(budget: int | None, reply: Reply) -> bool:
    """Whether the model reasoned for longer than asked; reasoning of unknown length is over a budget of 0."""
    if budget is None:
        return False
    if budget == 0:
        return bool(reply.reasoning.strip())
    # Not the count of the whole reply: the tags around the reasoning are in it.
    used = reply.usage.reasoning_tokens if reply.usage else None
    return used is not None and used > budget


def without_answer(budget: int | None, reply: Reply, missing: Missing | None) -> Missing | None:
    """Return why there is no answer: an empty reply whose reasoning used the whole budget was cut short."""
    if not budget or missing is None or missing.reason is not Reason.EMPTY_REPLY:
        return missing
    used = reasoning_used(reply)
    if used is None or used < budget:
        return missing
    return Missing(
        Reason.TRUNCATED, f"the reasoning used {used} of the {budget} tokens it was given and left no answer"
    )
