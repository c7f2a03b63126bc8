"""Serve the packaged Gemma 3 270M, or a GGUF file of your own, on a port until it is told to end.

It stands in for the command that starts your own server: one model, one port, one flag that changes replies.
"""

import argparse
import shlex
import signal
import sys
from pathlib import Path

from pytest_infergate.evidence import InfergateError
from pytest_infergate.serving import CacheType, start_embedded

#: What llama.cpp does not tell of itself, and two runs should tell apart.
DECLARED = ("engine_version", "weights_digest", "kv_cache_type")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (default: 8080)")
    parser.add_argument("--gguf", type=Path, help="the model (default: the packaged Gemma 3 270M)")
    parser.add_argument(
        "--cache-type",
        choices=[kind.value for kind in CacheType],
        default="f16",
        help="number format of the key-value cache (default: f16)",
    )
    return parser


def main() -> None:
    options = build_parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with start_embedded(
            options.gguf, port=options.port, cache_type=CacheType(options.cache_type), on_progress=say
        ) as server:
            told = [f"--infer-declare={name}={server.identity_fields[name].value}" for name in DECLARED]
            say(f"serving; ask it with: pytest {shlex.join([f'--infer-server={server.url}', *told])}")
            server.wait()
    except InfergateError as error:
        sys.exit(f"serve.py: {error}")
    except KeyboardInterrupt:
        return
    sys.exit("serve.py: the server ended by itself")


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
