"""``infergate doctor URL``: who a server is, what can be observed on it, what is unknown."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from .answer import Answer, answer_with
from .option_types import option_help, seconds

if TYPE_CHECKING:
    from ..report import Line
    from ..serving.identity import ServerIdentity


def add_doctor(commands: Any) -> None:
    help = option_help()
    parser = commands.add_parser(
        "doctor",
        help="tell who a server is, what can be observed on it, and what is unknown",
        description="Ask a model server who it is, without making it generate anything.",
    )
    parser.add_argument("url", metavar="URL", help="an OpenAI-compatible server, with or without /v1")
    parser.add_argument("--model", metavar="ID", help=help["model"])
    parser.add_argument("--api-key-env", metavar="NAME", default="INFER_API_KEY", help=help["api-key-env"])
    parser.add_argument("--wait", metavar="S", type=seconds, default=0.0, help=help["wait"])
    answer_with(doctor, parser)


def doctor(arguments: argparse.Namespace) -> Answer:
    """Raises ``ProbeError`` where the server cannot be identified."""
    from ..serving.probe import probe_server

    key = os.environ.get(arguments.api_key_env) or None
    identity = probe_server(arguments.url, api_key=key, model=arguments.model, wait=arguments.wait)
    token_ids = _tells_token_ids(identity, arguments.url, key)
    if arguments.json:
        return Answer.of_json({**identity.as_json(), "tells_token_ids": token_ids})
    return Answer(_lines(identity, token_ids))


def _tells_token_ids(identity: ServerIdentity, url: str, key: str | None) -> bool:
    """Whether the server really tells the token ids of a prompt, tried with a short one."""
    from ..serving.address import ServerAddress
    from ..serving.inquiry import Inquiry
    from ..serving.probe import engine_of, open_client

    address = ServerAddress.parse(url)
    with open_client(address, key) as client:
        prompt = {"model": identity.model, "prompt": "One, two, three"}
        return bool(engine_of(identity).tokenize(Inquiry(client, address.root), "completion", prompt))


def _lines(identity: ServerIdentity, token_ids: bool) -> list[Line]:
    from ..report import Segment, Style, heading, line, visible_line
    from ..serving.identity import SAMPLING_FIELDS, VOCABULARY

    def rows(pairs: list[tuple[str, str]]) -> list[Line]:
        wide = max((len(name) for name, _ in pairs), default=0)
        return [line(f"  {visible_line(name):<{wide}}  {visible_line(text, 300)}") for name, text in pairs]

    known = [(name, str(value)) for name, value in identity.fields.items()]
    defaults = [(name, str(value)) for name, value in identity.sampling_defaults.items()]
    silent = [name for name in SAMPLING_FIELDS if name not in identity.sampling_defaults]
    tells = "told, tried with a short prompt" if token_ids else "unknown"
    lines: list[Line] = [
        line(Segment("server  ", Style.HEADING), visible_line(identity.url)),
        line(Segment("engine  ", Style.HEADING), visible_line(identity.engine)),
        (),
        heading("known, and from where"),
        *rows(known),
        (),
        heading("what the server does for sampling fields that are not sent"),
        *rows(defaults),
        *([line(f"  unknown: {', '.join(silent)}")] if silent else []),
        (),
        heading("can be observed"),
        line(f"  token ids of a prompt: {tells}"),
    ]
    if identity.unknown:
        lines += [(), heading("unknown; state what you know with --infer-declare FIELD=VALUE")]
        lines += rows([(name, VOCABULARY[name]) for name in identity.unknown])
    return lines
