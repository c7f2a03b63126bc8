"""What ``infer_wer`` says about the clips of an eval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..evidence import InfergateError
from .errors import DeclarationError, did_you_mean, excerpt
from .sampling import is_number

#: Arguments that say what is enough, not what is measured: no part of the task digest.
WER_GATE_ARGUMENTS = ("max", "corpus_max")
WER_ARGUMENTS = (*WER_GATE_ARGUMENTS, "normalizer", "metric", "language", "fallback")


class ErrorMetric(Enum):
    """Which rate: errors of words, errors of characters, or the share of word matches that are wrong."""

    WER = "wer"
    CER = "cer"
    MER = "mer"


@dataclass(frozen=True, slots=True, kw_only=True)
class WerDeclaration:
    """How the clips of a task are measured, and what is enough.

    ``max`` is the limit of each clip's rate and ``corpus_max`` that of all clips together, from 0; ``None``:
    there is none. ``normalizer`` is the name of one, ``language`` what a transcriber is told is spoken,
    ``None``: it finds out. ``allows_fallback`` ``None``: as the session says.
    """

    max: float | None = None
    corpus_max: float | None = None
    normalizer: str = "basic"
    metric: ErrorMetric = ErrorMetric.WER
    language: str | None = None
    allows_fallback: bool | None = None


def parse_wer(
    args: Sequence[object],
    kwargs: Mapping[str, Any],
    *,
    where: str,
    normalizers: Sequence[str],
    read_language: Callable[[object], str],
) -> WerDeclaration:
    """Read the arguments of one ``infer_wer`` marker.

    ``where`` (the test's file and line) begins every message. ``normalizers`` are the names there are;
    ``read_language`` returns the code of a language or raises ``InfergateError`` with what it takes. Raises
    ``DeclarationError``.
    """
    where = f"{where}: infer_wer"
    if args:
        raise DeclarationError(
            f"{where} got {excerpt(args[0])} without a name; it takes keyword arguments only: "
            f"{', '.join(WER_ARGUMENTS)}"
        )
    for name in kwargs:
        if name not in WER_ARGUMENTS:
            raise DeclarationError(
                f"{where}: unknown argument {name!r}{did_you_mean(name, WER_ARGUMENTS)}; valid: "
                f"{', '.join(WER_ARGUMENTS)}"
            )
    metrics = [metric.value for metric in ErrorMetric]
    metric = ErrorMetric(_one_of(kwargs, "metric", "wer", metrics, where))
    for name in WER_GATE_ARGUMENTS:
        # The rates of the other two are above 1 where more was made up than there is to be said.
        if metric is ErrorMetric.MER and _limit(kwargs, name, where) == 1:
            raise DeclarationError(
                f"{where}: {name}={excerpt(kwargs[name])} with metric='mer', which is never above 1, so that "
                "anything holds; accepted: less than 1"
            )
    fallback = _one_of(kwargs, "fallback", None, ("forbid", "allow"), where)
    return WerDeclaration(
        max=_limit(kwargs, "max", where),
        corpus_max=_limit(kwargs, "corpus_max", where),
        normalizer=_one_of(kwargs, "normalizer", "basic", normalizers, where),
        metric=metric,
        language=_language(kwargs.get("language"), read_language, where),
        allows_fallback=None if fallback is None else fallback == "allow",
    )


def _limit(kwargs: Mapping[str, Any], name: str, where: str) -> float | None:
    value = kwargs.get(name)
    if value is None:
        return None
    if not (is_number(value) and 0 <= value <= 1):
        raise DeclarationError(
            f"{where}: {name}={excerpt(value)}; accepted: a number from 0 to 1; write 10 % as 0.1"
        )
    return float(value)


def _one_of(
    kwargs: Mapping[str, Any], name: str, default: str | None, accepted: Sequence[str], where: str
) -> Any:
    value = kwargs.get(name, default)
    if value is None or (isinstance(value, str) and value in accepted):
        return default if value is None else value
    near = did_you_mean(value, accepted) if isinstance(value, str) else ""
    raise DeclarationError(f"{where}: {name}={excerpt(value)}{near}; accepted: {', '.join(accepted)}")


def _language(value: object, read: Callable[[object], str], where: str) -> str | None:
    if value is None:
        return None
    try:
        return read(value)
    except InfergateError as error:
        raise DeclarationError(f"{where}: {error}") from error
