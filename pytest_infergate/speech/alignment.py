"""Two texts, word by word or character by character: what was heard right, wrong, not at all, or made up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ..evidence import InfergateError
from .boundaries import unknown_words, without_meaningless_spaces
from .normalizing import Normalizer, is_spoken


class AlignmentError(InfergateError):
    """Two texts cannot be measured against each other as was asked: a fault of the evaluation."""


class Unit(Enum):
    """What is counted."""

    WORD = "word"
    CHARACTER = "character"


class Operation(Enum):
    """What became of a stretch of the reference."""

    HIT = "hit"
    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch with one operation: ranges of tokens, from start up to and without end."""

    operation: Operation
    reference_start: int
    reference_end: int
    hypothesis_start: int
    hypothesis_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """The alignment with the fewest errors, each of which counts 1 (Levenshtein).

    ``reference`` and ``hypothesis`` are the tokens that were compared, normalized: words, or the code points
    of the composed text (NFC). ``hits + substitutions + deletions`` is the length of the reference,
    ``hits + substitutions + insertions`` that of the hypothesis.
    """

    unit: Unit
    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    chunks: tuple[Chunk, ...]
    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> int:
        return len(self.reference)

    @property
    def rate(self) -> float | None:
        """Errors / reference length: WER of words, CER of characters; above 1 where much was made up.

        ``None`` for an empty reference, which has no rate; its insertions still count in a pool.
        """
        return self.errors / len(self.reference) if self.reference else None

    @property
    def match_error_rate(self) -> float | None:
        """Errors / (hits + errors), 0 to 1; ``None`` where both texts are empty.

        Source: Morris, Maier, Green, "From WER and RIL to MER and WIL", Interspeech 2004.
        """
        pairs = self.hits + self.errors
        return self.errors / pairs if pairs else None


def align(reference: str, hypothesis: str, normalizer: Normalizer, unit: Unit = Unit.WORD) -> Alignment:
    """Align ``hypothesis`` with ``reference``, both normalized; a text in which nothing is spoken is empty.

    Characters are code points of the composed text (NFC), as published character error rates count them.
    One space between two words is a character; beside a script without spaces between words it is none.

    Raises ``AlignmentError`` for what is no text, for words of a reference in a script without spaces between
    words (two such characters in a row are enough, also amid other scripts: nobody knows how many words they
    are), and where the normalizer is unfit for the reference. A hypothesis is never refused: one in the wrong
    script is a wrong transcript.
    """
    for what, text in (("reference", reference), ("hypothesis", hypothesis)):
        if not isinstance(text, str):
            raise AlignmentError(f"the {what} is {_shown(text)}; accepted: one text (str)")
    refusal = normalizer.refuses(reference)
    if refusal is not None:
        raise AlignmentError(refusal)
    expected, heard = (_spoken(normalizer(text)) for text in (reference, hypothesis))
    if unit is Unit.CHARACTER:
        return align_tokens(_characters(expected), _characters(heard), unit)
    unknown = unknown_words(expected)
    if unknown is not None:
        raise AlignmentError(
            f"the reference holds {_shown(unknown)}, in a script without spaces between words: nobody knows "
            "how many words that is, so it has no word error rate; use metric='cer'"
        )
    return align_tokens(tuple(expected.split()), tuple(heard.split()), unit)


def align_tokens(reference: Sequence[str], hypothesis: Sequence[str], unit: Unit) -> Alignment:
    """Align tokens as they are."""
    reference, hypothesis = tuple(reference), tuple(hypothesis)
    if not (reference and hypothesis):
        return _one_sided(reference, hypothesis, unit)
    from jiwer import process_words

    # Lists of tokens pass through untouched: jiwer's own rules split at U+0020 alone and compose nothing.
    found = process_words(
        [list(reference)],  # type: ignore[list-item]
        [list(hypothesis)],  # type: ignore[list-item]
        _unchanged,  # type: ignore[arg-type]
        _unchanged,  # type: ignore[arg-type]
    )
    return Alignment(
        unit=unit,
        reference=reference,
        hypothesis=hypothesis,
        chunks=tuple(
            Chunk(
                operation=_OPERATIONS[chunk.type],
                reference_start=chunk.ref_start_idx,
                reference_end=chunk.ref_end_idx,
                hypothesis_start=chunk.hyp_start_idx,
                hypothesis_end=chunk.hyp_end_idx,
            )
            for chunk in found.alignments[0]
        ),
        hits=found.hits,
        substitutions=found.substitutions,
        deletions=found.deletions,
        insertions=found.insertions,
    )


_OPERATIONS = {
    "equal": Operation.HIT,
    "substitute": Operation.SUBSTITUTION,
    "delete": Operation.DELETION,
    "insert": Operation.INSERTION,
}


def _unchanged(tokens: list[list[str]]) -> list[list[str]]:
    return tokens


def _one_sided(reference: tuple[str, ...], hypothesis: tuple[str, ...], unit: Unit) -> Alignment:
    """Align with nothing: jiwer has no alignment for it in every version, and calls a count a rate."""
    operation = Operation.DELETION if reference else Operation.INSERTION
    whole = Chunk(
        operation=operation,
        reference_start=0,
        reference_end=len(reference),
        hypothesis_start=0,
        hypothesis_end=len(hypothesis),
    )
    return Alignment(
        unit=unit,
        reference=reference,
        hypothesis=hypothesis,
        chunks=(whole,) if reference or hypothesis else (),
        hits=0,
        substitutions=0,
        deletions=len(reference),
        insertions=len(hypothesis),
    )


def _spoken(normalized: str) -> str:
    return normalized if is_spoken(normalized) else ""


def _characters(normalized: str) -> tuple[str, ...]:
    return tuple(without_meaningless_spaces(normalized))


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
