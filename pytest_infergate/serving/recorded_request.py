"""A request whose record is made with it: what stands there decides its digest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import Reason
from .options import check_options, digest_recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """What requests for sounds and pictures share.

    ``options`` are fields that the caller adds, ``allow`` the reasons for missing evidence that it lifts.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    allow: frozenset[Reason] = frozenset()
    _recorded: Mapping[str, Any] = field(init=False, repr=False, compare=False)

    def _record(self, endpoint: str, asked: Mapping[str, Any], own: tuple[str, ...]) -> None:
        """Make the record: what is asked, in the endpoint's own terms, and the options.

        ``own`` are the fields that are no options. Raises ``RequestError`` for one of these, and for what is
        no JSON.
        """
        check_options(endpoint, self.options, own)
        recorded = {"endpoint": endpoint, **asked, "sampling": dict(self.options)}
        object.__setattr__(self, "_recorded", recorded)
        digest_recorded(recorded)  # refuses what is no JSON

    @property
    def endpoint(self) -> str:
        return str(self._recorded["endpoint"])

    @property
    def digest(self) -> str:
        """Digest of ``as_json()``: what is asked, a clip by its bytes, and the options as first asked for."""
        return digest_recorded(self._recorded)

    def as_json(self) -> dict[str, Any]:
        """Return the form for the record."""
        return dict(self._recorded)
