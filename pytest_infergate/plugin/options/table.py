"""The options of the plugin: one table for the command line and the ini file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest


@dataclass(frozen=True)
class Option:
    """``--infer-NAME`` on the command line, ``infer_NAME`` in the ini file."""

    name: str
    metavar: str
    help: str
    repeatable: bool = False
    is_flag: bool = False

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
    Option("limit", "N", "only the first N samples, or P%%, of each data set"),
    Option(
        "sandbox",
        "BACKEND",
        "what isolates code that a model wrote: auto, bubblewrap, container, or subprocess, which isolates "
        "nothing (default: auto)",
    ),
    Option("asr", "URL", "OpenAI-style transcription server that hears the clips of the fixture wer"),
    Option("asr-served-model", "ID", "which model transcribes; needed only when that server lists several"),
    Option(
        "asr-api-key-env",
        "NAME",
        "environment variable that holds the transcription server's API key (default: INFER_ASR_API_KEY)",
    ),
    Option(
        "asr-model",
        "DIR|NAME",
        "local faster-whisper model: a folder, or the name of one that is in the cache already; hears the "
        "clips, or stands in for the server of --infer-asr",
    ),
    Option(
        "asr-fallback",
        "forbid|allow",
        "whether scores of a transcriber that stands in for the preferred one count (default: forbid)",
    ),
    Option("replay", "RUN", "judge the stored replies of this run again, with no server and no network"),
    Option(
        "rescore",
        "all|missing|fallback",
        "with --infer-replay: judge all again, or only what is missing, or what a fallback scored; "
        "missing,fallback is both (default: all)",
    ),
    Option(
        "update-references",
        "",
        "write the pictures that visual.matches compares with; nothing is compared then, so no such check "
        "passes",
        is_flag=True,
    ),
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


def add_options(parser: pytest.Parser) -> None:
    """Add every option to pytest's parser and ini file."""
    group = parser.getgroup("infergate", "model evaluation (pytest-infergate)")
    for option in OPTIONS:
        if option.is_flag:
            group.addoption(
                option.flag, dest=option.dest, default=None, action="store_true", help=option.help
            )
            parser.addini(option.dest, option.help, type="bool", default=None)
            continue
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
