"""The pytest plugin. Light: everything but options and fixtures loads when an evaluation is collected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .collecting.skipped_modules import SKIPPED_MODULES, SkippedModules
from .collecting.swallowed import refuse_swallowed_test
from .collecting.unmatched import UNMATCHED, Unmatched
from .evaluations.origin import MARKERS, is_evaluation
from .fixtures import ASKER, _infer_case, answer, infer, infer_server, reply, sample, sandbox, visual, wer
from .options.settings import Settings, read_settings
from .options.table import add_options

if TYPE_CHECKING:
    from .session import EvalSession

__all__ = [
    "ASKER",
    "_infer_case",
    "answer",
    "infer",
    "infer_server",
    "reply",
    "sample",
    "sandbox",
    "visual",
    "wer",
]

SETTINGS = pytest.StashKey[Settings]()
SESSION: pytest.StashKey[EvalSession] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from . import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKERS.values():
        config.addinivalue_line("markers", line)
    config.stash[SETTINGS] = read_settings(config)
    config.stash[SKIPPED_MODULES] = SkippedModules(config.rootpath)
    config.pluginmanager.register(config.stash[SKIPPED_MODULES], "infergate-skipped-modules")
    if any("::" in argument for argument in config.args):
        config.stash[UNMATCHED] = Unmatched()
        config.pluginmanager.register(config.stash[UNMATCHED], "infergate-unmatched")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    config = session.config
    # A controller never collects, and a source of replies asks for evaluations, even where none is found.
    if config.stash[SETTINGS].has_source or config.pluginmanager.has_plugin("dsession"):
        _session(config).start()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> None:
    refuse_swallowed_test(collector, name, obj)


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if is_evaluation(metafunc.definition):
        _session(metafunc.config).parametrize(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    evaluations = [item for item in items if is_evaluation(item)]
    if evaluations:
        _session(config).collect(evaluations)


def _session(config: pytest.Config) -> EvalSession:
    """Return the session's one object, made when the first evaluation shows up."""
    if SESSION not in config.stash:
        from .session import EvalSession

        config.stash[SESSION] = EvalSession(config, config.stash[SETTINGS])
    return config.stash[SESSION]
