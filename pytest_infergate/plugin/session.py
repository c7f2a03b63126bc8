"""The session's one object: it wires the parts of the plugin together by the role of the process."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from .asking.asker import Asker
from .collecting.collection import begin_evaluation, parametrize_samples
from .collecting.selection import Selection
from .collecting.task_book import TaskBook
from .evaluations.beside import Outbox
from .fixtures import ASKER
from .judging import Judge
from .options.settings import Settings
from .recording import Recording
from .rounds import Rounds
from .scoring.hearing import HEARING, Hearing
from .servers.against import base_settings
from .servers.endpoint import BASE_ENDPOINT
from .stored.replaying import replay_of
from .stored.rescoring import open_rescoring
from .stored.resuming import resumption_of
from .xdist import Controller, is_controller, is_worker, receive_endpoints


class EvalSession:
    """Made when the first evaluation is collected, or at the start where replies or xdist ask for it.

    A plain session judges and records; an xdist worker judges; its controller records.
    """

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._book = TaskBook(settings)
        self._has_judge = False
        self._controller: Controller | None = None
        self._recording: Recording | None = None
        self._selection = Selection(config, settings, self._book)
        if is_worker(config):
            receive_endpoints(config)
            return
        recording = self._recording = Recording(
            config, settings, None if is_controller(config) else self._selection.plan
        )
        config.pluginmanager.register(recording, "infergate-recording")
        if is_controller(config):
            self._controller = Controller(config, settings, recording)
            config.pluginmanager.register(self._controller, "infergate-controller")

    def start(self) -> None:
        """Begin: a run to replay or to resume is opened; the controller of xdist opens one before any worker.

        Raises ``pytest.UsageError`` for options that cannot be followed.
        """
        replay_of(self._config, self._settings)
        # In a worker: the controller has checked it.
        resumption_of(self._config, self._settings, is_checked=is_worker(self._config))
        open_rescoring(self._config, self._settings)
        if self._controller is not None:
            self._controller.open()

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """Give a test function one item per sample and repeat."""
        parametrize_samples(metafunc, self._book)

    def collect(self, items: Sequence[pytest.Item]) -> None:
        """Make these items evaluations."""
        for item in items:
            item.add_marker("infer")
            begin_evaluation(item, self._book)
        self._selection.collect(items)
        if not self._has_judge:
            self._has_judge = True
            asker = self._config.stash[ASKER] = Asker(
                self._config, self._settings, is_worker=is_worker(self._config)
            )
            hearing = self._config.stash[HEARING] = Hearing(self._config, self._settings)
            self._config.add_cleanup(hearing.close)
            base = self._base_asker(asker)
            for one in (asker, base):
                if self._recording is not None and one is not None:
                    self._recording.watch(one)
            judge = Judge(asker, self._selection.plan, is_worker=is_worker(self._config), base=base)
            self._config.pluginmanager.register(judge, "infergate-judge")
            if base is not None or self._settings.confirm:
                outbox = Outbox(self._recording.take_beside if self._recording is not None else None)
                rounds = Rounds(self._config, asker, base, outbox, self._settings.confirm)
                self._config.pluginmanager.register(outbox, "infergate-outbox")
                self._config.pluginmanager.register(rounds, "infergate-rounds")
            self._config.pluginmanager.register(judge.reruns, "infergate-reruns")
            self._config.pluginmanager.register(self._selection, "infergate-selection")

    def _base_asker(self, asker: Asker) -> Asker | None:
        """Return what asks the second server, ``None`` where there is one server."""
        if self._settings.against is None:
            return None
        return Asker(
            self._config,
            base_settings(self._settings),
            is_worker=is_worker(self._config),
            endpoint=BASE_ENDPOINT,
            bench=asker.bench,
        )
