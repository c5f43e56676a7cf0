"""The sources that a page shows: their rows, where each stands among all, and the parts beside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from django.db.models import Q
from django.db.models.functions import Left

from detection.models import Answer, Source

RANKED = 1_000
"""So many sources are ranked; an answer with more was not read whole either."""
PARTS = 200
"""Parts of the same documents that are looked at for neighbours."""
CITED_PARTS = 2
"""Parts shown of a document that is cited as a whole."""
LEAD = 600
"""Code points shown of a neighbouring part."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """The part of the same document before or after a source: its id, its place, how it begins."""

    ref: str
    position: int
    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """Sources by id, parts by the id of their document; ``ranks`` by id, 1 being the most similar; ``beside`` the
    parts before and after."""

    rows: Mapping[str, Source] = field(default_factory=dict)
    parts: Mapping[str, Sequence[Source]] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)
    count: int = 0
    beside: Mapping[str, tuple[Nearby | None, Nearby | None]] = field(default_factory=dict)

    def named(self, ref: str) -> Sequence[Source]:
        """What a citation of ``ref`` means: the source with that id, or the first parts of that document."""
        own = self.rows.get(ref)
        return [own] if own else self.parts.get(ref, ())


def sources_of(answer: Answer, refs: Iterable[str]) -> Sources:
    """The sources of ``answer`` with these ids; three queries whatever their number."""
    wanted = set(refs)
    found = list(
        answer.sources.filter(Q(ref__in=wanted) | Q(parent_ref__in=wanted)).order_by("position")[:PARTS]
    )
    rows = {source.ref: source for source in found if source.ref in wanted}
    scores = list(answer.sources.order_by("position").values_list("ref", "score")[:RANKED])
    parents = {source.parent_ref for source in found if source.parent_ref}
    beside = answer.sources.filter(parent_ref__in=parents).order_by("position")
    shown = beside.annotate(lead=Left("text", LEAD + 1)).defer("text")[:PARTS] if parents else []
    return Sources(rows, _parts(found, wanted - set(rows)), _ranks(scores), len(scores), _beside(shown))


def _parts(found: Iterable[Source], documents: set[str]) -> dict[str, list[Source]]:
    parts: dict[str, list[Source]] = {}
    for source in found:
        if source.parent_ref in documents and len(parts.get(source.parent_ref, ())) < CITED_PARTS:
            parts.setdefault(source.parent_ref, []).append(source)
    return parts


def _ranks(scores: list[tuple[str, float | None]]) -> dict[str, int]:
    """Places by similarity where every source has one, else in the order they were submitted."""
    known = [score for _, score in scores if score is not None]
    if len(known) < len(scores):
        return {ref: place for place, (ref, _) in enumerate(scores, 1)}
    ordered = sorted(scores, key=lambda pair: -(pair[1] or 0.0))
    return {ref: place for place, (ref, _) in enumerate(ordered, 1)}


def _beside(parts: Iterable[Source]) -> dict[str, tuple[Nearby | None, Nearby | None]]:
    """For each part the one before and the one after, in the order of the document."""
    ordered = sorted(parts, key=lambda part: (part.parent_ref or "", page_of(part), part.position))
    found: dict[str, tuple[Nearby | None, Nearby | None]] = {part.ref: (None, None) for part in ordered}
    for one, other in pairwise(ordered):
        if one.parent_ref == other.parent_ref:
            found[one.ref] = (found[one.ref][0], _nearby(other))
            found[other.ref] = (_nearby(one), None)
    return found


def page_of(source: Source) -> float:
    """The page that a source stands on as a number, 0 where none is known."""
    page = source.metadata.get("page") if isinstance(source.metadata, dict) else None
    try:
        return float(str(page))
    except ValueError:
        return 0.0


def _nearby(part: Source) -> Nearby:
    lead: str = getattr(part, "lead", "")
    return Nearby(part.ref, part.position, lead[:LEAD], len(lead) > LEAD)
