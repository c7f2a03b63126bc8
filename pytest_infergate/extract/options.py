"""The options of a multiple-choice question: labels, and their texts where they are known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from .extractor import ExtractorError, Sample

OptionsSetting = str | Sequence[str] | Mapping[str, str]

_WORD = re.compile(r"\w+(?:[.,]\w+)*|[^\w\s\"'`*_.,;:!?()\[\]{}$\\]")

_ARTICLE = re.compile(r"\W*(?:an?|the)\s")


@dataclass(frozen=True, slots=True)
class Options:
    """``labels`` in order; ``texts`` beside them, or empty where only labels are known.

    Labels that are words are their own texts.
    """

    labels: tuple[str, ...]
    texts: tuple[str, ...] = ()

    def label_of(self, text: str) -> str | None:
        """Return the label whose option text this is, but for case, punctuation and articles."""
        words = words_of(text)
        owners = [
            label for label, known in zip(self.labels, self.texts, strict=False) if words_of(known) == words
        ]
        return owners[0] if len(owners) == 1 and words else None


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` in lower case, without a leading article."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = _WORD.findall(plain)
    return tuple(found[1:] if len(found) > 1 and _ARTICLE.match(plain) else found)


def read_options(setting: object) -> Options | str:
    """Return the options of a setting, or the name of the sample field that holds them."""
    if isinstance(setting, str):
        if _is_letters(setting):
            return Options(tuple(setting))
        if setting.strip():
            return setting
    elif isinstance(setting, Mapping) and _are_labels(list(setting)) and _are_texts(list(setting.values())):
        return Options(tuple(setting), tuple(setting.values()))
    elif isinstance(setting, Sequence) and not isinstance(setting, bytes) and _are_labels(list(setting)):
        labels = tuple(setting)
        return Options(labels, labels if all(len(label) > 1 for label in labels) else ())
    raise ExtractorError(
        "extract.choice takes letters ('ABCD'), a list of at least two distinct labels, a mapping of label "
        f"to text, or the name of a sample field; got {setting!r}"
    )


def read_field(field: str, sample: Sample | None) -> Options:
    """Return the options that ``sample`` holds under ``field``.

    A list of texts (labelled A, B, C …), a mapping of label to text, or a mapping of the two lists
    ``label`` and ``text`` as ARC and CommonsenseQA ship them.
    """
    if sample is None or field not in sample:
        known = "no sample was given" if sample is None else f"the sample has {', '.join(map(repr, sample))}"
        raise ExtractorError(f"extract.choice({field!r}) needs the sample field {field!r}; {known}")
    value = sample[field]
    if isinstance(value, Mapping) and set(value) == {"label", "text"}:
        labels, texts = value["label"], value["text"]
        if isinstance(labels, Sequence) and isinstance(texts, Sequence) and len(labels) == len(texts):
            value = dict(zip(map(str, labels), texts, strict=True))
    if isinstance(value, Mapping) and _are_labels(list(value)) and _are_texts(list(value.values())):
        return Options(tuple(value), tuple(value.values()))
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        texts = [str(text) if isinstance(text, (int, float)) else text for text in value]
        if 2 <= len(texts) <= len(ascii_uppercase) and _are_texts(texts):
            return Options(tuple(ascii_uppercase[: len(texts)]), tuple(texts))
    raise ExtractorError(
        f"extract.choice({field!r}) needs a list of 2 to 26 texts or a mapping of label to text in the "
        f"sample; got {value!r:.120}"
    )


def _is_letters(setting: str) -> bool:
    if len(setting) < 2 or len(set(setting)) < len(setting) or not setting.isascii():
        return False
    return (
        (setting.isupper() and setting.isalpha())
        or setting.isdecimal()
        or setting in "abcdefghijklmnopqrstuvwxyz"
    )


def _are_labels(labels: list[object]) -> bool:
    texts = [label for label in labels if isinstance(label, str) and label.strip() == label != ""]
    return len(texts) == len(labels) >= 2 and len({text.casefold() for text in texts}) == len(texts)


def _are_texts(texts: list[object]) -> bool:
    return all(isinstance(text, str) and text.strip() for text in texts)
