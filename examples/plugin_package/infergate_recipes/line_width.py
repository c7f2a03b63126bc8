"""Which share of a text's lines fits into a width."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_infergate import NoAnswer
from pytest_infergate.evidence import EvaluatorIdentity, Reason


@dataclass(frozen=True, slots=True)
class LineWidth:
    """Measure lines against ``limit``, in characters."""

    limit: int = 72

    @property
    def identity(self) -> EvaluatorIdentity:
        """Who measured: it travels with every score. Raise ``version`` where measuring changes."""
        return EvaluatorIdentity(kind="text", name="line_width", version="1", settings={"limit": self.limit})

    def measure(self, text: str) -> float:
        """Return the share of lines that are not blank and fit, from 0 to 1.

        Raises ``NoAnswer`` for a text without such lines: there is nothing to measure.
        """
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines:
            raise NoAnswer(Reason.NO_ANSWER, "line_width found no line to measure")
        return sum(len(line) <= self.limit for line in lines) / len(lines)

    def check_canary(self) -> None:
        """Measure a text known to be good and one known to be bad, before any score counts.

        Raises ``NoAnswer`` with ``evaluator_unavailable``: an instrument that cannot tell the two apart makes
        evaluations missing, not wrong.
        """
        good, bad = "x" * self.limit, "x" * (self.limit + 1)
        measured = (self.measure(good), self.measure(bad), self.measure(f"{good}\n\n{bad}"))
        if measured != (1.0, 0.0, 0.5):
            raise NoAnswer(
                Reason.EVALUATOR_UNAVAILABLE, f"line_width measures {measured} for 1, 0 and a half"
            )
