"""Requests ahead of serial tests."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from pytest_infergate.evidence import Exchange, Timing
from pytest_infergate.serving import Client, Prefetch, PrefetchError, Request
from tests.scripted import ScriptedServer


def request(name: str) -> Request:
    return Request(endpoint="completion", content=name)


def exchange_of(asked: Request) -> Exchange:
    return Exchange(
        endpoint=asked.endpoint,
        request=asked.as_json(),
        request_digest=asked.digest,
        reply=None,
        timing=Timing(),
        attempts=1,
    )


class Asker:
    """What is asked, in order; held back until ``gate`` opens."""

    def __init__(self, *, is_open: bool = True) -> None:
        self.asked: list[str] = []
        self.in_flight = 0
        self.most = 0
        self.gate = threading.Event()
        self.lock = threading.Lock()
        if is_open:
            self.gate.set()

    def __call__(self, asked: Request) -> Exchange:
        assert isinstance(asked.content, str)
        with self.lock:
            self.asked.append(asked.content)
            self.in_flight += 1
            self.most = max(self.most, self.in_flight)
        assert self.gate.wait(20)
        with self.lock:
            self.in_flight -= 1
        return exchange_of(asked)


def items(*names: str) -> list[tuple[str, Callable[[], Request]]]:
    return [(name, lambda name=name: request(name)) for name in names]  # type: ignore[misc]


def names(n: int) -> list[str]:
    return [f"k{i}" for i in range(n)]


def settle(is_so: Callable[[], bool]) -> None:
    """Wait until ``is_so``, then long enough that a request too many would show."""
    ends = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.005)
    time.sleep(0.05)


@pytest.mark.parametrize(("concurrency", "window"), [(1, 0), (1, 1), (3, 0), (2, 5), (5, 2), (8, 8)])
def test_every_key_gets_its_own_exchange_in_the_order_of_taking(concurrency: int, window: int) -> None:
    ask = Asker()
    prefetch = Prefetch(ask, concurrency, window)
    prefetch.plan(items(*names(40)))
    for name in names(40):
        prefetch.advance(name)
        assert prefetch.take(name).request["prompt"] == name
    assert sorted(ask.asked) == sorted(names(40))
    assert ask.most <= concurrency
    prefetch.cancel()


@pytest.mark.parametrize(("concurrency", "window"), [(4, 0), (4, 3), (2, 8), (8, 8)])
def test_requests_sent_are_the_keys_taken_and_at_most_the_window(concurrency: int, window: int) -> None:
    ask = Asker()
    prefetch = Prefetch(ask, concurrency, window)
    prefetch.plan(items(*names(30)))
    for taken in range(10):
        settle(lambda taken=taken: len(ask.asked) >= taken + window)  # type: ignore[misc]
        assert len(ask.asked) == taken + window
        prefetch.take(f"k{taken}")
    prefetch.cancel()


def test_the_requests_go_out_in_the_order_of_the_plan() -> None:
    ask = Asker()
    prefetch = Prefetch(ask, 1, 10)
    prefetch.plan(items(*names(10)))
    for name in names(10):
        prefetch.take(name)
    assert ask.asked == names(10)


def test_keys_whose_turn_is_now_are_asked_at_once_beyond_a_window_that_is_full() -> None:
    ask = Asker()
    prefetch = Prefetch(ask, 3, 2)
    prefetch.plan(items(*names(10)))
    settle(lambda: len(ask.asked) >= 2)
    ask.gate.clear()
    prefetch.hasten(items("a", "b", "c", "d"))
    settle(lambda: ask.in_flight >= 3)
    assert sorted(ask.asked[2:]) == ["a", "b", "c"], "as many as there are threads, and nothing planned"
    with pytest.raises(PrefetchError, match="planned twice"):
        prefetch.hasten(items("a"))
    ask.gate.set()
    for name in ("a", "b", "c", "d", *names(10)):
        assert prefetch.take(name).request["prompt"] == name
    assert len(ask.asked) == 14
    prefetch.cancel()


def test_keys_that_the_tests_passed_over_make_room() -> None:
    ask = Asker()
    prefetch = Prefetch(ask, 2, 2)
    prefetch.plan(items(*names(10)))
    settle(lambda: len(ask.asked) == 2)
    prefetch.advance("k5")
    assert prefetch.take("k5").request["prompt"] == "k5"
    settle(lambda: len(ask.asked) == 5)
    assert sorted(ask.asked) == ["k0", "k1", "k5", "k6", "k7"], "k2 to k4 were never asked"
    with pytest.raises(PrefetchError, match="'k1' is not planned, or was taken or passed over before"):
        prefetch.take("k1")


def test_to_advance_to_what_is_not_planned_says_nothing() -> None:
    prefetch = Prefetch(Asker(), 1, 1)
    prefetch.plan(items("a"))
    prefetch.advance("free-form")
    assert prefetch.take("a").request["prompt"] == "a"


def test_a_key_far_ahead_is_asked_at_once() -> None:
    ask = Asker()
    prefetch = Prefetch(ask, 2, 2)
    prefetch.plan(items(*names(10)))
    assert prefetch.take("k9").request["prompt"] == "k9"
    assert prefetch.take("k0").request["prompt"] == "k0"
    for name in names(9)[1:]:
        assert prefetch.take(name).request["prompt"] == name
    assert sorted(ask.asked) == sorted(names(10)), "each was asked once"


def test_the_plan_can_grow_as_a_worker_learns_of_its_items() -> None:
    ask = Asker()
    prefetch = Prefetch(ask, 2, 1)
    for now, coming in zip(names(9), names(10)[1:], strict=True):
        prefetch.plan(items(now, coming) if now == "k0" else items(coming))
        assert prefetch.take(now).request["prompt"] == now
    assert ask.asked[:9] == names(9)


@pytest.mark.parametrize("raised", [ValueError("bad prompt"), KeyboardInterrupt(), SystemExit(3)])
def test_what_building_raises_is_raised_where_it_is_taken(raised: BaseException) -> None:
    def build() -> Request:
        raise raised

    prefetch = Prefetch(Asker(), 1, 3)
    prefetch.plan([("a", build), *items("b")])
    with pytest.raises(type(raised)) as caught:
        prefetch.take("a")
    assert caught.value is raised
    assert prefetch.take("b").request["prompt"] == "b", "the thread goes on"


def test_what_asking_raises_is_raised_too() -> None:
    def ask(_: Request) -> Exchange:
        raise RuntimeError("a bug")

    prefetch = Prefetch(ask, 1, 1)
    prefetch.plan(items("a"))
    with pytest.raises(RuntimeError, match="a bug"):
        prefetch.take("a")


def test_a_key_is_planned_and_taken_once() -> None:
    prefetch = Prefetch(Asker(), 1, 1)
    prefetch.plan(items("a", "b"))
    with pytest.raises(PrefetchError, match="'b' is planned twice"):
        prefetch.plan(items("b"))
    prefetch.take("a")
    for name in ("a", "never"):
        with pytest.raises(PrefetchError, match=f"'{name}' is not planned"):
            prefetch.take(name)


def test_waiting_is_told_about_twice_a_second() -> None:
    ask = Asker(is_open=False)
    waited: list[float] = []

    def on_wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            ask.gate.set()

    prefetch = Prefetch(ask, 1, 1)
    prefetch.plan(items("a"))
    prefetch.take("a", on_wait)
    assert len(waited) == 2
    assert waited[1] - waited[0] > 0.2


def test_an_interrupted_wait_passes_the_interrupt_on_and_leaves_the_rest() -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    ask = Asker(is_open=False)
    prefetch = Prefetch(ask, 2, 2)
    prefetch.plan(items("a", "b"))
    with pytest.raises(KeyboardInterrupt):
        prefetch.take("a", interrupt)
    ask.gate.set()
    assert prefetch.take("b").request["prompt"] == "b"


class TestCancel:
    def test_nothing_more_is_asked_and_nothing_can_be_taken(self) -> None:
        ask = Asker(is_open=False)
        prefetch = Prefetch(ask, 2, 4)
        prefetch.plan(items(*names(10)))
        settle(lambda: len(ask.asked) == 2)
        prefetch.cancel()
        prefetch.cancel()
        ask.gate.set()
        settle(lambda: ask.in_flight == 0)
        assert len(ask.asked) == 2
        with pytest.raises(PrefetchError, match="'k0' is not asked: the requests ahead were cancelled"):
            prefetch.take("k0")

    def test_it_ends_a_wait(self) -> None:
        ask = Asker(is_open=False)
        prefetch = Prefetch(ask, 1, 1)
        prefetch.plan(items("a"))
        with pytest.raises(PrefetchError, match="cancelled"):
            prefetch.take("a", lambda waited: prefetch.cancel())
        ask.gate.set()

    def test_its_threads_end(self) -> None:
        before = threading.active_count()
        prefetch = Prefetch(Asker(), 4, 4)
        prefetch.plan(items(*names(8)))
        prefetch.take("k0")
        prefetch.cancel()
        settle(lambda: threading.active_count() <= before)


def test_a_process_ends_though_requests_hang() -> None:
    code = """
import threading
from pytest_infergate.serving import Prefetch, Request
prefetch = Prefetch(lambda request: threading.Event().wait(), 4, 4)
prefetch.plan((str(i), lambda: Request(endpoint="completion", content="x")) for i in range(9))
print("done")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


def test_results_are_not_kept_after_they_are_taken() -> None:
    import gc
    import weakref

    class Held:
        pass

    held: list[Any] = []

    def ask(asked: Request) -> Any:
        thing = Held()
        held.append(weakref.ref(thing))
        return thing

    prefetch = Prefetch(ask, 1, 1)
    prefetch.plan(items(*names(5)))
    for name in names(5):
        prefetch.take(name)
    gc.collect()
    assert sum(1 for ref in held if ref() is not None) <= 1


def test_the_requests_at_the_server_are_the_evaluations_run() -> None:
    with ScriptedServer.answering(lambda body: f"re {body['prompt']}") as server:
        client = Client(server.url, "scripted", concurrency=6)
        prefetch = Prefetch(client.exchange, 6, 12)
        prefetch.plan(items(*names(50)))
        replies = [prefetch.take(name).reply for name in names(50)]
        prefetch.cancel()
        client.close()
    assert [reply.text for reply in replies if reply] == [f"re k{i}" for i in range(50)]
    assert len(server.posts) == 50
    assert server.connections <= 6


def test_aborting_the_client_ends_what_is_awaited() -> None:
    with ScriptedServer.answering(lambda body: "late", latency=30) as server:
        client = Client(server.url, "scripted", concurrency=2)
        prefetch = Prefetch(client.exchange, 2, 2)
        prefetch.plan(items(*names(3)))
        exchange = prefetch.take("k0", lambda waited: client.abort())
        prefetch.cancel()
        client.close()
    assert exchange.error is not None
    assert exchange.error.reason.value == "not_run"
