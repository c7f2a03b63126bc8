"""``infergate swap``: two servers of which only one fits on the machine, measured one after the other."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .answer import Answer, answer_with
from .errors import NotMeasured, SwapError
from .option_types import add_comparison_options, seconds

if TYPE_CHECKING:
    from .swap_side import Bench, Measured, Side

_URL = "http://127.0.0.1:8080"
#: What a command holds in place of a port that is chosen for it.
_PORT = "{port}"
#: Options of pytest that this command gives itself, or that leave no server to measure.
_OURS = ("--infer-server", "--infer-run", "--infer-replay", "--infer-resume", "--infer-against")


def add_swap(commands: Any) -> None:
    parser = commands.add_parser(
        "swap",
        usage="infergate swap --base CMD --candidate CMD [options] -- [evals and options of pytest]",
        help="measure two servers one after the other, where only one fits on the machine, and compare them",
        description="Start the base, run the evaluations on it, stop it; the same with the candidate, and "
        "with the base again, which tells what the machine alone changes; then compare.",
        epilog="exit status: that of infergate compare; 2 also where an address is taken, a command cannot "
        "be started or pytest not run; 3 also where the base came out another way than itself; 5 also where "
        "a server did not serve, or not to the end",
    )
    parser.add_argument(
        "--base", metavar="CMD", required=True, help="the command that serves what is there now"
    )
    parser.add_argument(
        "--candidate", metavar="CMD", required=True, help="the command that serves the new one"
    )
    parser.add_argument(
        "--url",
        metavar="URL",
        help=f"where both serve (default: {_URL}, or a free port where the commands say {_PORT})",
    )
    parser.add_argument(
        "--wait",
        metavar="S",
        type=seconds,
        default=600.0,
        help="seconds that a server has until it serves (default: 600)",
    )
    parser.add_argument(
        "--repeat-base",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="run the base once more behind the candidate (default: yes)",
    )
    add_comparison_options(parser)
    parser.add_argument(
        *("-o", "--output"), metavar="DIR", type=Path, help="the folder for runs and logs; new or empty"
    )
    parser.add_argument("pytest_args", metavar="…", nargs="*", help="what to evaluate, as for pytest")
    answer_with(swap, parser)


def swap(arguments: argparse.Namespace) -> Answer:
    """Raises ``SwapError`` where it could not be carried out; what was measured is kept."""
    if os.name != "posix":
        raise SwapError(
            f"infergate swap cannot stop on {sys.platform!r} all that a command starts, which takes the "
            "process groups of Linux or macOS; start and stop the servers yourself, run pytest "
            "--infer-server=URL --infer-run=RUN on each, and compare: infergate compare BASE CANDIDATE"
        )
    from .server_process import ending_interrupts
    from .swap_report import gone_answer, swap_answer
    from .swap_result import compare_sides

    sides, bench = _prepare(arguments)
    done: list[Measured] = []
    try:
        with ending_interrupts():
            for side in sides:
                done.append(bench.measure(side))
            result = compare_sides(bench.folder, done, margin=arguments.margin, treatment=arguments.treatment)
    except NotMeasured as error:
        return gone_answer(bench.folder, done, str(error), as_json=arguments.json)
    except KeyboardInterrupt:
        names = ", ".join(one.side.name for one in done) or "nothing"
        doing = f"{sides[len(done)].name} was measured" if len(done) < len(sides) else "runs were compared"
        raise SwapError(
            f"interrupted while {doing}; what was started is stopped; measured to the end: {names}; see "
            f"{bench.folder}"
        ) from None
    return swap_answer(result, as_json=arguments.json)


def _prepare(arguments: argparse.Namespace) -> tuple[list[Side], Bench]:
    from .server_process import command_words, free_port
    from .swap_side import Bench, Side

    for argument in arguments.pytest_args:
        option = argument.partition("=")[0]
        if option in _OURS:
            raise SwapError(
                f"{argument!r} cannot be given to pytest here: the swap says itself what is measured"
            )
    commands = {"--base": arguments.base, "--candidate": arguments.candidate}
    holding = [option for option, command in commands.items() if _PORT in command]
    if len(holding) == 1:
        raise SwapError(
            f"{_PORT} is in {holding[0]} alone; both serve at one address, so both need it, or none"
        )
    url = _address(arguments.url, free_port() if holding and arguments.url is None else None)
    port = str(urlsplit(url).port or "")
    words = {
        option: tuple(command_words(option, command.replace(_PORT, port)))
        for option, command in commands.items()
    }
    sides = [
        Side(name=option.strip("-"), option=option, command=command, words=words[option])
        for option, command in commands.items()
    ]
    if arguments.repeat_base:
        sides.append(replace(sides[0], name="base-again"))
    bench = Bench(
        folder=_folder(arguments.output),
        url=url,
        wait=arguments.wait,
        pytest_args=tuple(arguments.pytest_args),
        is_quiet=arguments.json,
        announce=_announce,
    )
    return sides, bench


def _address(given: str | None, port: int | None) -> str:
    """Return the address of both servers; raises ``ServerAddressError`` for what is none."""
    from ..serving import ServerAddress

    url = f"http://127.0.0.1:{port}" if port is not None else _URL if given is None else given
    ServerAddress.parse(url)
    return url


def _folder(given: Path | None) -> Path:
    """Make the folder of the swap; raises ``SwapError`` where it holds something already."""
    from ..runs import new_run_folder

    folder = given if given is not None else new_run_folder(Path.cwd())[0]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise SwapError(f"{str(folder)!r} is not empty; name an empty or new folder with -o DIR")
    except OSError as error:
        raise SwapError(
            f"cannot write {str(folder)!r}: {error.strerror}; name another folder with -o DIR"
        ) from error
    return folder


def _announce(text: str) -> None:
    from ..report import visible_line

    print(f"infergate: {visible_line(text, 2000)}", file=sys.stderr, flush=True)
