"""The fixtures that evaluations use. Light: pytest imports this in every session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..evidence import Reply
    from ..serving import ServerIdentity
    from ..tasks import Sample
    from .asking import Asker
    from .code_running import CodeRunner
    from .conversation import Infer
    from .evaluation import RunningEvaluation

#: How this process asks; set once evaluations were collected.
ASKER: pytest.StashKey[Asker] = pytest.StashKey()


@pytest.fixture
def infer(request: pytest.FixtureRequest) -> Infer:
    """Talk to the server under test (``chat``, ``complete``) and record scores (``score``)."""
    from .conversation import Infer

    return Infer(_running(request), request.config.stash[ASKER])


@pytest.fixture
def infer_server(request: pytest.FixtureRequest) -> ServerIdentity:
    """The identity of the server under test; each field a value with its origin, or unknown."""
    return request.config.stash[ASKER].identity()


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> Sample:
    """The data-set row of this evaluation, a mapping with ``id`` and ``source``."""
    return _running(request).sample


@pytest.fixture
def reply(request: pytest.FixtureRequest) -> Reply:
    """The model's reply to the prompt of ``infer_task`` for this sample."""
    return request.config.stash[ASKER].ask_prompt(_running(request))


@pytest.fixture
def answer(reply: Reply, request: pytest.FixtureRequest) -> Any:
    """The answer that the extractor of ``infer_extract`` reads out of the reply."""
    running = _running(request)
    extractor = running.task.extractor
    assert extractor is not None  # checked when the test was collected
    value = extractor(reply, running.sample)
    running.note_answer(value)
    return value


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> CodeRunner:
    """Run code that a model wrote, isolated and limited (``run``, ``map``), and score how it ended."""
    from . import SETTINGS
    from .code_running import CHOSEN, ChosenSandbox, CodeRunner

    stash = request.config.stash
    if CHOSEN not in stash:
        stash[CHOSEN] = ChosenSandbox(stash[SETTINGS].sandbox)
    return CodeRunner(_running(request), stash[CHOSEN])


@pytest.fixture
def _infer_case(request: pytest.FixtureRequest) -> object:
    """The sample and repeat that an item stands for."""
    return request.param


def _running(request: pytest.FixtureRequest) -> RunningEvaluation:
    from .evaluation import RUNNING

    running: RunningEvaluation = request.node.stash[RUNNING]
    return running
