"""A transcription server over faster-whisper that speaks OpenAI's form; for tests, and by hand:

    python -m tests.speech.asr_server MODEL_FOLDER [--port N] [--model ID] [--formats json]

prints its address when it is ready. ``TranscriptionServer`` serves from a thread, with any function that
hears; ``start_process`` starts the real one as a process, which can be killed.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FORMATS = ("json", "verbose_json")

#: Hear the bytes of a clip, in a language or in one of its own choice: what ``verbose_json`` says of it.
Hear = Callable[[bytes, "str | None"], "dict[str, Any]"]


@dataclass(frozen=True, kw_only=True)
class Form:
    """One request as it came."""

    fields: dict[str, str]
    file: bytes
    authorization: str | None


@dataclass(kw_only=True, eq=False)
class TranscriptionServer:
    """Serve on a loopback port while the context lasts. ``formats``: the forms of answer that it knows."""

    hear: Hear
    model: str = "whisper-tiny.en"
    formats: Sequence[str] = FORMATS
    port: int = 0
    requests: list[Form] = field(default_factory=list)

    def __post_init__(self) -> None:
        server = self

        class Handler(_Handler):
            owner = server

        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._http.daemon_threads = True
        self.port = self._http.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> TranscriptionServer:
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def serve(self) -> None:
        """Serve in this thread, for ever."""
        self._http.serve_forever()

    def stop(self) -> None:
        """Stop listening; may be called twice."""
        self._http.shutdown()
        self._http.server_close()

    def answer(self, form: Form) -> tuple[int, Any]:
        """Return status and JSON for a request."""
        self.requests.append(form)
        wanted = form.fields.get("response_format", "json")
        if form.fields.get("model") != self.model:
            return 404, _error(f"The model `{form.fields.get('model')}` does not exist", "model_not_found")
        if wanted not in self.formats:
            message = f"response_format '{wanted}' is not compatible with model '{self.model}'"
            return 400, _error(message, "unsupported_value", param="response_format")
        try:
            heard = self.hear(form.file, form.fields.get("language"))
        except ValueError as error:
            return 400, _error(f"Could not decode the audio: {error}", "invalid_value")
        return 200, heard if wanted == "verbose_json" else {"text": heard["text"]}


class _Handler(BaseHTTPRequestHandler):
    owner: TranscriptionServer

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            listed = {"id": self.owner.model, "object": "model", "created": 0, "owned_by": "tests"}
            self._send(200, {"object": "list", "data": [listed]})
        else:
            self._send(404, _error("no such route", "not_found"))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path != "/v1/audio/transcriptions":
            self._send(404, _error("no such route", "not_found"))
            return
        head = f"content-type: {self.headers['content-type']}\r\n\r\n".encode()
        fields: dict[str, str] = {}
        file = b""
        parts: Any = BytesParser().parsebytes(head + raw).get_payload()
        for part in parts:
            name = str(part.get_param("name", header="content-disposition"))
            content: bytes = part.get_payload(decode=True)
            if name == "file":
                file = content
            else:
                fields[name] = content.decode()
        form = Form(fields=fields, file=file, authorization=self.headers.get("authorization"))
        self._send(*self.owner.answer(form))

    def log_message(self, format: str, *args: object) -> None: ...

    def _send(self, status: int, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def whisper_hears(model: Any) -> Hear:
    """Return what hears with a ``faster_whisper.WhisperModel``, greedily, where there is speech."""
    lock = threading.Lock()

    def hear(clip: bytes, language: str | None) -> dict[str, Any]:
        with lock:
            came, info = model.transcribe(
                io.BytesIO(clip), language=language, temperature=0.0, vad_filter=True, beam_size=1
            )
            segments = [
                {
                    "id": number,
                    "start": one.start,
                    "end": one.end,
                    "text": one.text,
                    "temperature": one.temperature,
                    "avg_logprob": one.avg_logprob,
                    "no_speech_prob": one.no_speech_prob,
                    "compression_ratio": one.compression_ratio,
                }
                for number, one in enumerate(came)
            ]
        return {
            "task": "transcribe",
            "language": info.language,
            "duration": info.duration,
            "text": "".join(segment["text"] for segment in segments).strip(),
            "segments": segments,
        }

    return hear


@dataclass(kw_only=True, eq=False)
class ServerProcess:
    """The real server as a process."""

    url: str
    process: subprocess.Popen[str]

    def kill(self) -> None:
        """End it at once, as a crash would; may be called twice."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


@contextmanager
def start_process(folder: Path, *options: str) -> Iterator[ServerProcess]:
    """Start the server over the model in ``folder``, wait until it is ready, and end it afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.speech.asr_server", str(folder), *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
    )
    assert process.stdout is not None
    server = ServerProcess(url=process.stdout.readline().strip(), process=process)
    try:
        assert server.url.startswith("http://"), "the transcription server did not start"
        yield server
    finally:
        server.kill()
        process.stdout.close()


def _error(message: str, code: str, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": param}}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", default="whisper-tiny.en")
    parser.add_argument("--formats", nargs="+", default=FORMATS)
    given = parser.parse_args()

    from faster_whisper import WhisperModel

    hear = whisper_hears(WhisperModel(given.folder, compute_type="float32", local_files_only=True))
    server = TranscriptionServer(hear=hear, model=given.model, formats=given.formats, port=given.port)
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
