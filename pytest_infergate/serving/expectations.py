"""What a person expects of a server and what he declares about it: ``FIELD=VALUE``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from ..evidence import InfergateError, canonical_json
from .identity import JSON, VOCABULARY, Known, Origin, ServerIdentity

_FIELD = re.compile(r"[a-z][a-z0-9_.-]*")


class FieldValueError(InfergateError):
    """A ``FIELD=VALUE`` cannot be read."""


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field of a server's identity with a value as written.

    The field is ``engine``, a name of ``VOCABULARY``, or a name of the user's own for what no server tells.
    """

    field: str
    text: str

    @property
    def value(self) -> JSON:
        """The number, ``true`` or ``false`` that the text is the spelling of, else the text itself.

        Texts that merely look like numbers stay texts: a version ``0.30`` is not ``0.3``.
        """
        value = _read_json(self.text)
        if isinstance(value, bool | int | float) and canonical_json(value) == self.text:
            return value
        return self.text

    def is_met_by(self, value: JSON) -> bool:
        """Whether ``value`` is what was written: numbers by their size, all else exactly."""
        if isinstance(value, str):
            return value == self.text or value == _read_json(self.text)
        written = _read_json(self.text)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return isinstance(written, int | float) and not isinstance(written, bool) and written == value
        return written is not None and canonical_json(written) == canonical_json(value)

    def __str__(self) -> str:
        return f"{self.field}={self.text}"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A statement about the server that does not hold, or cannot be seen to hold."""

    stated: FieldValue
    found: Known | None
    message: str

    def __str__(self) -> str:
        return self.message


def parse_field_value(text: str) -> FieldValue:
    """Read ``FIELD=VALUE``; the value may hold further ``=``. Raises ``FieldValueError``."""
    field, equals, value = text.partition("=")
    field, value = field.strip(), value.strip()
    if not equals or not value or not _FIELD.fullmatch(field):
        raise FieldValueError(
            f"{text!r} is not FIELD=VALUE; write for example quantization=Q8_0, with one of "
            f"{', '.join(('engine', *VOCABULARY))} or a lower-case name of your own"
        )
    return FieldValue(field, value)


def declare_fields(
    identity: ServerIdentity, declared: Iterable[FieldValue]
) -> tuple[ServerIdentity, list[Mismatch]]:
    """Add what the server does not tell, with the origin ``declared``.

    What the server does tell stays as it told it; declaring something else about it is a mismatch, and so
    are two values for one field.
    """
    mismatches = []
    for stated in declared:
        found = identity.known(stated.field)
        if found is None:
            identity = identity.with_fields({stated.field: Known(stated.value, Origin.DECLARED)})
        elif not stated.is_met_by(found.value):
            mismatches.append(
                Mismatch(
                    stated,
                    found,
                    f"{stated.field} is declared as {stated.text!r}, and the server has {found}"
                    if found.origin is not Origin.DECLARED
                    else f"{stated.field} is declared twice, as {_show(found)} and as {stated.text!r}",
                )
            )
    return identity, mismatches


def check_expectations(identity: ServerIdentity, expected: Iterable[FieldValue]) -> list[Mismatch]:
    """Return the expectations that do not hold.

    An unknown field holds nothing: it is a mismatch. A declared value meets an expectation, since
    declarations exist only where the server tells nothing; ``describe_basis`` says that it was declared.
    """
    mismatches = []
    for stated in expected:
        found = identity.known(stated.field)
        if found is None:
            mismatches.append(Mismatch(stated, None, _unknown(identity, stated)))
        elif not stated.is_met_by(found.value):
            message = f"{stated.field} is expected to be {stated.text!r}, and the server has {found}"
            mismatches.append(Mismatch(stated, found, message))
    return mismatches


def describe_basis(identity: ServerIdentity, expected: Iterable[FieldValue]) -> str:
    """Say on one line what each expected field is and where that is from, for the detail of a gate."""
    return ", ".join(f"{s.field}: {identity.known(s.field) or 'unknown'}" for s in expected)


def _unknown(identity: ServerIdentity, stated: FieldValue) -> str:
    near = get_close_matches(stated.field, ("engine", *VOCABULARY, *identity.fields), n=1)
    if stated.field not in VOCABULARY and stated.field != "engine" and near:
        return (
            f"{stated.field} is expected to be {stated.text!r}, and no such field is known; is it {near[0]}?"
        )
    return (
        f"{stated.field} is expected to be {stated.text!r}, "
        f"and this server ({identity.engine}) does not tell it; "
        f"state it with --infer-declare {stated} if you know it"
    )


def _show(known: Known) -> str:
    return repr(known.value) if isinstance(known.value, str) else canonical_json(known.value)


def _read_json(text: str) -> JSON:
    try:
        value: JSON = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return value


def _refuse_constant(name: str) -> JSON:
    raise ValueError(f"{name} is not JSON")
