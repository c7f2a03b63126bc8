"""What the person who runs the session asked for: every option, parsed and in range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .option_values import (
    Explained,
    parse_choice,
    parse_fields,
    parse_limit,
    parse_name,
    parse_rescore,
    parse_run,
    parse_sandbox,
    parse_server,
    parse_share,
    parse_transcriber,
    parse_url,
    seconds,
    whole,
)
from .rescore_choice import RescoreChoice
from .table import OPTIONS, Option

if TYPE_CHECKING:
    from ...tasks import Limit

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
    asr: str | None
    asr_served_model: str | None
    asr_api_key_env: str
    #: The folder or the name of a local model that transcribes.
    asr_model: str | None
    allows_asr_fallback: bool
    replay: Path | None
    #: What is judged again of the run that is replayed; ``None``: all of it.
    rescore: frozenset[RescoreChoice] | None
    #: Pictures that are compared with a reference become the reference.
    updates_references: bool
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


def read_settings(config: pytest.Config) -> Settings:
    """Parse every option; the command line wins over the ini file.

    Raises ``pytest.UsageError`` with one line: the option, the value, what is accepted.
    """
    given = {option.name: _given(config, option) for option in OPTIONS}
    _refuse_empty(given)
    _choose_source(given)

    def single(name: str, parse: Callable[[str], Any], default: Any, accepted: str) -> Any:
        value, origin = given[name]
        if not value:
            return default
        try:
            return parse(str(value))
        except ValueError as error:
            reason = f" ({error})" if isinstance(error, Explained) else ""
            raise pytest.UsageError(f"{origin}: {value!r} is not {accepted}{reason}") from None

    working = config.invocation_params.dir
    server, gguf = single(
        "server",
        lambda text: parse_server(text, working),
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
        api_key_env=single("api-key-env", parse_name, "INFER_API_KEY", "the name of an environment variable"),
        judge=single("judge", parse_url, None, "an http or https URL such as http://127.0.0.1:8080"),
        judge_model=single("judge-model", str, None, "a model id"),
        judge_api_key_env=single(
            "judge-api-key-env", parse_name, "INFER_JUDGE_API_KEY", "the name of an environment variable"
        ),
        concurrency=single("concurrency", whole(1, 1024), None, "a whole number from 1 to 1024"),
        timeout=single("timeout", seconds(0.001), 300.0, "a number of seconds above 0, such as 300"),
        retries=single("retries", whole(0, 100), 3, "a whole number from 0 to 100"),
        wait=single("wait", seconds(0.0), 0.0, "a number of seconds, 0 or more"),
        run=single("run", lambda text: working / text, None, "a folder"),
        limit=single("limit", parse_limit, None, "a whole number from 1, or a share such as 10%"),
        expect=expect,
        declare=declare,
        embedded_gguf=gguf,
        sandbox=single("sandbox", parse_sandbox, "auto", "auto, bubblewrap, container or subprocess"),
        asr=single("asr", parse_url, None, "an http or https URL such as http://127.0.0.1:8000"),
        asr_served_model=single("asr-served-model", str, None, "a model id"),
        asr_api_key_env=single(
            "asr-api-key-env", parse_name, "INFER_ASR_API_KEY", "the name of an environment variable"
        ),
        asr_model=single(
            "asr-model",
            lambda text: parse_transcriber(text, working),
            None,
            "the folder of a model, or the name of one",
        ),
        allows_asr_fallback=single("asr-fallback", parse_choice("allow", "forbid"), False, "forbid or allow"),
        replay=single("replay", lambda text: parse_run(text, working), None, "a run folder"),
        rescore=single("rescore", parse_rescore, None, "all, missing, fallback or missing,fallback"),
        updates_references=bool(given["update-references"][0]),
        resume=single("resume", lambda text: parse_run(text, working), None, "a run folder"),
        baseline=tuple(working / path for path in given["baseline"][0] or () if path),
        margin=single("margin", parse_share, 0.05, "a number from 0 to 1; write 5 % as 0.05"),
        treatment=single(
            "treatment", parse_fields, None, "names of identity fields, such as quantization,kv_cache_type"
        ),
        fails_inconclusive=single("on-inconclusive", parse_choice("fail", "pass"), True, "fail or pass"),
        against=single("against", parse_url, None, "an http or https URL such as http://127.0.0.1:8081"),
        against_model=single("against-model", str, None, "a model id"),
        against_api_key_env=single(
            "against-api-key-env", parse_name, "INFER_AGAINST_API_KEY", "the name of an environment variable"
        ),
        confirm=single("confirm", whole(0, 100), 0, "a whole number from 0 to 100"),
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
    elif settings.rescore is not None:
        names = ",".join(sorted(one.value for one in settings.rescore))
        raise pytest.UsageError(
            f"--infer-rescore={names} says what to judge again of a stored run; add --infer-replay=RUN"
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

    replaced = {
        "replay": ("server", "judge", "resume", "against", "confirm"),
        "server": ("replay", "rescore"),
    }
    for typed, others in replaced.items():
        if is_typed(typed):
            given.update({name: (None, given[name][1]) for name in others if not is_typed(name)})


def _given(config: pytest.Config, option: Option) -> tuple[Any, str]:
    value = config.getoption(option.dest)
    if value is not None:
        return value, option.flag
    return config.getini(option.dest), f"ini option {option.dest}"


def _refuse_empty(given: dict[str, tuple[Any, str]]) -> None:
    """Refuse an option that is typed without a value, which would do nothing: no baseline, no gate."""
    for value, origin in given.values():
        texts = value if isinstance(value, list) else [value]
        if origin.startswith("--") and any(isinstance(text, str) and not text.strip() for text in texts):
            raise pytest.UsageError(
                f"{origin}: it is given without a value, as by a variable of the shell that is not set; give "
                "one, or leave the option out"
            )


def _check_pair(origin: str, pair: str) -> None:
    field, equals, value = pair.partition("=")
    if not equals or not field.strip() or not value.strip():
        raise pytest.UsageError(f"{origin}: {pair!r} is not FIELD=VALUE, such as context_length=8192")
