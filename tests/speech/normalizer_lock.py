"""What the normalizers make of the corpus, and what is recorded of it.

Record it with ``python -m tests.speech.normalizer_lock``, which refuses where a normalizer gives another text
than recorded while its version stands.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pytest_infergate.speech.normalizing import NORMALIZERS, parse_normalizer

from .normalizer_corpus import CORPUS

LOCK = Path(__file__).with_name("normalizer_lock.json")


def recorded() -> dict[str, Any]:
    """Return the lock: ``versions``, ``digests`` and ``rows``, text → normalizer → normal form."""
    lock: dict[str, Any] = json.loads(LOCK.read_text("utf-8"))
    return lock


def behaviour() -> dict[str, Any]:
    """Return what the lock would be now."""
    normalizers = {name: parse_normalizer(name) for name in NORMALIZERS}
    return {
        "versions": {name: one.version for name, one in normalizers.items()},
        "digests": {name: one.digest for name, one in normalizers.items()},
        "rows": {text: {name: one(text) for name, one in normalizers.items()} for text in CORPUS},
    }


def silent_changes(lock: dict[str, Any], now: dict[str, Any]) -> dict[str, list[str]]:
    """Return normalizer → texts that it normalizes otherwise than recorded under the same version."""
    changed: dict[str, list[str]] = {}
    for text, forms in now["rows"].items():
        for name, form in forms.items():
            is_same_version = lock["versions"].get(name) == now["versions"][name]
            before = lock["rows"].get(text, {}).get(name)
            if is_same_version and before is not None and before != form:
                changed.setdefault(name, []).append(text)
    return changed


def main() -> None:
    now = behaviour()
    if LOCK.exists() and (silent := silent_changes(recorded(), now)):
        sys.exit(f"not recorded: raise the version of {', '.join(silent)}; changed: {silent}")
    LOCK.write_text(json.dumps(now, indent=1) + "\n", "utf-8")
    print(f"recorded in {LOCK.name}")


if __name__ == "__main__":
    main()
