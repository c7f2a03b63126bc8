"""The fixtures that evaluations use. Light: pytest imports this in every session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..evidence import Reply
    from ..serving import ServerIdentity
    from ..tasks import Sample
    from .asking.asker import Asker
    from .asking.conversation import Infer
    from .evaluations.evaluation import RunningEvaluation
    from .scoring.code_running import CodeRunner
    from .scoring.looking import Visual
    from .scoring.word_errors import Wer

#: How this process asks; set once evaluations were collected.
ASKER: pytest.StashKey[Asker] = pytest.StashKey()


@pytest.fixture
def infer(request: pytest.FixtureRequest) -> Infer:
    """Talk to the server under test (``chat``, ``complete``) and record scores (``score``)."""
    from .asking.conversation import Infer

    return Infer(_running(request), request.config.stash[ASKER])


@pytest.fixture
def infer_server(request: pytest.FixtureRequest) -> ServerIdentity:
    """The identity of the server under test; each field a value with its origin, or unknown."""
    _running(request)
    return request.config.stash[ASKER].identity()


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> Sample:
    """The data-set row of this evaluation, a mapping with ``id`` and ``source``."""
    return _running(request).sample


@pytest.fixture
def reply(request: pytest.FixtureRequest) -> Reply:
    """The model's reply to the prompt of ``infer_task`` for this sample."""
    running = _running(request)
    _check(request, running.task.declaration.prompt is not None, "a prompt; add infer_task(prompt=…)")
    return request.config.stash[ASKER].ask_prompt(running)


@pytest.fixture
def answer(reply: Reply, request: pytest.FixtureRequest) -> Any:
    """The answer that the extractor of ``infer_extract`` reads out of the reply."""
    running = _running(request)
    extractor = running.task.extractor
    _check(request, extractor is not None, "an extractor; add @pytest.mark.infer_extract(…)")
    assert extractor is not None
    value = extractor(reply, running.sample)
    running.note_answer(value)
    return value


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> CodeRunner:
    """Run code that a model wrote, isolated and limited (``run``, ``map``), and score how it ended."""
    from . import SETTINGS
    from .scoring.code_running import CHOSEN, ChosenSandbox, CodeRunner

    stash = request.config.stash
    if CHOSEN not in stash:
        stash[CHOSEN] = ChosenSandbox(stash[SETTINGS].sandbox)
    return CodeRunner(_running(request), stash[CHOSEN])


@pytest.fixture
def visual(request: pytest.FixtureRequest) -> Visual:
    """Open pictures and clips (``open``), and hold them to checks, each a score with its measured value."""
    from . import SETTINGS
    from .evaluations.kept_media import SENT_AT_MOST
    from .scoring.hearing import HEARING
    from .scoring.looking import Visual, VisualTools
    from .scoring.visual_checks import added_checks

    config = request.config
    tools = VisualTools(
        added=added_checks(config),
        updates_references=config.stash[SETTINGS].updates_references,
        bench=config.stash[ASKER].bench,
        hearing=config.stash[HEARING],
        sent_at_most=SENT_AT_MOST if hasattr(config, "workerinput") else None,
    )
    return Visual(_running(request), tools)


@pytest.fixture
def wer(request: pytest.FixtureRequest) -> Wer:
    """Measure what is heard in a clip against the words to be spoken (``check``), as ``infer_wer`` says."""
    from .scoring.hearing import HEARING
    from .scoring.word_errors import Wer

    return Wer(_running(request), request.config.stash[HEARING])


@pytest.fixture
def _infer_case(request: pytest.FixtureRequest) -> object:
    """The sample and repeat that an item stands for."""
    return request.param


def _running(request: pytest.FixtureRequest) -> RunningEvaluation:
    from .evaluations.evaluation import RUNNING

    running: RunningEvaluation | None = request.node.stash.get(RUNNING, None)
    _check(
        request,
        running is not None,
        "a test that was collected as an evaluation; name it in the test's arguments, or mark the test with "
        "infer_task",
    )
    assert running is not None
    return running


def _check(request: pytest.FixtureRequest, holds: bool, needed: str) -> None:
    """Check what the collection has checked, unless the fixture came by ``request.getfixturevalue``."""
    if not holds:
        from ..tasks import DeclarationError

        raise DeclarationError(f"{request.node.nodeid}: fixture {request.fixturename!r} needs {needed}")
