"""What a comparison is asked, said by a person or by the candidate's own session."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..runs import read_run
from .comparing import MARGIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """``margin`` is for tasks that have none of their own. ``treatment`` ``None``: any field may differ.

    ``notes`` say what was taken from the candidate's session.
    """

    margin: float = MARGIN
    treatment: tuple[str, ...] | None = None
    notes: tuple[str, ...] = ()


def terms_of(candidate: Path, *, margin: float | None, treatment: tuple[str, ...] | None) -> Terms:
    """Return the terms of a comparison; ``None`` where nobody gave any.

    Then those hold that the candidate's session was given, so that a command and a session do not come to
    two outcomes of one comparison. Raises ``RunFolderError`` where the candidate cannot be read.
    """
    settings = read_run(candidate).head.settings if candidate.is_dir() else {}  # a baseline file has none
    notes = []
    if margin is None:
        given = settings.get("margin")
        margin = given if isinstance(given, int | float) else MARGIN
        if margin != MARGIN:
            notes.append(
                f"the margin is {margin:g}, as the candidate's session was given; --margin=X says another"
            )
    if treatment is None and settings.get("treatment"):
        treatment = tuple(settings["treatment"])
        fields = ",".join(treatment)
        notes.append(
            f"the treatment is {fields}, as the candidate's session was given; --treatment=FIELD,… says "
            "another"
        )
    return Terms(margin=margin, treatment=treatment, notes=tuple(notes))
