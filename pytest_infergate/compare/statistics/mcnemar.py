"""McNemar's test in its exact form."""

from __future__ import annotations

from .errors import StatisticsError


def mcnemar_exact(lost: int, gained: int) -> float:
    """Return the two-sided p-value of no difference, from the pairs that flipped.

    Under no difference each flip is as likely a loss as a gain, so ``lost`` is binomial with ``lost +
    gained`` trials and rate 1/2; the p-value is twice its smaller tail, at most 1, and 1 without a flip.
    Raises :class:`StatisticsError` for a negative count.

    Source: Q. McNemar, Psychometrika 12 (1947) 153-157; exact form: F. Mosteller, Biometrics 8 (1952)
    220-226.
    """
    from scipy.special import bdtr

    if lost < 0 or gained < 0:
        raise StatisticsError(f"lost={lost!r}, gained={gained!r}; accepted: counts of 0 or more")
    if lost == gained:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(lost, gained), lost + gained, 0.5)))
