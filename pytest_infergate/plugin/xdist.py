"""pytest-xdist: workers judge, the controller keeps the run. Works as well where xdist is not installed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .endpoint import ENDPOINT, Endpoint
from .options import Settings
from .recording import Recording

_KEY = "infergate_endpoint"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def is_controller(config: pytest.Config) -> bool:
    return config.pluginmanager.has_plugin("dsession")


def receive_endpoint(config: pytest.Config) -> None:
    """Take the server from the controller, in a worker."""
    text = config.workerinput.get(_KEY)  # type: ignore[attr-defined]
    if text is not None:
        config.stash[ENDPOINT] = Endpoint.from_json(json.loads(text))


def worker_count(config: pytest.Config, settings: Settings) -> int:
    """Return the number of workers. Raises ``pytest.UsageError`` where some would have no request to send."""
    count = config.option.numprocesses or len(config.option.tx or ()) or 1
    if count > settings.concurrency:
        raise pytest.UsageError(
            f"--infer-concurrency={settings.concurrency} is less than the {count} workers of xdist; "
            f"allow at least {count}, or use fewer workers"
        )
    return int(count)


class Controller:
    """Opens the run before any worker starts, and hands the server to each."""

    def __init__(self, config: pytest.Config, settings: Settings, recording: Recording) -> None:
        self._config = config
        self._settings = settings
        self._recording = recording
        self._workers = worker_count(config, settings)

    def open(self) -> None:
        if self._settings.server:
            self._recording.open(None, self._workers)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        endpoint = self._config.stash.get(ENDPOINT, None)
        if endpoint is not None:
            node.workerinput[_KEY] = json.dumps(endpoint.share(self._workers).as_json())
