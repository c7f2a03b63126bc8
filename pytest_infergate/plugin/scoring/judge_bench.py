"""Where cases are put before the judge: asked, decided, scored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike

import pytest

from ...evidence import EvaluatorIdentity, Exchange, Missing, Reason, Reply, Role, Score, digest
from ...extract.extractor import final_text
from ...judge import (
    PROMPT_VERSION,
    Ask,
    Case,
    JudgeError,
    Judgement,
    decide,
    plan_asks,
    sampling_of,
)
from ...serving import Client, Prefetch, Request, ServerIdentity
from ..evaluations.evaluation import RunningEvaluation
from ..options.settings import Settings
from ..run.run_head import judge_api_key
from ..servers.endpoint import ENDPOINT, JUDGE_ENDPOINT, Endpoint, known_engines
from ..servers.self_judging import is_same_model
from ..stored.replaying import Replay, replay_of
from .judge_canaries import CanarySet, JudgeCanaries

NO_JUDGE = "no judge: pass --infer-judge=URL, the server with a model that judges replies"
SELF_JUDGING = (
    "the judge is the model under test; give another one with --infer-judge=URL, or say allow_self=True"
)
#: On exchanges whose judge is the model under test.
SELF_JUDGED = "self_judged"


class JudgeBench:
    """Asks the judge on behalf of evaluations, once it has shown that it can judge."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._endpoint: Endpoint | None = None
        self._replay: Replay | None = None
        self._client: Client | None = None
        self._prefetch: Prefetch | None = None
        self.canaries = JudgeCanaries()
        self._lock = threading.RLock()
        self._asked = 0
        #: As in ``Asker``: called while an answer is awaited, and when it has come.
        self.on_wait: Callable[[float], None] = lambda seconds: None
        self.on_reply: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Connect, where there is a judge; one that is given is asked also where replies are stored ones.

        May be called again.
        """
        self._replay = replay_of(self._config, self._settings)
        self._endpoint = endpoint = self._config.stash.get(JUDGE_ENDPOINT, None)
        if endpoint is None or endpoint.blocked is not None or self._client is not None:
            return
        key = judge_api_key(self._settings)
        self._client = client = endpoint.connect(key, known_engines(self._config))
        self._prefetch = Prefetch(client.exchange, endpoint.concurrency, endpoint.concurrency)

    def close(self) -> None:
        """End what is in flight and ask nothing more. May be called again."""
        if self._prefetch is not None:
            self._prefetch.cancel()
        if self._client is not None:
            self._client.close()

    def judge(
        self,
        running: RunningEvaluation,
        *,
        question: str,
        reply: str | Reply,
        criteria: str | None,
        reference: str | None,
        against: str | Reply | None,
        votes: int,
        name: str,
        canary: str | PathLike[str] | None,
        allow_self: bool,
    ) -> Judgement:
        """Put one case before the judge and record the score; see ``Infer.judge``."""
        if not isinstance(allow_self, bool):
            raise JudgeError(f"allow_self={allow_self!r:.80} is neither True nor False; give one of them")
        if canary is not None and (not isinstance(canary, (str, PathLike)) or not str(canary)):
            raise JudgeError(
                f"canary={canary!r:.80} is no file; give its path from the test file, or leave it out"
            )
        has_reference = reference is not None
        is_blank = isinstance(reference, str) and not reference.strip()
        case = Case(
            question=question,
            reply=final_text(reply),
            criteria=criteria,
            reference=None if is_blank else reference,
            against=None if against is None else final_text(against),
        )
        asks = plan_asks(case, votes)
        canaries = self.canaries.read(
            None if canary is None else running.task.folder / canary, is_pairwise=case.is_pairwise
        )
        is_self = self.is_self
        missing = Missing(Reason.EMPTY_REFERENCE, "the reference is blank") if is_blank else None
        if missing is None:
            judgement = self.put(running, asks, canaries, allow_self=allow_self)
        else:
            judgement = Judgement(missing=missing)
        shared = sampling_of(votes, case.form)
        evaluator = EvaluatorIdentity(
            kind="judge",
            name=name,
            version=PROMPT_VERSION,
            backend=self.backend(),
            settings={
                "form": case.form.value,
                "swap": case.is_pairwise,
                "votes": votes,
                "temperature": shared["temperature"],
                "max_tokens": shared["max_tokens"],
                "criteria": None if criteria is None else digest(criteria),
                "reference": has_reference,
                "canaries": canaries.digest,
                "self": is_self,
            },
        )
        running.scores.append(
            Score(
                name=name,
                value=judgement.score,
                unit="ratio",
                higher_is_better=True,
                evaluator=evaluator,
                missing=judgement.missing,
            )
        )
        return judgement

    def put(
        self,
        running: RunningEvaluation,
        asks: Sequence[Ask],
        canaries: CanarySet,
        *,
        allow_self: bool,
        is_unanimous: bool = False,
    ) -> Judgement:
        """Ask, after the canaries, and decide; without a judge that is fit, say why not."""
        is_self = self.is_self
        missing = self._unavailable(is_self=is_self and not allow_self)
        if missing is None:
            with self._lock:  # a test may judge on threads of its own; canaries come first, and once
                missing = canaries.missing(lambda asked: self._ask(running, asked, is_self=is_self))
        if missing is not None:
            return Judgement(missing=missing)
        return decide(asks, self._ask(running, asks, is_self=is_self), is_unanimous=is_unanimous)

    def _unavailable(self, *, is_self: bool) -> Missing | None:
        endpoint, detail = self._endpoint, SELF_JUDGING if is_self else None
        if endpoint is None:
            detail = (self._replay.judge_trouble if self._replay else NO_JUDGE) or detail
        elif endpoint.blocked is not None:
            detail = f"the judge cannot be asked: {endpoint.blocked.detail}"
        return None if detail is None else Missing(Reason.EVALUATOR_UNAVAILABLE, detail)

    @property
    def is_self(self) -> bool:
        """Whether the judge is the model under test."""
        endpoint = self._config.stash.get(ENDPOINT, None)
        model = self._replay.server if self._replay else endpoint.identity if endpoint else None
        judge = self._identity
        return judge is not None and model is not None and is_same_model(judge, model)

    @property
    def _identity(self) -> ServerIdentity | None:
        """Who judges; of stored answers, who gave them."""
        if self._endpoint is not None:
            return self._endpoint.identity
        return self._replay.judge if self._replay else None

    def backend(self) -> str | None:
        """Say in one line what judges: engine, version, model, weights."""
        identity = self._identity
        if identity is None:
            return None
        version, weights = identity.known("engine_version"), identity.known("weights_digest")
        return (
            f"{identity.engine} {version.value if version else '(version unknown)'}, model {identity.model}, "
            f"weights {weights.value if weights else 'unknown'}"
        )

    def _ask(self, running: RunningEvaluation, asks: Sequence[Ask], *, is_self: bool) -> list[Exchange]:
        """Ask all at once, and keep what came back as the judge's part of the evidence."""
        requests = [Request(endpoint="chat", content=ask.messages, sampling=ask.sampling) for ask in asks]
        exchanges = []
        for exchange in self._exchange(running, requests):
            is_told = SELF_JUDGED in exchange.flags  # as a stored one may be
            flags = (*exchange.flags, SELF_JUDGED) if is_self and not is_told else exchange.flags
            exchanges.append(replace(exchange, role=Role.JUDGE, flags=flags))
        running.exchanges.extend(exchanges)
        return exchanges

    def _exchange(self, running: RunningEvaluation, requests: Sequence[Request]) -> list[Exchange]:
        if self._endpoint is None:
            assert self._replay is not None
            return [self._replay.answer(running, request, Role.JUDGE) for request in requests]
        assert self._client is not None
        assert self._prefetch is not None
        if threading.current_thread() is not threading.main_thread():
            # The window is for the thread that runs the tests.
            return [self._client.exchange(request) for request in requests]
        keys = [str(self._asked + number) for number in range(len(requests))]
        self._asked += len(requests)
        self._prefetch.plan((key, _given(request)) for key, request in zip(keys, requests, strict=True))
        try:
            return [self._prefetch.take(key, self.on_wait) for key in keys]
        finally:
            self.on_reply()


def _given(request: Request) -> Callable[[], Request]:
    return lambda: request
