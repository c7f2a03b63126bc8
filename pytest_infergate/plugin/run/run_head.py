"""Opening the run folder of a session."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from ...runs import Derivation, Secrets, new_run_folder, new_run_id, start_of_run
from ..options.settings import Settings
from .recorder import Recorder


def open_run(
    config: pytest.Config,
    settings: Settings,
    derived_from: Derivation | None = None,
    *,
    secrets: Secrets | None = None,
) -> Recorder:
    """Make the run folder and return what writes to it.

    ``derived_from`` names the run whose replies are taken; ``secrets`` are those of ``settings`` unless
    given. Raises ``RunFolderError``.
    """
    folder, run_id = settings.run, new_run_id()
    if folder is None:
        folder, run_id = new_run_folder(config.invocation_params.dir)
    head = start_of_run(
        run_id,
        root=config.rootpath,
        argv=["pytest", *map(str, config.invocation_params.args)],
        settings=_settings_json(settings),
    )
    return Recorder(folder, replace(head, derived_from=derived_from), secrets or secrets_of(settings))


def secrets_of(settings: Settings) -> Secrets:
    """Return what must not be written into any run folder of a session with these settings."""
    urls = (settings.server, settings.judge, settings.against, settings.asr)
    variables = (
        settings.api_key_env,
        settings.judge_api_key_env,
        settings.against_api_key_env,
        settings.asr_api_key_env,
    )
    keys = (os.environ.get(name) for name in variables)
    return Secrets.of(urls=filter(None, urls), keys=filter(None, keys))


def api_key(settings: Settings) -> str | None:
    """Return the key of the server under test; ``None`` where the environment holds none."""
    return os.environ.get(settings.api_key_env) or None


def asr_api_key(settings: Settings) -> str | None:
    """Return the key of the transcription server."""
    return os.environ.get(settings.asr_api_key_env) or None


def judge_api_key(settings: Settings) -> str | None:
    """Return the key of the judge's server, which never gets the other one."""
    return os.environ.get(settings.judge_api_key_env) or None


def _settings_json(settings: Settings) -> dict[str, Any]:
    return {
        "server": settings.server,
        "model": settings.model,
        "judge": settings.judge,
        "judge_model": settings.judge_model,
        "concurrency": settings.concurrency,
        "timeout_s": settings.timeout,
        "retries": settings.retries,
        "wait_s": settings.wait,
        "sandbox": settings.sandbox,
        "asr": settings.asr,
        "asr_served_model": settings.asr_served_model,
        "asr_model": settings.asr_model,
        "asr_fallback": "allow" if settings.allows_asr_fallback else "forbid",
        "replay": str(settings.replay) if settings.replay else None,
        "rescore": sorted(one.value for one in settings.rescore) if settings.rescore is not None else None,
        "update_references": settings.updates_references,
        "resume": str(settings.resume) if settings.resume else None,
        "baseline": [str(path) for path in settings.baseline],
        "margin": settings.margin,
        "treatment": list(settings.treatment) if settings.treatment is not None else None,
        "on_inconclusive": "fail" if settings.fails_inconclusive else "pass",
        "against": settings.against,
        "against_model": settings.against_model,
        "confirm": settings.confirm,
        "limit": str(settings.limit) if settings.limit else None,
        "expect": list(settings.expect),
        "declare": list(settings.declare),
    }
