"""A stored run in place of a server: its replies answer the requests, and nothing is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ...evidence import (
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
from ...runs import ArtifactStore, Derivation, DerivedBy, Rescored, RunFolderError
from ...serving import (
    AnyRequest,
    Request,
    ServerIdentity,
    check_expectations,
    conversation_of,
    declare_fields,
    parse_field_value,
)
from ..evaluations.evaluation import RunningEvaluation
from ..options.settings import Settings
from ..servers.server import conditions_gate
from .request_difference import request_difference

if TYPE_CHECKING:
    from ...compare import RunSide
    from ...runs.replies import StoredEvaluation, StoredReplies

#: Gates of a run that say whether its replies are one server's, which stays true of them.
_OF_REPLIES = frozenset({"identity", "conditions"})
_OF_JUDGEMENTS = frozenset({"judge"})
_OF_TRANSCRIPTS = "asr"


class Replay:
    """The run of ``--infer-replay``, asked as a server is; threads share it.

    ``server`` and ``judge`` are the identities of who gave its replies and its judgements, ``None`` where
    there was none or it never answered. ``blocked``: no reply is taken, and this is why.
    """

    def __init__(self, replies: StoredReplies, settings: Settings) -> None:
        self._replies = replies
        self._lock = threading.Lock()
        self._latest: tuple[str, StoredEvaluation | None] = "", None
        self._of_judge = settings.judge is None
        self._media = ArtifactStore(replies.run.path)
        head = replies.run.head
        self.server, self.mismatches = _held(_identity(head.server), settings)
        self.judge = _identity(head.judge)
        self.blocked = (
            Missing(Reason.INVALID_CONDITIONS, "; ".join(self.mismatches)) if self.mismatches else None
        )

    @classmethod
    def open(cls, settings: Settings) -> Replay:
        """Open the run. Raises ``pytest.UsageError`` with one line where replies cannot be taken from it."""
        from ...runs.replies import StoredReplies  # loads jsonschema

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

    def answer(self, running: RunningEvaluation, request: AnyRequest, role: Role = Role.MODEL) -> Exchange:
        """Return the stored exchange of a request; one that is not there did not deliver (``unreachable``).

        The k-th exchange of a request within an evaluation answers the k-th time it is asked. A judge's that
        is in no exchange of this evaluation may be in another one: canaries are asked once.
        Raises ``RunFolderError`` where the stored line is no record.
        """
        id, answered = str(running.evaluation.key), running.now.answered
        with self._lock:
            stored = self._find(id)
            number = answered[role, request.digest]
            answered[role, request.digest] += 1
        known = stored.of_role(role) if stored is not None else ()
        held = [exchange for exchange in known if exchange.request_digest == request.digest]
        found = held[number] if number < len(held) else None
        if not held and role is Role.JUDGE:
            found = self._replies.find_judged(request.digest)
        lost = self.blocked
        if found is not None and lost is None:
            try:
                return self._replayed(found, request)
            except RunFolderError as error:
                lost = Missing(Reason.UNREACHABLE, f"not in run {self.run_id} any more: {error}")
        return Exchange(
            endpoint=request.endpoint,
            request=request.as_json(),
            request_digest=request.digest,
            reply=None,
            timing=Timing(),
            attempts=0,
            role=role,
            source=ReplySource.REPLAY,
            error=lost or Missing(Reason.UNREACHABLE, self._absent(running, request, role, len(held))),
            allowed=request.allow,
        )

    def gates(self, *, has_judged: bool, keeps: bool) -> Iterator[Gate]:
        """Yield what the run says of its replies as a whole: judging again does not change whose they are.

        ``has_judged``: answers of its judge were taken too. ``keeps``: so were scores of its transcriber.
        """
        run, takes_judge = self._replies.run, has_judged and self._of_judge
        if self.mismatches:
            yield conditions_gate(self.mismatches, "no reply was taken")
        for gate in run.gates:
            if gate.name in _OF_REPLIES or (gate.name in _OF_JUDGEMENTS and takes_judge):
                yield replace(gate, detail=gate.detail or f"so run {self.run_id} found it")
            elif gate.name == _OF_TRANSCRIPTS and keeps:
                yield replace(gate, name="kept_asr", detail=gate.detail or f"so run {self.run_id} found it")
        if run.finished is None and run.head.asr is not None and keeps:
            yield self._unconfirmed("kept_asr", "transcription server")
        if run.finished is None and self.server is not None:
            yield self._unconfirmed("identity", "server")
        if run.finished is None and self.judge is not None and takes_judge:
            yield self._unconfirmed("judge", "judge")

    def rescore(self, after: RunSide) -> Rescored:
        """Set what was judged now beside what the run says.

        Raises ``RunFolderError`` where the run cannot be read any more.
        """
        from ...compare import rescore, side_of_records

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

    def _find(self, id: str) -> StoredEvaluation | None:
        if self._latest[0] != id:
            self._latest = id, self._replies.find(id)
        return self._latest[1]

    def _replayed(self, found: Exchange, request: AnyRequest) -> Exchange:
        """Return a stored exchange as the answer to a request of now, which says what it allows.

        Raises ``RunFolderError`` where the media of its reply are not as the run left them.
        """
        reply = found.reply
        if reply is not None:
            messages = conversation_of(request.messages, reply)[0] if isinstance(request, Request) else ()
            content = None if reply.artifact is None else self._media.read(reply.artifact)
            reply = replace(reply, messages=messages, allowed=request.allow, content=content)
        return replace(
            found, request=request.as_json(), reply=reply, source=ReplySource.REPLAY, allowed=request.allow
        )

    def _absent(self, running: RunningEvaluation, request: AnyRequest, role: Role, held: int) -> str:
        """Say why there is no exchange to replay, what matters most first: lines get cut."""
        absent = f"not in run {self.run_id}"
        who = "" if role is Role.MODEL else "the judge was "
        stored = self._replies.find(str(running.evaluation.key))
        if stored is None:
            return f"{absent}, which has no record of this evaluation"
        if held:
            times = "once" if held == 1 else f"{held} times"
            return f"{absent}: {who}asked this {times} there, and once more now"
        known = stored.of_role(role)
        if not known:
            return f"{absent}: {who}asked nothing there" + (f" ({stored.missing})" if stored.missing else "")
        number = sum(n for (of, _), n in running.now.answered.items() if of is role)
        nearest = known[min(number, len(known)) - 1]
        differs = request_difference(nearest.request, request.as_json())
        return f"{absent}: {who}asked otherwise, differs in {differs}"


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
