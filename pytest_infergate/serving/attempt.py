"""One HTTP request: what came of it, and whether asking again can help."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..evidence import Missing, Reason, Timing
from .address import ServerAddress
from .assembly import AssembledReply
from .deadline import Deadline, Ending, Watchdog
from .failure import ServerFailure, parse_failure, show
from .retry import RETRIED_STATUSES, parse_retry_after

if TYPE_CHECKING:
    import httpx

    from .outgoing import Outgoing
    from .transport import Answer, Transport

_ERROR_BODY_LIMIT = 65_536
#: How long a connection may stay open after the end mark before it is given up.
_LINGER_S = 0.5
_KEY = (
    "the key is read from the environment variable that --infer-api-key-env names, or the option that this "
    "server has of its own, such as --infer-against-api-key-env"
)
_HINTS = {
    401: _KEY,
    403: _KEY,
    404: "check that the option that gave this server, such as --infer-server, has its base URL, and its "
    "model, such as --infer-model, is an id that it lists",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """``error`` ``None``: delivered. ``retry_after``: seconds that the server asks to wait, if it does.

    ``refusal`` is the body of an error's answer as text; ``left_out`` the field that was not sent, since the
    server refuses it.
    """

    error: Missing | None
    came: AssembledReply | None = None
    status: int | None = None
    timing: Timing
    is_retryable: bool = False
    is_unconnected: bool = False
    retry_after: float | None = None
    refusal: str = ""
    left_out: str | None = None


class Assembly(Protocol):
    """What takes the bytes of an answer; see ``ReplyAssembly``."""

    @property
    def is_over(self) -> bool: ...
    def feed(self, data: bytes, at: float) -> None: ...
    def finish(self, at: float, because: str, *, is_whole: bool) -> AssembledReply: ...


class Asked(Protocol):
    """A request, as far as asking it once needs it."""

    def assembly(self, *, status: int, content_type: str) -> Assembly:
        """Return what takes the bytes of the answer."""
        ...


def make_attempt(
    transport: Transport, request: Asked, outgoing: Outgoing, deadline: Deadline, watchdog: Watchdog
) -> Attempt:
    """Send ``outgoing`` once and read what comes until it ends or ``deadline`` cuts it."""
    import httpx

    status: int | None = None
    headers: float | None = None
    assembly: Assembly | None = None
    has_body = False
    broke: httpx.HTTPError | None = None
    try:
        with outgoing.send(transport, deadline) as answer:
            status, headers = answer.status, answer.headers_at
            if not 200 <= status < 300:
                text = _read_error(answer)
                if deadline.ended is not Ending.ABORTED:
                    return Attempt(
                        error=_status_error(answer, text),
                        status=status,
                        timing=Timing(sent=transport.sent_at, headers=headers),
                        is_retryable=status in RETRIED_STATUSES,
                        retry_after=parse_retry_after(answer.header("retry-after")),
                        refusal=text,
                    )
            else:
                assembly = request.assembly(status=status, content_type=answer.content_type)
                lingers = False
                for data in answer:
                    assembly.feed(data, time.monotonic())
                    has_body = True
                    if assembly.is_over and not lingers:
                        lingers = True
                        watchdog.linger(deadline, _LINGER_S)
    except httpx.HTTPError as error:
        broke = error
    done = time.monotonic()
    sent = transport.sent_at
    came = None
    is_settled = False
    if assembly is not None:
        is_settled = assembly.is_over  # asked before the end is taken, which may tear what was under way
        came = assembly.finish(
            done,
            "the body ended" if broke is None else f"the connection broke ({show(str(broke))})",
            is_whole=broke is None and deadline.ended is None,
        )
    timing = Timing(
        sent=sent,
        headers=headers,
        first_token=came.first_token if came else None,
        first_content=came.first_content if came else None,
        last_token=came.last_token if came else None,
        done=done if came and came.reply else None,
    )
    if came is not None and (is_settled or came.is_done or (came.reply and came.reply.finish_reason)):
        return Attempt(error=came.error, came=came, status=status, timing=timing)
    if deadline.ended is Ending.ABORTED:
        cut = Missing(Reason.NOT_RUN, "the session ended while the reply was awaited")
        return Attempt(error=cut, came=came, status=status, timing=timing)
    # The socket's own time-out may be noticed here before the watchdog has said so.
    if deadline.ended is Ending.EXPIRED or (broke is not None and not deadline.remaining):
        cut = Missing(
            Reason.TIMEOUT, f"the deadline of {deadline.seconds:g} s passed {_phase(sent, headers, came)}"
        )
        return Attempt(
            error=cut,
            came=came,
            status=status,
            timing=timing,
            is_unconnected=sent is None and headers is None,
        )
    if broke is not None and not has_body:
        return what_broke(broke, transport.address, status, timing)
    assert came is not None
    return Attempt(error=came.error, came=came, status=status, timing=timing)


def what_broke(broke: httpx.HTTPError, address: ServerAddress, status: int | None, timing: Timing) -> Attempt:
    """What an exception before the first byte of a body means."""
    import httpx

    what = show(str(broke)) or type(broke).__name__
    is_unconnected = isinstance(broke, (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError))
    if is_unconnected:
        error = Missing(Reason.UNREACHABLE, f"could not connect to {address}: {what}")
    elif isinstance(broke, httpx.TimeoutException):
        error = Missing(Reason.TIMEOUT, f"the connection stalled ({what})")
    elif isinstance(broke, httpx.NetworkError) or "disconnected" in what or "without sending" in what:
        error = Missing(Reason.BROKEN_STREAM, f"the connection ended before the reply began ({what})")
    else:
        error = Missing(Reason.SERVER_ERROR, f"the answer is not HTTP as this client reads it ({what})")
        return Attempt(error=error, status=status, timing=timing)
    return Attempt(
        error=error, status=status, timing=timing, is_retryable=True, is_unconnected=is_unconnected
    )


def _phase(sent: float | None, headers: float | None, came: AssembledReply | None) -> str:
    if came is not None and came.reply is not None:
        return f"in the middle of the reply ({len(came.reply.text)} characters of text so far)"
    if headers is not None:
        return "before the first token"
    return "while connecting" if sent is None else "before the response headers"


def _read_error(answer: Answer) -> str:
    import httpx

    body = bytearray()
    try:
        for data in answer:
            body += data
            if len(body) >= _ERROR_BODY_LIMIT:
                break
    except httpx.HTTPError:
        pass  # the status stands, whatever became of the body
    return body.decode("utf-8", "replace")


def _status_error(answer: Answer, text: str) -> Missing:
    status = answer.status
    try:
        failure = parse_failure(json.loads(text))
    except (ValueError, RecursionError):
        failure = None
    shown = str(failure) if failure else show(text)
    kind = answer.content_type.partition(";")[0].strip() or "no content type"
    detail = f"HTTP {status} ({show(kind)})"
    if shown:
        detail = f"{detail}: {shown}"
    if 300 <= status < 400:
        location = (answer.header("location") or "").rpartition("@")[2]
        detail = f"{detail}; it redirects to {show(location)!r}: give the address it means"
    if status in _HINTS:
        detail = f"{detail}; {_HINTS[status]}"
    if status == 429:
        return Missing(Reason.RATE_LIMITED, detail)
    failure = failure or ServerFailure(message=text)
    if failure.is_refusal:
        return Missing(Reason.REFUSED, detail)
    if failure.is_context_limit and status not in _HINTS and status not in RETRIED_STATUSES:
        return Missing(Reason.CONTEXT_LIMIT, detail)
    return Missing(Reason.SERVER_ERROR, detail)
