"""The process of the embedded server: ``python -m pytest_infergate.serving.embedded_child SETTINGS``.

``SETTINGS`` is JSON. It writes one line, the address, and then serves until its standard input ends or its
parent is gone, whichever way the parent ended.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

#: Seconds between two looks at whether the parent is still there.
_PAUSE = 0.5


def main() -> None:
    settings = json.loads(sys.argv[1])
    # llama.cpp logs to both streams: the line with the address gets one of its own.
    address = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Before the model is loaded, which takes a while.
    threading.Thread(target=_end_with_input, daemon=True).start()
    threading.Thread(target=_end_with_parent, args=(settings["parent"],), daemon=True).start()
    server = _serve(settings)
    address.write(server.listening_address + "\n")
    address.close()
    threading.Event().wait()


def _serve(settings: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {settings["model"]}
    params.n_parallel = settings["slots"]
    params.n_ctx = settings["context_length"] * settings["slots"]  # it is divided among the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    cache_type = getattr(xllamacpp.ggml_type, f"GGML_TYPE_{settings['cache_type'].upper()}")
    params.cache_type_k = params.cache_type_v = cache_type
    params.cache_prompt = settings["prefix_cache"]
    params.cache_ram_mib = 0  # the default keeps up to 8 GB of prompts
    params.hostnames = ["127.0.0.1"]
    params.port = settings["port"]
    params.endpoint_metrics = True
    params.ui = False
    params.verbosity = 2  # warnings and errors: a line for each request would fill the disk
    return xllamacpp.Server(params)


def _end_with_input() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


def _end_with_parent(parent: int) -> None:
    # A process that the parent forked may hold the other end of the input open after the parent's death.
    while os.getppid() == parent:
        time.sleep(_PAUSE)
    os._exit(0)


if __name__ == "__main__":
    main()
