"""The client: one request in, one exchange out, whatever the server does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..evidence import Exchange, Missing, Reason, Reply, Timing, digest
from .address import ServerAddress
from .any_request import AnyRequest
from .attempt import Attempt, make_attempt
from .authorization import authorization_header, secrets_of
from .breaker import Breaker
from .constraint import is_ignored
from .conversation import conversation_of
from .deadline import Deadline, Ending, Watchdog
from .flags import Flag
from .outgoing import Outgoing
from .picture_request import PictureRequest
from .reasoning_budget import is_over_budget, without_answer
from .request import Request
from .retry import backoff

#: Give the ids of a request's prompt as the server tokenizes it; ``None`` where it cannot tell.
Tokenize = Callable[[Request], "Sequence[int] | None"]

#: A server that does not know a field says so with one of these.
_NOT_UNDERSTOOD = (400, 422)
_ENDED = Missing(Reason.NOT_RUN, "not asked: the session ended first")


class Client:
    """Ask one model of one server; threads share it.

    ``timeout`` is the deadline of one request in seconds, retries and waits included; it begins when
    one of ``concurrency`` slots is free. ``retries`` are for 429, 502, 503, 504 and connection failures,
    before the first byte of a reply. User and password in ``base_url`` are sent as Basic authorization and
    win over ``api_key``; neither is in any ``repr``, error or exchange. ``on_close`` is called
    by ``close``, for what ``tokenize`` holds open.

    Raises ``ServerAddressError`` for a URL and ``InfergateError`` for a key that cannot be sent.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        timeout: float = 300.0,
        retries: int = 3,
        concurrency: int = 8,
        tokenize: Tokenize | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        from .transport import Transport  # httpx loads with the first client, not with this folder

        self.address = ServerAddress.parse(base_url)
        self.model = model
        self.timeout = timeout
        self.retries = retries
        self.concurrency = concurrency
        authorization = authorization_header(self.address, api_key)
        headers = {"authorization": authorization} if authorization else {}
        self._secrets = secrets_of(self.address, api_key)
        self._transport = Transport(self.address, headers)
        self._slots = threading.BoundedSemaphore(concurrency)
        self._watchdog = Watchdog()
        self._breaker = Breaker()
        self._aborted = threading.Event()
        self._tokenize = tokenize
        self._on_close = on_close
        self._tokens: dict[str, tuple[str, int] | None] = {}
        #: Endpoints of which the server refused the optional field, and answered without it.
        self._plain: set[str] = set()

    def __repr__(self) -> str:
        return f"Client({str(self.address)!r}, model={self.model!r})"

    def exchange(self, request: AnyRequest, scheduled: float | None = None) -> Exchange:
        """Send ``request`` and return what came of it; nothing that a server does raises.

        ``scheduled`` is when the request was handed over (monotonic seconds), ``None``: now. A reply
        that was cut off stays in the exchange with the ``error`` that says so. After ``abort`` or ``block``
        nothing is sent and ``attempts`` is 0.
        """
        if scheduled is None:
            scheduled = time.monotonic()
        outgoing = request.outgoing(self.model)
        with self._slots:
            deadline = Deadline(self.timeout)
            self._watchdog.watch(deadline)
            try:
                attempt, attempts = self._ask(request, outgoing, deadline)
            finally:
                self._watchdog.release(deadline)
            tokens = None
            if isinstance(request, Request) and attempt.status is not None:
                tokens = self._prompt_tokens(request)
        return self._exchange(request, scheduled, attempt, attempts, tokens)

    def block(self, missing: Missing) -> None:
        """Send nothing any more: every later exchange is ``missing``. The first reason stays."""
        self._breaker.block(missing)

    def abort(self) -> None:
        """End all exchanges in flight at once and send nothing any more (``not_run``)."""
        self._aborted.set()
        self._watchdog.cut_all(Ending.ABORTED)

    def close(self) -> None:
        """Abort, and give back connections and threads."""
        self.abort()
        self._watchdog.close()
        self._transport.close()
        self._on_close()

    def _ask(self, request: AnyRequest, outgoing: Outgoing, deadline: Deadline) -> tuple[Attempt, int]:
        attempt: Attempt | None = None
        attempts = refusals = 0
        if request.endpoint in self._plain:
            outgoing = outgoing.plainer()
        while True:
            stopped = _ENDED if self._aborted.is_set() else self._breaker.missing
            if stopped is not None:
                return attempt or Attempt(error=stopped, timing=Timing()), attempts
            attempts += 1
            attempt = make_attempt(self._transport, request, outgoing, deadline, self._watchdog)
            if attempt.status is not None:
                self._breaker.connected()
            if _refuses(attempt, outgoing.optional):
                outgoing, refusals = outgoing.plainer(), 1
                continue
            if not attempt.is_retryable or attempts - refusals > self.retries:
                break
            asked = attempt.retry_after
            delay = backoff(attempts) if asked is None else asked
            left = deadline.remaining
            if delay >= left:
                why = "another attempt would wait" if asked is None else "the server asks to wait"
                attempt = _with_detail(attempt, f"{why} {delay:.3g} s, the deadline leaves {left:.3g} s")
                break
            self._aborted.wait(delay)
        if outgoing.left_out is not None:
            attempt = replace(attempt, left_out=outgoing.left_out)
            if attempt.error is None:
                self._plain.add(request.endpoint)
        if attempt.is_unconnected and attempt.error is not None:
            self._breaker.could_not_connect(attempt.error.detail)
        if attempts > 1 and attempt.error is not None:
            attempt = _with_detail(attempt, f"{attempts} attempts")
        return attempt, attempts

    def _exchange(
        self,
        request: AnyRequest,
        scheduled: float,
        attempt: Attempt,
        attempts: int,
        tokens: tuple[str, int] | None,
    ) -> Exchange:
        timing = replace(attempt.timing, scheduled=scheduled)
        reply = attempt.came.reply if attempt.came else None
        error = attempt.error
        flags: tuple[str, ...] = ()
        if reply is not None and attempt.came is not None:
            messages: tuple[Mapping[str, Any], ...] = ()
            if isinstance(request, Request):
                flags = self._flags(request, reply, attempt.came.is_done, tokens)
                error = without_answer(request.reasoning_budget, reply, error)
                messages, is_repaired = conversation_of(request.messages, reply)
                if is_repaired:
                    flags = (*flags, Flag.TOOL_CALLS_REPAIRED.value)
            else:
                flags = self._served(reply)
                if isinstance(request, PictureRequest):
                    flags = (*flags, *request.flags_of(reply))
            reply = replace(reply, timing=timing, messages=messages, allowed=request.allow)
        if attempt.left_out is not None:
            flags = (*flags, f"{Flag.FIELD_LEFT_OUT.value}:{attempt.left_out}")
        return Exchange(
            endpoint=request.endpoint,
            request=request.as_json(),
            request_digest=request.digest,
            reply=reply,
            timing=timing,
            attempts=attempts,
            status=attempt.status,
            token_digest=tokens[0] if tokens else None,
            flags=flags,
            error=self._without_secrets(error),
            allowed=request.allow,
        )

    def _flags(
        self, request: Request, reply: Reply, is_done: bool, tokens: tuple[str, int] | None
    ) -> tuple[str, ...]:
        flags = []
        usage = reply.usage
        limit = request.max_tokens
        completed = usage.completion_tokens if usage else None
        if reply.finish_reason == "stop" and limit is not None and completed == limit:
            flags.append(Flag.SUSPECTED_TRUNCATION.value)
        flags += self._served(reply)
        if reply.finish_reason and not is_done:
            flags.append(Flag.NO_DONE.value)
        prompt = usage.prompt_tokens if usage else None
        if tokens is not None and prompt is not None and prompt < tokens[1]:
            flags.append(Flag.PROMPT_SHORTENED.value)
        if is_ignored(request, reply):
            flags.append(Flag.CONSTRAINT_IGNORED.value)
        if is_over_budget(request.reasoning_budget, reply):
            flags.append(Flag.REASONING_OVER_BUDGET.value)
        return tuple(flags)

    def _served(self, reply: Reply) -> tuple[str, ...]:
        """Name the model that replied, where it is another than was asked."""
        if reply.served_model in (None, self.model):
            return ()
        return (f"{Flag.SERVED_MODEL.value}:{reply.served_model}",)

    def _prompt_tokens(self, request: Request) -> tuple[str, int] | None:
        """Digest and number of the prompt's token ids; asked once for each request digest."""
        if self._tokenize is None or self._aborted.is_set():
            return None
        if request.digest not in self._tokens:
            ids = self._tokenize(request)
            self._tokens[request.digest] = None if ids is None else (digest(list(ids)), len(ids))
        return self._tokens[request.digest]

    def _without_secrets(self, missing: Missing | None) -> Missing | None:
        if missing is None or not any(secret in missing.detail for secret in self._secrets):
            return missing
        detail = missing.detail
        for secret in self._secrets:
            detail = detail.replace(secret, "***")
        return Missing(missing.reason, detail)


def _refuses(attempt: Attempt, field: str | None) -> bool:
    """Whether the server answered that it does not take ``field``, which was sent."""
    return field is not None and attempt.status in _NOT_UNDERSTOOD and field in attempt.refusal


def _with_detail(attempt: Attempt, more: str) -> Attempt:
    error = attempt.error
    return replace(attempt, error=error and Missing(error.reason, f"{error.detail}; {more}"))
