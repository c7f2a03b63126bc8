"""One spelling for characters that are spoken alike: case, width, digits, apostrophes, invisible ones."""

from __future__ import annotations

from unicodedata import category, decimal, decomposition, normalize

#: Everything that is typed for an apostrophe: quotes, accents, primes, modifier letters, the Hebrew geresh.
_APOSTROPHES = "‘’‛′´`ʹʻʼʽ᾽ˈ՚׳"
#: Unicode's Default_Ignorable variation selectors; the Arabic tatweel, which only stretches a word; and the
#: Armenian marks of stress, exclamation and question, which are written inside the word they are about.
_SILENT = frozenset(
    [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x034F, 0x0640, 0x055B, 0x055C, 0x055E, 0x061C]
)
#: Punctuation whose meaning hangs on what stands beside it: left for the normalizer to decide.
IN_CONTEXT = "'\"״·.,/-–−%‰°&@#+"
_SAME_AS = {
    **dict.fromkeys(_APOSTROPHES, "'"),
    "“": '"',
    "”": '"',
    "‐": "-",
    "‑": "-",
    "﹣": "-",
    "٪": "%",
    "٫": ".",  # the decimal separator of Arabic digits
    "٬": ",",
    "⁄": "/",
    "∕": "/",
    "˚": "°",
    "℃": "°c",
    "℉": "°f",
    "\u200b": " ",  # zero-width space: Unicode's sign for the bounds of words
}
#: Currency signs, Unicode's category Sc without its full-width forms.
CURRENCIES = "$¢-¥֏؋߾߿৲৳৻૱௹฿៛₠-⃏꠸﷼"
#: What this file depends on, for the digest of a normalizer.
TABLES = (_APOSTROPHES, sorted(_SILENT), IN_CONTEXT, sorted(_SAME_AS.items()), CURRENCIES)


class _Spoken(dict[int, str]):
    """For ``str.translate``, filled with the characters that come."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _spoken(chr(code))
        return found


_TABLE = _Spoken()


def fold_characters(text: str) -> str:
    """Return ``text`` with one spelling for what is spoken alike.

    Canonical composition (Unicode's NFC) and full case folding; the full-width, half-width and squared
    forms of East Asian type (``㎜``) as the characters they stand for; decimal digits of every script as
    0-9; every kind of apostrophe as ``'``; white space as U+0020. Joiners, direction marks, variation
    selectors and other invisible characters are left out. Marks (vowel signs, accents) are kept.
    Mathematical signs stand apart; punctuation becomes a space, but for what is in ``IN_CONTEXT``. No
    compatibility composition (NFKC): it would make ``x²`` into ``x2`` and ``½`` into ``1/2``, which are
    spoken otherwise.
    """
    # The dotted capital I is folded by itself: its full folding is an i with a second dot.
    text = normalize("NFC", text).replace("İ", "i").casefold()
    # The folding of one character can be another that the table knows, and can be not composed.
    return normalize("NFC", normalize("NFC", text).translate(_TABLE))


def _spoken(char: str) -> str:
    if char in _SAME_AS:
        return _SAME_AS[char]
    if char in IN_CONTEXT:
        return char
    if char.isspace():
        return " "
    kind = category(char)
    if kind in ("Cf", "Cc", "Cs", "Me") or ord(char) in _SILENT:
        return ""
    if kind == "Nd":
        return str(decimal(char))
    form, _, codes = decomposition(char).partition(" ")
    if form in ("<wide>", "<narrow>", "<square>"):
        return "".join(_spoken(chr(int(code, 16))) for code in codes.split()).casefold()
    if kind == "Sm":
        return " " if char in "|~" else f" {char} "
    return " " if kind[0] in "PS" and kind != "Sc" else char
