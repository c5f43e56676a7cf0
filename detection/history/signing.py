"""What migrations write down when hashes get a key; rows are those of migrations, without methods of ours."""

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from django.utils import timezone

from detection import keyed
from detection.models.events import digest, plain_head_content

BATCH = 1000


def note_plain_heads(heads: Any, history: Any) -> None:
    """A signed row for every chain of ``history`` (a model), with its last event."""
    made = _heads(heads, history)
    while some := list(islice(made, BATCH)):
        heads.objects.bulk_create(some)


def _heads(heads: Any, history: Any) -> Iterator[Any]:
    rows = history.objects.order_by("subject_id", "seq").values_list("subject_id", "seq", "hash")
    for subject, chain in groupby(rows.iterator(BATCH), itemgetter(0)):
        *_, (_subject, seq, made) = chain
        head = heads(history=history._meta.label_lower, subject=str(subject), seq=seq, hash=made)
        head.signature = keyed.signed(heads._meta.label_lower, plain_head_content(head))
        yield head


def note_standing(history: Any, subject: Any, standing: Mapping[str, Any]) -> None:
    """An event that says how ``subject`` stands, so that its history tells all of it from here on."""
    last = history.objects.filter(subject=subject).order_by("-seq").first()
    event = history(
        subject=subject,
        seq=last.seq + 1 if last else 1,
        prev_hash=last.hash if last else "",
        action="noted",
        after=dict(standing),
        created_at=timezone.now(),
    )
    event.hash = digest(event)
    event.save(force_insert=True)
