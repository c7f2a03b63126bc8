"""The answer of a server that draws: one picture in base64, or the reason why there is none."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import unquote_to_bytes

from ..evidence import Artifact, Missing, Reason, Reply, Usage
from .failure import parse_failure, show
from .whole_answer import parse_json, shown_text, where_of

#: Words of servers that filter a picture after it was drawn; some send it all the same, blurred or black.
_FILTERED = frozenset({"content_filter", "content_filtered", "safety"})
_SIGNATURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def read_picture(body: bytes, content_type: str) -> Reply | Missing:
    """Read OpenAI's answer of ``/v1/images/generations``: ``data`` with one picture in ``b64_json``.

    A data URL in place of either field is read as well. An address is never fetched. Whether the bytes are a
    picture is for whoever opens them. ``revised_prompt`` and the usage are kept.
    """
    value, where = parse_json(body), where_of(content_type)
    drawn = value.get("data") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(drawn, list) or not drawn or value.get("error"):
        failure = parse_failure(value)
        if failure is not None:
            return failure.missing(f"error inside {where}")
        if drawn == []:
            return Missing(Reason.EMPTY_REPLY, f"no picture in {where}: its data are empty")
        return Missing(Reason.SERVER_ERROR, f"no picture in {where}: {show(shown_text(body))}")
    if len(drawn) > 1:
        return Missing(Reason.SERVER_ERROR, f"{len(drawn)} pictures in {where}, where one was asked for")
    content = _content(drawn[0], where)
    if isinstance(content, Missing):
        return content
    revised, model = drawn[0].get("revised_prompt"), value.get("model")
    return Reply(
        text="",
        artifact=Artifact.of(content, _media_type(content)),
        content=content,
        usage=_usage(value.get("usage")),
        revised_prompt=revised if isinstance(revised, str) and revised else None,
        served_model=model if isinstance(model, str) and model else None,
    )


def _content(item: Any, where: str) -> bytes | Missing:
    """Return the bytes of one entry of ``data``."""
    if not isinstance(item, dict):
        return Missing(Reason.SERVER_ERROR, f"no picture in {where}: an entry of data is {show(repr(item))}")
    finish = item.get("finish_reason")
    if isinstance(finish, str) and finish.lower() in _FILTERED:
        return Missing(Reason.REFUSED, f"{where}: finish reason {show(finish)!r}")
    packed, address = item.get("b64_json"), item.get("url")
    if not packed and isinstance(address, str) and address:
        if address[:5].lower() != "data:":
            # What stands before the host or behind the path may be what opens it.
            place = show(address.partition("?")[0].partition("#")[0].rpartition("@")[2])
            return Missing(
                Reason.SERVER_ERROR,
                f"{where} holds the address {place!r} in place of a picture, and an address is never "
                "fetched; have the server answer in b64_json",
            )
        packed = address
    if packed is None or packed == "":
        failure = parse_failure(item)
        if failure is not None:
            return failure.missing(f"error inside {where}")
        return Missing(Reason.EMPTY_REPLY, f"no picture in {where}: {_fields(item)}")
    if not isinstance(packed, str):
        return Missing(Reason.SERVER_ERROR, f"no picture in {where}: b64_json is {show(repr(packed))}")
    try:
        content = _decode(packed)
    except ValueError as error:
        return Missing(
            Reason.SERVER_ERROR,
            f"no picture in {where}: b64_json {show(packed[:40])!r} is not base64 ({error})",
        )
    return content or Missing(Reason.EMPTY_REPLY, f"no picture in {where}: zero bytes")


def _decode(packed: str) -> bytes:
    """Return what base64, bare or in a data URL, holds; padding that was left off is no damage.

    Raises ``ValueError``.
    """
    if packed[:5].lower() == "data:":
        head, _, packed = packed.partition(",")
        if not head.lower().rstrip().endswith(";base64"):
            return unquote_to_bytes(packed)
    packed = "".join(packed.split())
    return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)


def _usage(told: Any) -> Usage | None:
    """Return the tokens of prompt and picture, as servers count them that make pictures of tokens."""
    if not isinstance(told, dict):
        return None
    prompt, picture = (_count(told.get(name)) for name in ("input_tokens", "output_tokens"))
    if prompt is None and picture is None:
        return None
    return Usage(prompt_tokens=prompt, completion_tokens=picture)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _media_type(content: bytes) -> str:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    for signature, media_type in _SIGNATURES:
        if content.startswith(signature):
            return media_type
    return "application/octet-stream"


def _fields(item: dict[str, Any]) -> str:
    told = ", ".join(f"{name}={show(repr(value))}" for name, value in list(item.items())[:5])
    return f"its entry has {told}" if told else "its entry is empty"
