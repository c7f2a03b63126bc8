"""The normalizer ``english``: what is spoken in English, however it is written."""

from __future__ import annotations

from . import english_figures, english_numbers, english_words
from .basic import RULE as BASIC_RULE
from .basic import TABLES as BASIC_TABLES
from .basic import drop_punctuation, join_signs
from .characters import fold_characters
from .english_figures import split_figures, write_figures
from .english_numbers import NUMBER_WORDS
from .english_words import drop_fillers, join_initials, spell_out

NAME, VERSION = "english", "1"
RULE = (
    f"The rule of basic: {BASIC_RULE} Then, in English: numbers in words become digits (forty two, a "
    "hundred and five, nineteen eighty four, two point five million, minus five, twenty first, the "
    "eighties), and so do money ($1 is one dollar) and percentages; digits that are spoken one by one "
    "stay apart (1 2 3); grouping commas go, signs, decimals, addresses and versions stay. Contractions "
    "are written out; 's after a noun stays, since it may be a possessive. British spellings become "
    "American ones where both are spoken alike. Initials are one word (U.S.A.), and a number and its unit"
    " are two (20 mm). Hesitations (um, uh, hmm, mm, erm) are left out."
)
TABLES = (BASIC_TABLES, english_words.TABLES, english_numbers.TABLES, english_figures.TABLES)


def normalize_english(text: str) -> str:
    """Return the words of ``text``, parted by one space; empty where nothing is spoken."""
    words = drop_punctuation(join_initials(fold_characters(text))).split()
    spelled = spell_out(drop_fillers(split_figures(words), NUMBER_WORDS))
    return join_signs(" ".join(write_figures(spelled)))
