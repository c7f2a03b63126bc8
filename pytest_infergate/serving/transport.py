"""HTTP for one exchange at a time and thread: httpx, its times, its socket."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

import httpx

from .address import ServerAddress
from .deadline import Deadline
from .tls import tls_of

#: A connect that takes longer is a failure to connect, tried again like any other.
CONNECT_LIMIT_S = 10.0
#: Below the 5 s after which uvicorn and Node close an idle connection, so that no request meets the closing.
_KEEP_ALIVE_S = 3.0


class _Connection:
    """One thread's client, with the socket in use and the times of the request under way."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        self.deadline: Deadline | None = None
        self.socket: Any = None
        self.sent: float | None = None
        self.headers: float | None = None

    def trace(self, event: str, about: dict[str, Any]) -> None:
        if event == "http11.send_request_headers.started":
            self.sent = time.monotonic()
            if self.deadline is not None:
                self.deadline.attach(self.socket)
        elif event == "http11.receive_response_headers.complete":
            self.headers = time.monotonic()
        elif event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.socket = about["return_value"].get_extra_info("socket")
            if self.deadline is not None:
                self.deadline.attach(self.socket)


class Answer:
    """The head of a response; iterate for its body, as it is read."""

    def __init__(self, response: httpx.Response, connection: _Connection) -> None:
        self._response = response
        self._connection = connection
        self.status = response.status_code

    @property
    def headers_at(self) -> float | None:
        return self._connection.headers

    @property
    def content_type(self) -> str:
        return self.header("content-type") or ""

    def header(self, name: str) -> str | None:
        value: str | None = self._response.headers.get(name)
        return value

    def __iter__(self) -> Iterator[bytes]:
        # Identity was asked for; a server that compresses all the same is still understood.
        if self.header("content-encoding") in (None, "", "identity"):
            return self._response.iter_raw()
        return self._response.iter_bytes()


class Transport:
    """Send requests to one server. A thread has one connection; it is kept between its exchanges."""

    def __init__(self, address: ServerAddress, headers: dict[str, str]) -> None:
        self.address = address
        self._headers = [
            ("accept", "text/event-stream, application/json, audio/*"),
            ("accept-encoding", "identity"),
            ("user-agent", "pytest-infergate"),
            *headers.items(),
        ]
        self._json_headers = [*self._headers, ("content-type", "application/json")]
        self._urls = {
            "chat": httpx.URL(f"{address.api}/chat/completions"),
            "completion": httpx.URL(f"{address.api}/completions"),
            "transcription": httpx.URL(f"{address.api}/audio/transcriptions"),
            "speech": httpx.URL(f"{address.api}/audio/speech"),
            "picture": httpx.URL(f"{address.api}/images/generations"),
        }
        self._local = threading.local()
        self._lock = threading.Lock()
        self._clients: list[httpx.Client] = []

    @contextmanager
    def post(self, endpoint: str, body: bytes, deadline: Deadline) -> Iterator[Answer]:
        """Send ``body`` and yield the answer's head. Raises ``httpx.HTTPError`` for what goes wrong."""
        request = httpx.Request("POST", self._urls[endpoint], headers=self._json_headers, content=body)
        with self._send(request, deadline) as answer:
            yield answer

    @contextmanager
    def upload(
        self, endpoint: str, fields: Mapping[str, str], file: tuple[str, BinaryIO, str], deadline: Deadline
    ) -> Iterator[Answer]:
        """Send a form, piece by piece, and yield the answer's head. Raises as ``post`` does.

        ``file`` is the field ``file``: its name, the open file from its beginning, its media type.
        """
        request = httpx.Request(
            "POST", self._urls[endpoint], headers=self._headers, data=dict(fields), files={"file": file}
        )
        with self._send(request, deadline) as answer:
            yield answer

    @contextmanager
    def _send(self, request: httpx.Request, deadline: Deadline) -> Iterator[Answer]:
        connection = self._connection()
        connection.deadline, connection.sent, connection.headers = deadline, None, None
        remaining = deadline.remaining
        # The deadline ends reads and writes from outside; these only make sure that nothing waits for ever.
        timeout = {
            "connect": min(CONNECT_LIMIT_S, remaining),
            "read": remaining + 5.0,
            "write": remaining + 5.0,
            "pool": None,
        }
        request.extensions = {**request.extensions, "timeout": timeout, "trace": connection.trace}
        try:
            response = connection.client.send(request, stream=True)
            try:
                yield Answer(response, connection)
            finally:
                response.close()
        finally:
            connection.deadline = None
            deadline.attach(None)

    @property
    def sent_at(self) -> float | None:
        """When this thread's last request began to write; ``None`` where it did not come to that."""
        return self._connection().sent

    def close(self) -> None:
        with self._lock:
            clients, self._clients = self._clients, []
        for client in clients:
            client.close()

    def _connection(self) -> _Connection:
        connection: _Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            client = httpx.Client(
                verify=tls_of(self.address),
                trust_env=not self.address.is_loopback,
                limits=httpx.Limits(
                    max_connections=1, max_keepalive_connections=1, keepalive_expiry=_KEEP_ALIVE_S
                ),
            )
            connection = self._local.connection = _Connection(client)
            with self._lock:
                self._clients.append(client)
        return connection
