"""What a test asks of any server, in the words of the one that it meets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..evidence import NoAnswer, Reason
from .engines import Engine
from .request import RequestError


def steer(
    sampling: Mapping[str, Any],
    *,
    endpoint: str,
    engine: Engine,
    schema: Mapping[str, Any] | None,
    reasoning_budget: int | None,
) -> Mapping[str, Any]:
    """Return ``sampling`` with the fields by which ``engine`` is asked for a schema and a bound on reasoning.

    Raises ``NoAnswer`` (``invalid_conditions``) where the engine has no way to bound reasoning, and
    ``RequestError`` where the test wrote one of those fields itself.
    """
    added: dict[str, Any] = {}
    if schema is not None:
        added.update(engine.constrain(endpoint, schema))
    if reasoning_budget is not None:
        fields = engine.limit_reasoning(reasoning_budget)
        if fields is None:
            what = f"to at most {reasoning_budget} tokens" if reasoning_budget else "off"
            raise NoAnswer(
                Reason.INVALID_CONDITIONS,
                f"reasoning_budget={reasoning_budget}: no way is known to hold the reasoning of a "
                f"{engine.name!r} server {what}; leave it out or send the server's own field with extra_body",
            )
        added.update(fields)
    steered = dict(sampling)
    for name, value in added.items():
        written = steered.get(name)
        if isinstance(written, Mapping) and isinstance(value, Mapping) and not written.keys() & value.keys():
            steered[name] = {**written, **value}
        elif written is None:
            steered[name] = value
        elif written != value:
            raise RequestError(
                f"the request sets {name!r} itself, which schema or reasoning_budget sets for {engine.name}; "
                "give one of the two"
            )
    return steered
