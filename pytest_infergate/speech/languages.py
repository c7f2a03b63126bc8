"""The languages that Whisper knows, and the names that servers have for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..evidence import InfergateError

#: Whisper's own table (openai/whisper, ``tokenizer.py``).
_TABLE = """
af:afrikaans am:amharic ar:arabic as:assamese az:azerbaijani ba:bashkir be:belarusian bg:bulgarian
bn:bengali bo:tibetan br:breton bs:bosnian ca:catalan cs:czech cy:welsh da:danish de:german el:greek
en:english es:spanish et:estonian eu:basque fa:persian fi:finnish fo:faroese fr:french gl:galician
gu:gujarati ha:hausa haw:hawaiian he:hebrew hi:hindi hr:croatian ht:haitian_creole hu:hungarian
hy:armenian id:indonesian is:icelandic it:italian ja:japanese jw:javanese ka:georgian kk:kazakh km:khmer
kn:kannada ko:korean la:latin lb:luxembourgish ln:lingala lo:lao lt:lithuanian lv:latvian mg:malagasy
mi:maori mk:macedonian ml:malayalam mn:mongolian mr:marathi ms:malay mt:maltese my:myanmar ne:nepali
nl:dutch nn:nynorsk no:norwegian oc:occitan pa:punjabi pl:polish ps:pashto pt:portuguese ro:romanian
ru:russian sa:sanskrit sd:sindhi si:sinhala sk:slovak sl:slovenian sn:shona so:somali sq:albanian
sr:serbian su:sundanese sv:swedish sw:swahili ta:tamil te:telugu tg:tajik th:thai tk:turkmen tl:tagalog
tr:turkish tt:tatar uk:ukrainian ur:urdu uz:uzbek vi:vietnamese yi:yiddish yo:yoruba yue:cantonese
zh:chinese
"""
#: Code → name, in English.
LANGUAGES: Mapping[str, str] = MappingProxyType(dict(pair.split(":") for pair in _TABLE.split()))
_CODES = {name.replace("_", " "): code for code, name in LANGUAGES.items()} | {
    "burmese": "my",
    "castilian": "es",
    "flemish": "nl",
    "haitian": "ht",
    "javanese": "jw",
    "letzeburgesch": "lb",
    "mandarin": "zh",
    "moldavian": "ro",
    "panjabi": "pa",
    "pushto": "ps",
    "sinhalese": "si",
    "valencian": "ca",
    "jv": "jw",  # the code of ISO 639-1, where Whisper has an older one
    "nb": "no",
}


class LanguageError(InfergateError):
    """A language that no transcriber knows."""


def parse_language(text: object) -> str:
    """Return Whisper's code for a code (``de``, ``de-AT``) or an English name (``German``).

    Raises ``LanguageError``.
    """
    code = language_code(text) if isinstance(text, str) else None
    if code is None or code not in LANGUAGES:
        raise LanguageError(
            f"language={text!r:.60} is none that transcribers know; accepted: a code such as 'en' or 'ja', "
            "or an English name such as 'German'"
        )
    return code


def language_code(said: str) -> str:
    """Return the code for what a server calls a language; what is not known as it stands, in lower case."""
    word = said.strip().lower().replace("_", "-")
    for spelling in (word, word.partition("-")[0]):
        if spelling in LANGUAGES:
            return spelling
        if spelling in _CODES:
            return _CODES[spelling]
    return word
