"""Files sent to a server as a form: one in, one whole answer out, or the reason why there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

from ..evidence import Missing, Reason, Timing
from .address import ServerAddress
from .attempt import what_broke
from .authorization import authorization_header, secrets_of
from .deadline import Deadline, Ending, Watchdog
from .retry import RETRIED_STATUSES, backoff, parse_retry_after

#: A transcript of a day with the times of its words is shorter.
_ANSWER_LIMIT = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """What came back. ``error`` ``None``: an answer, whole, whatever its ``status`` says.

    ``body`` is what came of it, also where it broke off; no key is in it. ``is_unconnected``: nobody was
    reached. ``attempts`` is how often it was sent.
    """

    status: int | None
    content_type: str
    body: bytes
    error: Missing | None
    is_unconnected: bool
    attempts: int
    timing: Timing
    retry_after: float | None = None


class Uploader:
    """Send files to one server; threads share it.

    ``timeout`` is the deadline of one upload in seconds, retries and waits included. ``retries`` are for
    429, 502, 503, 504 and connection failures before the first byte of an answer. User and password in
    ``base_url`` win over ``api_key``; neither is in any ``repr``, error or answer.

    Raises ``ServerAddressError`` for a URL and ``InfergateError`` for a key that cannot be sent.
    """

    def __init__(
        self, base_url: str, api_key: str | None = None, timeout: float = 300.0, retries: int = 3
    ) -> None:
        from .transport import Transport  # httpx loads with the first uploader, not with this folder

        self.address = ServerAddress.parse(base_url)
        self.timeout = timeout
        self.retries = retries
        authorization = authorization_header(self.address, api_key)
        self._secrets = secrets_of(self.address, api_key)
        self._transport = Transport(self.address, {"authorization": authorization} if authorization else {})
        self._watchdog = Watchdog()
        self._aborted = threading.Event()

    def __repr__(self) -> str:
        return f"Uploader({str(self.address)!r})"

    @property
    def where(self) -> str:
        """The server's address without user and password."""
        return str(self.address)

    def send(
        self, endpoint: str, fields: Mapping[str, str], file: BinaryIO, *, name: str, media_type: str
    ) -> Uploaded:
        """Send ``fields`` and ``file``, from its beginning, and return what came of it.

        ``endpoint`` is ``transcription``. Nothing that a server does raises. After ``abort`` nothing is sent
        and ``attempts`` is 0.
        """
        deadline = Deadline(self.timeout)
        self._watchdog.watch(deadline)
        attempts = 0
        came: Uploaded | None = None
        try:
            while not self._aborted.is_set():
                attempts += 1
                file.seek(0)
                came, is_retryable = self._try(endpoint, fields, (name, file, media_type), deadline)
                if not is_retryable or attempts > self.retries:
                    break
                delay = backoff(attempts) if came.retry_after is None else came.retry_after
                if delay >= deadline.remaining:
                    break
                self._aborted.wait(delay)
        finally:
            self._watchdog.release(deadline)
        if came is None:
            ended = Missing(Reason.NOT_RUN, "not asked: the session ended first")
            return Uploaded(
                status=None,
                content_type="",
                body=b"",
                error=ended,
                is_unconnected=False,
                attempts=0,
                timing=Timing(),
            )
        error = came.error
        if error is not None and attempts > 1:
            error = Missing(error.reason, f"{error.detail}; {attempts} attempts")
        return self._without_secrets(replace(came, attempts=attempts, error=error))

    def abort(self) -> None:
        """End all uploads in flight at once and send nothing any more (``not_run``)."""
        self._aborted.set()
        self._watchdog.cut_all(Ending.ABORTED)

    def close(self) -> None:
        """Abort, and give back connections and threads."""
        self.abort()
        self._watchdog.close()
        self._transport.close()

    def _try(
        self,
        endpoint: str,
        fields: Mapping[str, str],
        file: tuple[str, BinaryIO, str],
        deadline: Deadline,
    ) -> tuple[Uploaded, bool]:
        """Send once; the second is whether asking again can help."""
        import httpx

        status: int | None = None
        headers: float | None = None
        content_type, retry_after = "", None
        body = bytearray()
        broke: httpx.HTTPError | None = None
        try:
            with self._transport.upload(endpoint, fields, file, deadline) as answer:
                status, headers, content_type = answer.status, answer.headers_at, answer.content_type
                retry_after = parse_retry_after(answer.header("retry-after"))
                for data in answer:
                    body += data
                    if len(body) > _ANSWER_LIMIT:
                        break
        except httpx.HTTPError as trouble:
            broke = trouble
        timing = Timing(sent=self._transport.sent_at, headers=headers, done=time.monotonic())
        error: Missing | None = None
        is_retryable = is_unconnected = False
        if deadline.ended is Ending.ABORTED:
            error = Missing(Reason.NOT_RUN, "the session ended while the answer was awaited")
        elif deadline.ended is Ending.EXPIRED or (broke is not None and not deadline.remaining):
            is_unconnected = timing.sent is None
            phase = "while connecting" if is_unconnected else _phase(headers, len(body))
            error = Missing(Reason.TIMEOUT, f"the deadline of {deadline.seconds:g} s passed {phase}")
        elif len(body) > _ANSWER_LIMIT:
            error = Missing(Reason.SERVER_ERROR, f"the answer is longer than {_ANSWER_LIMIT >> 20} MB")
        elif broke is not None and body:
            error = Missing(Reason.BROKEN_STREAM, f"the connection broke after {len(body):,} bytes of answer")
        elif broke is not None:
            attempt = what_broke(broke, self.address, status, timing)
            error, is_retryable = attempt.error, attempt.is_retryable
            is_unconnected = attempt.is_unconnected
        elif status in RETRIED_STATUSES:
            is_retryable = True
        came = Uploaded(
            status=status,
            content_type=content_type,
            body=bytes(body),
            error=error,
            is_unconnected=is_unconnected,
            attempts=1,
            timing=timing,
            retry_after=retry_after,
        )
        return came, is_retryable

    def _without_secrets(self, came: Uploaded) -> Uploaded:
        body, error = came.body, came.error
        for secret in self._secrets:
            body = body.replace(secret.encode(), b"***")
            if error is not None:
                error = Missing(error.reason, error.detail.replace(secret, "***"))
        return replace(came, body=body, error=error)


def _phase(headers: float | None, count: int) -> str:
    if count:
        return f"in the middle of the answer ({count:,} bytes so far)"
    return "before the response headers" if headers is None else "before the first byte of the answer"
