"""What replies say of the model that made them, over one run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ..evidence import TRANSCRIBER, Gate, Record, ReplySource, Role, Verdict


class ServedModels:
    """What replies say of the model that made them."""

    _FIELDS = ("served_model", "fingerprint")

    def __init__(self) -> None:
        self._seen: dict[str, Counter[str]] = defaultdict(Counter)

    def note(self, reply: Mapping[str, Any], *, is_kept: bool = False) -> None:
        """Hear a reply; ``is_kept``: of a session before, whose server may have been another process."""
        for name in ("served_model",) if is_kept else self._FIELDS:
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


class Witnesses:
    """The replies of a run as witnesses of who answered: the model under test, and the judge."""

    def __init__(self) -> None:
        self.model = ServedModels()
        self.judge = ServedModels()
        #: Whether a judge was asked at all, and whether anything was transcribed.
        self.asked_judge = False
        self.asked_transcriber = False

    def hear(self, record: Record) -> None:
        self.asked_transcriber |= any(score.evaluator.kind == TRANSCRIBER for score in record.scores)
        for exchange in record.exchanges:
            is_judge = exchange["role"] == Role.JUDGE.value
            self.asked_judge |= is_judge
            if exchange["reply"]:
                is_kept = exchange["source"] == ReplySource.RESUME.value
                (self.judge if is_judge else self.model).note(exchange["reply"], is_kept=is_kept)

    def gates(self) -> Iterator[Gate]:
        """Yield a gate, missing, for each of the two that changed while the run went on."""
        for name, served, whose in (
            ("served_model", self.model, "every reply"),
            ("served_judge", self.judge, "every answer of the judge"),
        ):
            change = served.change()
            if change:
                yield Gate(
                    name=name,
                    task=None,
                    rule=f"{whose} comes from the same model",
                    observed=change,
                    verdict=Verdict.MISSING,
                    detail="the server changed what it serves while the run went on",
                )
