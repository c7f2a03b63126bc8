"""How a text that was read differs from the one expected, character by character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .comparable_text import comparable


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDifference:
    """Counts of characters, without spaces: ``hits`` and three kinds of errors, by the cheapest alignment.

    ``length`` is of the expected text. ``aligned`` shows both in one line: ``17[6>8]0``, ``[>x]`` for one too
    many, ``[x>]`` for one that is not there.
    """

    hits: int
    substitutions: int
    deletions: int
    insertions: int
    length: int
    aligned: str

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """The character error rate: errors by ``length``, 0 and up; above 1 where too much was read."""
        return self.errors / self.length

    def as_json(self) -> dict[str, Any]:
        return {
            "hits": self.hits,
            "substitutions": self.substitutions,
            "deletions": self.deletions,
            "insertions": self.insertions,
            "length": self.length,
            "aligned": self.aligned,
        }


def text_difference(read: str, expected: str) -> TextDifference:
    """Align two texts by ``comparable``, at cost 1 for each error (Levenshtein 1966).

    Raises ``ValueError`` where nothing is expected: a rate of nothing is no number.
    """
    import jiwer

    wanted, seen = comparable(expected), comparable(read)
    if not wanted:
        raise ValueError(f"nothing is expected to be read: {expected!r}")
    if not seen:
        return TextDifference(
            hits=0,
            substitutions=0,
            deletions=len(wanted),
            insertions=0,
            length=len(wanted),
            aligned=f"[{wanted}>]",
        )
    # Word by word of one character each: jiwer's own characters are stripped of what it takes for space.
    found = jiwer.process_words(" ".join(wanted), " ".join(seen))
    parts = []
    for chunk in found.alignments[0]:
        there = wanted[chunk.ref_start_idx : chunk.ref_end_idx]
        came = seen[chunk.hyp_start_idx : chunk.hyp_end_idx]
        parts.append(there if chunk.type == "equal" else f"[{there}>{came}]")
    return TextDifference(
        hits=found.hits,
        substitutions=found.substitutions,
        deletions=found.deletions,
        insertions=found.insertions,
        length=len(wanted),
        aligned="".join(parts),
    )
