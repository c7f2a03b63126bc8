"""The order of tasks that several shards know in part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise


def order_tasks(orders: Iterable[Iterable[str]], nodeids: Mapping[str, str]) -> list[str]:
    """Return the names of ``nodeids`` in an order that keeps every order given, as far as they agree.

    Tasks that no shard saw together come as pytest would collect their files: sorted by path, those without
    one last. The order of the shards plays no part.
    """
    after: dict[str, set[str]] = defaultdict(set)
    before = dict.fromkeys(nodeids, 0)
    for order in orders:
        for name, following in pairwise(order):
            if following not in after[name]:
                after[name].add(following)
                before[following] += 1
    rank = {
        name: (not nodeid, nodeid.partition("::")[0].split("/"), name) for name, nodeid in nodeids.items()
    }
    ready = [(rank[name], name) for name, count in before.items() if not count]
    heapify(ready)
    waiting = {name for name, count in before.items() if count}
    placed: list[str] = []
    while ready or waiting:
        if not ready:  # two shards contradict each other: take the first by path
            name = min(waiting, key=rank.__getitem__)
            waiting.remove(name)
            ready.append((rank[name], name))
        _, name = heappop(ready)
        placed.append(name)
        for following in after[name]:
            before[following] -= 1
            if following in waiting and not before[following]:
                waiting.remove(following)
                heappush(ready, (rank[following], following))
    return placed
