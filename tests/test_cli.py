"""The command ``infergate``: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_infergate import __version__
from pytest_infergate.evidence import Reason, Verdict

from .runs.made import CAPITALS, RECORDS, edit_run, missing, record, write_run
from .scripted import Received, Script, ScriptedServer, json_script
from .terminal import Cli, block

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _without_key(terminal: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INFER_API_KEY", raising=False)


def test_the_version(cli: Cli) -> None:
    assert cli("--version") == (0, f"infergate {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "the following arguments are required: COMMAND; see infergate --help"),
        (("show",), "the following arguments are required: RUN; see infergate show --help"),
        (("guess",), "argument COMMAND: invalid choice: 'guess'"),
        (
            ("doctor", "http://x", "--wait", "soon"),
            "argument --wait: 'soon' is not a number of seconds, 0 or more",
        ),
        (
            ("doctor", "http://x", "--wait", "-1"),
            "argument --wait: '-1' is not a number of seconds, 0 or more",
        ),
        (
            ("doctor", "http://x", "--wait", "nan"),
            "argument --wait: 'nan' is not a number of seconds, 0 or more",
        ),
        (("show", "nowhere"), "'nowhere' is not a folder; name a run folder, one with a run.json"),
        (("doctor", "nonsense"), "the server URL is 'nonsense'; accepted: http(s)://host:port[/path]"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(cli: Cli, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"infergate: {said}")
    assert err.count("\n") == 1


def test_every_command_has_help(cli: Cli) -> None:
    for command in ("init", "new", "doctor", "show", "row", "validate"):
        code, out, _ = cli(command, "--help")
        assert code == 0
        assert out.startswith(f"usage: infergate {command} ")
        assert "--json" in out


# show


def test_show_tells_what_pytest_told(cli: Cli, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    assert cli("show", "run") == (
        0,
        block("""
            run        20260102T030405Z-abcdef
            started    2026-01-02T03:04:05Z, finished 2026-01-02T03:05:05Z
            server     http://127.0.0.1:8080, model gemma-3, llama.cpp b6000
            with       pytest-infergate 0.1.0, CPython 3.11.7, Linux-x86_64

            task          planned  passed  failed  missing  delivered    95 % interval
            capitals            4       2       1        1     50.0 %  15.0 % – 85.0 %
              extractor last_line v1
            sums                2       1       0        1     50.0 %   9.5 % – 90.5 %
              test v2 4a1933b0
            total               6       3       1        2

            missing evidence, one example for each reason
              1  no_answer  capitals/iran#0: no line with text
              1  timeout    sums/3+3#0: no end after 300 s

            wrong answers, one example for each task
              1  capitals (tolerated up to its gate)
                 capitals/peru#0: assert 'Cusco' == 'Lima'

            worth a look, though no verdict follows from it
              1  suspected_truncation  capitals/spain#0

            gates
              passed   task capitals: 2 of 4 passed, 1 missing
              missing  task sums: 1 of 2 passed, 1 missing
                       asked: delivered >= 1, missing beyond the model <= 0
                       the true rate lies in 0.5 to 1, 1 is asked

            verdict: missing

            what to do next
              no_answer: look at the raw reply with infergate show; state the answer's
                form in the prompt, or use the extractor that fits it
              timeout: raise --infer-timeout, or lower --infer-concurrency or max_tokens
              infergate show run --sample 'capitals/iran#0'
        """),
        "",
    )


def test_show_tells_an_interrupted_run_with_its_torn_last_line(cli: Cli, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", is_finished=False)
    path = folder / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-30])
    code, out, _ = cli("show", "run")
    assert code == 0
    assert "not finished; records on disk: 5; what was planned beyond them is unknown\n" in out
    assert "verdict: missing (the run is not finished)\n" in out
    code, out, _ = cli("show", "run", "--json")
    value = json.loads(out)
    assert (value["finished"], value["verdict"], value["totals"]["planned"]) == (None, "missing", 5)


def test_show_counts_anew_and_says_when_the_run_claims_otherwise(cli: Cli, tmp_path: Path) -> None:
    edit_run(write_run(tmp_path / "run"), lambda run: run.update(verdict="passed"))
    code, out, _ = cli("show", "run")
    assert code == 0
    assert "\nverdict: missing\n" in out
    assert out.endswith("  run.json says passed, which its records do not give; see infergate validate\n")


def test_show_for_programs_is_run_json(cli: Cli, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    code, out, _ = cli("show", "run", "--json")
    assert code == 0
    assert json.loads(out) == {"folder": "run", **json.loads((folder / "run.json").read_text())}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("capitals/france#0", ["capitals/france#0"]),
        ("capitals/france", ["capitals/france#0", "capitals/france#1"]),
        ("france", ["capitals/france#0", "capitals/france#1"]),
    ],
)
def test_show_sample_finds_an_evaluation_or_all_of_a_sample(
    cli: Cli, tmp_path: Path, wanted: str, found: list[str]
) -> None:
    write_run(tmp_path / "run", [*RECORDS, record("france", repeat=1)])
    code, out, _ = cli("show", "run", "--sample", wanted)
    assert code == 0
    assert re.findall(r"^capitals/.*", out, re.MULTILINE) == found
    code, out, _ = cli("show", "run", "--sample", wanted, "--json")
    assert [value["id"] for value in json.loads(out)] == found


def test_show_sample_takes_an_id_as_the_report_spells_it(cli: Cli, tmp_path: Path) -> None:
    write_run(tmp_path / "run", [record("\x1bfrance")], [CAPITALS])
    assert cli("show", "run", "--sample", r"capitals/\x1bfrance#0")[0] == 0


def test_show_sample_names_what_is_near(cli: Cli, tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    code, out, err = cli("show", "run", "--sample", "capitals/frnce#0")
    assert (code, out) == (2, "")
    assert err.startswith(
        "infergate: no evaluation 'capitals/frnce#0' in 'run'; it has 6, such as 'capitals/france#0'"
    )


def test_show_of_a_damaged_run_is_one_line(cli: Cli, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    (folder / "records.jsonl").write_text("{}\n")
    code, out, err = cli("show", "run")
    assert (code, out) == (2, "")
    assert err.startswith("infergate: run/records.jsonl:1: not a record (")
    assert err.count("\n") == 1


# validate


@pytest.mark.parametrize(
    ("records", "verdict", "code"),
    [
        ([record("france")], "passed", 0),
        ([record("france", Verdict.FAILED)], "failed", 1),
        ([missing("france", Reason.TIMEOUT)], "missing", 5),
    ],
)
def test_validate_ends_as_the_run_does(
    cli: Cli, tmp_path: Path, records: list[object], verdict: str, code: int
) -> None:
    write_run(tmp_path / "run", records, [CAPITALS])  # type: ignore[arg-type]
    assert cli("validate", "run") == (code, f"run: valid, records: 1, verdict: {verdict}\n", "")
    found, out, _ = cli("validate", "run", "--json")
    assert found == code
    assert json.loads(out) == {
        "folder": "run",
        "valid": True,
        "verdict": verdict,
        "records": 1,
        "problems": [],
        "problem_count": 0,
        "exit_code": code,
    }


def test_validate_tells_every_problem_with_its_place(cli: Cli, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    with open(folder / "records.jsonl", "ab") as file:
        file.write(b"torn")
    code, out, _ = cli("validate", "run")
    assert code == 5
    assert re.sub(r"[0-9a-f]{64}", "<sha256>", out) == block("""
        records.jsonl:7: the line does not end; the file is torn
        records.jsonl:7: not JSON: Expecting value at column 1
        records.jsonl: lines: 7; run.json says 6
        records.jsonl: sha256 is <sha256>; run.json says <sha256>
        run: not valid, 4 problems
          records and run.json must be as the run left them: restore the folder or run again
    """)


def test_validate_of_what_is_no_run(cli: Cli, tmp_path: Path) -> None:
    assert cli("validate", str(tmp_path)) == (
        2,
        f"{tmp_path}: '{tmp_path}' has no run.json, so it is not a run; name a run folder\n",
        "",
    )


# init


def test_init_writes_a_suite_and_says_what_to_do(cli: Cli, tmp_path: Path) -> None:
    assert cli("init") == (
        0,
        block("""
            wrote evals/test_capitals.py
            wrote evals/capitals.jsonl

            next, with a small real model that is started for you (needs pytest-infergate[embedded]):
              pytest evals --infer-server=embedded
            or against a server of your own:
              pytest evals --infer-server=http://127.0.0.1:8080
        """),
        "",
    )
    rows = [json.loads(row) for row in (tmp_path / "evals" / "capitals.jsonl").read_text().splitlines()]
    assert len(rows) == 20
    assert len({row["id"] for row in rows}) == 20
    compile((tmp_path / "evals" / "test_capitals.py").read_text(), "test_capitals.py", "exec")


def test_init_overwrites_nothing(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "capitals.jsonl").write_text("mine")
    code, out, err = cli("init")
    assert (code, out) == (2, "")
    assert err == (
        "infergate: already there: 'evals/capitals.jsonl'; nothing is overwritten, so name another folder: "
        "infergate init DIR\n"
    )
    assert [path.name for path in (tmp_path / "evals").iterdir()] == ["capitals.jsonl"]


def test_init_elsewhere(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("init", "new/place", "--json")
    assert code == 0
    assert json.loads(out) == {
        "written": ["new/place/evals/test_capitals.py", "new/place/evals/capitals.jsonl"],
        "next": "pytest new/place/evals --infer-server=embedded",
    }


def test_init_where_nothing_can_be_written_is_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = cli("init", "file")
    assert code == 2
    assert err.startswith("infergate: cannot write 'file/evals/test_capitals.py': ")


# doctor


def test_doctor_tells_what_is_known_and_what_is_not(cli: Cli) -> None:
    with ScriptedServer.answering(lambda body: "never asked", model="tiny") as server:
        code, out, _ = cli("doctor", server.url)
        asked = list(server.posts)
    assert (code, asked) == (0, [])
    assert out.startswith(
        block(f"""
            server  {server.url}
            engine  generic

            known, and from where
              model     tiny (probed)
              owned_by  scripted (probed)

            what the server does for sampling fields that are not sent
              unknown: temperature, top_p, top_k, min_p, typical_p, seed, repeat_penalty, """)
    )
    assert "can be observed\n  token ids of a prompt: unknown\n" in out
    assert "unknown; state what you know with --infer-declare FIELD=VALUE\n" in out
    assert "  quantization " in out


def test_doctor_for_programs(cli: Cli) -> None:
    with ScriptedServer.answering(lambda body: "", model="tiny") as server:
        code, out, _ = cli("doctor", server.url + "/v1", "--json")
    value = json.loads(out)
    assert code == 0
    assert (value["engine"], value["url"], value["tells_token_ids"]) == ("generic", server.url, False)
    assert value["fields"]["model"] == {"value": "tiny", "origin": "probed"}
    assert "quantization" in value["unknown"]


def test_doctor_sends_the_key_and_never_shows_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(received: Received) -> Script:
        if received.headers.get("authorization") != "Bearer sk-secret":
            return json_script({"error": "no key"}, status=401)
        return json_script({"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    with ScriptedServer(answer) as server:
        code, out, err = cli("doctor", server.url)
        assert (code, out) == (2, "")
        monkeypatch.setenv("MY_KEY", "sk-secret")
        code, out, err = cli("doctor", server.url, "--api-key-env", "MY_KEY")
    assert code == 0
    assert "tiny" in out
    assert "sk-secret" not in out + err


def test_doctor_of_nothing_is_one_line(cli: Cli) -> None:
    with ScriptedServer([]) as server:
        url = server.url
    code, out, err = cli("doctor", url)
    assert (code, out) == (2, "")
    assert err.startswith(f"infergate: no server answers at {url}: ")
    assert err.count("\n") == 1


# as a process


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    program = "import sys; from pytest_infergate.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=60,
    )


def test_a_terminal_that_lacks_a_character_is_told_the_rest(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    done = process("show", str(tmp_path / "run"), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"15.0 % \u2013 85.0 %" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    write_run(tmp_path / "run", [record("france", Verdict.FAILED)], [CAPITALS])
    program = "import sys; from pytest_infergate.cli import main; sys.exit(main())"
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", program, "validate", str(tmp_path / "run")],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    "words",
    [
        *(
            ["show"],
            ["show", "--power"],
            ["validate"],
            ["row", "--json"],
            ["compare", "run"],
            ["merge", "-o", "m"],
        ),
        *(["baseline", "show"], ["baseline", "check"], ["baseline", "save", "run", "-o"]),
        ["baseline", "accept", "--because", "it is new"],
    ],
    ids=" ".join,
)
def test_a_name_that_the_system_refuses_is_one_line(cli: Cli, tmp_path: Path, words: list[str]) -> None:
    write_run(tmp_path / "run", [record("france")], [CAPITALS])
    code, out, err = cli(*words, "a" * 300, *(["x"] if words[0] == "row" or "accept" in words else []))
    assert code == 2, "anything else is a word about a model"
    assert (out + err).count("\n") <= 2
    assert "aaa" in out + err


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="the system has no full device")
def test_an_answer_that_reaches_nobody_is_told_and_never_taken_for_a_verdict(tmp_path: Path) -> None:
    run = str(write_run(tmp_path / "run", [record("france")], [CAPITALS]))
    command = [sys.executable, "-c", "import sys; from pytest_infergate.cli import main; sys.exit(main())"]
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [*command, "compare", run, run], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert found.returncode == 2, "1 would say that the model is worse"
    assert found.stderr == "infergate: cannot write to standard output: No space left on device\n"
    # Whoever closes the output wants the exit code alone.
    closed = f"{shlex.join([*command, 'compare', run, run])} >&-"
    assert subprocess.run(closed, shell=True, stderr=subprocess.PIPE).returncode == 0
