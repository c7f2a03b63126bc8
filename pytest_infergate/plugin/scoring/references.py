"""References of ``visual.matches`` in a session: found, and written where a person asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...evidence import Missing, Reason
from ...report import server_text
from ...runs import RunFolderError, RunHead, utc_now
from ..evaluations.kept_media import NewReference
from .visual_checks import not_installed

if TYPE_CHECKING:
    from ...visual import CheckResult, Clip, Picture

FOLDER = "references"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundReference:
    """What a picture is held against.

    ``expected`` is the picture, or why there is none. ``png`` is the actual picture where it becomes the
    reference, ``actual`` where a person is to look at it.
    """

    path: Path
    media: Picture | Clip
    expected: Picture | Missing
    png: bytes | None = None
    actual: bytes | None = None
    provenance: Any = None

    def new(self, evaluation: str) -> NewReference:
        """Return what is to be written."""
        assert self.png is not None
        return NewReference(path=self.path, png=self.png, source=self.media.sha256, evaluation=evaluation)

    def shown(self, result: CheckResult) -> CheckResult:
        """Return the result with the actual picture beside it, where there was nothing to compare with."""
        if self.actual is None or result.artifacts:
            return result
        return replace(result, artifacts=(("actual", self.actual, ".png"),))

    def as_json(self) -> dict[str, Any]:
        return {"path": str(self.path), "provenance": self.provenance, "updated": self.png is not None}


def default_reference(nodeid: str, test_folder: Path, sample: str, score: str) -> Path:
    """Return where the reference of a test lies that names none."""
    from ...visual.references import reference_name

    file, *names = nodeid.split("::")
    parts = [".".join(names), sample, *([score] if score != "matches" else [])]
    return test_folder / FOLDER / Path(file).stem / reference_name(*parts)


def find_reference(path: Path, media: Picture | Clip, *, updates: bool) -> FoundReference:
    """Return what ``media`` is held against; with ``updates`` nothing, since it becomes the reference.

    Raises ``NoAnswer`` (``evaluator_unavailable``) where a library is not installed.
    """
    try:
        from ...visual import Picture
        from ...visual.difference_picture import png_of
        from ...visual.references import Reference, read_reference
    except ImportError as error:
        raise not_installed(error) from error
    found = read_reference(path)
    is_reference = isinstance(found, Reference)
    if not isinstance(media, Picture):  # the check says so
        return FoundReference(path=path, media=media, expected=Missing(Reason.NOT_EXERCISED, "no picture"))
    if not updates:
        if isinstance(found, Reference):
            return FoundReference(path=path, media=media, expected=found.picture, provenance=found.provenance)
        return FoundReference(path=path, media=media, expected=found, actual=png_of(media.rgba))
    if media.frames != 1:
        pages = f"{media.source} has {media.frames} pages, and a reference is one picture; give expected=…"
        return FoundReference(path=path, media=media, expected=Missing(Reason.INVALID_CONDITIONS, pages))
    if isinstance(found, Reference) and _is_same(found.picture, media):
        kept = f"updated: the reference {str(path)!r} has these pixels already; nothing was compared"
        return FoundReference(path=path, media=media, expected=Missing(Reason.NOT_EXERCISED, kept))
    what = "replaces" if is_reference else "writes"
    told = (
        f"updated: this run {what} the reference {str(path)!r}, unless the test fails or is skipped; nothing "
        "was compared, so look at it"
    )
    return FoundReference(
        path=path, media=media, expected=Missing(Reason.NOT_EXERCISED, told), png=png_of(media.rgba)
    )


def write_references(references: Sequence[NewReference], head: RunHead) -> None:
    """Write references that a person accepts, each with where it comes from.

    Raises ``RunFolderError`` where the disk does not take one.
    """
    from hashlib import sha256

    from ...visual.references import Provenance, write_reference

    for new in references:
        provenance = Provenance(
            sha256=sha256(new.png).hexdigest(),
            source=new.source,
            evaluation=new.evaluation,
            run=head.run_id,
            server=server_text(head.server) if head.server is not None else None,
            accepted=utc_now(),
            tool={"name": "pytest-infergate", "version": head.tool_version},
        )
        try:
            write_reference(new.path, new.png, provenance)
        except OSError as error:
            raise RunFolderError(
                f"cannot write the reference {str(new.path)!r}: {error.strerror or error}; make room and run "
                "again"
            ) from error


def _is_same(one: Picture, other: Picture) -> bool:
    return one.rgba.shape == other.rgba.shape and bool((one.rgba == other.rgba).all())
