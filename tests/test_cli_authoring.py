"""``infergate new`` and ``infergate row``: what they write, and what they refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.cli import main
from pytest_infergate.evidence import Missing, Reason, Reply
from pytest_infergate.runs import TaskPlan
from pytest_infergate.tasks import load_dataset

from .runs.made import CAPITALS, HEAD, exchange, missing, record, write_run
from .scripted import ScriptedServer

FILES = ["test_unit_prices.py", "unit_prices.jsonl", "test_unit_prices_selftest.py"]
GOLD = {"pencils": "84", "A train": "150", "apples": "4.00"}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


# new


def test_new_writes_a_task_and_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "unit_prices"]) == 0
    assert capsys.readouterr().out == (
        "wrote evals/test_unit_prices.py\n"
        "wrote evals/unit_prices.jsonl\n"
        "wrote evals/test_unit_prices_selftest.py\n"
        "\n"
        "next, see that answers are read as you think, without a model:\n"
        "  pytest evals/test_unit_prices_selftest.py\n"
        "then ask a server:\n"
        "  pytest evals/test_unit_prices.py --infer-server=http://127.0.0.1:8080\n"
    )
    assert sorted(path.name for path in Path("evals").iterdir()) == sorted(FILES)
    assert "TASK_NAME" not in "".join(path.read_text("utf-8") for path in Path("evals").iterdir())


def test_new_tells_a_program_what_it_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "unit_prices", "--dir", "my evals", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "written": [str(Path("my evals", name)) for name in FILES],
        "next": "pytest 'my evals/test_unit_prices_selftest.py'",
    }


@pytest.mark.parametrize("is_package", [False, True])
def test_the_new_task_runs_as_it_is(is_package: bool) -> None:
    if is_package:
        Path("evals").mkdir()
        Path("evals/__init__.py").touch()
    assert main(["new", "unit_prices"]) == 0
    done = run_pytest("evals/test_unit_prices_selftest.py")
    assert done.returncode == 0, done.stdout
    assert "9 passed" in done.stdout

    def reply(body: dict[str, Any]) -> str:
        asked = body["messages"][-1]["content"]
        return f"So it is.\nAnswer: {next(gold for word, gold in GOLD.items() if word in asked)}"

    for answers, status, told in ((reply, 0, "3 passed"), (lambda body: "Answer: 5", 1, "3 failed")):
        with ScriptedServer.answering(answers) as server:
            done = run_pytest("evals/test_unit_prices.py", f"--infer-server={server.url}")
        assert done.returncode == status, done.stdout
        assert told in done.stdout


@pytest.mark.parametrize(
    ("extractor", "why"),
    [("extract.last_line", "it takes the line with its label"), ("extract.yes_no", "no gold answer fits it")],
)
def test_the_selftest_finds_an_extractor_that_does_not_fit(extractor: str, why: str) -> None:
    assert main(["new", "unit_prices"]) == 0
    task = Path("evals/test_unit_prices.py")
    task.write_text(task.read_text("utf-8").replace("ANSWER = extract.number", f"ANSWER = {extractor}"))
    assert run_pytest("evals/test_unit_prices_selftest.py").returncode == 1, why


@pytest.mark.parametrize(
    "name", ["", "unit-prices", "2nd", "test_prices", "a b", "größe", "../up", "a.b", "x" * 101]
)
def test_new_refuses_what_is_no_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"infergate: {name!r} is no name for a task; accepted: letters, digits and _, not beginning with a "
        "digit or with test_, such as unit_prices\n"
    )
    assert not Path("evals").exists()


@pytest.mark.parametrize("there", FILES)
def test_new_overwrites_nothing(there: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("evals", there)
    path.parent.mkdir()
    path.write_text("mine")
    assert main(["new", "unit_prices"]) == 2
    assert capsys.readouterr().err == (
        f"infergate: already there: {str(path)!r}; nothing is overwritten, so name another task or folder: "
        "infergate new TASK --dir DIR\n"
    )
    assert path.read_text() == "mine"
    assert [path.name for path in Path("evals").iterdir()] == [there]


def test_new_says_where_it_cannot_write(capsys: pytest.CaptureFixture[str]) -> None:
    Path("evals").write_text("a file")
    assert main(["new", "unit_prices"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("infergate: cannot write 'evals/test_unit_prices.py': ")
    assert said.count("\n") == 1


# row

ASKED = [{"role": "user", "content": "Capital of Peru?"}]
AGAIN = [*ASKED, {"role": "assistant", "content": "Cusco"}, {"role": "user", "content": "Sure?"}]
MEDIA = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is it?"},
            {
                "type": "image_url",
                "image_url": {"url": {"sha256": "0", "bytes": 1, "media_type": "image/png"}},
            },
        ],
    }
]


def asked(messages: list[dict[str, Any]], text: str = "Cusco", **changes: Any) -> Any:
    return exchange(text, request={"endpoint": "chat", "messages": messages, "max_tokens": 16}, **changes)


@pytest.fixture
def rows(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Run ``infergate row run peru`` over a run of one evaluation."""

    def make(*exchanges: Any, plan: TaskPlan = CAPITALS) -> tuple[int, str, str]:
        write_run(Path("run"), [record("peru", exchanges=exchanges)], [plan])
        return main(["row", "run", "peru"]), *capsys.readouterr()

    return make


@pytest.mark.parametrize(
    ("exchanges", "expected"),
    [
        ([asked(ASKED)], {"messages": ASKED, "reply": "Cusco"}),
        ([asked(ASKED), asked(AGAIN, "Lima")], {"messages": AGAIN, "reply": "Lima"}),
        ([asked(ASKED, reply=None, error=Missing(Reason.TIMEOUT))], {"messages": ASKED, "reply": None}),
        ([asked(ASKED, reply=Reply(text="\ud83d half"))], {"messages": ASKED, "reply": "? half"}),
        (
            [exchange("Cusco", endpoint="completion", request={"prompt": "Peru:", "stop": ["\n"]})],
            {"prompt": "Peru:", "reply": "Cusco"},
        ),
    ],
    ids=["one question", "a conversation", "no reply", "half a character", "a completion"],
)
def test_an_evaluation_becomes_a_row_that_a_data_set_takes(
    rows: Any, exchanges: list[Any], expected: dict[str, Any]
) -> None:
    code, out, err = rows(*exchanges)
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    fields = {"id": "peru", "gold": None, "from": f"{HEAD.run_id} capitals/peru#0", **expected}
    assert json.loads(out) == fields
    Path("rows.jsonl").write_text(out)
    (sample,) = load_dataset(Path("rows.jsonl").resolve()).samples
    assert (sample.id, dict(sample)) == ("peru", fields)


@pytest.mark.parametrize(
    ("exchanges", "said"),
    [
        ([], "'capitals/peru#0' asked the model nothing, so there is nothing to ask again"),
        ([asked(ASKED), asked(ASKED)], "'capitals/peru#0' asked 2 times, not in one conversation, and a row"),
        (
            [asked(MEDIA)],
            "'capitals/peru#0' sent a picture, sound or film, and a run keeps its digest alone; write",
        ),
        (
            [asked([{"role": "user", "content": "The key is [redacted]."}])],
            "'capitals/peru#0': a secret was taken out of what was sent, [redacted] stands in its place;",
        ),
        (
            [exchange("Cusco", request={"stop": ["x"]})],
            "'capitals/peru#0' has no prompt and no messages in its last request; restore the run",
        ),
    ],
    ids=["nothing asked", "several questions", "a picture", "a secret", "a request that lost its messages"],
)
def test_what_cannot_be_asked_again_is_refused(rows: Any, exchanges: list[Any], said: str) -> None:
    code, out, err = rows(*exchanges)
    assert (code, out) == (2, "")
    assert err.startswith(f"infergate: {said}")
    assert err.count("\n") == 1


def test_one_of_several_repeats_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    write_run(Path("run"), [record("peru"), record("peru", repeat=1)], [CAPITALS])
    assert main(["row", "run", "peru"]) == 2
    assert capsys.readouterr().err == (
        "infergate: 'peru' is 2 evaluations; name one of them: 'capitals/peru#0', 'capitals/peru#1'\n"
    )
    assert main(["row", "run", "capitals/peru#1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["from"].endswith(" capitals/peru#1")


def test_an_unknown_evaluation_is_named_with_what_is_near(capsys: pytest.CaptureFixture[str]) -> None:
    write_run(Path("run"), [missing("peru", Reason.TIMEOUT)], [CAPITALS])
    assert main(["row", "run", "preu"]) == 2
    assert capsys.readouterr().err == (
        "infergate: no evaluation 'preu' in 'run'; it has 1, such as 'capitals/peru#0'\n"
    )


def test_the_row_is_a_task_again() -> None:
    write_run(Path("run"), [record("peru", exchanges=[asked(ASKED)])], [CAPITALS])
    Path("evals").mkdir()
    row = subprocess.run(
        [sys.executable, "-c", "from pytest_infergate.cli import main; main(['row', 'run', 'peru'])"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    Path("evals/again.jsonl").write_text(json.dumps({**json.loads(row), "gold": "Lima"}))
    Path("evals/test_again.py").write_text(
        "import pytest\nfrom pytest_infergate import extract\n\n"
        "@pytest.mark.infer_task(dataset='again.jsonl', prompt=lambda sample: sample['messages'])\n"
        "@pytest.mark.infer_extract(extract.last_line)\n"
        "def test_again(answer, sample):\n    assert answer == sample['gold']\n"
    )
    with ScriptedServer.answering(lambda body: "Lima") as server:
        done = run_pytest("evals", f"--infer-server={server.url}")
        assert [post.json["messages"] for post in server.posts] == [ASKED]
    assert done.returncode == 0, done.stdout
