"""The contract of an extractor, checked in one call."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import permutations
from typing import Any, NoReturn

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..evidence import EvaluatorIdentity, NoAnswer, Reason, ReasonGroup, Reply, canonical_json
from ..extract import Extractor, GoldError
from .soup import HARD_TEXTS, ODD_VALUES, soup
from .wrapping import EVERY_WRAPPING, Wrapped, Wrapping, wrapped

_LONGEST_REPR = 200
#: How a reply ends that did not deliver, and the reason that must come of it.
_ENDS: tuple[tuple[dict[str, Any], Reason], ...] = (
    ({"finish_reason": "length"}, Reason.TRUNCATED),
    ({"finish_reason": "content_filter"}, Reason.REFUSED),
    ({"refusal": "I can't help with that."}, Reason.REFUSED),
    ({"finish_reason": None}, Reason.BROKEN_STREAM),
)
_READABLE = frozenset(reason for reason in Reason if reason.group is ReasonGroup.MODEL)


class Promise(Enum):
    """What every extractor promises."""

    IDENTITY = "carries a name, a version, a rule, and settings that are JSON"
    VALUE = "is a frozen value that can be hashed, compared, and sent to another process"
    REPR = "has a repr of one short line that is the same in every process"
    RAISES = "raises nothing but NoAnswer, with a reason that is the model's"
    REPEATS = "makes the same of the same text, as a str and as a Reply"
    DELIVERY = "reads nothing out of a reply that did not deliver, unless that was allowed"
    GOLD = "reads every gold answer, and refuses what is none with GoldError"
    SAME = "compares anything with anything, and tells different answers apart"
    FINDS = "finds a known answer in every wrapping that it reads"
    REFUSES = "gives no other answer in a wrapping that it does not read"
    VERBATIM = "returns what stands in the reply"


class BrokenPromise(AssertionError):
    """An extractor does not keep ``promise``; the message says with which text or value."""

    def __init__(self, promise: Promise, extractor: str, detail: str) -> None:
        self.promise, self.extractor, self.detail = promise, extractor, detail
        super().__init__(f"{extractor} does not keep its promise: it {promise.value}; {detail}")

    def __reduce__(self) -> tuple[type[BrokenPromise], tuple[Promise, str, str]]:
        return type(self), (self.promise, self.extractor, self.detail)


def check_extractor(
    extractor: Extractor[Any],
    answers: Sequence[str] | Mapping[str, object],
    *,
    sample: Mapping[str, Any] | None = None,
    finds: Collection[Wrapping] = EVERY_WRAPPING,
    refuses: Collection[Wrapping] = (),
    verbatim: bool = False,
    faults: tuple[type[Exception], ...] = (),
    max_examples: int = 100,
) -> None:
    """Check that ``extractor`` is one: raise ``BrokenPromise`` with the promise that it does not keep.

    ``answers`` are two or more that differ: as replies write them, or from there to the gold answer where
    that is written otherwise (``{"yes": True, "no": False}``). ``sample`` is handed over with each reply.

    In each wrapping of ``finds``, and in several at once, an answer must be found; in those of ``refuses``
    found or missing, never another. Others are not tried. ``verbatim``: each line of an answer that is a text
    must stand in the reply. ``faults``: what else it may raise by its documentation, such as
    ``SchemaViolation``. ``max_examples`` is per promise.

    That its time is linear is not checked: a test cannot time without failing on a busy machine. Measure it
    with texts of two sizes.
    """
    if len(answers) < 2:
        raise ValueError(f"check_extractor needs two answers or more that differ; got {answers!r}")
    golds = dict(answers) if isinstance(answers, Mapping) else {answer: answer for answer in answers}
    contract = _Contract(extractor, golds, sample, faults)
    contract.check_identity()
    contract.check_value()
    contract.check_repr()
    contract.check_gold()
    contract.check_same()

    def for_all(cases: st.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
        @settings(
            max_examples=max_examples,
            deadline=None,
            database=None,
            derandomize=True,  # a gate says the same of the same extractor, today and tomorrow
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(cases)
        def run(case: Any) -> None:
            check(case)

        run()

    for text in HARD_TEXTS:
        contract.check_text(text, verbatim=verbatim)
    for_all(soup(list(golds)), lambda text: contract.check_text(text, verbatim=verbatim))
    known = st.sampled_from(list(golds))
    for kinds, promise in ((finds, Promise.FINDS), (refuses, Promise.REFUSES)):
        if kinds:
            texts = wrapped(known, wrappings=kinds, others=list(golds))
            for_all(texts, lambda text, promise=promise: contract.check_wrapped(text, promise))  # type: ignore[misc]
    texts = wrapped(known, wrappings=finds, others=list(golds))
    for_all(st.tuples(texts, st.sampled_from(_ENDS)), lambda case: contract.check_delivery(*case))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What was found, or why nothing was; ``fault`` is a documented exception."""

    value: Any = None
    missing: Reason | None = None
    fault: type[Exception] | None = None

    def __str__(self) -> str:
        if self.fault is not None:
            return self.fault.__name__
        return f"NoAnswer({self.missing.value})" if self.missing else f"{self.value!r:.120}"

    @property
    def has_value(self) -> bool:
        return self.missing is None and self.fault is None

    def is_like(self, other: _Outcome) -> bool:
        is_same_kind = (self.missing, self.fault) == (other.missing, other.fault)
        return is_same_kind and bool(self.value == other.value or repr(self.value) == repr(other.value))


@dataclass(frozen=True, slots=True)
class _Contract:
    extractor: Extractor[Any]
    golds: Mapping[str, object]
    sample: Mapping[str, Any] | None
    faults: tuple[type[Exception], ...]

    def broken(self, promise: Promise, detail: str) -> NoReturn:
        raise BrokenPromise(promise, f"extractor {type(self.extractor).__name__}", detail)

    def check_identity(self) -> None:
        one = self.extractor
        if not isinstance(one, Extractor):
            self.broken(Promise.IDENTITY, f"{one!r:.120} is no Extractor; derive its class from Extractor")
        for field in ("name", "version", "rule"):
            value = getattr(one, field, None)
            if not isinstance(value, str) or not value.strip():
                self.broken(
                    Promise.IDENTITY, f"its {field} is {value!r}; give it as a text that is not blank"
                )
        try:
            canonical_json(dict(one.settings))
            identity = one.identity
        except Exception as error:
            self.broken(Promise.IDENTITY, f"its settings are not JSON: {error}; give settings yourself")
        if not isinstance(identity, EvaluatorIdentity) or identity != one.identity:
            self.broken(Promise.IDENTITY, "its identity is another each time it is asked for")

    def check_value(self) -> None:
        one = self.extractor
        try:
            hash(one)
            sent = pickle.loads(pickle.dumps(one))
            is_equal = bool(sent == one and hash(sent) == hash(one) and sent.identity == one.identity)
        except Exception as error:
            self.broken(Promise.VALUE, f"{type(error).__name__}: {error}")
        if not is_equal:
            self.broken(
                Promise.VALUE, "pickled and read back it is another; make its class a frozen dataclass"
            )
        for field in ("version", *getattr(one, "__dataclass_fields__", ())):
            try:
                setattr(copy.copy(one), field, "changed")
            except (AttributeError, TypeError):  # frozen dataclasses raise an AttributeError
                continue
            self.broken(Promise.VALUE, f"its {field} can be set; write @dataclass(frozen=True)")

    def check_repr(self) -> None:
        shown = repr(self.extractor)
        if len(shown) > _LONGEST_REPR or len(shown.splitlines()) != 1 or " at 0x" in shown:
            self.broken(Promise.REPR, f"it is {shown[:_LONGEST_REPR]!r}, {len(shown)} characters")

    def check_gold(self) -> None:
        for gold in self.golds.values():
            try:
                value = self.extractor.parse(gold)
                is_same = self.extractor.same(value, gold)
            except Exception as error:
                self.broken(Promise.GOLD, f"{gold!r:.120} raises {type(error).__name__}: {error}")
            if is_same is not True:
                self.broken(Promise.GOLD, f"same(parse(gold), gold) is {is_same!r} for {gold!r:.120}")
        for odd in (*ODD_VALUES, "", " \n"):
            try:
                self.extractor.parse(odd)
            except GoldError:
                continue
            except Exception as error:
                self.broken(Promise.GOLD, f"parse({odd!r:.60}) raises {type(error).__name__}: {error}")
            if isinstance(odd, str) and not odd.strip():
                self.broken(Promise.GOLD, f"parse({odd!r}) is taken for an answer")

    def check_same(self) -> None:
        golds = list(self.golds.values())
        for value in (*golds, *ODD_VALUES):
            for gold in (*golds, *ODD_VALUES):
                self._same(value, gold)
        for one, other in permutations(golds, 2):
            if self._same(self.extractor.parse(one), other):
                self.broken(Promise.SAME, f"{one!r:.120} and {other!r:.120} are the same to it")

    def check_text(self, text: str, *, verbatim: bool) -> None:
        found = self._outcome(text)
        for reply in (text, Reply(text=text)):
            again = self._outcome(reply)
            if not again.is_like(found):
                what = "a Reply of it" if isinstance(reply, Reply) else "it again"
                self.broken(Promise.REPEATS, f"of {text!r:.200} it makes {found}, of {what} {again}")
        if verbatim and isinstance(found.value, str):
            for line in found.value.splitlines():
                if line.strip() not in text:
                    self.broken(Promise.VERBATIM, f"{line.strip()!r:.120} stands not in {text!r:.200}")

    def check_wrapped(self, case: Wrapped, promise: Promise) -> None:
        gold = self.golds[case.answer]
        found = self._outcome(case.text)
        is_refused = promise is Promise.REFUSES and found.missing is not None
        if is_refused or (found.has_value and self._same(found.value, gold)):
            return
        names = ", ".join(sorted(one.value for one in case.wrappings)) or "nothing"
        self.broken(promise, f"{gold!r:.120} wrapped in {names} gives {found}: {case.text!r:.400}")

    def check_delivery(self, case: Wrapped, end: tuple[dict[str, Any], Reason]) -> None:
        fields, reason = end
        found = self._outcome(Reply(text=case.text, **fields))
        if found.missing is not reason:
            self.broken(Promise.DELIVERY, f"with {fields} it makes {found} of {case.text!r:.200}")
        allowed = self._outcome(Reply(text=case.text, allowed=frozenset({reason}), **fields))
        plain = self._outcome(case.text)
        if not allowed.is_like(plain):
            told = f"allowed, it makes {allowed} and not {plain} of {case.text!r:.200}"
            self.broken(Promise.DELIVERY, f"with {fields} {told}")

    def _outcome(self, reply: str | Reply) -> _Outcome:
        try:
            return _Outcome(value=self.extractor(reply, self.sample))
        except NoAnswer as missing:
            is_readable = missing.reason in _READABLE or isinstance(reply, Reply)
            if not is_readable:
                self.broken(Promise.RAISES, f"NoAnswer with {missing.reason.value!r} for {reply!r:.200}")
            return _Outcome(missing=missing.reason)
        except self.faults as fault:
            return _Outcome(fault=type(fault))
        except Exception as error:
            self.broken(Promise.RAISES, f"{type(error).__name__}: {error} for {reply!r:.200}")

    def _same(self, value: object, gold: object) -> bool:
        try:
            answer = self.extractor.same(value, gold)
        except Exception as error:
            told = f"same({value!r:.60}, {gold!r:.60}) raises {type(error).__name__}: {error}"
            self.broken(Promise.SAME, told)
        if not isinstance(answer, bool):
            self.broken(Promise.SAME, f"same({value!r:.60}, {gold!r:.60}) is {answer!r:.60}, no bool")
        return answer
