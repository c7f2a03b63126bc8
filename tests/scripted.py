"""A loopback HTTP server that does what a script says, to the byte.

    with ScriptedServer(Script(body=[b"data: …\\n\\n", 0.2, b"data: [DONE]\\n\\n"])) as server:
        … server.url, server.requests, server.connections

A number in a body is a pause in seconds. ``ScriptedServer.answering(lambda body: "blue")`` is a whole
OpenAI-compatible server instead: it streams that text with usage and lists its model.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request as it came. ``headers`` have lower-case names; ``at`` is in monotonic seconds."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    at: float
    connection: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, kw_only=True)
class Script:
    """What to send for one request.

    ``framing``: ``chunked``, ``length`` (Content-Length) or ``close`` (HTTP/1.0: the end of the connection is
    the end of the body). ``ending``: ``keep`` the connection, ``close`` it, ``reset`` it, or ``hang`` without
    a word until the server stops; only ``keep`` sends the end of a chunked body. ``length`` is a
    Content-Length other than the true one. ``head``: bytes and pauses in place of status line and headers.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "text/event-stream"
    body: Iterable[bytes | float] = ()
    framing: Literal["chunked", "length", "close"] = "chunked"
    ending: Literal["keep", "close", "reset", "hang"] = "keep"
    length: int | None = None
    head: Iterable[bytes | float] | None = None


Handler = Callable[[Received], Script]


class ScriptedServer:
    """Serve on a free loopback port while the context lasts.

    ``scripts``: one script for every request, a list to use up (the last one repeats), or a function.
    """

    def __init__(self, scripts: Script | Sequence[Script] | Handler) -> None:
        self._handler = _handler(scripts)
        self.requests: list[Received] = []
        self.connections = 0
        self._stopping = threading.Event()
        self._sockets: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @classmethod
    def answering(
        cls,
        answers: Callable[[dict[str, Any]], str | Script],
        *,
        model: str = "scripted",
        latency: float = 0.0,
    ) -> ScriptedServer:
        """Return an OpenAI-compatible server: ``answers`` gives the text to a request's body, or all."""

        def handle(received: Received) -> Script:
            path = received.path.partition("?")[0]
            if received.method == "GET":
                listed = {
                    "object": "list",
                    "data": [{"id": model, "object": "model", "owned_by": "scripted"}],
                }
                if path.endswith("/models"):
                    return json_script(listed)
                return json_script({"error": {"message": "no such route", "code": 404}}, status=404)
            body = received.json
            text = answers(body)
            if isinstance(text, Script):
                return text
            is_chat = path.endswith("/chat/completions")
            stream = reply_stream(text, model=body.get("model", model), is_chat=is_chat)
            return Script(body=[latency, stream] if latency else [stream])

        return cls(handle)

    @property
    def posts(self) -> list[Received]:
        """The requests that ask for a reply."""
        return [received for received in self.requests if received.method == "POST"]

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop listening and end every connection; may be called early and twice."""
        self._stopping.set()
        with _quiet():
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            open_sockets = list(self._sockets)
        for sock in open_sockets:
            with _quiet():
                sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._sockets.add(sock)
                number = self.connections
            threading.Thread(target=self._serve, args=(sock, number), daemon=True).start()

    def _serve(self, sock: socket.socket, number: int) -> None:
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader = sock.makefile("rb")
            while not self._stopping.is_set():
                received = _receive(reader, number)
                if received is None:
                    return
                self.requests.append(received)
                if not self._send(sock, self._handler(received)):
                    return
        except OSError:
            return
        finally:
            with self._lock:
                self._sockets.discard(sock)
            sock.close()

    def _send(self, sock: socket.socket, script: Script) -> bool:
        """Return whether the connection serves another request."""
        pieces = script.body
        length = script.length
        if script.framing == "length" and length is None:
            pieces = list(pieces)
            length = sum(len(piece) for piece in pieces if isinstance(piece, bytes))
        self._send_pieces(sock, [_head(script, length)] if script.head is None else script.head)
        if script.framing == "chunked":
            pieces = _in_chunks(pieces, ends=script.ending == "keep")
        self._send_pieces(sock, pieces)
        if script.ending == "hang":
            self._stopping.wait()
        if script.ending == "reset":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return script.ending == "keep" and script.framing != "close"

    def _send_pieces(self, sock: socket.socket, pieces: Iterable[bytes | float]) -> None:
        for piece in pieces:
            if isinstance(piece, bytes):
                sock.sendall(piece)
            elif self._stopping.wait(piece):
                raise OSError("the server stops")


def _in_chunks(pieces: Iterable[bytes | float], *, ends: bool) -> Iterator[bytes | float]:
    """Chunked framing; the end mark travels with the last piece, as real servers write it."""
    held: bytes | None = None
    for piece in pieces:
        if held is not None:
            yield held
            held = None
        if isinstance(piece, bytes):
            held = b"%x\r\n%b\r\n" % (len(piece), piece) if piece else None
        else:
            yield piece
    last = (held or b"") + (b"0\r\n\r\n" if ends else b"")
    if last:
        yield last


def _handler(scripts: Script | Sequence[Script] | Handler) -> Handler:
    if isinstance(scripts, Script):
        return lambda received: scripts
    if callable(scripts):
        return scripts
    remaining = list(scripts)
    lock = threading.Lock()

    def next_script(received: Received) -> Script:
        with lock:
            return remaining.pop(0) if len(remaining) > 1 else remaining[0]

    return next_script


def _receive(reader: Any, number: int) -> Received | None:
    line = reader.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while (line := reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    body = reader.read(int(headers.get("content-length", 0)))
    return Received(
        method=method, path=path, headers=headers, body=body, at=time.monotonic(), connection=number
    )


def _head(script: Script, length: int | None) -> bytes:
    version = "1.0" if script.framing == "close" else "1.1"
    lines = [f"HTTP/{version} {script.status} Scripted"]
    if script.content_type:
        lines.append(f"content-type: {script.content_type}")
    if script.framing == "chunked":
        lines.append("transfer-encoding: chunked")
    elif length is not None:
        lines.append(f"content-length: {length}")
    lines += [f"{name}: {value}" for name, value in script.headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class _quiet:
    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, OSError)


def json_script(value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Script:
    """Return a script that sends ``value`` as one JSON document."""
    return Script(
        status=status,
        headers=headers or {},
        content_type="application/json",
        body=[json.dumps(value).encode()],
        framing="length",
    )


def sse(*events: Any, done: bool = True) -> bytes:
    """Return ``events`` as a stream: a ``str`` as it stands, anything else as JSON."""
    lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
    return "".join(f"data: {line}\n\n" for line in [*lines, *(["[DONE]"] if done else [])]).encode()


def chunk(content: str | None = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """Return a chunk of a chat stream."""
    if content is not None:
        delta["content"] = content
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def usage_chunk(prompt: int, completion: int) -> dict[str, Any]:
    """Return the last chunk that servers send when usage is asked for."""
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": usage}


def call_stream(name: str, arguments: Mapping[str, Any]) -> bytes:
    """Return a whole stream with one tool call."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": "call1", "type": "function", "function": function}
    return sse(chunk(tool_calls=[call]), chunk(finish="tool_calls"), usage_chunk(50, 20))


def reply_stream(text: str, *, model: str = "scripted", is_chat: bool = True, finish: str = "stop") -> bytes:
    """Return a whole normal stream: role, words, finish reason, usage, end mark."""
    words = text.split(" ")
    pieces = [word if i == 0 else f" {word}" for i, word in enumerate(words)]
    usage = {
        "prompt_tokens": 8,
        "completion_tokens": len(pieces),
        "total_tokens": 8 + len(pieces),
    }
    common = {"id": "c1", "created": 1, "model": model}
    if is_chat:
        common["object"] = "chat.completion.chunk"
        events: list[Any] = [{"delta": {"role": "assistant", "content": ""}}]
        events += [{"delta": {"content": piece}} for piece in pieces]
        events.append({"delta": {}, "finish_reason": finish})
    else:
        common["object"] = "text_completion"
        events = [{"text": piece} for piece in pieces]
        events.append({"text": "", "finish_reason": finish})
    chunks = [{**common, "choices": [{"index": 0, "finish_reason": None, **event}]} for event in events]
    return sse(*chunks, {**common, "choices": [], "usage": usage})
