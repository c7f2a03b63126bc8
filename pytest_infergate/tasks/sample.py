"""One row of a data set, or the only sample of a task without one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .errors import MissingFieldError, did_you_mean, listed

_SCALARS = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample(Mapping[str, Any]):
    """The fields of a row, with the row's id, digest and place. Equal to a dict of the same fields.

    Immutable in effect: a list or an object in it is handed out as a copy. ``id`` is unique in its
    task. ``digest`` is ``sha256:<hex>`` of all fields as read, a given ``id`` among them, since the
    eval sees that too. ``source`` is ``file:line`` (of Parquet: the row number from 1), for a task
    without a data set where the test stands. ``folder`` is what paths in the row resolve from,
    ``None`` without a data set.
    """

    id: str
    digest: str
    source: str
    folder: Path | None = None
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        # Repeats of a row share it: what one test writes into it must not reach the next.
        object.__setattr__(self, "fields", MappingProxyType(dict(self.fields)))

    def __getitem__(self, name: str) -> Any:
        """Return the field. Raises ``MissingFieldError``, a ``KeyError``, where there is none."""
        try:
            value = self.fields[name]
        except KeyError:
            raise MissingFieldError(
                f"{self.source}: sample {self.id!r} has no field {name!r}"
                f"{did_you_mean(str(name), self.fields)}; its fields: {listed(self.fields)}"
            ) from None
        return value if isinstance(value, _SCALARS) else deepcopy(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __contains__(self, name: object) -> bool:
        return name in self.fields
