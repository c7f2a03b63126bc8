"""The spoken words of SRT and WebVTT files."""

from __future__ import annotations

import re
from html import unescape

from .spans import MOST_MARKS, TooManyMarksError

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"^[ \t]{{0,8}}{_TIME}[ \t]{{0,8}}-->[ \t]{{0,8}}{_TIME}", re.MULTILINE)
_OUT = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_RUBY = re.compile(r"<rt>[^<\n]{0,200}</rt>", re.IGNORECASE)
_WORD_TIME = re.compile(rf"<{_TIME}>")
_MARKUP = re.compile(rf"</?[A-Za-z][^<>\n]{{0,300}}>|<{_TIME}>|\{{\\[^{{}}\n]{{0,300}}\}}|[♪♫♩♬]")
#: "- ", ">>", "JOHN:", "Speaker 2:" at the start of a line: who speaks, as captions write it.
_SPEAKER = re.compile(
    r"^[ \t]{0,8}(?:[-–—‐]{1,2}[ \t]{0,4}|>{2,3}[ \t]{0,4})?"
    r"(?:(?:[^\W\d_a-zß-öø-ÿ][^\Wa-zß-öø-ÿ]{1,20}(?:[ .'’&-]{1,2}[^\Wa-zß-öø-ÿ]{1,20}){0,3}"
    r"|(?i:speaker|narrator|voice)[ ]?\d{0,3})(?:[ ]?[(\[][^()\[\]\n]{1,40}[)\]])?[ ]?:(?=\s|$))?"
)


def is_subtitles(text: str) -> bool:
    """Whether ``text`` is an SRT or WebVTT file: it begins with ``WEBVTT`` or has a line with two times."""
    return text.startswith("WEBVTT") or _TIMING.search(text) is not None


def cue_lines(text: str) -> list[str]:
    """Return the lines of the cues in order, as they are spoken but for brackets.

    Left out are numbers and names of cues, times and positions, NOTE, STYLE and REGION blocks, tags (also of
    voices, colours, times, ruby notes), note signs, dashes and names in front. Of captions that roll, with a
    time at each word, the line that stands there again is left out.
    """
    found: list[str] = []
    pending: list[str] = []
    is_vtt, is_rolling = text.startswith("WEBVTT"), _WORD_TIME.search(text) is not None
    is_out, in_cue = is_vtt, False  # the header of WebVTT goes on to the first blank line
    for count, line in enumerate(text.split("\n")):
        if count > MOST_MARKS:
            raise TooManyMarksError("lines")
        if _TIMING.match(line):
            if pending and (pending[-1].strip().isdigit() or (len(pending) == 1 and not in_cue)):
                pending.pop()  # the number or name of the cue
            found += pending if in_cue else ()
            pending, in_cue, is_out = [], True, False
        elif not line.strip():
            found += pending if in_cue else ()
            # A blank line ends a cue of WebVTT; in SRT many are written with blank lines inside.
            pending, in_cue, is_out = [], in_cue and not is_vtt, False
        elif is_vtt and not in_cue and not pending and _OUT.match(line):
            is_out = True
        elif not is_out:
            pending.append(line)
    found += pending if in_cue else ()
    return _spoken(found, is_rolling=is_rolling)


def _spoken(lines: list[str], *, is_rolling: bool) -> list[str]:
    found: list[str] = []
    for line in lines:
        spoken = unescape(_MARKUP.sub("", _RUBY.sub("", line)))
        spoken = spoken[_end_of_speaker(spoken) :].strip()
        if spoken and not (is_rolling and found and found[-1] == spoken):
            found.append(spoken)
    return found


def _end_of_speaker(line: str) -> int:
    name = _SPEAKER.match(line)
    return name.end() if name else 0
