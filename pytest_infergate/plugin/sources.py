"""What a session takes its evidence from: servers, stored runs, baselines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from ..evidence import Gate
from ..runs import Rescored, RunFolderError
from .evaluations.confirming import EXPECTED, Expected
from .evaluations.plan import Plan
from .options.settings import Settings
from .run.recorder import Recorder
from .run.run_head import open_run
from .run.run_media import ARTIFACTS, BASE_ARTIFACTS
from .servers.against import BaseRun, check_base_folder
from .servers.endpoint import BASE_ENDPOINT, ENDPOINT, Endpoint, known_engines
from .servers.evaluator_servers import EvaluatorServers
from .servers.server import ModelServer
from .stored.baseline_gate import Baselines, BaselineVerdict
from .stored.keeping import KEEPING
from .stored.replaying import Replay, replay_of
from .stored.resuming import Resumption, resumption_of
from .terminal import Screen

if TYPE_CHECKING:
    from ..compare import RunSide


class Sources:
    """Opened before the first request, named in the run, confirmed at its end, closed whatever happens."""

    def __init__(self, config: pytest.Config, settings: Settings, screen: Screen) -> None:
        self._config = config
        self._settings = settings
        self._screen = screen
        self._server: ModelServer | None = None
        self._replay: Replay | None = None
        self._resumption: Resumption | None = None
        self._baselines: Baselines | None = None
        #: The second server with its run, ``None`` where there is one server.
        self.base: BaseRun | None = None
        #: The servers that evaluators ask.
        self.evaluators = EvaluatorServers(config, settings)

    def read_baselines(self) -> Baselines:
        """Read what the run is compared with at its end, once.

        Raises ``pytest.UsageError`` for a baseline that is none, is damaged or is not finished.
        """
        if self._baselines is None:
            self._baselines = Baselines.read(self._settings, self._config.invocation_params.dir)
        return self._baselines

    def read_stored(self) -> None:
        """Read what other runs give, before a folder is made. Raises ``pytest.UsageError``."""
        self._replay = replay_of(self._config, self._settings)
        self._resumption = resumption_of(self._config, self._settings)
        self.read_baselines()
        if self._settings.against is not None:
            check_base_folder(self._settings)

    def open_run(self) -> Recorder:
        """Make the folder of the session's run. Raises ``pytest.UsageError`` where it is not usable."""
        stored = self._replay or self._resumption
        try:
            recorder = open_run(self._config, self._settings, stored.derivation if stored else None)
        except RunFolderError as error:
            raise pytest.UsageError(str(error)) from None
        self._config.stash[ARTIFACTS] = recorder.artifacts
        return recorder

    def open_base_run(self, recorder: Recorder) -> None:
        """Make the folder of the second server's run, beside that of ``recorder``.

        Raises ``pytest.UsageError`` where it is not usable.
        """
        if self._settings.against is None:
            return
        try:
            self.base = BaseRun.open(self._config, self._settings, recorder.folder)
        except RunFolderError as error:
            raise pytest.UsageError(str(error)) from None
        self._config.stash[BASE_ARTIFACTS] = self.base.recorder.artifacts

    def recorders(self, recorder: Recorder) -> list[Recorder]:
        """Return the recorder of the session's run, and that of the second server's."""
        return [recorder] if self.base is None else [recorder, self.base.recorder]

    def open(self, recorder: Recorder, plan: Plan | None, workers: int | None) -> None:
        """Find or start the servers, name in the run who is asked, and tell a person.

        ``plan`` is given where it is known by now. ``workers`` is how many processes of xdist ask, ``None``:
        this one does. Raises ``pytest.UsageError`` for what a person has to mend.
        """
        is_asked = plan is None or bool(plan.evaluations)
        if is_asked:
            self._find_server(recorder)
            self._find_base_server()
        if self._replay is not None:
            recorder.name_server(self._replay.as_json())
        self._show(recorder, workers)
        self._hold_to_baselines(recorder)
        if plan is not None:
            self.forewarn(plan)
        if is_asked:
            self.evaluators.open()
            self.evaluators.name(self.recorders(recorder), self._screen.announce)
        self._name_stored_judge(recorder)
        if self._resumption is not None and self._server is not None:
            self._resumption.check_servers(recorder.stored_head())

    def forewarn(self, plan: Plan) -> None:
        """Name tasks that are too small for what is asked of them."""
        for told in self.read_baselines().forewarn(plan):
            self._screen.announce(told)

    def confirm(self, recorder: Recorder) -> list[Gate]:
        """Name in the run who gave its replies, and stop a server that was started.

        Returns the gates on that. Raises ``RunFolderError``.
        """
        gates: list[Gate] = []
        if self._server is not None:
            self._server.learn(recorder.served)
            gates += self._server.confirm()
            recorder.name_server(self._server.as_json())
            self._server.close()
        if self._replay is not None:
            keeps = KEEPING in self._config.stash
            gates += self._replay.gates(has_judged=recorder.asked_judge, keeps=keeps)
        return gates

    def compare(self, recorder: Recorder, gates: Sequence[Gate]) -> BaselineVerdict:
        """Compare the run with its baselines and the second server's. Raises ``RunFolderError``.

        ``gates`` are those over the whole run.
        """
        beside = self.base.recorder.folder if self.base is not None else None
        return self.read_baselines().judge(
            lambda: recorder.side(gates), folder=recorder.folder, beside=beside, shown=self._screen.shown
        )

    @property
    def rescore(self) -> Callable[[RunSide], Rescored] | None:
        """What sets a run beside the one whose replies it judged; ``None`` where a server was asked."""
        return self._replay.rescore if self._replay is not None else None

    def close(self) -> None:
        """Stop the server if this session started it. May be called again."""
        if self._server is not None:
            self._server.close()

    def _find_server(self, recorder: Recorder) -> None:
        if self._settings.server:
            engines = known_engines(self._config)
            self._server = ModelServer.open(self._settings, self._screen.announce, engines)
            self._config.stash[ENDPOINT] = self._server.endpoint()
            recorder.name_server(self._server.as_json())

    def _find_base_server(self) -> None:
        """Find the second server, and let both have what they can take."""
        if self.base is not None and self._server is not None:
            stash = self._config.stash
            stash[ENDPOINT], stash[BASE_ENDPOINT] = self.base.find_server(
                stash[ENDPOINT], self._screen.announce, known_engines(self._config)
            )

    def _show(self, recorder: Recorder, workers: int | None) -> None:
        """Say on the screen who gives the replies."""
        self._screen.header(
            self._server or self._replay,
            recorder,
            self._in_flight(workers, ENDPOINT),
            replies_of=self._replay.run_id if self._replay else None,
        )
        if self.base is not None:
            self._screen.base_header(self.base, self._in_flight(workers, BASE_ENDPOINT))

    def _in_flight(self, workers: int | None, key: pytest.StashKey[Endpoint]) -> int:
        """Return the requests in flight that can really be: a worker asks for two items at most."""
        endpoint = self._config.stash.get(key, None)
        concurrency = endpoint.concurrency if endpoint else self._settings.in_flight()
        return concurrency if not workers else workers * min(2, max(1, concurrency // workers))

    def _hold_to_baselines(self, recorder: Recorder) -> None:
        """Let baselines say what they can before anything is asked."""
        baselines = self.read_baselines()
        baselines.check_treatment(self._server or self._replay)
        for told in baselines.announce(self._screen.shown(recorder.folder)):
            self._screen.announce(told)
        if self._settings.confirm:
            self._config.stash[EXPECTED] = Expected.of(baselines.sides)

    def _name_stored_judge(self, recorder: Recorder) -> None:
        """Name the judge of the replayed run where no other one is asked."""
        replay = self._replay
        if replay is not None and replay.judge_json is not None and not self.evaluators.has_judge:
            recorder.name_judge(replay.judge_json)
            self._screen.announce(f"judgements are those of run {replay.run_id} as well")
