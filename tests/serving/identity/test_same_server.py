"""Which fields keep a server from being the one that another session asked."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_infergate.serving import Known, Origin, ServerIdentity, differing_fields


def identity(
    engine: str = "ollama", *, origin: Origin = Origin.PROBED, sampling: Any = None, **fields: Any
) -> ServerIdentity:
    known = {
        name: value if isinstance(value, Known) else Known(value, origin) for name, value in fields.items()
    }
    defaults = {"top_k": Known(sampling, Origin.PROBED)} if sampling is not None else {}
    return ServerIdentity(
        engine=engine,
        url="http://127.0.0.1:1",
        fields={"model": Known("m", Origin.PROBED), **known},
        sampling_defaults=defaults,
    )


def of_reply(value: str) -> Known:
    return Known(value, Origin.REPLY)


@pytest.mark.parametrize(
    ("there", "now", "fields"),
    [
        (identity(), identity(), []),
        (identity(model="a"), identity(model="b"), ["model"]),
        (identity("vllm"), identity("sglang"), ["engine"]),
        # Without proof the engine is unknown, which is not known to be the same.
        (identity("vllm"), identity("generic"), ["engine"]),
        (identity("generic"), identity("generic"), []),
        # 1 and true are equal in Python and are not the same report.
        (identity(slots=1), identity(slots=True), ["slots"]),
        (identity(sampling=40), identity(sampling=20), ["sampling_defaults.top_k"]),
        (identity(quantization="Q8_0"), identity(), ["quantization"]),
        (identity(), identity(quantization="Q8_0"), ["quantization"]),
        # Where it started and what it has loaded is not what it is.
        (identity(started_at=1), identity(started_at=2), []),
        (identity(loaded=True), identity(loaded=False), []),
        (identity(loaded=True), identity(), []),
        # Some engines tell a part of their settings of a loaded model only.
        (identity(loaded=False), identity(loaded=True, context_length=4096), []),
        (identity(loaded=True, context_length=4096), identity(loaded=False), []),
        (identity(loaded=True), identity(loaded=True, context_length=4096), ["context_length"]),
        (identity(loaded=True), identity(loaded=False, context_length=4096), ["context_length"]),
        # A person can always say it again, and a file can be read again.
        (
            identity(loaded=False),
            identity(loaded=True, kernel=Known("a", Origin.DECLARED)),
            ["kernel"],
        ),
        (
            identity(loaded=True, weights_digest=Known("a", Origin.FILE)),
            identity(loaded=False),
            ["weights_digest"],
        ),
        # Nobody knows before the first reply.
        (identity(system_fingerprint=of_reply("a")), identity(), []),
        (identity(system_fingerprint=of_reply("a")), identity(system_fingerprint=of_reply("b")), []),
    ],
)
def test_what_differs(there: ServerIdentity, now: ServerIdentity, fields: list[str]) -> None:
    assert [one.field for one in differing_fields(there, now)] == fields


def test_a_difference_reads_with_both_values() -> None:
    (one,) = differing_fields(identity(quantization="Q8_0"), identity())
    assert str(one) == "quantization: Q8_0 (probed) there, unknown now"
