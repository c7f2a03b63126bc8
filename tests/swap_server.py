"""A model server as a command: ``python -m tests.swap_server PORT [--wrong=N] [--mode=MODE]``.

It says back what it is asked to say, but for the first N words. It is a process of its own, to be started,
stopped and lost by whoever tests that. ``--pid=FILE`` is where it writes its process id.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.scripted import reply_stream

#: ``exits``: at once, with a word. ``silent``: never listens. ``loading``: listens, and is never ready.
#: ``stubborn``: ignores SIGTERM. ``dies``: with the third reply. ``hangs``: never ends a reply.
#: ``other``: each start gives other answers, good in turn with bad.
MODES = ("serves", "exits", "silent", "loading", "stubborn", "dies", "hangs", "other")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--wrong", type=int, default=0)
    parser.add_argument("--mode", choices=MODES, default="serves")
    parser.add_argument("--pid", type=Path)
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--api-key")
    given = parser.parse_args()
    if given.mode == "exits":
        print("loading weights", "CUDA error: out of memory", sep="\n")
        sys.exit(3)
    if given.mode == "silent":
        time.sleep(600)
    if given.mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if given.mode == "other":
        starts = Path("starts")
        starts.write_text(starts.read_text() + "x" if starts.exists() else "x")
        given.wrong = 20 if len(starts.read_text()) % 3 == 0 else 0
    if given.pid:
        given.pid.write_text(str(os.getpid()))
    ThreadingHTTPServer.allow_reuse_address = True
    ThreadingHTTPServer(("127.0.0.1", given.port), handler(given)).serve_forever()


def handler(given: argparse.Namespace) -> type[BaseHTTPRequestHandler]:
    replies = 0

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if given.mode == "loading":
                self._send(503, b'{"error": {"message": "Loading model"}}')
            elif self.path.endswith("/models"):
                listed = [{"id": given.model, "object": "model", "owned_by": "scripted"}]
                self._send(200, json.dumps({"object": "list", "data": listed}).encode())
            else:
                self._send(404, b"{}")

        def do_POST(self) -> None:
            nonlocal replies
            replies += 1
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if given.mode == "dies" and replies == 3:
                os._exit(9)
            if given.mode == "hangs":
                Path("asked").write_text("yes")
                time.sleep(600)
            word = body["messages"][-1]["content"].removeprefix("say ")
            is_wrong = word[1:].isdigit() and int(word[1:]) < given.wrong
            self._send(200, reply_stream("no" if is_wrong else word, model=given.model), "text/event-stream")

        def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    return Handler


if __name__ == "__main__":
    main()
