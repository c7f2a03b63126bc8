"""Which differences between two texts are none: what each normalizer makes alike, and what it keeps apart."""

from __future__ import annotations

import pickle
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_infergate.evidence import InfergateError, Reason
from pytest_infergate.speech.normalizing import NORMALIZERS, NormalizerError, parse_normalizer

NONE, BASIC, ENGLISH, WHISPER = map(parse_normalizer, NORMALIZERS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b", "a\tb"),
        ("a b", "a\u00a0b"),
        ("a b", " a\n\nb "),
        ("café", "cafe\u0301"),
        ("a b", "a\u2028b"),
    ],
)
def test_how_a_text_is_stored_is_no_difference_to_any_normalizer(one: str, other: str) -> None:
    assert NONE(one) == NONE(other)
    assert BASIC(one) == BASIC(other)
    assert ENGLISH(one) == ENGLISH(other)


def test_none_keeps_what_was_written() -> None:
    assert NONE(" Don’t stop,  -5 % … ") == "Don’t stop, -5 % …"


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Hello, World!", "hello world", "case and punctuation are not spoken"),
        ("we don't know", "we don’t know", "U+2019 and the ASCII apostrophe are one"),
        ("we don't know", "we donʼt know", "and so is the modifier letter"),
        ("“quoted”", '"quoted"', "quotes"),
        ("well-known", "well known", "a hyphen parts words"),
        ("١٢٣", "123", "digits of another script are spoken alike"),
        ("１２３ ＡＢＣ", "123 abc", "full-width type"),
        ("ｶﾞｷﾞ", "ガギ", "half-width type"),
        ("−5", "-5", "the minus sign of mathematics"),
        ("10 %", "10%", "the space before a sign is typography"),
        ("5 €", "5€", "the same"),
        ("$ 5", "$5", "the same"),
        ("co\u00adoperate", "cooperate", "a soft hyphen shows only at a line's end"),
        ("جمـــيل", "جميل", "the tatweel only stretches"),
        ("Straße", "STRASSE", "full case folding"),
        ("İzmir", "izmir", "the Turkish dotted I"),
        ("hello 👋🏽 there", "hello there", "emoji"),
        ("♪ la la ♪", "la la", "notes"),
        ("Ի՞նչ", "ինչ", "the Armenian question mark stands inside the word"),
        ("क़लम", normalize("NFD", "क़लम"), "composition exclusions"),
    ],
)
def test_basic_makes_alike_what_is_spoken_alike(one: str, other: str, reason: str) -> None:
    assert BASIC(one) == BASIC(other), reason
    assert BASIC(one)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("-5", "5", "a sign is spoken"),
        ("–5", "5", "also an en dash that stands for it"),
        ("(-5)", "(5)", "in brackets"),
        ("-$5", "$5", "before a currency"),
        ("-$ 5", "$5", "and before one that stands apart"),
        ("$-5", "$5", "after it"),
        ("-.5", ".5", "before a decimal point"),
        ("+5", "5", "plus"),
        ("3.5", "35", "a decimal point is spoken"),
        ("3,5", "35", "a decimal comma too"),
        ("3.5", "3 5", "and is no space"),
        (".5", "5", "without a leading digit"),
        ("1/2", "1 2", "a fraction"),
        ("$1", "1", "a currency at exactly 1"),
        ("10%", "10", "percent"),
        ("20°", "20", "degrees"),
        ("x²", "x2", "squared: no compatibility composition"),
        ("½", "12", "a half"),
        ("can't", "cant", "an apostrophe inside a word"),
        ("dog's", "dogs", "the same"),
        ("we're", "were", "the same"),
        ("c++", "c", "the language"),
        ("c#", "c", "the other language"),
        ("2 < 3 and 4 > 1", "2 1", "what stands between < and > is no annotation"),
        ("50", "fifty", "numbers are not rewritten"),
        ("किताब", "कतब", "vowel signs"),
        ("ภาษา", "ภษ", "vowels of Thai"),
        ("résumé", "resume", "accents"),
        ("bāng", "bang", "tones"),
    ],
)
def test_basic_keeps_apart_what_is_spoken_otherwise(one: str, other: str, reason: str) -> None:
    assert BASIC(one) != BASIC(other), reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("नमस्ते दुनिया", 2),
        ("สวัสดีครับ", 1),
        ("안녕하세요 세계", 2),
        ("v1.2.3 at 192.168.0.1", 3),
        ("O’Brien", 1),
        ("l·l", 1),
        ("צה״ל", 1),
    ],
)
def test_a_word_stays_one_word(text: str, words: int) -> None:
    assert len(BASIC.tokens(text)) == words


@pytest.mark.parametrize("text", ["", " ", "...", "—", "?!", "😀", "♪♪", "\u200b", "\u0301", "''", "* * *"])
def test_what_is_not_spoken_leaves_nothing(text: str) -> None:
    assert BASIC.tokens(text) == ()
    assert ENGLISH.tokens(text) == ()


@pytest.mark.parametrize("text", ["um hmm uh", "mm", "Uh... erm.", "Hmm!", "ummm"])
def test_hesitations_alone_are_nothing_in_english(text: str) -> None:
    assert ENGLISH.tokens(text) == ()
    assert BASIC.tokens(text)


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        # Numbers.
        ("they sold forty two boxes", "they sold 42 boxes"),
        ("numbered thirty-six members", "numbered 36 members"),
        ("has Type One diabetes", "has type 1 diabetes"),
        ("one two three", "1 2 3"),
        ("two hundred and five", "205"),
        ("a hundred people", "100 people"),
        ("seven thousand and one", "7,001"),
        ("twelve hundred", "1200"),
        ("twenty five thousand three hundred and forty one", "25,341"),
        ("between one hundred and two hundred", "between 100 and 200"),
        ("one thousand two thousand", "1000 2000"),
        ("two point five million", "2.5 million"),
        ("three million two hundred thousand", "3,200,000"),
        ("zero", "0"),
        # Years and times.
        ("in nineteen eighty four", "in 1984"),
        ("in nineteen oh five", "in 1905"),
        ("in twenty twenty four", "in 2024"),
        ("in two thousand and eight", "in 2008"),
        ("in ten sixty six", "in 1066"),
        ("at eleven thirty a.m.", "at 11:30 AM"),
        ("fifteen twenty minutes", "15 20 minutes"),
        ("the nineteen eighties", "the 1980s"),
        ("the eighties", "the '80s"),
        # Ordinals.
        ("the twenty first century", "the 21st century"),
        ("the second of May", "the 2nd of May"),
        ("the twenty second of May", "the 22nd of May"),
        ("a twenty second clip", "a 20 second clip"),
        ("the one hundred and first", "the 101st"),
        ("eleventh twelfth thirteenth", "11th 12th 13th"),
        # Decimals, signs, percent, money, units.
        ("three point one four", "3.14"),
        ("zero point five", ".5"),
        ("version one point two point three", "version 1.2.3"),
        ("minus five", "-5"),
        ("negative five degrees", "−5°"),
        ("minus five dollars", "-$5"),
        ("five minus three", "5 − 3"),
        ("two plus two equals four", "2 + 2 = 4"),
        ("ten percent", "10%"),
        ("ten per cent", "10 %"),
        ("one dollar", "$1"),
        ("five million dollars", "$5 million"),
        ("three dollars and fifty cents", "$3.50"),
        ("fifty cents", "$0.50"),
        ("five euros", "5 €"),
        ("20 mm", "20mm"),
        ("twenty degrees Celsius", "20 °C"),
        # Words.
        ("do not", "don’t"),
        ("cannot", "can't"),
        ("it is cold", "it's cold"),
        ("it has been cold", "it's been cold"),
        ("he would go", "he'd go"),
        ("he had gone", "he'd gone"),
        ("they would have", "they'd've"),
        ("let us go", "let's go"),
        ("the colour of the theatre", "the color of the theater"),
        ("organised travelling", "organized traveling"),
        ("Mister Brown", "Mr. Brown"),
        ("the USA", "the U.S.A."),
        ("e-mail", "email"),
        ("okay", "OK"),
        ("so um I think hmm yes", "So I think yes."),
        ("rock and roll", "rock & roll"),
    ],
)
def test_english_makes_alike_what_is_said_alike(spoken: str, written: str) -> None:
    assert ENGLISH(spoken) == ENGLISH(written)
    assert BASIC(spoken) != BASIC(written) or "fifteen" in spoken or "-" in spoken


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("-5", "5", "the sign"),
        ("minus five", "five", "the sign in words"),
        ("-5", "+5", "both signs"),
        ("$1", "1", "the currency at exactly 1"),
        ("$1", "€1", "another currency"),
        ("3,5", "35", "a decimal comma is no grouping comma"),
        ("3,5", "3.5", "nor a decimal point: English does not use it"),
        ("100 000", "100", "thousands behind a space"),
        ("192.168.0.1", "192.168.0 one", "an address"),
        ("v1.2.3", "v1.2", "a version"),
        ("forty two", "4002", "tens and units are no year"),
        ("forty two", "40 2", "nor two numbers"),
        ("the dog's bone", "the dog is bone", "a possessive is no verb"),
        ("the dog's bone", "the dogs bone", "and is heard in print"),
        ("oh no", "0 no", "oh is no zero"),
        ("O'Brien", "0 brien", "nor is O'"),
        ("one twenty three", "one two three", "digits one by one"),
        ("at this point five left", "at this 0.5 left", "point is a word too"),
        ("half a million", "half 1000000", "a share of a number"),
        ("he would go", "he had go", "would and had"),
        ("uh-huh", "uh", "assent is no hesitation"),
        ("20 mm", "20", "millimetres are none either"),
        ("advise", "advize", "not every -ise is British"),
        ("four", "for", "homophones are other words"),
        ("नमस्ते", "नमसत", "marks of other scripts"),
    ],
)
def test_english_keeps_apart_what_is_said_otherwise(one: str, other: str, reason: str) -> None:
    assert ENGLISH(one) != ENGLISH(other), reason


@pytest.mark.parametrize(
    "text", ["-5", "3,5", "100 000", "192.168.0.1", "v1.2.3", "$1", "o'brien", "oh no", "mp3"]
)
def test_english_leaves_alone_what_others_destroy(text: str) -> None:
    assert ENGLISH(text) == text


def test_whisper_english_is_what_the_package_gives() -> None:
    from whisper_normalizer.english import EnglishTextNormalizer

    for text in ("They're 42!", "The colour's grey", "um, -5"):
        assert WHISPER(text) == " ".join(EnglishTextNormalizer()(text).split())


def test_whisper_english_names_the_package_where_it_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytest_infergate.speech import normalizing

    monkeypatch.setattr(
        "pytest_infergate.speech.normalizers.whisper.PACKAGE", "whisper-normalizer-that-is-absent"
    )
    normalizing._parse.cache_clear()
    try:
        with pytest.raises(NormalizerError, match=r"needs the package .*; run: pip install") as caught:
            parse_normalizer("whisper-english")
    finally:
        normalizing._parse.cache_clear()
    assert caught.value.missing is not None
    assert caught.value.missing.reason is Reason.EVALUATOR_UNAVAILABLE


@pytest.mark.parametrize("name", ["Basic", "", "whisper", None, 5, ["basic"], "basic "])
def test_another_name_is_refused_with_those_there_are(name: object) -> None:
    with pytest.raises(NormalizerError) as caught:
        parse_normalizer(name)  # type: ignore[arg-type]
    assert str(caught.value) == (
        f"there is no normalizer {name!r}; accepted: none, basic, english, whisper-english"
    )
    assert caught.value.missing is None
    assert isinstance(caught.value, InfergateError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_each_normalizer_says_what_it_is() -> None:
    found = [parse_normalizer(name) for name in NORMALIZERS]
    assert [one.name for one in found] == list(NORMALIZERS)
    assert len({one.digest for one in found}) == len(found)
    for one in found:
        assert one.version
        assert one.rule.endswith(".")
        assert one.settings == {
            "normalizer": one.name,
            "normalizer_version": one.version,
            "normalizer_digest": one.digest,
        }


#: Characters that mean something to a rule, among all others.
CHARACTERS = st.one_of(
    st.sampled_from("abı5'\"-–−.,/%°&@#+ $€·״אकि्กำ가ｶﾞ×2½İŉßſ㏆㎜٣\u0301\u0345\u200b\u200d\u0338"),
    st.characters(),
)
_WORDS = (
    "zero one two nine ten fifteen nineteen twenty forty hundred thousand million and a point oh o minus "
    "negative plus percent per cent dollar dollars euros cents cent $ € -5 5 05 0.5 .5 1,000 3,5 1/2 5% % $5 "
    "$5.00 5€ 20mm mm um uh huh hmm 21st second first third twentieth hundredth thousandth eighties the of "
    "may half + − - = & don't it's been he'd better asked wouldn't've u.s. a.m. e mail colour ok mr . , - 's "
    "80's 18+ 000 1.2.3 5°C ° #1 c++ 999 4000 ¢ 50¢ ¢5 word -$5 $-5 +5 ₩ r$"
)
WORDS = st.sampled_from(_WORDS.split())
TEXTS = st.one_of(
    st.text(CHARACTERS, max_size=16),
    st.lists(st.tuples(WORDS, st.sampled_from([" ", " ", "-", ", ", ". ", ""])), max_size=9).map(
        lambda pairs: "".join(word + gap for word, gap in pairs)
    ),
)


@given(TEXTS)
@example("five dollars million second")
@example("zero ¢ ")
@example("50¢ point zero")
@example("zero--$5 hundredth")
@example("+++ ")
@example("5,%")
@example("㏆")
@example("\u0301@0")
def test_normalizing_again_changes_nothing(text: str) -> None:
    for normalizer in (NONE, BASIC, ENGLISH):
        once = normalizer(text)
        assert normalizer(once) == once


@given(TEXTS)
@example("ά\u0345")
def test_composed_and_decomposed_texts_are_one(text: str) -> None:
    for normalizer in (NONE, BASIC, ENGLISH):
        assert normalizer(normalize("NFD", text)) == normalizer(normalize("NFC", text)) == normalizer(text)


@given(TEXTS)
def test_words_are_parted_by_one_space_and_none_is_empty(text: str) -> None:
    for normalizer in (NONE, BASIC, ENGLISH):
        assert " ".join(normalizer.tokens(text)) == normalizer(text)


@given(st.integers(0, 999_999_999), st.booleans())
def test_numbers_in_words_are_their_digits(value: int, has_and: bool) -> None:
    if 1000 < value < 10_000 or value == 0:  # years are spoken otherwise; tested above
        value += 10_000
    assert ENGLISH(spelled(value, " and " if has_and else " ")) == str(value)


_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def spelled(value: int, after_hundred: str) -> str:
    """Spell a number as a schoolbook does."""
    small, tens = _SMALL.split(), _TENS.split()
    if value < 20:
        return small[value]
    if value < 100:
        return tens[value // 10 - 2] + (f"-{small[value % 10]}" if value % 10 else "")
    for size, name in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            gap = after_hundred if size == 100 or rest < 100 else " "
            head = f"{spelled(value // size, after_hundred)} {name}"
            return head + (gap + spelled(rest, after_hundred) if rest else "")
    raise AssertionError(value)
