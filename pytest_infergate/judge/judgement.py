"""What a judge came to."""

from __future__ import annotations

from dataclasses import dataclass

from ..evidence import Missing, NoAnswer
from .verdict import JudgeVerdict
from .vote import Vote

_SCORES = {JudgeVerdict.PASS: 1.0, JudgeVerdict.FAIL: 0.0, JudgeVerdict.TIE: 0.5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict of a judge on one case, or why there is none.

    ``verdict`` is never ``ABSTAIN``; it is ``None`` exactly where ``missing`` says why. ``votes`` are in the
    order of asking; a pairwise vote is one for both orders together.
    """

    verdict: JudgeVerdict | None = None
    missing: Missing | None = None
    votes: tuple[Vote, ...] = ()

    def __post_init__(self) -> None:
        if (self.verdict is None) == (self.missing is None) or self.verdict is JudgeVerdict.ABSTAIN:
            raise ValueError(f"a judgement is pass, fail, tie, or a reason why there is none; got {self!r}")

    @property
    def passed(self) -> bool:
        """Whether the reply passed; of two, whether it is the better one.

        Raises ``NoAnswer`` with the evaluator's reason where there is no verdict.
        """
        if self.missing is not None:
            raise NoAnswer(self.missing.reason, self.missing.detail)
        return self.verdict is JudgeVerdict.PASS

    @property
    def score(self) -> float | None:
        """1 for pass, 0 for fail, 0.5 for a tie; ``None`` where there is no verdict."""
        return None if self.verdict is None else _SCORES[self.verdict]

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the votes for this verdict said, in the judge's own words."""
        return tuple(vote.reason for vote in self.votes if vote.verdict and vote.verdict is self.verdict)

    def __bool__(self) -> bool:
        # An object is true to Python: `assert infer.judge(…)` would pass whatever the judge said.
        raise TypeError("a judgement is neither true nor false; write `assert judgement.passed`")
