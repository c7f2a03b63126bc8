"""The boxed answer of a reply."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence import NoAnswer, Reason
from .extractor import Extractor, GoldError, Sample
from .latex import find_last_box, find_listed_box
from .math_text import MathText


@dataclass(frozen=True, slots=True, repr=False)
class Boxed(Extractor[MathText]):
    """Read the last box as a ``MathText``, which equals every spelling of the same answer; see ``rule``.

    ``parse`` takes a text, with or without its box, or a number.
    """

    name = "boxed"
    version = "1"
    rule = (
        "The content of the last \\boxed{…} or \\fbox{…} whose braces balance, the outermost of nested "
        "ones; several in a list ('\\boxed{3} or \\boxed{5}') are no answer. Equal are: the same rational "
        "(fraction, mixed number, decimal, grouped digits, a·10^n); tuples and intervals with equal parts "
        "in order and the same brackets; sets with equal members; else the same text once spaces, \\left, "
        "\\right, text macros, degrees, %, currency, a unit after a number, 'x =' before it and a full "
        "stop are dropped and \\dfrac, \\leq, ≤ and the like have one spelling. Words are compared without "
        "case. No computer algebra."
    )

    def find(self, text: str, sample: Sample | None) -> MathText:
        box = find_last_box(text)
        if box is None or not box[1].strip():
            raise NoAnswer(Reason.NO_ANSWER, "extract.boxed found no \\boxed{…} with something in it")
        listed = find_listed_box(text, box[0])
        if listed is not None and MathText(listed) != MathText(box[1]):
            self.no_answer("single box: several are given as one list")
        return MathText(box[1].strip())

    def parse(self, gold: object) -> MathText:
        text = self.gold_text(gold)
        box = find_last_box(text)
        return MathText(box[1].strip() if box else text)

    def same(self, value: object, gold: object) -> bool:
        try:
            return self.parse(value) == self.parse(gold)
        except GoldError:
            return False


boxed = Boxed()
