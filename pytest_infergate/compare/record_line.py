"""What a comparison reads of a line of ``records.jsonl``; the rest of the line is passed over."""

from __future__ import annotations

from typing import Annotated, TypeVar

from msgspec import Meta, MsgspecError, Raw, Struct
from msgspec.json import Decoder

from ..evidence import RECORD_SCHEMA, Reason, Role, Verdict

_T = TypeVar("_T")
_Count = Annotated[int, Meta(ge=0)]


class TaskLine(Struct, frozen=True):
    """The test function."""

    name: str
    version: str
    digest: str


class SampleLine(Struct, frozen=True):
    """The row of the data set."""

    id: str
    digest: str


class MissingLine(Struct, frozen=True):
    """Why there is no evidence."""

    reason: Reason


class PooledLine(Struct, frozen=True):
    """The counts behind a rate."""

    part: int | float
    whole: int | float


class ScoreLine(Struct, frozen=True):
    """A score. What many scores share is left as it is written, ``null`` included: it is read once."""

    name: str
    value: float | None
    unit: str
    higher_is_better: bool
    evaluator: Raw
    fallback: Raw
    missing: MissingLine | None
    pooled: PooledLine | None
    details: Raw


class CallLine(Struct, frozen=True):
    """A tool that the model called."""

    name: str
    arguments: str
    id: str | None


class ArtifactLine(Struct, frozen=True):
    """A file that came back."""

    sha256: str


class ReplyLine(Struct, frozen=True):
    """What came back of a request."""

    text: str
    reasoning: str
    finish_reason: str | None
    refusal: str | None
    tool_calls: tuple[CallLine, ...]
    artifact: ArtifactLine | None


class ExchangeLine(Struct, frozen=True):
    """A request and what became of it."""

    role: Role
    request_digest: str
    reply: ReplyLine | None
    error: MissingLine | None


class DetailsLine(Struct, frozen=True):
    """What a score says of itself, as far as a comparison needs it.

    ``against`` is the sha256 of the picture or clip that was looked at beside the model's.
    """

    against: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None


class RecordLine(Struct, frozen=True):
    """One evaluation."""

    schema: str
    id: str
    task: TaskLine
    sample: SampleLine
    repeat: _Count
    verdict: Verdict
    missing: MissingLine | None
    expected_failure: bool
    scores: tuple[ScoreLine, ...]
    exchanges: tuple[ExchangeLine, ...]


def parse_record(raw: bytes) -> RecordLine:
    """Read a line. Raises ``ValueError``, saying what is wrong and where, for what is no record."""
    if not raw.isascii():
        raise ValueError("a byte is not ASCII")
    record = _parse(_RECORD, raw)
    if record.schema != RECORD_SCHEMA:
        raise ValueError(f"schema {record.schema!r} is not {RECORD_SCHEMA!r}")
    return record


def parse_details(raw: Raw) -> DetailsLine | None:
    """Read the details of a score. Raises ``ValueError``, saying what is wrong."""
    return _parse(_DETAILS, raw)


def _parse(decoder: Decoder[_T], raw: bytes | Raw) -> _T:
    try:
        return decoder.decode(raw)
    except (MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from error


_RECORD = Decoder(RecordLine)
_DETAILS: Decoder[DetailsLine | None] = Decoder(DetailsLine | None)
