"""The whole final answer of a reply, as text."""

from __future__ import annotations

from dataclasses import dataclass

from .extractor import Extractor, GoldError, Sample
from .wording import same_wording


@dataclass(frozen=True, slots=True, repr=False)
class FinalAnswer(Extractor[str]):
    """Read the reply without its reasoning; see ``rule``. ``parse`` takes any text that is not blank."""

    name = "final_answer"
    version = "1"
    rule = (
        "The text of the reply after its reasoning, without leaked tokens that end a turn and turns after "
        "them, stripped of surrounding white space and otherwise as written. `same` ignores differences of "
        "white space and of Unicode composition."
    )

    def find(self, text: str, sample: Sample | None) -> str:
        return text.strip()

    def parse(self, gold: object) -> str:
        if not isinstance(gold, str) or not gold.strip():
            raise GoldError(self.name, gold, "a text that is not blank")
        return gold.strip()

    def same(self, value: object, gold: object) -> bool:
        return same_wording(value, gold)


final_answer = FinalAnswer()
