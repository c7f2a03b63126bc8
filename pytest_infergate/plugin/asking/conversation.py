"""The fixture ``infer``: talking to the server in a test's own words, and recording its scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

from ...evidence import PASSED, EvaluatorIdentity, NoAnswer, Reason, Reply, Score
from ...judge import Judgement
from ...tasks import Endpoint, parse_allow, parse_sampling, render_messages
from ...tools import Tool, ToolError, ToolRun, parse_tools, run_loop
from ..evaluations.evaluation import RunningEvaluation
from ..evaluations.requesting import chat_request, check_schema, completion_request, seeded, tools_as_sent
from ..evaluations.spoken import Spoken
from .asker import Asker
from .drawing import draw
from .speech_asking import speak, transcribe


class Infer:
    """Talk to the server under test, and record component scores, from inside one evaluation."""

    def __init__(self, running: RunningEvaluation, asker: Asker) -> None:
        self._running = running
        self._asker = asker

    def chat(
        self,
        prompt: str | Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Mapping[str, Any] | Tool | Callable[..., Any]] | None = None,
        allow: Sequence[str | Reason] = (),
        **sampling: Any,
    ) -> Reply:
        """Ask for a chat reply to ``prompt``: a user's text, or the messages of a conversation.

        ``tools`` are typed functions, or tools and dicts that describe them. ``sampling`` replaces single
        fields of the marker's; in it ``schema`` asks the server to hold the reply to a JSON Schema, and
        ``reasoning_budget`` to bound the reasoning, in tokens, each in the server's own words. ``allow``
        lifts reasons for missing evidence beside the marker's. ``reply.messages`` is the conversation with
        the reply at its end.

        Raises ``NoAnswer`` where the exchange did not deliver; the evaluation is then missing, also
        where the test catches it.
        """
        where = f"{self._running.evaluation.nodeid}: infer.chat"
        messages = render_messages(
            [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt,
            sample=self._running.sample,
            test_folder=self._running.task.folder,
            where=where,
            note=self._running.note_file,
        )
        if tools is not None:
            sampling["tools"] = tools_as_sent(tools, where)
        settings, reasons = self._settings(Endpoint.CHAT, sampling, allow)
        request = chat_request(messages, sampling=settings, allow=reasons, engine=self._asker.engine)
        return self._asker.ask(self._running, request)

    def complete(self, prompt: str, *, allow: Sequence[str | Reason] = (), **sampling: Any) -> Reply:
        """Ask for the continuation of ``prompt``, as ``chat`` asks for a reply."""
        settings, reasons = self._settings(Endpoint.COMPLETION, sampling, allow)
        request = completion_request(prompt, sampling=settings, allow=reasons, engine=self._asker.engine)
        return self._asker.ask(self._running, request)

    def transcribe(
        self,
        audio: str | PathLike[str] | bytes | Spoken,
        *,
        allow: Sequence[str | Reason] = (),
        **options: Any,
    ) -> Reply:
        """Have the server under test write down the words of a clip; the reply's text are those words.

        ``audio`` is a file of sound or video, by its path (in the row: from the data-set file, else from the
        test file) or its bytes, or what ``speak`` returned. ``options`` are sent as form fields: language,
        prompt, temperature (0 unless given), response_format (``json`` unless given, or ``verbose_json``).
        ``allow`` as for ``chat``: ``allow=["empty_reply"]`` where hearing nothing is an answer. How long it
        took, also beside the clip's length, is recorded as by-products.

        Raises ``NoAnswer`` where the exchange did not deliver, or there is no such clip; the evaluation is
        then missing, also where the test catches it.
        """
        where = f"{self._running.evaluation.nodeid}: infer.transcribe"
        return transcribe(self._running, self._asker, audio, options, self._allowed(allow), where)

    def speak(self, text: str, *, allow: Sequence[str | Reason] = (), **options: Any) -> Spoken:
        """Have the server under test speak a text; give what comes to ``wer.check(audio=…)``.

        ``options`` are sent as fields: voice, speed, response_format (``wav`` unless given, or mp3, opus,
        flac, aac). The run keeps the clip in its artifacts. How long it took, also beside the clip's length,
        is recorded as by-products.

        Raises ``NoAnswer`` where the exchange did not deliver.
        """
        where = f"{self._running.evaluation.nodeid}: infer.speak"
        return speak(self._running, self._asker, text, options, self._allowed(allow), where)

    def draw(self, prompt: str, *, allow: Sequence[str | Reason] = (), **options: Any) -> Reply:
        """Have the server under test draw a picture; give the reply to ``visual.open``.

        ``options`` are sent as fields: size, quality, output_format, seed (the marker's, where it has one),
        any other; ``None`` leaves one out, ``extra_body`` holds further ones. ``n`` is 1, ``response_format``
        ``b64_json``; a server that refuses the latter is asked without it, which the record says. The reply's
        ``artifact`` is the picture, ``content`` its bytes, ``revised_prompt`` what the server made of the
        prompt; the run keeps the picture in its artifacts. How long it took is recorded as a by-product.

        Raises ``NoAnswer`` where the exchange did not deliver; an address that the server sends in place of
        a picture is never fetched.
        """
        where = f"{self._running.evaluation.nodeid}: infer.draw"
        return draw(self._running, self._asker, prompt, options, self._allowed(allow), where)

    def run_tools(
        self,
        prompt: str | Sequence[Mapping[str, Any]],
        *,
        tools: Sequence[Tool | Callable[..., Any]],
        max_steps: int = 8,
        allow: Sequence[str | Reason] = (),
        **sampling: Any,
    ) -> ToolRun:
        """Let the model call ``tools`` until it calls none, and return how that went.

        Each call is run and its result goes back: a text as it is, anything else as JSON. What a tool raises,
        a tool that there is not and arguments that do not fit its schema go back as errors and are recorded
        in ``steps``. Judge the state that the tools are in at the end. ``max_steps`` bounds the replies;
        other arguments are those of ``chat``.

        Raises what ``chat`` raises, ``NoAnswer`` (``no_answer``) where the model still calls after
        ``max_steps`` replies, and ``ToolError`` for tools that cannot be run.
        """
        runnable = parse_tools(tools)
        if isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 1:
            raise ToolError(f"max_steps={max_steps!r}; accepted: an integer >= 1")
        start = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
        try:
            return run_loop(
                lambda messages: self.chat(messages, tools=runnable, allow=allow, **sampling),
                start,
                runnable,
                max_steps,
            )
        except NoAnswer as error:
            # Its exchanges were delivered: a test that catches this must not pass for all that.
            self._running.note_missing(error)
            raise

    def score(
        self,
        name: str,
        value: object,
        *,
        unit: str = "ratio",
        higher_is_better: bool = True,
        low: float | None = None,
        high: float | None = None,
        evaluator: EvaluatorIdentity | None = None,
        gate: bool = True,
    ) -> Score:
        """Record a component score; each is its own, and none is averaged with another.

        ``low`` and ``high`` are the range it must lie in, inclusive. A value that is not a finite number
        in that range makes the evaluation missing (``invalid_score``), unless ``gate`` is false: then it
        is a figure beside the verdict. ``evaluator`` is who measured it,
        the test itself unless given. Raises ``ValueError`` for a name that is taken.
        """
        self._check_name(name)
        score = Score.measured(
            name,
            value,
            evaluator=evaluator or self._running.task.evaluator,
            unit=unit,
            higher_is_better=higher_is_better,
            low=low,
            high=high,
            gates=gate,
        )
        self._running.scores.append(score)
        return score

    def judge(
        self,
        question: str,
        reply: str | Reply,
        *,
        criteria: str | None = None,
        reference: str | None = None,
        against: str | Reply | None = None,
        votes: int = 1,
        name: str = "judge",
        canary: str | PathLike[str] | None = None,
        allow_self: bool = False,
    ) -> Judgement:
        """Ask the model of ``--infer-judge`` whether ``reply`` answers ``question``, and record its score.

        ``criteria`` is what a reply must do to pass, ``None``: answer correctly and completely;
        ``reference`` an answer known to be right. With ``against``, another reply, the judge says which of
        the two is better, asked in both orders. ``votes``: more than half of so many must agree. ``name`` is
        the score's: 1 for pass, 0 for fail, 0.5 for a tie. ``canary`` is a file with further rows, from the
        test file, that the judge must get right before its scores count. ``allow_self`` lets the model under
        test be the judge.

        The caller asserts on ``judgement.passed``. Without a verdict the score is missing, and so is the
        evaluation, whatever its assertions say. Raises ``NoAnswer`` for a reply with nothing to judge and
        ``ValueError`` for a name that is taken.
        """
        self._check_name(name)
        return self._asker.bench.judge(
            self._running,
            question=question,
            reply=reply,
            criteria=criteria,
            reference=reference,
            against=against,
            votes=votes,
            name=name,
            canary=canary,
            allow_self=allow_self,
        )

    def _check_name(self, name: str) -> None:
        if name == PASSED:
            raise ValueError(f"score {name!r} is the verdict itself; give this score another name")
        if any(score.name == name for score in self._running.scores):
            raise ValueError(f"score {name!r} is recorded already; give each score a name of its own")

    def _settings(
        self, endpoint: Endpoint, sampling: Mapping[str, Any], allow: Sequence[str | Reason]
    ) -> tuple[Mapping[str, Any], frozenset[Reason]]:
        declaration = self._running.task.declaration
        where = self._running.evaluation.nodeid
        settings = parse_sampling(sampling, defaults=declaration.sampling, endpoint=endpoint, where=where)
        check_schema(settings, where)
        return seeded(settings, self._running), self._allowed(allow)

    def _allowed(self, allow: Sequence[str | Reason]) -> frozenset[Reason]:
        where = self._running.evaluation.nodeid
        return self._running.task.declaration.allow | parse_allow(allow, where=where)
