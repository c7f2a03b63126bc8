"""The decoding options that faster-whisper works with: what is set, and its own defaults for the rest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

#: Of one call, and told elsewhere: the clip, and the language that is asked for.
_OF_A_CALL = ("self", "audio", "language", "log_progress")


def options_in_effect(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every option that decides the words, as JSON: ``given``, and for others the default.

    The defaults are read off the installed version: thresholds, penalties, the voice activity detection's.
    """
    from dataclasses import asdict
    from inspect import signature

    from faster_whisper import WhisperModel
    from faster_whisper.vad import VadOptions

    found = {
        name: parameter.default
        for name, parameter in signature(WhisperModel.transcribe).parameters.items()
        if name not in _OF_A_CALL
    }
    found.update(given)
    if found["vad_filter"] and found["vad_parameters"] is None:
        found["vad_parameters"] = asdict(VadOptions())
    return {name: _as_json(value) for name, value in found.items()}


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _as_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # no limit
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
