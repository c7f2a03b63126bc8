"""Record what the adapters answer to the corpus: ``python -m tests.extract.relock``.

Refuses where an adapter answers otherwise than recorded while its version stands. After a change of the
corpus alone, check out the adapters as they were recorded and pass ``--corpus``.
"""

from __future__ import annotations

import json
import sys

from .behaviour import LOCK, behaviour, corpus_digest, recorded


def relock(*, corpus_changed: bool) -> list[str]:
    """Write the lock, or write nothing and return the adapters whose version must be raised."""
    now = behaviour()
    if LOCK.exists():
        lock = recorded()
        if lock["corpus"] != corpus_digest() and not corpus_changed:
            return ["the corpus (pass --corpus)"]
        if lock["corpus"] == corpus_digest():
            silent = [
                name
                for name, entry in now.items()
                if (before := lock["adapters"].get(name))
                and before != entry
                and before["version"] == entry["version"]
            ]
            if silent:
                return silent
    LOCK.write_text(json.dumps({"corpus": corpus_digest(), "adapters": now}, indent=2) + "\n", "utf-8")
    return []


if __name__ == "__main__":
    refused = relock(corpus_changed="--corpus" in sys.argv[1:])
    if refused:
        sys.exit(f"not recorded: raise the version of {', '.join(refused)}")
    print(f"recorded in {LOCK.name}")
