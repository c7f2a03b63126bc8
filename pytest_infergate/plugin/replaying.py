"""A stored run in place of a server: its replies answer the requests, and nothing is sent."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from ..evidence import (
    Evaluation,
    Exchange,
    Gate,
    Missing,
    NoAnswer,
    Reason,
    ReplySource,
    Role,
    Timing,
    Verdict,
)
from ..runs import Derivation, DerivedBy, Rescored, RunFolderError
from ..serving import (
    Request,
    ServerIdentity,
    check_expectations,
    conversation_of,
    declare_fields,
    parse_field_value,
)
from .options import Settings
from .request_difference import request_difference
from .server import conditions_gate

if TYPE_CHECKING:
    from ..compare import RunSide
    from ..runs.replies import StoredEvaluation, StoredReplies

#: So many evaluations are kept open: tests run one by one, and threads of an earlier one may still ask.
_OPEN = 8
#: Gates of a run that say whether its replies are one server's, which stays true of them.
_OF_REPLIES = frozenset({"identity", "conditions"})
_OF_JUDGEMENTS = frozenset({"judge"})


@dataclass(slots=True)
class _Asked:
    """One evaluation as stored, and how often each of its requests has been answered."""

    stored: StoredEvaluation | None
    answered: Counter[tuple[Role, str]] = field(default_factory=Counter)

    def next(self, role: Role, request_digest: str) -> tuple[Exchange | None, int]:
        """Return the next exchange of a request, and how many there are of it; ``None``: no further one."""
        held = [one for one in self.of(role) if one.request_digest == request_digest]
        number = self.answered[role, request_digest]
        self.answered[role, request_digest] += 1
        return (held[number] if number < len(held) else None), len(held)

    def of(self, role: Role) -> tuple[Exchange, ...]:
        return self.stored.of_role(role) if self.stored else ()


class Replay:
    """The run of ``--infer-replay``, asked as a server is; threads share it.

    ``server`` and ``judge`` are the identities of who gave its replies and its judgements, ``None`` where
    there was none or it never answered. ``blocked``: no reply is taken, and this is why.
    """

    def __init__(self, replies: StoredReplies, settings: Settings) -> None:
        self._replies = replies
        self._lock = threading.Lock()
        self._open: dict[str, _Asked] = {}
        self._of_judge = settings.judge is None
        head = replies.run.head
        self.server, self.mismatches = _held(_identity(head.server), settings)
        self.judge = _identity(head.judge)
        self.blocked = (
            Missing(Reason.INVALID_CONDITIONS, "; ".join(self.mismatches)) if self.mismatches else None
        )

    @classmethod
    def open(cls, settings: Settings) -> Replay:
        """Open the run. Raises ``pytest.UsageError`` with one line where replies cannot be taken from it."""
        from ..runs.replies import StoredReplies  # loads jsonschema

        assert settings.replay is not None
        try:
            return cls(StoredReplies.open(settings.replay), settings)
        except RunFolderError as error:
            raise pytest.UsageError(f"--infer-replay: {error}") from None

    @property
    def run_id(self) -> str:
        return self._replies.run_id

    @property
    def stored(self) -> StoredReplies:
        return self._replies

    @property
    def derivation(self) -> Derivation:
        return Derivation(by=DerivedBy.REPLAY, runs=(self.run_id,))

    def as_json(self) -> Mapping[str, Any] | None:
        """Return the server for ``run.json``: as the run has it, with what is declared about it now."""
        told = self._replies.run.head.server
        if told is None or self.server is None or self.server == _identity(told):
            return told  # to the letter, also where secrets were taken out of it
        return {**told, **self.server.as_json()}

    @property
    def judge_json(self) -> Mapping[str, Any] | None:
        return self._replies.run.head.judge

    @property
    def judge_trouble(self) -> str | None:
        """Why no stored judgement can be had, ``None`` where they can."""
        if self.judge is not None:
            return None
        what = "had no judge" if self.judge_json is None else "got no answer from its judge"
        return f"run {self.run_id} {what}; pass --infer-judge=URL to have its replies judged"

    def identity(self) -> ServerIdentity:
        """Return who gave the replies. Raises ``NoAnswer`` where that is not known."""
        if self.server is None:
            raise NoAnswer(Reason.UNREACHABLE, f"run {self.run_id} does not say which server it asked")
        return self.server

    def answer(self, evaluation: Evaluation, request: Request, role: Role = Role.MODEL) -> Exchange:
        """Return the stored exchange of a request; one that is not there did not deliver (``unreachable``).

        The k-th exchange of a request within an evaluation answers the k-th time it is asked. A judge's that
        is in no exchange of this evaluation may be in another one: canaries are asked once.
        Raises ``RunFolderError`` where the stored line is no record.
        """
        id = str(evaluation.key)
        with self._lock:
            asked = self._asked(id)
            found, held = asked.next(role, request.digest)
        if found is None and not held and role is Role.JUDGE:
            found = self._replies.find_judged(request.digest)
        if self.blocked is not None:
            found = None
        if found is not None:
            reply = found.reply
            if reply is not None:
                messages, _ = conversation_of(request.messages, reply)
                reply = replace(reply, messages=messages, allowed=request.allow)
            return replace(
                found,
                request=request.as_json(),
                reply=reply,
                source=ReplySource.REPLAY,
                allowed=request.allow,
            )
        return Exchange(
            endpoint=request.endpoint,
            request=request.as_json(),
            request_digest=request.digest,
            reply=None,
            timing=Timing(),
            attempts=0,
            role=role,
            source=ReplySource.REPLAY,
            error=self.blocked or Missing(Reason.UNREACHABLE, self._absent(id, asked, request, role, held)),
            allowed=request.allow,
        )

    def gates(self, *, has_judged: bool) -> Iterator[Gate]:
        """Yield what the run says of its replies as a whole: judging again does not change whose they are.

        ``has_judged``: answers of its judge were taken too.
        """
        run, takes_judge = self._replies.run, has_judged and self._of_judge
        if self.mismatches:
            yield conditions_gate(self.mismatches, "no reply was taken")
        for gate in run.gates:
            if gate.name in _OF_REPLIES or (gate.name in _OF_JUDGEMENTS and takes_judge):
                yield replace(gate, detail=gate.detail or f"so run {self.run_id} found it")
        if run.finished is None and self.server is not None:
            yield self._unconfirmed("identity", "server")
        if run.finished is None and self.judge is not None and takes_judge:
            yield self._unconfirmed("judge", "judge")

    def rescore(self, after: RunSide) -> Rescored:
        """Set what was judged now beside what the run says.

        Raises ``RunFolderError`` where the run cannot be read any more.
        """
        from ..compare import rescore, side_of_records

        run = self._replies.run
        plans = {plan.name: plan for plan in run.plans}
        before = side_of_records(run.path, run.head, plans, is_finished=run.finished is not None)
        return rescore(before, after)

    def _unconfirmed(self, name: str, what: str) -> Gate:
        return Gate(
            name=name,
            task=None,
            rule=f"the {what} is the same at the end as at the start",
            observed=f"not confirmed at the end: run {self.run_id} was interrupted",
            verdict=Verdict.MISSING,
            detail="finish that run with --infer-resume, and replay the run that comes of it",
        )

    def _asked(self, id: str) -> _Asked:
        asked = self._open.get(id)
        if asked is None:
            if len(self._open) >= _OPEN:
                del self._open[next(iter(self._open))]
            asked = self._open[id] = _Asked(self._replies.find(id))
        return asked

    def _absent(self, id: str, asked: _Asked, request: Request, role: Role, held: int) -> str:
        """Say why there is no exchange to replay."""
        run, whose = f"run {self.run_id}", "" if role is Role.MODEL else " to the judge"
        if asked.stored is None:
            return f"{run} has no record of {id}, so no reply of it to judge"
        if held:
            return f"{run} asked this{whose} {held} times in {id}, and it is asked once more now"
        stored = asked.of(role)
        if not stored:
            missing = asked.stored.missing
            return f"{run} asked nothing{whose} in {id}" + (f": {missing}" if missing else "")
        number = sum(n for (of, _), n in asked.answered.items() if of is role)
        nearest = stored[min(number, len(stored)) - 1]
        differs = request_difference(nearest.request, request.as_json())
        return f"{run} did not ask this{whose} in {id}; it differs in {differs}"


#: The run whose replies this session judges; absent where a server is asked.
REPLAY = pytest.StashKey[Replay]()


def replay_of(config: pytest.Config, settings: Settings) -> Replay | None:
    """Return the session's replay, opened the first time; ``None`` where a server is asked.

    Raises ``pytest.UsageError`` as ``Replay.open`` does.
    """
    if settings.replay is not None and REPLAY not in config.stash:
        config.stash[REPLAY] = Replay.open(settings)
    return config.stash.get(REPLAY, None)


def _identity(told: Mapping[str, Any] | None) -> ServerIdentity | None:
    """Read an identity of ``run.json``; of a server that never answered there is its place alone."""
    if told is None or "model" not in told["fields"]:
        return None
    return ServerIdentity.from_json(told)


def _held(
    identity: ServerIdentity | None, settings: Settings
) -> tuple[ServerIdentity | None, tuple[str, ...]]:
    """Hold the stored identity to what is expected and declared now, as that of a server is held."""
    expected = [parse_field_value(text) for text in settings.expect]
    if settings.model is not None:
        expected.append(parse_field_value(f"model={settings.model}"))
    declared = [parse_field_value(text) for text in settings.declare]
    if identity is None:
        unmet = tuple(
            f"{one} is expected, and the run does not say which server it asked" for one in expected
        )
        return None, unmet
    identity, contradicted = declare_fields(identity, declared)
    return identity, tuple(map(str, (*contradicted, *check_expectations(identity, expected))))
