"""The option that a reply chooses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..evidence import NoAnswer, Reason
from .choice_patterns import (
    CLOSE,
    CONNECTIVE,
    GOES_ON,
    LEADS,
    NOT,
    NOUN,
    OPEN,
    UNSPACED,
    ChoicePatterns,
    patterns_of,
)
from .emphasis import with_asterisks
from .extractor import Extractor, ExtractorError, GoldError, Sample, show_short
from .options import Options, OptionsSetting, read_field, read_options, words_of
from .retraction import read_retraction
from .statement import Marker, find_statements, is_declined, last_sentence
from .turn import before_next_question

_MOST_LINES = 64  # lines at the end that are looked at for a label by itself
_WINDOW = 8_192  # characters at either end in which a choice without an announcement is looked for


@dataclass(frozen=True, slots=True, repr=False)
class Choice(Extractor[str]):
    """Read the label of the option that a reply chooses; see ``rule``.

    ``options``: letters in one text (``"ABCD"``), a list of labels, a mapping of label to text, or the
    name of a sample field with a list of texts (labelled A, B, C …) or a mapping. Raises
    ``ExtractorError`` for other options and for a sample without the field. ``parse`` takes a label
    or an option text; an index is refused, since nobody can tell whether it counts from 0 or 1.
    """

    name = "choice"
    version = "1"
    rule = (
        "The label, as the options spell it, that is found first: the text that is a label (any case, with "
        "brackets, emphasis and full stop) or the text of one option; the last announced answer ('answer "
        "is …', \\boxed{…}, <answer>), read as a label, as option text, or as the one label left when "
        "rejected ones ('not A but C') are taken out; a sentence that chooses ('B is correct', 'I choose "
        "(B)', 'option B'); a label that begins the text or stands alone on its last line, else on one "
        "before; the one label in brackets or bold; the one option whose text occurs. Letters count in "
        "the case of the options; in other case only with brackets, a full stop or nothing after. "
        "'A' before a word is an article "
        "and 'I' a pronoun. What follows a question that the model asks itself after its answer is not "
        "read. An answer that is taken back ('Wait, no — B', 'Correction: B', 'Actually, it is B') gives "
        "the new label, and no answer where there is none. Two labels, a label that is not an option, and a "
        "statement that it cannot be told are no answer."
    )

    options: OptionsSetting
    _known: Options | str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = read_options(self.options)
        object.__setattr__(self, "_known", known)
        # Frozen, since a caller's list or mapping may change later; and "AB" is the same as ["A", "B"].
        object.__setattr__(self, "options", _frozen(known))

    def __reduce__(self) -> tuple[type[Choice], tuple[OptionsSetting]]:
        return type(self), (self._plain_options(),)

    def __hash__(self) -> int:
        return hash((type(self), self._known))

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"options": self._plain_options()}

    def find(self, text: str, sample: Sample | None) -> str:
        options = self._options(sample)
        text, replaced = read_retraction(
            before_next_question(text), lambda alone: self._whole(_spelled(alone), options), name=self.name
        )
        if replaced is not None:
            return replaced
        patterns = patterns_of(options.labels)
        whole = self._whole(_spelled(text), options) if len(text) <= _WINDOW else None
        if whole is not None:
            return whole
        if len(text) <= _WINDOW and patterns.several.fullmatch(_spelled(text)):
            named = {_label(name, options.labels) for name in patterns.exact.findall(_spelled(text))}
            if len(named) == 1:
                return str(named.pop())
            self.no_answer("single option: several are named")
        for statement in reversed(find_statements(text)):
            if statement.marker is Marker.RULE and len(statement.text) > 40:
                continue
            stated = self._stated(_spelled(statement.text), options, patterns)
            if stated is not None:
                return stated
        begin, end = _spelled(text[:_WINDOW]), _spelled(text[-_WINDOW:])
        if is_declined(last_sentence(end)) and not patterns.chosen.search(end):
            self.no_answer("option: the reply says that it cannot be told")
        for find in (self._chosen, self._leading, self._closing, self._marked, self._worded):
            label = find(begin if find == self._leading else end, options, patterns)
            if label is not None:
                return label
        raise NoAnswer(Reason.NO_ANSWER, f"extract.choice found none of {', '.join(options.labels)}")

    def parse(self, gold: object, sample: Sample | None = None) -> str:
        if not isinstance(gold, str) or not gold.strip():
            raise GoldError(self.name, gold, "a label or an option text, not an index")
        if isinstance(self._known, str) and sample is None:
            if re.fullmatch(r"\(?\w\)?\.?", gold.strip()):
                return gold.strip("(). \t").upper()
            return gold.strip()
        options = self._options(sample)
        whole = self._whole(unicodedata.normalize("NFKC", gold).strip(), options)
        if whole is None:
            raise GoldError(
                self.name, gold, f"one of the labels {', '.join(options.labels)} or an option text"
            )
        return whole

    def same(self, value: object, gold: object, sample: Sample | None = None) -> bool:
        try:
            return value == self.parse(gold, sample)
        except (GoldError, ExtractorError):
            return False

    def _spelled_settings(self) -> str:
        plain = self._plain_options()
        are_letters = isinstance(plain, list) and all(len(label) == 1 for label in plain)
        return repr("".join(plain)) if are_letters else show_short(plain)

    def _plain_options(self) -> OptionsSetting:
        if isinstance(self._known, str):
            return self._known
        known = self._known
        if known.texts and known.texts != known.labels:
            return dict(zip(known.labels, known.texts, strict=True))
        return list(known.labels)

    def _options(self, sample: Sample | None) -> Options:
        return read_field(self._known, sample) if isinstance(self._known, str) else self._known

    def _whole(self, text: str, options: Options) -> str | None:
        """Return the label where the text is nothing but a label or an option text."""
        if len(text) > 4_000:
            return None
        bare = re.sub(rf"^{OPEN}+|(?:{CLOSE}|[\s.:,;!?。、])+$", "", text)
        bare = re.sub(rf"^(?:{NOUN})?{OPEN}*(?=.)", "", bare, count=1, flags=re.IGNORECASE)
        label = _label(bare, options.labels, any_case=True)
        return label or options.label_of(text)

    def _stated(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        """Return the label that an announced answer gives, ``None`` where it gives none.

        Raises where it gives several, another than the options, or says that there is none.
        """
        whole = self._whole(text, options)
        if whole is not None:
            return whole
        head = patterns.head.match(text)
        if head is not None:
            label = _label(head["label"], options.labels, any_case=True)
            if label is not None and _is_label_here(head, text, options):
                joined = patterns.joined.match(text, head.end("label"))
                if joined and _label(joined["label"], options.labels, any_case=True) != label:
                    self.no_answer("single option: several are named")
                return label
        if is_declined(text):
            self.no_answer("option: the reply says that it cannot be told")
        worded = _worded_once(text, options)
        if worded is not None:
            return worded
        rejected = patterns.rejected.sub(" ", text)
        left = {_label(found["label"], options.labels) for found in patterns.marked.finditer(rejected)} - {
            None
        }
        left |= {found["label"] for found in patterns.bare.finditer(rejected)}
        if len(left) == 1:
            return left.pop()
        if len(left) > 1:
            self.no_answer("single option: several are named")
        if re.match(rf"{OPEN}*[A-Z](?:{CLOSE}*[.,;:)]?\s*$|{CLOSE}*[).:])", text):
            self.no_answer(f"option: {text[:40]!r} is not one of {', '.join(options.labels)}")
        return None

    def _chosen(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        labels = [
            _label(found["before"] or found["after"] or found["cjk"], options.labels, any_case=True)
            for found in list(patterns.chosen.finditer(patterns.rejected.sub(" ", text)))[-64:]
        ]
        named = [label for label in labels if label is not None]
        return named[-1] if named else None

    def _leading(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        """Return the label that begins the text, unless the text goes through several line by line."""
        lines = {_label(found["label"], options.labels) for found in patterns.line.finditer(text)} - {None}
        head = patterns.line.match(text)
        if head is None or len(lines) != 1:
            return None
        walked = tuple(dict.fromkeys(found["label"] for found in patterns.listed.finditer(text)))
        if len(walked) > 2 and walked == options.labels[: len(walked)]:
            return None  # "A: no. B: no. C: yes."
        return _label(head["label"], options.labels)

    def _closing(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        line = text[text.rfind("\n") + 1 :][-400:]
        label = self._whole(CONNECTIVE.sub("", line), options)
        if label is not None:
            return label
        lines = [
            line for line in text.split("\n")[-_MOST_LINES:] if 0 < len(line) <= 400 and '":' not in line
        ]
        named = {self._whole(line, options) for line in lines} - {None}
        return named.pop() if len(named) == 1 else None

    def _marked(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        plain = patterns.rejected.sub(" ", text)
        for part in (last_sentence(plain), plain):
            left = {_label(found["label"], options.labels) for found in patterns.marked.finditer(part)} - {
                None
            }
            if len(left) == 1:
                return left.pop()
            if len(left) > 1 and part is plain:
                self.no_answer("single option: several are named")
        end = last_sentence(plain)
        if patterns.several.fullmatch(end):
            self.no_answer("single option: several are named")
        led = [found for found in patterns.bare.finditer(end) if LEADS.search(end, 0, found.start())]
        if any(patterns.joined.match(end, found.end()) for found in led):
            self.no_answer("single option: several are named")
        left = {found["label"] for found in led}
        return left.pop() if len(left) == 1 else None

    def _worded(self, text: str, options: Options, patterns: ChoicePatterns) -> str | None:
        return _worded_once(text, options)


def _spelled(text: str) -> str:
    return with_asterisks(unicodedata.normalize("NFKC", text)).replace("\u2019", "'")


def _frozen(known: Options | str) -> Any:
    if isinstance(known, str):
        return known
    if known.texts and known.texts != known.labels:
        return tuple(zip(known.labels, known.texts, strict=True))
    return known.labels


def _label(found: str | None, labels: tuple[str, ...], *, any_case: bool = False) -> str | None:
    if found is None or found in labels:
        return found
    matches = [label for label in labels if label.casefold() == found.casefold()] if any_case else []
    return matches[0] if len(matches) == 1 else None


def _is_label_here(head: re.Match[str], text: str, options: Options) -> bool:
    """Whether the letter at the head of an announced answer is a label and not a word of its own."""
    found, after = head["label"], text[head.end("label") :]
    if len(found) > 1:
        return True
    is_delimited = (
        bool(re.match(rf"{CLOSE}|[.,;:!?/=。、{UNSPACED}]|\s*$|\s*[\n(\u2014\u2013-]", after)) or head["noun"]
    )
    if found not in options.labels:  # in another case: 'a lever' is no choice
        return bool(is_delimited)
    if found not in ("A", "I") or is_delimited:
        return True
    goes_on = GOES_ON.match(after)
    if goes_on:
        return found == "A" or not goes_on["verb"]  # "I would say" is a person speaking
    if re.match(r"\s+(?:and|or|&)\s", after):
        return True
    if options.texts:
        own = words_of(options.texts[options.labels.index(found)])
        return words_of(after)[: len(own)] == own
    return False


def _worded_once(text: str, options: Options) -> str | None:
    """Return the label of the only option whose text occurs in ``text`` in whole words."""
    if not options.texts:
        return None
    said = " " + " ".join(words_of(text)) + " "
    found: dict[str, str] = {}
    for label, own in zip(options.labels, options.texts, strict=True):
        words = " ".join(words_of(own))
        if words and f" {words} " in said:
            found[label] = words
    # "heat pump" also says "heat": the longer text covers the shorter
    for label in [*found]:
        longer = [
            other for other in found.values() if other != found[label] and f" {found[label]} " in f" {other} "
        ]
        rest = said
        for other in longer:
            rest = rest.replace(f" {other} ", "  ")
        if longer and f" {found[label]} " not in rest:
            del found[label]
    negated = [
        label
        for label, words in found.items()
        if re.search(rf" (?:{NOT}) (?:an? |the )?{re.escape(words)} ", said)
    ]
    if len(found) - len(negated) == 1:
        return next(label for label in found if label not in negated)
    return None


choice = Choice
