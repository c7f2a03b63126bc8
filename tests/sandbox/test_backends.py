"""Which backend runs the code, and that none runs it where none can be trusted."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_infergate.evidence import EvaluatorIdentity, NoAnswer, Reason
from pytest_infergate.sandbox import EndReason, Job, Limits, Outcome, choice, choose_backend
from pytest_infergate.sandbox.bubblewrap import Bubblewrap
from pytest_infergate.sandbox.canary import check_canary
from pytest_infergate.sandbox.conduct import Launch
from pytest_infergate.sandbox.container import Container
from pytest_infergate.sandbox.interpreter import interpreter_roots
from pytest_infergate.sandbox.plain import PlainSubprocess
from pytest_infergate.sandbox.seccomp import seccomp_filter
from pytest_infergate.sandbox.unusable import Unusable

#: A container engine's client as a script: it notes what it is asked, and runs the command here.
ENGINE = """#!{python}
import json, os, sys
asked = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps(asked) + "\\n")
if asked[0] == "version":
    print("27.1.1")
elif asked[0] == "image":
    if not {has_image}:
        sys.exit("Error: No such image: " + asked[-1])
    print("sha256:abc")
elif asked[0] == "run":
    folder = asked[asked.index("--volume") + 1].split(":")[0]
    command = asked[asked.index("python"):]
    work = {work!r}
    os.makedirs(work, exist_ok=True)
    os.chdir(work)
    os.execv(sys.executable, [sys.executable, *(one.replace("/channel", folder) for one in command[1:])])
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a scripted ``docker`` on a path that holds nothing else; return what it was asked."""

    def put(*, has_image: bool = True) -> Any:
        script = tmp_path / "bin" / "docker"
        script.parent.mkdir()
        log, work = str(tmp_path / "log"), str(tmp_path / "work")
        script.write_text(ENGINE.format(python=sys.executable, log=log, work=work, has_image=has_image))
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")
        return lambda: [json.loads(line) for line in Path(log).read_text().splitlines()]

    return put


def test_a_container_runs_the_code_cut_off(engine: Any) -> None:
    asked = engine()
    sandbox = Container(Limits(memory=2**30, processes=32, file_size=2**20))
    assert sandbox.run("def f(): return 1\nprint('out')", "assert f() == 1").ok
    assert sandbox.run("def f(): return 2", "assert f() == 1").reason is EndReason.EXIT
    assert sandbox.run("raise SystemExit", "assert f() == 1").reason is EndReason.LEFT_EARLY
    run = next(one for one in asked() if one[0] == "run")
    options = " ".join(run[: run.index("python")])
    for part in (
        "--network none",
        "--read-only",
        "--user 65534:65534",
        "--cap-drop ALL",
        "--security-opt no-new-privileges",
        "--pids-limit 32",
        "--memory 1073741824 --memory-swap 1073741824",
        "--tmpfs /tmp:rw,exec,mode=1777,size=1048576",
        "--pull never",
        "--rm",
    ):
        assert part in options
    assert "--privileged" not in options
    names = [one[one.index("--name") + 1] for one in asked() if one[0] == "run"]
    assert len(set(names)) == 3
    assert [one[-1] for one in asked() if one[0] == "rm"] == names  # killing the client ends no container


def test_a_container_is_named_with_its_engine_and_image(engine: Any) -> None:
    engine()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert Container().identity().backend == f"docker 27.1.1, python:{version}-slim sha256:abc"


def test_an_engine_without_the_image_is_not_usable(engine: Any) -> None:
    engine(has_image=False)
    with pytest.raises(Unusable, match="docker image: Error: No such image: python:"):
        Container()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (
            "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2; exit 1\n",
            "Cannot connect to the Docker",
        ),
        ("#!/bin/sh\nexit 0\n", "docker version: status 0"),
        ("no script", "docker does not answer"),
    ],
    ids=["a client whose engine does not run", "a client that says nothing", "a file that does not run"],
)
def test_a_client_alone_is_no_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, why: str
) -> None:
    for name in ("docker", "podman"):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(NoAnswer) as caught:
        choose_backend("container")
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE
    assert why in caught.value.detail
    assert "install bubblewrap (apt-get install bubblewrap" in caught.value.detail


def make_unusable(*_: object) -> Any:
    raise Unusable("bwrap is not installed")


def test_where_nothing_isolates_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A plain subprocess would work, and is not taken."""
    monkeypatch.setitem(choice._BACKENDS, choice.BackendName.AUTO, (make_unusable, make_unusable))
    with pytest.raises(NoAnswer) as caught:
        choose_backend("auto")
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE
    assert "no code was run: bwrap is not installed" in caught.value.detail


def test_auto_goes_on_to_the_next_that_works(monkeypatch: pytest.MonkeyPatch, engine: Any) -> None:
    engine()
    monkeypatch.setitem(choice._BACKENDS, choice.BackendName.AUTO, (make_unusable, Container))
    assert "docker" in str(choose_backend().identity().backend)


def test_auto_never_comes_to_a_plain_subprocess() -> None:
    assert choice._BACKENDS[choice.BackendName.AUTO] == (Bubblewrap, Container)


def test_a_plain_subprocess_says_that_it_isolates_nothing() -> None:
    sandbox = choose_backend("subprocess")
    assert str(sandbox.identity().backend).startswith("subprocess without isolation, CPython 3.")


@pytest.mark.parametrize(
    ("code", "tests", "reason"),
    [
        ("def f(): return 1", "assert f() == 1", EndReason.FINISHED),
        ("def f(): return 2", "assert f() == 1", EndReason.EXIT),
        ("import os; os._exit(0)", "assert f() == 1", EndReason.LEFT_EARLY),
        ("while True: print('x' * 1000)", None, EndReason.OUTPUT),
        ("import time; time.sleep(60)", None, EndReason.TIMEOUT),
        ("x = bytearray(10 * 2**30)", None, EndReason.MEMORY),
        ("import subprocess; subprocess.Popen(['sleep', '60'])", None, EndReason.FINISHED),
    ],
)
def test_a_plain_subprocess_keeps_the_limits(code: str, tests: str | None, reason: EndReason) -> None:
    # As root the kernel counts no processes, so the fork bomb is not for here.
    outcome = PlainSubprocess().run(code, tests, timeout=1.5 if reason is EndReason.TIMEOUT else 30)
    assert outcome.reason is reason
    assert outcome.duration_s < 20


def test_a_backend_that_does_not_come_to_run_the_code_scores_nothing() -> None:
    class Broken(PlainSubprocess):
        def launch(self, limits: Limits) -> Any:
            from contextlib import contextmanager

            @contextmanager
            def broken() -> Any:
                with PlainSubprocess.launch(self, limits) as launch:
                    yield Launch(
                        command=["/bin/sh", "-c", "echo no namespaces here >&2; exit 1"],
                        to_runner=launch.to_runner,
                        from_runner=launch.from_runner,
                        pass_fds=launch.pass_fds,
                    )

            return broken()

    with pytest.raises(NoAnswer, match="did not start, the code was not run: no namespaces here") as caught:
        Broken().run("pass")
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE


class Believing:
    """A sandbox whose every run ends the same way."""

    def __init__(self, reason: EndReason) -> None:
        self._outcome = Outcome(reason=reason, exit_code=0, stdout="", stderr="", duration_s=0.0)

    def run(self, *_: Any, **__: Any) -> Outcome:
        return self._outcome

    def map(self, jobs: Any) -> list[Outcome]:
        return [self._outcome for _ in jobs]

    def identity(self, timeout: float = 10) -> EvaluatorIdentity:
        raise AssertionError("nothing is scored")


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (EndReason.FINISHED, "the sandbox's canary: a wrong program passed"),
        (EndReason.EXIT, "the sandbox's canary: a right program did not pass"),
    ],
)
def test_the_canary_unmasks_a_sandbox_that_always_says_the_same(reason: EndReason, why: str) -> None:
    with pytest.raises(NoAnswer, match=why) as caught:
        check_canary(Believing(reason))
    assert caught.value.reason is Reason.EVALUATOR_UNAVAILABLE


def test_an_old_bubblewrap_is_not_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho bubblewrap 0.4.1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Unusable, match=r"bubblewrap 0\.4\.1 is older than 0\.7"):
        Bubblewrap()


def test_the_interpreters_folders_are_few_and_its_own() -> None:
    roots = interpreter_roots()
    for root in (sys.prefix, sys.base_prefix, os.path.realpath(sys.executable)):
        assert any(Path(root).is_relative_to(folder) for folder in (*roots, "/usr"))
    assert Path("/") not in roots
    assert Path.home() not in roots


def test_an_interpreter_below_tmp_and_one_in_a_closed_home_are_reached() -> None:
    """Whatever runs these tests is one or the other in one place or the next; the code runs with the same."""
    outcome = choose_backend("bubblewrap").run("import sys; print(sys.executable, sys.prefix, sys.version)")
    assert outcome.stdout.strip() == f"{sys.executable} {sys.prefix} {sys.version}"


def test_the_filter_is_whole_instructions_with_jumps_that_stay_inside() -> None:
    program = seccomp_filter()
    assert program is not None
    assert len(program) % 8 == 0
    count = len(program) // 8
    for n in range(count):
        code, _, then, otherwise = program[n * 8 : n * 8 + 4]
        assert n + 1 + max(then, otherwise) < count or code == 0x06


def test_jobs_of_a_map_are_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = choose_backend("subprocess").map([Job(code="pass"), Job(code="1/0")])
    assert (good.ok, bad.ok) == (True, False)
