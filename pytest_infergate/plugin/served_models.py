"""What replies say of the model that made them, over one run."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any


class ServedModels:
    """What replies say of the model that made them."""

    _FIELDS = ("served_model", "fingerprint")

    def __init__(self) -> None:
        self._seen: dict[str, Counter[str]] = defaultdict(Counter)

    def note(self, reply: dict[str, Any]) -> None:
        for name in self._FIELDS:
            value = reply[name]
            if value and len(self._seen[name]) < 1000:
                self._seen[name][value] += 1

    @property
    def fingerprint(self) -> str | None:
        """The fingerprint that every reply carried; ``None`` where there was none, or several."""
        seen = self._seen["fingerprint"]
        return next(iter(seen)) if len(seen) == 1 else None

    def change(self) -> str | None:
        """Say what changed between replies, ``None`` where nothing did.

        A value that is new with every reply names the reply, not the server.
        """
        for name in self._FIELDS:
            counts = self._seen[name]
            if len(counts) > 1 and not (name == "fingerprint" and len(counts) == counts.total()):
                shown = ", ".join(f"{value!r} on {n}" for value, n in counts.most_common(3))
                return f"{name}: {shown} replies"
        return None
