"""How this process gets replies: one client, and a window of requests ahead of the tests."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from ...evidence import Exchange, NoAnswer, Reason, Reply
from ...runs import ArtifactStore
from ...serving import AnyRequest, Client, Engine, Flag, Prefetch, Request, ServerIdentity, engine_of
from ...tools import find_leaks
from ..evaluations.evaluation import RUNNING, RunningEvaluation
from ..evaluations.origin import PROMPTED, own_fixtures
from ..evaluations.requesting import prompt_request
from ..options.settings import Settings
from ..run.run_head import api_key
from ..run.run_media import ARTIFACTS, BASE_ARTIFACTS
from ..scoring.judge_bench import JudgeBench
from ..servers.endpoint import ENDPOINT, Endpoint, known_engines
from ..stored.replaying import Replay, replay_of

NO_SOURCE = (
    "pass --infer-server=URL (or embedded): there is no source of replies; or leave evaluations out with "
    "-m 'not infer'"
)
#: Requests that may be ahead of the test that runs, for each that can be in flight: enough that slots
#: stay busy while replies wait to be judged in order, few enough that -x wastes little.
_AHEAD = 2


class Asker:
    """Asks the server on behalf of evaluations; the requests of prompted tests run ahead of them."""

    def __init__(
        self,
        config: pytest.Config,
        settings: Settings,
        *,
        is_worker: bool,
        endpoint: pytest.StashKey[Endpoint] = ENDPOINT,
        bench: JudgeBench | None = None,
    ) -> None:
        """``endpoint`` is of the server to ask; ``bench`` is given where two askers share a judge."""
        self._config = config
        self._settings = settings
        self._endpoint = endpoint
        self._is_worker = is_worker
        self._client: Client | None = None
        self._prefetch: Prefetch | None = None
        self._planned: set[str] = set()
        self._replay: Replay | None = None
        #: How the server is asked for what engines ask for differently; ``None``: no server answered.
        self.engine: Engine | None = None
        self._asked = 0
        #: The keys of further requests of a prompt, by node id.
        self._again: dict[str, deque[str]] = {}
        #: Where cases are put before the judge.
        self.bench = bench or JudgeBench(config, settings)
        #: Called about twice a second while a reply is awaited, with the seconds so far.
        self.on_wait: Callable[[float], None] = lambda seconds: None
        #: Called when the reply has come.
        self.on_reply: Callable[[], None] = lambda: None

    def start(self, items: Sequence[pytest.Item]) -> None:
        """Connect, and let requests run ahead. An xdist worker asks for its item and the next one only."""
        self.bench.start()
        self._replay = replay = replay_of(self._config, self._settings)
        if replay is not None and replay.server is not None:
            self.engine = engine_of(replay.server, known_engines(self._config))
        endpoint = self._config.stash.get(self._endpoint, None)
        if endpoint is None:
            return
        engines = known_engines(self._config)
        self._client = client = endpoint.connect(api_key(self._settings), engines)
        if endpoint.identity is not None:
            self.engine = engine_of(endpoint.identity, engines)
        threads = min(2, endpoint.concurrency) if self._is_worker else endpoint.concurrency
        window = 2 if self._is_worker else _AHEAD * threads
        self._prefetch = Prefetch(client.exchange, threads, window)
        is_rehearsal = self._config.getoption("setuponly", False) or self._config.getoption(
            "setupplan", False
        )
        if not self._is_worker and not is_rehearsal:
            self._plan(items)

    def look_ahead(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """Let the tests have come to ``item``."""
        if self._prefetch is None:
            return
        if self._is_worker:
            self._plan(one for one in (item, nextitem) if one is not None and one.nodeid not in self._planned)
        else:
            self._prefetch.advance(item.nodeid)

    def ask_again(self, item: pytest.Item, times: int) -> None:
        """Let the prompt of ``item``, if it has one, be asked so many times more, all at once.

        What a test asks in its own words can only be known when it does.
        """
        if self._prefetch is None or not _is_prompted(item):
            return
        build = _builder(item.stash[RUNNING], self.engine)
        keys = self._again[item.nodeid] = deque(f"{item.nodeid} again {n}" for n in range(times))
        self._prefetch.hasten((key, build) for key in keys)

    def ask_prompt(self, running: RunningEvaluation) -> Reply:
        """Return the reply to the marker's prompt for this sample, asked ahead where that was possible."""
        key = running.evaluation.nodeid
        if again := self._again.get(key):
            return self._deliver(running, again.popleft())
        if key in self._planned:
            self._planned.discard(key)
            return self._deliver(running, key)
        return self.ask(running, prompt_request(running, self.engine))

    @property
    def artifacts(self) -> ArtifactStore | None:
        """Where the media of this server's run are kept; ``None`` on another host than the run is on."""
        key = ARTIFACTS if self._endpoint is ENDPOINT else BASE_ARTIFACTS
        return self._config.stash.get(key, None)

    def ask(self, running: RunningEvaluation, request: AnyRequest) -> Reply:
        """Ask now. Raises ``NoAnswer`` where the exchange did not deliver."""
        if self._replay is not None:
            return _keep(running, self._replay.answer(running, request))
        if self._client is not None and threading.current_thread() is not threading.main_thread():
            # A test that asks on threads of its own; the window is for the thread that runs the tests.
            return _keep(running, self._client.exchange(request))
        self._asked += 1
        key = f"{running.evaluation.nodeid} {self._asked}"
        if self._prefetch is not None:
            self._prefetch.plan([(key, lambda: request)])
        return self._deliver(running, key)

    def identity(self) -> ServerIdentity:
        """Return who the server is. Raises ``NoAnswer`` where there is none, or it did not answer."""
        if self._replay is not None:
            return self._replay.identity()
        endpoint = self._config.stash.get(self._endpoint, None)
        if endpoint is None:
            raise NoAnswer(Reason.UNREACHABLE, NO_SOURCE)
        if endpoint.identity is None:
            assert endpoint.blocked is not None
            raise NoAnswer(endpoint.blocked.reason, endpoint.blocked.detail)
        return endpoint.identity

    def close(self) -> None:
        """End what is in flight and ask nothing more. May be called again."""
        self.bench.close()
        if self._prefetch is not None:
            self._prefetch.cancel()
        if self._client is not None:
            self._client.close()

    def _plan(self, items: Iterable[pytest.Item]) -> None:
        assert self._prefetch is not None
        prompted = [item for item in items if _is_prompted(item)]
        self._planned.update(item.nodeid for item in prompted)
        self._prefetch.plan((item.nodeid, _builder(item.stash[RUNNING], self.engine)) for item in prompted)

    def _deliver(self, running: RunningEvaluation, key: str) -> Reply:
        if self._prefetch is None:
            raise NoAnswer(Reason.UNREACHABLE, NO_SOURCE)
        try:
            exchange = self._prefetch.take(key, self.on_wait)
        finally:
            self.on_reply()
        return _keep(running, exchange)


def _is_prompted(item: pytest.Item) -> bool:
    running = item.stash.get(RUNNING, None)
    if running is None or running.is_placeholder or running.refusal or running.kept:
        return False
    is_skipped = any(mark.name == "skip" for mark in item.iter_markers())
    return not is_skipped and bool(own_fixtures(item) & PROMPTED)


def _builder(running: RunningEvaluation, engine: Engine | None) -> Callable[[], Request]:
    return lambda: prompt_request(running, engine)


def _keep(running: RunningEvaluation, exchange: Exchange) -> Reply:
    """Add the exchange to the evidence. Raises ``NoAnswer`` where it did not deliver."""
    if _has_leaks(exchange) and Flag.TOOL_CALLS_LEAKED.value not in exchange.flags:
        exchange = replace(exchange, flags=(*exchange.flags, Flag.TOOL_CALLS_LEAKED.value))
    running.exchanges.append(exchange)
    if exchange.missing is not None:
        raise NoAnswer(exchange.missing.reason, exchange.missing.detail)
    # A lifted reason of the server group leaves nothing that a model said.
    return exchange.reply or Reply(
        text="", finish_reason=None, timing=exchange.timing, allowed=exchange.allowed
    )


def _has_leaks(exchange: Exchange) -> bool:
    """Whether calls of the tools that were offered stand in the text; without tools a text may hold any."""
    tools = exchange.request.get("tools")
    if not tools or exchange.reply is None:
        return False
    names = {one["function"]["name"] for one in tools if isinstance(one.get("function"), dict)}
    return bool(find_leaks(exchange.reply.text, {name for name in names if isinstance(name, str)}))
