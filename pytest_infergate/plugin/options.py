"""The options of the plugin: one table for the command line and the ini file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from ..tasks import Limit


@dataclass(frozen=True)
class Option:
    """``--infer-NAME`` on the command line, ``infer_NAME`` in the ini file."""

    name: str
    metavar: str
    help: str
    repeatable: bool = False

    @property
    def flag(self) -> str:
        return f"--infer-{self.name}"

    @property
    def dest(self) -> str:
        return f"infer_{self.name.replace('-', '_')}"


OPTIONS = (
    Option(
        "server",
        "URL",
        "OpenAI-compatible model server, with or without /v1; 'embedded' starts a small real model here, "
        "'embedded:FILE.gguf' one of your own",
    ),
    Option("model", "ID", "which model; needed only when the server lists several"),
    Option("api-key-env", "NAME", "environment variable that holds the API key (default: INFER_API_KEY)"),
    Option("judge", "URL", "OpenAI-compatible server with the model that judges replies for infer.judge"),
    Option("judge-model", "ID", "which model judges; needed only when that server lists several"),
    Option(
        "judge-api-key-env",
        "NAME",
        "environment variable that holds the judge's API key (default: INFER_JUDGE_API_KEY)",
    ),
    Option(
        "concurrency",
        "N",
        "requests in flight over the whole session (default: the server's slots, 8 at most)",
    ),
    Option("timeout", "S", "deadline of one request in seconds, retries included (default: 300)"),
    Option("retries", "N", "retries after 429, 502, 503, 504 and lost connections (default: 3)"),
    Option("wait", "S", "wait this many seconds for a server that is still loading (default: 0)"),
    Option("run", "DIR", "the run folder (default: .infergate/runs/<time>-<id>)"),
    Option("limit", "N", "only the first N samples, or P%%, of each task"),
    Option(
        "sandbox",
        "BACKEND",
        "what isolates code that a model wrote: auto, bubblewrap, container, or subprocess, which isolates "
        "nothing (default: auto)",
    ),
    Option("replay", "RUN", "judge the stored replies of this run again, with no server and no network"),
    Option("resume", "RUN", "keep what this interrupted run finished, and ask for the rest"),
    Option(
        "baseline",
        "RUN",
        "compare with this run folder or baseline file at the end, and gate on it; repeatable",
        True,
    ),
    Option("margin", "X", "what a task's pass rate may lose against a baseline (default: 0.05)"),
    Option(
        "treatment",
        "FIELD,…",
        "the identity fields of the server that may differ from the baseline's; all others must be equal",
    ),
    Option(
        "on-inconclusive",
        "fail|pass",
        "what a comparison that decides nothing does to the exit status (default: fail)",
    ),
    Option("against", "URL", "a second server to compare with, asked in turn with the first"),
    Option("against-model", "ID", "which model of the second server; needed only when it lists several"),
    Option(
        "against-api-key-env",
        "NAME",
        "environment variable that holds the second server's API key (default: INFER_AGAINST_API_KEY)",
    ),
    Option(
        "confirm", "K", "ask samples that turned from pass to fail K more times before that is called worse"
    ),
    Option("expect", "FIELD=VALUE", "an identity field must have this value, else nothing is sent", True),
    Option("declare", "FIELD=VALUE", "record what the server does not expose, such as launch flags", True),
)


DEFAULT_CONCURRENCY = 8


@dataclass(frozen=True)
class Settings:
    """What the person who runs the session asked for; values are parsed and in range."""

    server: str | None
    model: str | None
    api_key_env: str
    judge: str | None
    judge_model: str | None
    judge_api_key_env: str
    #: ``None``: as many as the server has slots, eight where that is unknown.
    concurrency: int | None
    timeout: float
    retries: int
    wait: float
    run: Path | None
    limit: Limit | None
    expect: tuple[str, ...]
    declare: tuple[str, ...]
    embedded_gguf: Path | None
    sandbox: str
    replay: Path | None
    resume: Path | None
    baseline: tuple[Path, ...]
    margin: float
    #: ``None``: any field of the server may differ.
    treatment: tuple[str, ...] | None
    fails_inconclusive: bool
    against: str | None
    against_model: str | None
    against_api_key_env: str
    confirm: int

    def in_flight(self, slots: object = None) -> int:
        """Return how many requests may be in flight; ``slots``: as many as the server works on at once.

        More would only wait there, and their waiting would count against their deadline.
        """
        if self.concurrency is not None:
            return self.concurrency
        return (
            min(DEFAULT_CONCURRENCY, slots) if isinstance(slots, int) and slots > 0 else DEFAULT_CONCURRENCY
        )

    @property
    def is_embedded(self) -> bool:
        return self.server == "embedded"

    @property
    def has_source(self) -> bool:
        """Whether there is a source of replies: a server, or a run whose replies are judged again."""
        return self.server is not None or self.replay is not None


def add_options(parser: pytest.Parser) -> None:
    """Add every option to pytest's parser and ini file."""
    group = parser.getgroup("infergate", "model evaluation (pytest-infergate)")
    for option in OPTIONS:
        group.addoption(
            option.flag,
            dest=option.dest,
            metavar=option.metavar,
            default=None,
            action="append" if option.repeatable else "store",
            help=option.help,
        )
        kind: Literal["linelist", "string"] = "linelist" if option.repeatable else "string"
        parser.addini(option.dest, option.help.replace("%%", "%"), type=kind, default=None)


def read_settings(config: pytest.Config) -> Settings:
    """Parse every option; the command line wins over the ini file.

    Raises ``pytest.UsageError`` with one line: the option, the value, what is accepted.
    """
    given = {option.name: _given(config, option) for option in OPTIONS}
    _choose_source(given)

    def single(name: str, parse: Callable[[str], Any], default: Any, accepted: str) -> Any:
        value, origin = given[name]
        if not value:
            return default
        try:
            return parse(str(value))
        except ValueError as error:
            reason = f" ({error})" if isinstance(error, _Explained) else ""
            raise pytest.UsageError(f"{origin}: {value!r} is not {accepted}{reason}") from None

    working = config.invocation_params.dir
    server, gguf = single(
        "server",
        lambda text: _parse_server(text, working),
        (None, None),
        "an http or https URL such as http://127.0.0.1:8080, 'embedded', or 'embedded:FILE.gguf'",
    )
    expect, declare = (tuple(given[name][0] or ()) for name in ("expect", "declare"))
    for name, pairs in (("expect", expect), ("declare", declare)):
        for pair in pairs:
            _check_pair(given[name][1], pair)
    settings = Settings(
        server=server,
        model=single("model", str, None, "a model id"),
        api_key_env=single(
            "api-key-env", _parse_name, "INFER_API_KEY", "the name of an environment variable"
        ),
        judge=single("judge", _parse_url, None, "an http or https URL such as http://127.0.0.1:8080"),
        judge_model=single("judge-model", str, None, "a model id"),
        judge_api_key_env=single(
            "judge-api-key-env", _parse_name, "INFER_JUDGE_API_KEY", "the name of an environment variable"
        ),
        concurrency=single("concurrency", _whole(1, 1024), None, "a whole number from 1 to 1024"),
        timeout=single("timeout", _seconds(0.001), 300.0, "a number of seconds above 0, such as 300"),
        retries=single("retries", _whole(0, 100), 3, "a whole number from 0 to 100"),
        wait=single("wait", _seconds(0.0), 0.0, "a number of seconds, 0 or more"),
        run=single("run", lambda text: working / text, None, "a folder"),
        limit=single("limit", _parse_limit, None, "a whole number from 1, or a share such as 10%"),
        expect=expect,
        declare=declare,
        embedded_gguf=gguf,
        sandbox=single("sandbox", _parse_sandbox, "auto", "auto, bubblewrap, container or subprocess"),
        replay=single("replay", lambda text: _parse_run(text, working), None, "a run folder"),
        resume=single("resume", lambda text: _parse_run(text, working), None, "a run folder"),
        baseline=tuple(working / path for path in given["baseline"][0] or () if path),
        margin=single("margin", _parse_share, 0.05, "a number from 0 to 1; write 5 % as 0.05"),
        treatment=single(
            "treatment", _parse_fields, None, "names of identity fields, such as quantization,kv_cache_type"
        ),
        fails_inconclusive=single("on-inconclusive", _parse_inconclusive, True, "fail or pass"),
        against=single("against", _parse_url, None, "an http or https URL such as http://127.0.0.1:8081"),
        against_model=single("against-model", str, None, "a model id"),
        against_api_key_env=single(
            "against-api-key-env", _parse_name, "INFER_AGAINST_API_KEY", "the name of an environment variable"
        ),
        confirm=single("confirm", _whole(0, 100), 0, "a whole number from 0 to 100"),
    )
    _check_together(settings)
    return settings


def _check_together(settings: Settings) -> None:
    """Refuse options that contradict each other, with the one to leave out."""
    if settings.replay is not None:
        for name, value in (
            ("server", settings.server),
            ("resume", settings.resume),
            ("against", settings.against),
            ("confirm", settings.confirm or None),
        ):
            if value is not None:
                raise pytest.UsageError(
                    f"--infer-replay={settings.replay} judges stored replies and asks nobody; leave out "
                    f"--infer-{name}"
                )
    for name, value in (("resume", settings.resume), ("against", settings.against)):
        if value is not None and settings.server is None:
            raise pytest.UsageError(f"--infer-{name}={value} needs a server to ask; add --infer-server=URL")
    if settings.resume is not None and settings.against is not None:
        raise pytest.UsageError(
            "--infer-resume and --infer-against: a resumed run is of one server; leave one of them out"
        )
    if settings.confirm and not (settings.baseline or settings.against):
        raise pytest.UsageError(
            f"--infer-confirm={settings.confirm} needs something to compare with; add --infer-baseline=RUN "
            "or --infer-against=URL"
        )


def _choose_source(given: dict[str, tuple[Any, str]]) -> None:
    """Let a source of replies on the command line replace what the ini file says of another one.

    So no judge of the ini file is asked where stored replies are judged: that takes its option.
    """

    def is_typed(name: str) -> bool:
        value, origin = given[name]
        return bool(value) and origin.startswith("--")

    replaced = {"replay": ("server", "judge", "resume", "against", "confirm"), "server": ("replay",)}
    for typed, others in replaced.items():
        if is_typed(typed):
            given.update({name: (None, given[name][1]) for name in others if not is_typed(name)})


def _given(config: pytest.Config, option: Option) -> tuple[Any, str]:
    value = config.getoption(option.dest)
    if value is not None:
        return value, option.flag
    return config.getini(option.dest), f"ini option {option.dest}"


class _Explained(ValueError):
    """A value error whose text adds to the line."""


def _parse_server(text: str, working: Path) -> tuple[str, Path | None]:
    text = text.strip()
    if text == "embedded":
        return text, None
    if text.startswith("embedded:"):
        path = working / text.removeprefix("embedded:")
        if not path.is_file():
            raise _Explained(f"no such file: {path}")
        return "embedded", path
    return _parse_url(text), None


def _parse_url(text: str) -> str:
    text = text.strip()
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    if parts.query or parts.fragment:
        raise _Explained("leave out the query and the fragment")
    try:
        _ = parts.port
    except ValueError:
        raise _Explained("the port is not a number from 0 to 65535") from None
    return text.rstrip("/")


def _parse_name(text: str) -> str:
    if not text.isidentifier():
        raise ValueError
    return text


def _parse_sandbox(text: str) -> str:
    from ..sandbox import BackendName

    return BackendName(text.strip()).value


def _parse_limit(text: str) -> Limit:
    from ..evidence import InfergateError
    from ..tasks import parse_limit

    try:
        return parse_limit(text)
    except InfergateError:
        raise ValueError from None


def _parse_run(text: str, working: Path) -> Path:
    path = working / text
    if not path.is_dir():
        raise _Explained(f"no such folder: {path}")
    return path


def _parse_share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def _parse_fields(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise ValueError
    return names


def _parse_inconclusive(text: str) -> bool:
    if text not in ("fail", "pass"):
        raise ValueError
    return text == "fail"


def _whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not low <= number <= high:
            raise ValueError
        return number

    return parse


def _seconds(low: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = float(text)
        if not low <= number < 1e9:  # NaN and infinity fall through both sides
            raise ValueError
        return number

    return parse


def _check_pair(origin: str, pair: str) -> None:
    field, equals, value = pair.partition("=")
    if not equals or not field.strip() or not value.strip():
        raise pytest.UsageError(f"{origin}: {pair!r} is not FIELD=VALUE, such as context_length=8192")
