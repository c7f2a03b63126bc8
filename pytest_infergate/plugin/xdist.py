"""pytest-xdist: workers judge, the controller keeps the run. Works as well where xdist is not installed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .evaluations.beside import BESIDE, read_beside
from .evaluations.confirming import EXPECTED, Expected
from .options.settings import Settings
from .recording import Recording
from .run.run_media import receive_folders, send_folders
from .servers.endpoint import ASR_ENDPOINT, BASE_ENDPOINT, ENDPOINT, JUDGE_ENDPOINT, Endpoint
from .servers.hosts import is_remote, refuse_loopback, worker_total

#: The key in a worker's input → what it becomes in the worker.
_ENDPOINTS = {
    "infergate_endpoint": ENDPOINT,
    "infergate_base_endpoint": BASE_ENDPOINT,
    "infergate_judge_endpoint": JUDGE_ENDPOINT,
    "infergate_asr_endpoint": ASR_ENDPOINT,
}
#: The key in a worker's input of what it asks again where it does not pass.
_EXPECTED = "infergate_expected"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def is_controller(config: pytest.Config) -> bool:
    return config.pluginmanager.has_plugin("dsession")


def receive_endpoints(config: pytest.Config) -> None:
    """Take from the controller, in a worker: servers, folders, what is expected of the tests."""
    for name, key in _ENDPOINTS.items():
        text = config.workerinput.get(name)  # type: ignore[attr-defined]
        if text is not None:
            config.stash[key] = Endpoint.from_json(json.loads(text))
    receive_folders(config)
    text = config.workerinput.get(_EXPECTED)  # type: ignore[attr-defined]
    if text is not None:
        config.stash[EXPECTED] = Expected(json.loads(text))


def worker_count(config: pytest.Config, settings: Settings) -> int:
    """Return the number of workers. Raises ``pytest.UsageError`` where some would have no request to send."""
    count = worker_total(config)
    if count > settings.in_flight():
        raise pytest.UsageError(
            f"--infer-concurrency={settings.in_flight()} is less than the {count} workers of xdist; "
            f"allow at least {count}, or use fewer workers"
        )
    return count


class Controller:
    """Opens the run before any worker starts, and hands the server to each."""

    def __init__(self, config: pytest.Config, settings: Settings, recording: Recording) -> None:
        self._config = config
        self._settings = settings
        self._recording = recording
        self._workers = 0

    def open(self) -> None:
        refuse_loopback(self._config, self._settings)
        # Without a server there is no request that they would have to share.
        if self._settings.server or self._settings.judge or self._settings.asr:
            self._workers = worker_count(self._config, self._settings)
        self._recording.sources.read_baselines()
        self._recording.sources.evaluators.open()
        if self._settings.has_source:
            try:
                self._recording.open(None, self._workers)
            except pytest.UsageError:
                self._recording.discard()
                raise

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        for name, key in _ENDPOINTS.items():
            endpoint = self._config.stash.get(key, None)
            if endpoint is not None:
                node.workerinput[name] = json.dumps(endpoint.share(self._workers).as_json())
        if not is_remote(str(node.gateway.spec)):
            send_folders(self._config, node.workerinput)
        expected = self._config.stash.get(EXPECTED, None)
        if expected is not None:
            node.workerinput[_EXPECTED] = json.dumps(expected.as_json())

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        # A worker that was lost says no farewell.
        text = getattr(node, "workeroutput", {}).get(BESIDE)
        for beside in read_beside(text or "[]"):
            self._recording.take_beside(beside)
