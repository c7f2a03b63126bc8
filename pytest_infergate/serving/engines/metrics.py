"""Samples out of a server's Prometheus page."""

from __future__ import annotations

from collections.abc import Iterator

from ..inquiry import Answer


def metric_lines(answer: Answer) -> Iterator[tuple[str, dict[str, str], float]]:
    """The samples of a Prometheus page as (name, labels, value); none where it is not such a page."""
    from prometheus_client.parser import text_string_to_metric_families

    if not answer.is_ok:
        return
    try:
        for family in text_string_to_metric_families(answer.text):
            for sample in family.samples:
                yield sample.name, sample.labels, sample.value
    except ValueError:  # not Prometheus text; what was read before it stands
        return
