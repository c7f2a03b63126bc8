"""Frames of a reply body to one reply, or to the reason why there is none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..evidence import Missing, Reason, Reply, Usage, split_reasoning
from .failure import ServerFailure, parse_failure, show
from .stream import Frame, FrameKind, FrameReader
from .stream_text import join_pieces, read_parts, read_thought
from .stream_tools import ToolCallPieces

#: Raw control characters inside strings are no JSON, and no reason to lose a reply.
_DECODE = json.JSONDecoder(strict=False).decode
#: The last repeats, as typed parts, what another says where both are sent.
_REASONING_NAMES = ("reasoning", "reasoning_content", "reasoning_text", "thinking", "reasoning_details")
_FIELDS = ("data", "event", "error", "id", "retry")
#: Finish reasons that a later one may replace.
_PLAIN_ENDS = (None, "stop", "tool_calls", "function_call")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledReply:
    """What came. ``reply`` is ``None`` where no token came; ``error`` is why it is not to be used.

    Times are those given with the bytes: of the first token of any channel, of the first that belongs
    to the answer, of the last of any channel.
    """

    reply: Reply | None
    error: Missing | None
    is_done: bool
    first_token: float | None
    first_content: float | None
    last_token: float | None


class ReplyAssembly:
    """Take the bytes of a body with the time they came; give the reply. Pure: no clock, no network.

    ``status`` and ``content_type`` are named in errors about a body that is no reply.
    """

    def __init__(self, *, status: int = 200, content_type: str = "") -> None:
        self._where = f"HTTP {status} {content_type or 'without content type'}"
        self._reader = FrameReader()
        self._text: list[str] = []
        self._text_times: list[float] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._tools = ToolCallPieces()
        self._finish_reason: str | None = None
        self._usage: dict[str, int] = {}
        self._model: str | None = None
        self._fingerprint: str | None = None
        self._error: Missing | None = None
        self._torn: str | None = None
        self._other: str | None = None
        self._has_choice = False
        self._is_whole_object = False
        self._has_delta = False
        self._first_token: float | None = None
        self._first_other: float | None = None
        self._last_token: float | None = None
        self.is_done = False

    @property
    def is_over(self) -> bool:
        """Whether nothing of use can follow: the end mark or an error came."""
        return self.is_done or self._error is not None

    def feed(self, data: bytes, at: float) -> None:
        """Take bytes that came at ``at`` (monotonic seconds)."""
        for frame in self._reader.feed(data):
            self._take(frame, at)

    def finish(self, at: float, because: str = "the body ended", *, is_whole: bool = True) -> AssembledReply:
        """Take the end of the body and return what there is; ``because`` says how it ended.

        ``is_whole`` is for answers that count only whole: a reply says itself whether it ended.
        """
        for frame in self._reader.finish():
            self._take(frame, at)
        text, inline, at_content = self._split()
        reasoning = join_pieces(self._reasoning)
        reply = None
        if (reasoning or inline) and self._usage.get("reasoning_tokens") == 0:
            del self._usage["reasoning_tokens"]  # SGLang says 0 for what it does not count
        if self._first_token is not None or self._finish_reason:
            reply = Reply(
                text=text,
                reasoning="\n\n".join(part for part in (reasoning, inline) if part),
                tool_calls=self._tools.finish(),
                finish_reason=self._finish_reason,
                refusal=join_pieces(self._refusal) or None,
                usage=Usage(**self._usage) if self._usage else None,
                served_model=self._model,
                fingerprint=self._fingerprint,
            )
        answers = [t for t in (at_content, self._first_other) if t is not None]
        seen = not self._is_whole_object
        return AssembledReply(
            reply=reply,
            error=self._error or self._end_error(reply, because),
            is_done=self.is_done,
            first_token=self._first_token if seen else None,
            first_content=min(answers) if answers and seen else None,
            last_token=self._last_token if seen else None,
        )

    def _end_error(self, reply: Reply | None, because: str) -> Missing | None:
        if self._finish_reason and reply is not None:
            return reply.missing
        if self._torn is not None:
            return Missing(Reason.BROKEN_STREAM, f"{because} inside an event: {show(self._torn)}")
        if self._other is not None and not self._has_choice:
            return Missing(Reason.SERVER_ERROR, f"no reply in {self._where}: {show(self._other)}")
        if self.is_done:
            return Missing(Reason.BROKEN_STREAM, "the stream said [DONE] without a finish reason")
        begun = "without a finish reason" if reply else "before the first token"
        return Missing(Reason.BROKEN_STREAM, f"{because} {begun}")

    def _take(self, frame: Frame, at: float) -> None:
        if self.is_done:
            return
        kind, text, is_torn = frame
        if text == "[DONE]" or text.strip().upper() == "[DONE]":
            self.is_done = True
            return
        try:
            value = _DECODE(text)
        except (ValueError, RecursionError):
            self._take_unreadable(kind, text, is_torn, at)
            return
        if kind is FrameKind.ERROR:
            failure = parse_failure(value) or parse_failure({"error": value or text})
            self._fail(failure or ServerFailure(message=text))
        elif isinstance(value, dict):
            self._take_object(value, text, at)
        else:
            self._other = text

    def _take_unreadable(self, kind: FrameKind, text: str, is_torn: bool, at: float) -> None:
        if kind is FrameKind.DATA and "\n" in text and not is_torn:
            lines = text.split("\n")
            if all(_is_json(line) for line in lines):  # events written without the empty line between
                for line in lines:
                    self._take(Frame(kind, line), at)
                return
        if kind is FrameKind.ERROR:
            self._fail(ServerFailure(message=text))
        elif is_torn and _is_begun(kind, text.lstrip()):
            self._torn = text
        else:
            what = "an event that is no JSON" if kind is FrameKind.DATA else "a body that is no reply"
            self._fail_with(Missing(Reason.SERVER_ERROR, f"{what} in {self._where}: {show(text)}"))

    def _take_object(self, value: dict[str, Any], text: str, at: float) -> None:
        failure = parse_failure(value)
        if failure is not None:
            self._fail(failure)
            return
        self._take_usage(value.get("usage"))
        choices = value.get("choices")
        if not isinstance(choices, list):
            self._other = text
            return
        fingerprint = value.get("system_fingerprint")
        if fingerprint and isinstance(fingerprint, str):
            self._fingerprint = fingerprint
        for choice in choices:
            if isinstance(choice, dict) and choice.get("index") in (None, 0, "0"):
                self._has_choice = True
                model = value.get("model")
                if self._take_choice(choice, at) and model and isinstance(model, str):
                    self._model = model

    def _take_choice(self, choice: dict[str, Any], at: float) -> bool:
        """Return whether the choice carried anything; keep-alives look like chunks and do not."""
        failure = parse_failure({"error": choice["error"]}) if choice.get("error") else None
        if failure is not None:
            self._fail(failure)
            return False
        delta: Any = choice.get("delta")
        if not isinstance(delta, dict):
            delta = choice.get("message")
            if not isinstance(delta, dict):
                delta = choice
            elif self._has_delta:
                delta = {}  # the sum of what came in pieces
            else:
                self._is_whole_object = True
        else:
            self._has_delta = True
        content = delta.get("content")
        if content is None and delta is choice:
            content = choice.get("text")
        came = False
        if content:
            if not isinstance(content, str):
                content, thinking = read_parts(content)
                if thinking:
                    self._reasoning.append(thinking)
                    came = True
            if content:
                self._text.append(content)
                self._text_times.append(at)
                came = True
        for name in _REASONING_NAMES:
            thought = read_thought(delta.get(name))
            if thought:
                self._reasoning.append(thought)
                came = True
                break
        refusal = delta.get("refusal")
        other = False
        if refusal and isinstance(refusal, str):
            self._refusal.append(refusal)
            other = True
        if delta.get("tool_calls"):
            other |= self._tools.add(delta["tool_calls"], are_whole=self._is_whole_object)
        if delta.get("function_call"):
            other |= self._tools.add_function(delta["function_call"])
        if other and self._first_other is None:
            self._first_other = at
        if came or other:
            if self._first_token is None:
                self._first_token = at
            self._last_token = at
        self._take_usage(choice.get("usage"))  # Moonshot's place for it
        reason = choice.get("finish_reason")
        # A "stop" that follows a cut does not undo it.
        if reason and isinstance(reason, str) and self._finish_reason in _PLAIN_ENDS:
            self._finish_reason = reason.lower()  # some gateways shout
        return came or other or bool(reason)

    def _take_usage(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        prompt = usage.get("prompt_tokens_details")
        completion = usage.get("completion_tokens_details")
        for name, value in (
            ("prompt_tokens", usage.get("prompt_tokens")),
            ("completion_tokens", usage.get("completion_tokens")),
            ("cached_tokens", prompt.get("cached_tokens") if isinstance(prompt, dict) else None),
            ("reasoning_tokens", usage.get("reasoning_tokens")),  # SGLang's place for it
            (
                "reasoning_tokens",
                completion.get("reasoning_tokens") if isinstance(completion, dict) else None,
            ),
        ):
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
                self._usage[name] = value  # running totals: the last one counts

    def _fail(self, failure: ServerFailure) -> None:
        self._fail_with(failure.missing(f"error inside {self._where}"))

    def _fail_with(self, error: Missing) -> None:
        if self._error is None:
            self._error = error

    def _split(self) -> tuple[str, str, float | None]:
        """Answer, reasoning written into the text, and when the answer began."""
        whole = join_pieces(self._text)
        inline, answer, is_open = split_reasoning(whole)
        if not self._text or is_open or not answer:
            return answer, inline, None
        if answer == whole:
            return answer, inline, self._text_times[0]
        begins, end = whole.rfind(answer), 0
        for piece, at in zip(self._text, self._text_times, strict=True):
            end += len(piece)
            if end > begins:
                return answer, inline, at
        return answer, inline, self._text_times[-1]


def _is_begun(kind: FrameKind, text: str) -> bool:
    """Whether ``text`` is the beginning of what a stream holds, rather than something else."""
    if not text or text[0] in "{[":
        return True
    return kind is FrameKind.UNFRAMED and any(name.startswith(text) for name in _FIELDS)


def _is_json(line: str) -> bool:
    try:
        _DECODE(line)
    except (ValueError, RecursionError):
        return line.strip() == "[DONE]"
    return True
