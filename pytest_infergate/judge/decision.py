"""How answers of a judge become one judgement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..evidence import Exchange, Missing, Reason
from .asks import Ask
from .judgement import Judgement
from .verdict import JudgeVerdict
from .verdict_json import read_vote
from .vote import Vote, shown_words


def decide(asks: Sequence[Ask], exchanges: Sequence[Exchange], *, is_unanimous: bool = False) -> Judgement:
    """Return the judgement that more than half of all votes share; ``exchanges`` answer ``asks`` in order.

    With ``is_unanimous`` all of them must share it. The denominator is what was asked: votes that are missing
    or abstain count against every verdict. Without such a majority the judgement is missing: for the reason
    of the first vote that is missing itself, else ``evaluator_unavailable`` where the judge abstained, else
    ``evaluator_error``: it contradicts itself.
    """
    read = [read_vote(exchange, ask.case) for ask, exchange in zip(asks, exchanges, strict=True)]
    if asks[0].case.is_pairwise:
        votes = tuple(_both_orders(*pair) for pair in zip(read[::2], read[1::2], strict=True))
    else:
        votes = tuple(read)
    counted = Counter(vote.verdict for vote in votes if vote.verdict is not None)
    for verdict, count in counted.items():
        is_enough = count == len(votes) if is_unanimous else 2 * count > len(votes)
        if verdict is not JudgeVerdict.ABSTAIN and is_enough:
            return Judgement(verdict=verdict, votes=votes)
    return Judgement(missing=_undecided(votes, counted, is_unanimous=is_unanimous), votes=votes)


def _both_orders(shown: Vote, swapped: Vote) -> Vote:
    """Return one vote out of the answers to both orders; a verdict must survive the swap."""
    if shown.missing is not None:
        return shown
    if swapped.missing is not None or swapped.verdict is None:
        return swapped
    there, back = shown.verdict, swapped.verdict.mirrored
    if there is back:
        return shown
    if JudgeVerdict.ABSTAIN in (there, back):
        return shown if there is JudgeVerdict.ABSTAIN else swapped
    if JudgeVerdict.TIE in (there, back):
        what = "a tie in one order of the replies and a winner in the other"
    else:
        what = f"whichever reply came {'first' if there is JudgeVerdict.PASS else 'second'}"
    return Vote(missing=Missing(Reason.EVALUATOR_ERROR, f"the judge contradicts itself: it preferred {what}"))


def _undecided(votes: Sequence[Vote], counted: Counter[JudgeVerdict], *, is_unanimous: bool) -> Missing:
    among = f" ({len(votes)} votes: {_told(votes)})" if len(votes) > 1 else ""
    broken = next((vote.missing for vote in votes if vote.missing), None)
    if broken is not None:
        return Missing(broken.reason, f"{broken.detail}{among}")
    abstained = next((vote for vote in votes if vote.verdict is JudgeVerdict.ABSTAIN), None)
    if abstained is not None:
        return Missing(
            Reason.EVALUATOR_UNAVAILABLE, f"the judge abstained: {shown_words(abstained.reason)}{among}"
        )
    short = "its votes are not unanimous" if is_unanimous else "no verdict has a majority"
    return Missing(Reason.EVALUATOR_ERROR, f"the judge contradicts itself: {short}{among}")


def _told(votes: Sequence[Vote]) -> str:
    counted = Counter(vote.verdict.value if vote.verdict else "missing" for vote in votes)
    return ", ".join(f"{count} {what}" for what, count in counted.items())
