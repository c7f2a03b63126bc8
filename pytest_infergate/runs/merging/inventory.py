"""What shards hold together: every task with all its evaluations, and where the record of each lies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice

from ...evidence import Record, Role, Verdict, canonical_json
from ..collected import CollectedEvaluation, CollectedTask
from ..identity_fields import spelled
from ..strict_json import parse_strict
from ..summary import TaskPlan
from .refusal import Refusal, RefusalKind
from .shard import Shard

#: A sample and a repeat, within a task.
Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record lies: the shard by its number, the offset of its line, and its verdict."""

    shard: int
    offset: int
    verdict: Verdict


@dataclass(slots=True)
class KnownTask:
    """A task as the shards tell it. ``told`` are its evaluations in their order, with the digests of samples.

    ``told_by`` is the shard that told them first. ``is_selected``: a shard ran a part of it.
    """

    plan: TaskPlan
    nodeid: str
    told: Mapping[Key, str]
    told_by: str
    is_selected: bool = False
    places: dict[Key, Place] = field(default_factory=dict)

    @property
    def left_out(self) -> list[Key]:
        """The evaluations that are in no shard."""
        return [key for key in self.told if key not in self.places]

    def collected(self) -> CollectedTask:
        evaluations = (CollectedEvaluation(*key, digest) for key, digest in self.told.items())
        return CollectedTask(plan=self.plan, nodeid=self.nodeid, evaluations=tuple(evaluations))


@dataclass(slots=True)
class _Overlap:
    count: int
    example: str
    verdicts: tuple[str, str]


class Inventory:
    """Reads shards once and remembers, for each evaluation, no more than where its record lies."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = shards
        self.tasks: dict[str, KnownTask] = {}
        #: The order of tasks in each shard.
        self.orders: list[list[str]] = []
        #: The number of records in each shard.
        self.records = [0] * len(shards)
        self._differences: dict[tuple[str, str], Refusal] = {}
        self._overlaps: dict[tuple[str, int, int], _Overlap] = {}
        self._scored: dict[tuple[str, str], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._sources: dict[str, str] = {}
        self._read: dict[bytes, str] = {}
        for number, shard in enumerate(shards):
            self._add(number, shard)

    def refusals(self) -> Iterator[Refusal]:
        """Yield what differs between shards, and what is in two of them."""
        yield from self._differences.values()
        yield from self._differing_scores()
        for (task, first, second), overlap in self._overlaps.items():
            labels = self._shards[first].label, self._shards[second].label
            yield Refusal(
                kind=RefusalKind.OVERLAP,
                what=f"task {task}: {_evaluations(overlap.count)} in two shards",
                values=tuple(zip(labels, overlap.verdicts, strict=True)),
                count=overlap.count,
                example=overlap.example,
            )

    def gaps(self) -> Iterator[Refusal]:
        """Yield, task by task, what was collected and is in no shard."""
        for name, task in self.tasks.items():
            left_out = task.left_out
            if task.is_selected and not left_out:
                continue
            of = "all" if len(left_out) == len(task.told) else f"{len(left_out)} of its"
            what = f"task {name}: {of} {_evaluations(len(task.told))} in no shard"
            if not task.told:
                what = f"task {name}: collected, its data set empty, and in no shard"
            examples = ", ".join(f"{name}/{sample}#{repeat}" for sample, repeat in islice(left_out, 3))
            yield Refusal(kind=RefusalKind.GAP, what=what, count=max(1, len(left_out)), example=examples)

    def _add(self, number: int, shard: Shard) -> None:
        order = list(self._read_collected(shard))
        # Of a shard that left nothing out, its records are all there is.
        own: dict[str, dict[Key, str]] = {plan.name: {} for plan in shard.run.plans} if shard.is_whole else {}
        for plan in shard.run.plans:
            if shard.is_whole:
                order.append(plan.name)
                self._tell(plan, "", own[plan.name], shard.label)
            self.tasks[plan.name].is_selected = True
        for offset, record in shard.records():
            key, digest = record.evaluation.key, record.evaluation.sample_digest
            task = self.tasks[key.task]
            if shard.is_whole:
                own[key.task][key.sample, key.repeat] = digest
                task.nodeid = task.nodeid or record.evaluation.nodeid.partition("[")[0]
            else:
                self._check_sample(task, shard, record)
            self.records[number] += 1
            self._place(number, offset, task, record)
            self._note_scores(number, record)
            self._note_source(shard, record)
        for name, told in own.items():
            self._compare_told(self.tasks[name], told, shard.label)
        self.orders.append(order)

    def _read_collected(self, shard: Shard) -> Iterator[str]:
        for raw in shard.collected_lines():
            # Shards of one suite tell the same: one line is parsed once.
            seen = sha256(raw).digest()
            if seen not in self._read:
                task = CollectedTask.from_json(parse_strict(raw))
                told = {(one.sample, one.repeat): one.digest for one in task.evaluations}
                self._tell(task.plan, task.nodeid, told, shard.label)
                known = self.tasks[task.plan.name]
                self._compare_told(known, told, shard.label)
                known.told = told  # the order of the collection, where records came as workers ended
                self._read[seen] = task.plan.name
            yield self._read[seen]

    def _tell(self, plan: TaskPlan, nodeid: str, told: Mapping[Key, str], label: str) -> None:
        """Know a task, or hold what is known of it against this plan."""
        known = self.tasks.setdefault(plan.name, KnownTask(plan, nodeid, told, label))
        known.nodeid = known.nodeid or nodeid
        ours, theirs = known.plan.as_json(), plan.as_json()
        for name in ours:
            if ours[name] != theirs[name]:
                self._differ(plan.name, name, known.told_by, ours[name], label, theirs[name])

    def _compare_told(self, known: KnownTask, told: Mapping[Key, str], label: str) -> None:
        name = known.plan.name
        if known.told == told:
            return
        other = next((key for key in (*known.told, *told) if (key in known.told) != (key in told)), None)
        if other is not None:
            shown = f"{name}/{other[0]}#{other[1]}"
            self._differ(
                name,
                "collected evaluations",
                known.told_by,
                f"{len(known.told)} {'with' if other in known.told else 'without'} {shown}",
                label,
                f"{len(told)} {'with' if other in told else 'without'} {shown}",
            )
            return
        changed = [key for key in known.told if known.told[key] != told[key]]
        self._differ(
            f"{name}/{changed[0][0]}#{changed[0][1]}",
            "sample.digest",
            known.told_by,
            known.told[changed[0]],
            label,
            told[changed[0]],
            count=len(changed),
        )

    def _check_sample(self, known: KnownTask, shard: Shard, record: Record) -> None:
        key = record.evaluation.key
        told, digest = known.told.get((key.sample, key.repeat)), record.evaluation.sample_digest
        if told is not None and told != digest:
            self._differ(str(key), "sample.digest", known.told_by, told, shard.label, digest)

    def _place(self, number: int, offset: int, task: KnownTask, record: Record) -> None:
        key = record.evaluation.key
        place = Place(number, offset, record.verdict)
        found = task.places.setdefault((key.sample, key.repeat), place)
        if found is not place:
            verdicts = found.verdict.value, record.verdict.value
            overlap = self._overlaps.setdefault(
                (key.task, found.shard, number), _Overlap(0, str(key), verdicts)
            )
            overlap.count += 1

    def _note_scores(self, number: int, record: Record) -> None:
        for score in record.scores:
            one = score.evaluator
            fallback = score.fallback is not None
            who = canonical_json([one.kind, one.name, one.version, one.backend, fallback])
            self._scored[record.evaluation.key.task, score.name][number].add(who)

    def _differing_scores(self) -> Iterator[Refusal]:
        """Yield the scores that one shard has of none of the evaluators of another."""
        for (task, name), by_shard in self._scored.items():
            first, *others = by_shard
            for other in others:
                if by_shard[first].isdisjoint(by_shard[other]):
                    values = [
                        (self._shards[number].label, _spelled_evaluators(by_shard[number]))
                        for number in (first, other)
                    ]
                    yield Refusal(
                        kind=RefusalKind.DIFFERENT,
                        what=f"task {task}: evaluator of the score {name}",
                        values=tuple(values),
                    )
                    break

    def _note_source(self, shard: Shard, record: Record) -> None:
        for exchange in record.exchanges:
            if exchange["role"] == Role.MODEL.value:
                source = "stored replies" if exchange["source"] == "replay" else "a server"
                self._sources.setdefault(source, shard.label)
        if len(self._sources) > 1 and ("", "replies") not in self._differences:
            values = tuple((label, f"from {source}") for source, label in self._sources.items())
            self._differences["", "replies"] = Refusal(
                kind=RefusalKind.DIFFERENT, what="replies", values=values
            )

    def _differ(
        self, where: str, name: str, label: str, value: object, other: str, its: object, count: int = 1
    ) -> None:
        self._differences.setdefault(
            (where, name),
            Refusal(
                kind=RefusalKind.DIFFERENT,
                what=f"task {where}: {name}",
                values=((label, spelled(value)), (other, spelled(its))),
                count=count,
            ),
        )


def _spelled_evaluators(found: set[str]) -> str:
    shown = []
    for text in sorted(found):
        kind, name, version, backend, fallback = parse_strict(text.encode("ascii"))
        shown.append(f"{kind} {name} v{version} on {backend}{' as a fallback' if fallback else ''}")
    return ", ".join(shown)


def _evaluations(count: int) -> str:
    return f"{count} evaluation is" if count == 1 else f"{count} evaluations are"
