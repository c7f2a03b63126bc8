"""Asking the server under test to draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...evidence import Reason, Reply
from ...serving import PictureRequest
from ...tasks import DeclarationError
from ..evaluations.evaluation import RunningEvaluation
from ..run.run_media import keep_media
from .asker import Asker
from .request_speeds import request_speeds

#: One picture to a reply, and its bytes: an address that a server gives is not fetched.
_FIXED = {"n": 1, "response_format": "b64_json"}


def draw(
    running: RunningEvaluation,
    asker: Asker,
    prompt: str,
    options: Mapping[str, Any],
    allow: frozenset[Reason],
    where: str,
) -> Reply:
    """Have a picture drawn by the server under test; see ``Infer.draw``."""
    with running.noting_missing():
        if not isinstance(prompt, str) or not prompt.strip():
            raise DeclarationError(f"{where} got {prompt!r:.60}; accepted: a text that says what to draw")
        request = PictureRequest(prompt=prompt, options=_fields(running, options, where), allow=allow)
        reply = asker.ask(running, request)
        if reply.artifact is not None and reply.content is not None:
            keep_media(running, reply.content, reply.artifact, asker.artifacts)
        running.now.byproducts += request_speeds(reply.timing, None)
        return reply


def _fields(running: RunningEvaluation, options: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the fields of the body; every repeat has a seed of its own where there is a seed."""
    given = dict(options)
    more = given.pop("extra_body", None) or {}
    if not isinstance(more, Mapping) or more.keys() & (given.keys() | _FIXED.keys()):
        raise DeclarationError(
            f"{where}: extra_body={more!r:.60}; accepted: a dict of fields that are not given beside it"
        )
    seed = running.task.declaration.sampling.get("seed")
    begun = _FIXED if seed is None else {**_FIXED, "seed": seed}
    fields = {name: value for name, value in {**begun, **given, **more}.items() if value is not None}
    for name, value in _FIXED.items():
        asked = fields.get(name, value)
        if asked != value or isinstance(asked, bool):
            raise DeclarationError(
                f"{where}: {name}={asked!r:.60}; accepted: {value!r}, or None to send none"
            )
    seed = fields.get("seed")
    if isinstance(seed, int) and not isinstance(seed, bool):
        fields["seed"] = seed + running.evaluation.key.repeat
    return fields
