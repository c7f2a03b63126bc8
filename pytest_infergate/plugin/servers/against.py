"""The second server of a session, with a run of its own: what the candidate is compared with."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ...evidence import Gate, Verdict, canonical_json
from ...runs import RunFolderError
from ...serving import Engine
from ..evaluations.beside import BesideRecord
from ..options.server_option import ServerOption
from ..options.settings import Settings
from ..run.recorder import Recorder
from ..run.run_head import open_run, secrets_of
from .endpoint import Endpoint
from .self_judging import place_of
from .server import ModelServer

_SUFFIX = "-base"


def base_settings(settings: Settings, folder: Path | None = None) -> Settings:
    """Return the settings under which the base server is asked, and its run kept in ``folder``.

    Expectations and declarations are about the candidate; the candidate's key never goes to the base.
    """
    return replace(
        settings,
        server=settings.against,
        model=settings.against_model,
        api_key_env=settings.against_api_key_env,
        against=settings.server,
        run=folder,
        expect=(),
        declare=(),
        embedded_gguf=None,
        baseline=(),
    )


class BaseRun:
    """The base server and its run folder, beside the candidate's and valid by itself."""

    def __init__(self, settings: Settings, recorder: Recorder) -> None:
        self.recorder = recorder
        self._settings = settings
        #: Who is asked, ``None`` before it was found.
        self.server: ModelServer | None = None
        #: Whether it is the server under test itself, compared with itself.
        self.is_candidate = False

    @classmethod
    def open(cls, config: pytest.Config, settings: Settings, candidate: Path) -> BaseRun:
        """Make its folder beside that of the candidate. Raises ``RunFolderError``."""
        own = base_settings(settings, base_folder(candidate))
        return cls(own, open_run(config, own, secrets=secrets_of(settings)))

    def find_server(
        self, candidate: Endpoint, announce: Callable[[str], None], engines: Sequence[Engine]
    ) -> tuple[Endpoint, Endpoint]:
        """Find out who it is; return how to ask the candidate and how to ask it.

        Each server has its own allowance of requests in flight; of one and the same server each gets half.
        Raises ``pytest.UsageError`` as ``ModelServer.open`` does.
        """
        self.server = server = ModelServer.open(
            self._settings, announce, engines, option=ServerOption.AGAINST
        )
        self.recorder.name_server(server.as_json())
        base = server.endpoint()
        self.is_candidate = place_of(candidate.url) == place_of(base.url)
        return (candidate.share(2), base.share(2)) if self.is_candidate else (candidate, base)

    def take(self, beside: BesideRecord) -> None:
        """Keep a record, or a further attempt. Raises ``RunFolderError``."""
        if beside.because is None:
            self.recorder.take_record(canonical_json(beside.record.as_json()))
        else:
            self.recorder.take_attempt(beside.because, beside.record)

    def finish(self, gates: Sequence[Gate], *, why_not_run: str, why_no_plan: str | None) -> tuple[Gate, ...]:
        """Confirm who the server is and close the run; return what keeps it from being evidence.

        ``gates`` are those that both runs share.
        """
        own = list(gates)
        try:
            if self.server is not None:
                self.server.learn(self.recorder.served)
                own += self.server.confirm()
                self.recorder.name_server(self.server.as_json())
            summary = self.recorder.finish(own, why_not_run=why_not_run, why_no_plan=why_no_plan)
        except RunFolderError as error:
            self.recorder.close()
            return (_base_gate("run", "the base's run is whole", str(error)),)
        # What its tasks come to is no fault of the candidate; whose answers they are concerns both.
        tasks = {task.plan.name for task in summary.tasks}
        return tuple(
            _base_gate(gate.name, gate.rule, gate.observed, gate.detail)
            for gate in summary.gates
            if gate.task not in tasks and gate.verdict is not Verdict.PASSED and gate not in gates
        )


def _base_gate(name: str, rule: str, observed: str, detail: str = "") -> Gate:
    return Gate(
        name=f"base_{name}",
        task=None,
        rule=f"for --infer-against: {rule}",
        observed=observed,
        verdict=Verdict.MISSING,
        detail=detail,
    )


def base_folder(candidate: Path) -> Path:
    """Return where the base's run is kept."""
    return candidate.with_name(f"{candidate.name}{_SUFFIX}")


def check_base_folder(settings: Settings) -> None:
    """Refuse a taken place for the base's run before the candidate's folder is made.

    Raises ``pytest.UsageError``.
    """
    if settings.run is None:
        return
    folder = base_folder(settings.run)
    if os.path.isdir(folder) and any(folder.iterdir()):
        raise pytest.UsageError(
            f"run folder {str(folder)!r}, the place for the run of --infer-against, is not empty; a "
            "run never overwrites another: name another --infer-run"
        )
