"""Keeping secrets out of a run folder."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from ..evidence import canonical_json

REDACTED = "[redacted]"

#: What local servers are given because a client insists on a key: nothing to hide, and replacing such
#: words would damage what a model said.
_PLACEHOLDERS = frozenset(
    {"empty", "none", "null", "dummy", "test", "no-key", "not-needed", "sk-no-key-required", "ollama"}
    | {"lm-studio", "lmstudio", "local", "vllm", "sglang", "llama.cpp", "placeholder"}
)
#: A shorter secret cannot be told from ordinary text.
_SHORTEST = 6

# Names are bounded: a long word from a server must not cost quadratic time.
_SECRET_NAME = (
    r"[\w.-]{0,60}?(?:api[-_]?key|token|secret|passw(?:or)?d|authorization|credential|cookie)[\w.-]{0,60}"
)
_AUTHORIZATION = re.compile(r"(?i)\b(bearer|basic)(\s+)[A-Za-z0-9._~+/=-]{3,}")
_URL_USER = re.compile(r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{0,30}://)[^\s/?#@'\"]*@(?=[^\s@])")
_URL_QUERY = re.compile(
    r"(?i)([?&](?:[\w.-]{0,60}?(?:key|token|secret|password|signature|credential)[\w.-]{0,60}|sig|auth)=)[^&#\s'\"]+"
)
#: ``--max-tokens=5`` and the like count tokens; they hide nothing.
_COUNTS_TOKENS = re.compile(r"(?i)tokens|tokenizer")
_OPTION = re.compile(rf"(?i)(?<![\w.-])((?:-{{1,2}})?{_SECRET_NAME})(\s*[=:]\s*|\s+)(\"[^\"]*\"|'[^']*'|\S+)")
_BARE_OPTION = re.compile(rf"(?i)-{{1,2}}{_SECRET_NAME}\Z")


def redact_text(text: str) -> str:
    """Take credentials out of a command line, a URL or a setting.

    Known by their form: ``user:password@`` in URLs, keys and tokens in query strings, ``Bearer`` and
    ``Basic`` credentials, and values of options or fields that are named after a secret.
    Not for what a model said: there only known secrets are replaced, by ``Secrets``.
    """
    text = _URL_USER.sub(rf"\1{REDACTED}@", text)
    text = _URL_QUERY.sub(rf"\1{REDACTED}", text)
    text = _AUTHORIZATION.sub(rf"\1\2{REDACTED}", text)
    return _OPTION.sub(_redact_option, text)


def redact_argv(argv: Sequence[str]) -> list[str]:
    """Take credentials out of command-line arguments; ``--api-key`` hides the argument after it."""
    kept: list[str] = []
    hide = False
    for argument in argv:
        if hide and not argument.startswith("-"):
            kept.append(REDACTED)
        else:
            kept.append(redact_text(argument))
        hide = bool(_BARE_OPTION.match(argument)) and not _COUNTS_TOKENS.search(argument)
    return kept


class Secrets:
    """Known secret strings, and how to take them out of JSON. Costs next to nothing where none occurs."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        usable = {v for v in values if len(v) >= _SHORTEST and v.lower() not in _PLACEHOLDERS}
        # Longest first: a secret may hold another one.
        self._values = sorted(
            {form for value in usable for form in (value, quote(value, safe=""))}, key=_longest
        )
        self._spelled = [json.dumps(value)[1:-1] for value in self._values]

    @classmethod
    def of(cls, *, urls: Iterable[str] = (), keys: Iterable[str] = ()) -> Secrets:
        """Collect keys, and the passwords and tokens that are written into URLs."""
        values = [*keys]
        for url in urls:
            parts = urlsplit(url)
            user, found, password = parts.netloc.rpartition("@")[0].partition(":")
            if user:
                values.append(b64encode(unquote(f"{user}:{password}").encode()).decode())
                # A user name without a password is a token; beside one it is a name.
                values += [password, unquote(password)] if found else [user, unquote(user)]
            values += [m.group(0)[len(m.group(1)) :] for m in _URL_QUERY.finditer(url)]
        return cls(values)

    def redact_line(self, line: str) -> str:
        """Return an ASCII JSON line without secrets: the same string where none occurs in it."""
        if not any(spelled in line for spelled in self._spelled):
            return line
        return canonical_json(self.redact(json.loads(line)))

    def redact(self, value: Any) -> Any:
        """Return a JSON value whose strings hold no secret. Keys stay: they are names."""
        if isinstance(value, str):
            for secret in self._values:
                value = value.replace(secret, REDACTED)
            return value
        if isinstance(value, dict):
            return {key: self.redact(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.redact(item) for item in value]
        return value


def redact_texts(value: Any) -> Any:
    """Apply ``redact_text`` to every string of a JSON value, and hide values named after a secret."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, dict):
        return {
            key: REDACTED if isinstance(item, str) and item and _is_secret_name(key) else redact_texts(item)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [redact_texts(item) for item in value]
    return value


def _is_secret_name(name: str) -> bool:
    return bool(re.fullmatch(rf"(?i){_SECRET_NAME}", name)) and not _COUNTS_TOKENS.search(name)


def _redact_option(match: re.Match[str]) -> str:
    name, between, value = match.groups()
    is_flag_or_assignment = name.startswith("-") or "=" in between or ":" in between
    if not is_flag_or_assignment or _COUNTS_TOKENS.search(name) or value.startswith("-"):
        return match.group(0)
    if value in ("Bearer", "Basic") or value.startswith(REDACTED):
        return match.group(0)
    return f"{name}{between}{REDACTED}"


def _longest(value: str) -> tuple[int, str]:
    return -len(value), value
