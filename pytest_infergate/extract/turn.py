"""Where the answer of a model ends and it goes on to write what is not its own."""

from __future__ import annotations

import re
from itertools import islice

from .statement import find_statements

#: Tokens that end a turn, which a server may leave in the text; ``</s>`` is also a tag of HTML.
_END = (
    r"<(?:\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|end|return)\|>|end_of_turn>|eos>|/s>"
    r"|｜end▁of▁sentence｜>)"
)
_BEGINS = (
    *("<|im_start|>", "<|start_header_id|>", "<|begin_of_text|>", "<|start|>", "<|user|>", "<|system|>"),
    *("<start_of_turn>", "<bos>", "<s>", "[INST]", "<｜User｜>", "<｜begin▁of▁sentence｜>"),
)
_NEXT_TURN = re.compile(rf"{_END[0]}(?<![\"'`]<){_END[1:]}\s{{0,8}}(?:{'|'.join(map(re.escape, _BEGINS))})")
_AT_END = re.compile(rf"{_END}\s{{0,8}}\Z")
_LONGEST = 32  # characters of such a token and the white space after it
_MOST = 16
_QUESTION = re.compile(
    r"^[ \t#*>]{0,8}(?:question|problem|q|human|user)[ ]?\d{0,3}[*]{0,2}[ ]?[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_BARE = re.compile(
    r"\W*(?:[-+$€£]{0,2}\d[\d.,]{0,20}|[A-HJ-Za-z]|yes|no|true|false)\b\W{0,4}(?:\w+\W*){0,2}", re.IGNORECASE
)
_SAID = re.compile(r"\bis (?:the|my) (?:final |correct )?answer\b", re.IGNORECASE)
_LOOKED_AT = 8_192  # characters before a question in which an answer is looked for


def own_turn(text: str) -> str:
    """Return ``text`` without leaked tokens at its end and without turns that follow its own."""
    if ">" not in text:
        return text
    begins = [at for token in _BEGINS if (at := text.find(token)) >= 0]
    following = _NEXT_TURN.search(text) if begins else None
    if following and min(begins) > following.start():  # else it writes about such tokens
        text = text[: following.start()]
    for _ in range(_MOST):
        token = _AT_END.search(text, max(0, len(text) - _LONGEST))
        if token is None or (token.group().startswith("</s>") and "<s>" in text):
            break
        text = text[: token.start()]
    return text


def before_next_question(text: str) -> str:
    """Return ``text`` up to the question that a model asked itself after it had answered.

    A base model goes on in the pattern of its prompt: "18\\n\\nQ: …\\nA: 3". A question ends the answer only
    where one stands before it: announced, or in three words that begin with a number, a letter, yes or no.
    """
    if ":" not in text and "：" not in text:
        return text
    for question in islice(_QUESTION.finditer(text), _MOST):
        before = text[max(0, question.start() - _LOOKED_AT) : question.start()].strip()
        is_bare = len(before) <= 80 and _BARE.fullmatch(before)
        if before and (is_bare or _SAID.search(before) or find_statements(before)):
            return text[: question.start()]
    return text
