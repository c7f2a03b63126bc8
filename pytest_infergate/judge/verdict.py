"""What a judge can say of a reply."""

from __future__ import annotations

from enum import Enum


class JudgeVerdict(Enum):
    """``pass`` and ``fail``, of two replies the first or the other one better, or neither of them.

    ``ABSTAIN`` is a vote that a judge may cast and never the outcome: an abstention is missing evidence.
    """

    PASS = "pass"
    FAIL = "fail"
    TIE = "tie"
    ABSTAIN = "abstain"

    @property
    def mirrored(self) -> JudgeVerdict:
        """The same verdict on two replies that changed places."""
        return _MIRRORED.get(self, self)


_MIRRORED = {JudgeVerdict.PASS: JudgeVerdict.FAIL, JudgeVerdict.FAIL: JudgeVerdict.PASS}
