"""What hostile code does to the machine: nothing. Each attack is contained, and scored for what it is."""

# ruff: noqa: E501 - a row of a table is a whole program

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_infergate.sandbox import EndReason, Job, Sandbox, choose_backend
from pytest_infergate.sandbox.bubblewrap import Bubblewrap
from pytest_infergate.sandbox.limits import Limits


def processes_with(mark: str) -> list[str]:
    """The processes of this machine whose command line or environment holds the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if mark.encode() in command and path.parent.name != str(os.getpid()):
            found.append(command.decode(errors="replace"))
    return found


def wait_until_gone(mark: str) -> list[str]:
    """The kernel takes a killed tree down in its own time, which is milliseconds."""
    deadline = time.monotonic() + 10
    while (left := processes_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


LIMIT_HIT = [
    ("fork bomb", "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", EndReason.TIMEOUT),
    ("infinite printer", "while True: print('x' * 1000)", EndReason.OUTPUT),
    ("infinite printer to stderr", "import sys\nwhile True: sys.stderr.write('x' * 1000)", EndReason.OUTPUT),
    ("10 GB at once", "x = bytearray(10 * 2**30)", EndReason.MEMORY),
    ("10 GB in pieces", "x = []\nwhile True: x.append(bytearray(2**29))", EndReason.MEMORY),
    ("sleeping past the limit", "import time; time.sleep(60)", EndReason.TIMEOUT),
    ("sleeping deaf to signals", "import signal, time\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\ntime.sleep(60)", EndReason.TIMEOUT),
    ("stopping itself", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", EndReason.TIMEOUT),
    ("sleeping with its outputs closed", "import os, time\nos.closerange(0, 256)\ntime.sleep(60)", EndReason.TIMEOUT),
    ("flooding every open file", "import os\nwhile True:\n    for fd in range(3, 256):\n        try: os.write(fd, b'x' * 4096)\n        except OSError: pass", EndReason.OUTPUT),
    ("a crash", "import ctypes; ctypes.string_at(0)", EndReason.SIGNAL),
    ("killing itself", "import os; os.kill(os.getpid(), 9)", EndReason.SIGNAL),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "reason"), [(c, r) for _, c, r in LIMIT_HIT], ids=[n for n, _, _ in LIMIT_HIT]
)
def test_a_limit_that_is_hit_is_not_ok_and_says_which(sandbox: Sandbox, code: str, reason: EndReason) -> None:
    outcome = sandbox.run(code, timeout=1.5 if reason is EndReason.TIMEOUT else 30)
    assert (outcome.ok, outcome.reason) == (False, reason)
    assert outcome.duration_s < 30
    assert len(outcome.stdout) <= 2**20
    assert len(outcome.stderr) <= 2**20


def test_processor_time_is_limited_apart_from_the_clock() -> None:
    sandbox = Bubblewrap(Limits(cpu_s=1))
    assert sandbox.run("while True: pass", timeout=60).reason is EndReason.CPU


def test_what_lies_in_files_is_limited_all_together() -> None:
    sandbox = Bubblewrap(Limits(file_size=2**20))
    fill = "import os\nos.chdir({folder!r})\nfor n in range(100):\n    open(str(n), 'wb').write(b'x' * 2**18)"
    for folder in ("/tmp/work", "/tmp", "/dev/shm"):
        outcome = sandbox.run(fill.format(folder=folder))
        assert not outcome.ok
        assert "No space left" in outcome.stderr
    one = sandbox.run("import os\nos.truncate(os.open('big', os.O_CREAT | os.O_WRONLY), 2**21)")
    assert one.reason is EndReason.FILE_SIZE


def test_the_number_of_processes_is_limited_also_when_pytest_runs_as_root(sandbox: Sandbox) -> None:
    code = "import os, time\nn = 0\ntry:\n    while n < 500:\n        if os.fork() == 0: time.sleep(60)\n        n += 1\nexcept OSError:\n    print(n)"
    outcome = sandbox.run(code)
    assert 0 < int(outcome.stdout) <= 64


REFUSED = [
    ("the environment", "import os; print({k: v for k, v in os.environ.items() if 'SECRET' in k or 'PYTEST' in k})", "{}"),
    ("root", "import os; print(0 in (os.getuid(), os.geteuid(), os.getgid()))", "False"),
    ("becoming root", "import os\ntry: os.setuid(0)\nexcept OSError: print('no')", "no"),
    ("capabilities", "print([l.split()[1].strip('0') for l in open('/proc/self/status') if l.startswith('Cap')])", "['', '', '', '', '']"),
    ("gaining privileges", "print([l.split()[1] for l in open('/proc/self/status') if l.startswith('NoNewPrivs')])", "['1']"),
    ("a system-call filter", "print([l.split()[1] for l in open('/proc/self/status') if l.startswith('Seccomp:')])", "['2']"),
    ("other processes", "import os; print(max(int(p) for p in os.listdir('/proc') if p.isdigit()) < 20)", "True"),
    ("another user namespace", "import ctypes; print(ctypes.CDLL(None).unshare(0x10000000))", "-1"),
    ("cloning into namespaces", "import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(56 if __import__('platform').machine() == 'x86_64' else 220, 0x10000000 | 17, 0, 0, 0, 0))", "-1"),
    ("tracing a process", "import ctypes; print(ctypes.CDLL(None).ptrace(0, 0, 0, 0))", "-1"),
    ("mounting", "import ctypes; print(ctypes.CDLL(None).mount(b'a', b'/tmp', b'tmpfs', 0, None))", "-1"),
    ("sockets to the host's hypervisor", "import socket\ntry: socket.socket(40, socket.SOCK_STREAM)\nexcept OSError: print('no')", "no"),
    ("network interfaces", "import socket; print([name for _, name in socket.if_nameindex()])", "['lo']"),
    ("the host's name", "import socket; print(socket.gethostname())", "sandbox"),
    ("a controlling terminal", "try: open('/dev/tty')\nexcept OSError: print('no')", "no"),
    ("disks", "import os; print([d for d in os.listdir('/dev') if d.startswith(('sd', 'vd', 'nvme', 'mem', 'kmsg'))])", "[]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "printed"), [(c, p) for _, c, p in REFUSED], ids=[n for n, _, _ in REFUSED])
def test_the_code_has_no(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, code: str, printed: str) -> None:
    monkeypatch.setenv("MY_SECRET", "hunter2")
    outcome = sandbox.run(code)
    assert (outcome.stdout.strip(), outcome.stderr) == (printed, "")


def test_the_homes_of_the_host_are_not_there(sandbox: Sandbox, tmp_path: Path) -> None:
    """Only the way to the interpreter, where that lives in a home; and nothing that lies beside it."""
    (tmp_path / "secret.txt").write_text("hunter2")
    for path in (Path.home() / ".bashrc", Path("/etc/shadow"), Path("/etc/passwd"), tmp_path / "secret.txt"):
        outcome = sandbox.run(f"open({str(path)!r}).read()")
        assert not outcome.ok
        assert outcome.stderr.strip().splitlines()[-1].startswith(("FileNotFoundError", "PermissionError"))


def test_a_process_reads_nothing_through_another_ones_root(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hunter2")
    code = f"""
import glob
for pid in glob.glob('/proc/[0-9]*'):
    for way in ('root', 'cwd'):
        try: print(open(pid + '/' + way + {str(tmp_path / "secret.txt")!r}).read())
        except OSError: pass
"""
    assert sandbox.run(code).stdout == ""


WRITES = ["/usr/x", "/etc/x", "/x", "/dev/x", "/root/x", "/tmp/../x", "/proc/sys/kernel/hostname", sys.prefix + "/x"]  # fmt: skip


@pytest.mark.parametrize("path", WRITES)
def test_nothing_is_written_outside_the_working_folder(sandbox: Sandbox, path: str) -> None:
    outcome = sandbox.run(f"open({path!r}, 'w').write('x')")
    assert not outcome.ok
    assert (
        outcome.stderr.strip()
        .splitlines()[-1]
        .startswith(("OSError", "PermissionError", "FileNotFoundError"))
    )
    assert not path.endswith("/x") or not os.path.exists(path)


def test_a_file_that_is_written_does_not_reach_the_host(sandbox: Sandbox, tmp_path: Path) -> None:
    mark = f"infergate-{os.getpid()}-{time.monotonic_ns()}"
    outcome = sandbox.run(f"open('/tmp/{mark}', 'w').write('x'); print(open('/tmp/{mark}').read())")
    assert outcome.stdout == "x\n"
    assert not Path("/tmp", mark).exists()


def test_a_symbolic_link_out_leads_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("the host's")
    code = f"import os\nos.symlink({str(target)!r}, 'link')\nopen('link', 'w').write('mine')"
    assert not sandbox.run(code).ok
    assert target.read_text() == "the host's"


@pytest.fixture
def listener() -> Iterator[int]:
    """A port of this machine, open on every address, that takes whoever calls."""
    with socket.create_server(("0.0.0.0", 0)) as server:
        yield server.getsockname()[1]


def test_no_socket_reaches_the_host_or_the_net(sandbox: Sandbox, listener: int) -> None:
    with socket.create_connection(("127.0.0.1", listener), 5):
        pass  # it answers from here
    for host in ("127.0.0.1", "10.255.255.1", "1.1.1.1"):
        outcome = sandbox.run(
            f"import socket; socket.create_connection(({host!r}, {listener}), 2)", timeout=5
        )
        assert not outcome.ok
        assert "OSError" in outcome.stderr or "ConnectionRefusedError" in outcome.stderr


def test_killing_everything_kills_nothing_of_the_host(sandbox: Sandbox) -> None:
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        outcome = sandbox.run("import os\nos.kill(-1, 9)\nprint('alive')")
        assert not outcome.ok
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


TREES = {
    "a child that outlives": "import subprocess\nsubprocess.Popen(['sleep', '{mark}'])",
    "a daemon with a session of its own": "import os, subprocess\nif os.fork() == 0:\n    os.setsid()\n    subprocess.Popen(['sleep', '{mark}'], start_new_session=True)\n    os._exit(0)",
    "children when the time is up": "import subprocess, time\nsubprocess.Popen(['sleep', '{mark}'])\ntime.sleep(60)",
}  # fmt: skip


@pytest.mark.parametrize("code", TREES.values(), ids=TREES)
def test_the_whole_tree_dies_with_the_run(sandbox: Sandbox, code: str) -> None:
    mark = f"987{time.monotonic_ns() % 10**9}"
    sandbox.run(code.format(mark=mark), timeout=1)
    assert wait_until_gone(mark) == []


def test_the_tree_dies_also_when_pytest_is_killed(tmp_path: Path) -> None:
    mark = f"987{time.monotonic_ns() % 10**9}"
    code = f"import subprocess; subprocess.run(['sleep', {mark!r}])"
    script = (
        f"from pytest_infergate.sandbox.bubblewrap import Bubblewrap\nBubblewrap().run({code!r}, timeout=60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + 30
        while not any(p.startswith("sleep") for p in processes_with(mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert any(p.startswith("sleep") for p in processes_with(mark))
    finally:
        parent.kill()
        parent.wait()
    assert wait_until_gone(mark) == []


def test_no_file_stays_open_behind_a_run(sandbox: Sandbox) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for code in ("pass", "1/0", "import os; os._exit(0)"):
        sandbox.run(code, tests="assert True")
    assert len(os.listdir("/proc/self/fd")) == before


def test_map_runs_at_once_and_keeps_the_order(sandbox: Sandbox) -> None:
    jobs = [Job(code=f"import time; time.sleep({0.3 if n % 2 else 0}); print({n})") for n in range(6)]
    assert [outcome.stdout for outcome in sandbox.map(jobs)] == [f"{n}\n" for n in range(6)]


def test_a_session_can_run_code_from_several_threads(sandbox: Sandbox) -> None:
    printed: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: printed.append(sandbox.run(f"print({n})").stdout))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(printed) == [f"{n}\n" for n in range(4)]


def test_the_same_limits_are_the_same_identity_and_others_are_not() -> None:
    one = choose_backend("bubblewrap")
    assert one.identity() == choose_backend("bubblewrap").identity(timeout=10.0)
    assert one.identity().digest != one.identity(timeout=11).digest
    assert one.identity().digest != choose_backend("bubblewrap", Limits(memory=2**30)).identity().digest
    assert one.identity().kind == "sandbox"
    assert "bubblewrap 0." in str(one.identity().backend)
    assert one.identity().settings["limits"]["wall_s"] == 10.0
