"""A number against the source chunks: cited ones first, then by shared words, each chunk read once (NUM-06, NUM-14)."""

from dataclasses import dataclass, replace
from decimal import Decimal

from detection.core import numbers
from detection.core.comparison import distance, misread, stated_scale, values_of, within
from detection.core.passages import read
from detection.core.places import Place, Words, declared_scale, kind_of, words, years
from detection.core.slots import Fit, fits
from detection.core.source_derivations import derived_candidates
from detection.core.types import Candidate, Case, NumericClaim, Slip, Source

NEAREST = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """What the documents say of one number; ``left`` counts chunks that the limit left unread."""

    candidates: tuple[Candidate, ...] = ()
    slips: tuple[Slip, ...] = ()
    read: int = 0
    left: int = 0


class Documents:
    """The sources of one answer, each taken apart when it is first needed."""

    def __init__(self, case: Case, limit: int) -> None:
        self._case = case
        self._limit = limit
        self._words: dict[int, Words] = {}
        self._places: dict[int, list[Place]] = {}
        self._dates: dict[int, list[NumericClaim]] = {}

    def compare(self, number: NumericClaim, sentence: str, citations: tuple[str, ...]) -> Compared:
        """Candidates, slips and how many chunks were read for ``number`` as it stands in ``sentence``."""
        rest = sentence.replace(number.text, " ", 1)
        said, named = words(rest), years(rest)
        chosen = self._chosen(said, citations)
        left = len(self._case.sources) - len(chosen)
        if number.kind == "date":
            return Compared(self._same_dates(number, chosen), (), len(chosen), left)
        places = self._read(chosen)
        found = fits(places, said, named)
        candidates, slips = _compared(number, found, said)
        derived = derived_candidates(number, found, rest.lower(), named)
        return Compared((*candidates, *derived), slips, len(chosen), left)

    def _chosen(self, said: Words, citations: tuple[str, ...]) -> list[int]:
        """The chunks to read, by position: all within the limit, else cited ones first, then by shared words."""
        order = range(len(self._case.sources))
        if len(order) <= self._limit:
            return list(order)
        cited = set(citations)
        return sorted(order, key=lambda index: self._rank(index, said, cited))[: self._limit]

    def _rank(self, index: int, said: Words, cited: set[str]) -> tuple[bool, int, int]:
        source = self._case.sources[index]
        uncited = not ({source.ref, source.parent_ref} & cited)
        return uncited, -len(self._words_of(index, source) & said), index

    def _words_of(self, index: int, source: Source) -> Words:
        if index not in self._words:
            self._words[index] = words(source.text)
        return self._words[index]

    def _read(self, chosen: list[int]) -> list[Place]:
        places: list[Place] = []
        scales: set[Decimal] = set()
        for index in chosen:
            source = self._case.sources[index]
            if index not in self._places:
                self._places[index] = read(source.ref, source.text)
            places += self._places[index]
            if (scale := declared_scale(source.text.lower())) is not None:
                scales.add(scale)
        if len(scales) == 1:
            only = scales.pop()
            places = [replace(place, scale=only) if place.scale is None else place for place in places]
        return _with_currency(places)

    def _same_dates(self, number: NumericClaim, chosen: list[int]) -> tuple[Candidate, ...]:
        """Dates of the sources with both ends near; a year is also supported by a day inside it."""
        if number.start_date is None or number.end_date is None:
            return ()
        found = []
        for index in chosen:
            source = self._case.sources[index]
            if index not in self._dates:
                self._dates[index] = [claim for claim in numbers.extract(source.text) if claim.kind == "date"]
            for claim in self._dates[index]:
                if claim.start_date is None or claim.end_date is None:
                    continue
                days = (
                    abs((claim.start_date - number.start_date).days),
                    abs((claim.end_date - number.end_date).days),
                )
                inside = number.start_date <= claim.start_date and claim.end_date <= number.end_date
                if inside and (number.end_date - number.start_date).days > 300:
                    days = (0, 0)
                lengths = (claim.end_date - claim.start_date, number.end_date - number.start_date)
                if days == (0, 0) or abs(lengths[0] - lengths[1]).days <= 7:
                    found.append(
                        Candidate(
                            "document",
                            claim.text,
                            days=days,
                            source=source.ref,
                            start=claim.start,
                            end=claim.end,
                        )
                    )
        return tuple(sorted(found, key=lambda candidate: sum(candidate.days or (0, 0)))[:NEAREST])


def _with_currency(places: list[Place]) -> list[Place]:
    """Cells without a sign take the one currency of their table, else the one of all that was read."""
    tables: dict[tuple[str, int], set[str]] = {}
    for place in places:
        if kind_of(place) == "currency":
            tables.setdefault((place.source, place.table), set()).add(place.unit)
    everywhere = set().union(*tables.values()) if tables else set()
    named = {key: min(units) for key, units in tables.items() if len(units) == 1}
    common = min(everywhere) if len(everywhere) == 1 else ""
    return [
        replace(place, unit=named.get((place.source, place.table), common))
        if place.table >= 0 and not place.unit
        else place
        for place in places
    ]


_OPERATION_WORDS = words(
    "change changed increase increased decrease decreased difference average mean growth grew decline rise variance"
)


def _asks_otherwise(fit: Fit, said: Words) -> bool:
    """The sentence speaks of a change or an average that the place does not speak of."""
    place = fit.place
    return bool(said & _OPERATION_WORDS) and not (place.row | place.column | place.section) & _OPERATION_WORDS


def _compared(
    number: NumericClaim, found: list[Fit], said: Words
) -> tuple[list[Candidate], tuple[Slip, ...]]:
    claimed, scale = Decimal(number.value), stated_scale(number)
    ranked: list[tuple[bool, Decimal, Decimal, Fit]] = []
    for fit in found:
        for value in values_of(fit.place, number, scale, said):
            exact = within(claimed, number.precision, value, None)
            same = fit.same and (fit.sure or exact) and not _asks_otherwise(fit, said)
            ranked.append((not same, abs(claimed - value), value, fit))
    ranked.sort(key=lambda item: item[:2])
    own = [item for item in ranked if not item[0]]
    other = [item for item in ranked if item[0]]
    chosen = [
        _candidate(number, value, fit, not apart)
        for apart, _, value, fit in (*own[:NEAREST], *other[:NEAREST])
    ]
    stated = any(within(claimed, number.precision, value, number.bound) for _, _, value, _ in own)
    return chosen, () if stated or number.bound else tuple(_slips(number, own, other))


def _candidate(number: NumericClaim, value: Decimal, fit: Fit, same: bool) -> Candidate:
    place = fit.place
    apart, relative = distance(Decimal(number.value), value)
    return Candidate(
        "document", place.text, number.unit, value, relative, apart, same=same, source=place.source, start=place.start,
        end=place.end, period=max(place.years, default=None),
    )  # fmt: skip


_Ranked = list[tuple[bool, Decimal, Decimal, Fit]]


def _slips(number: NumericClaim, same: _Ranked, other: _Ranked) -> list[Slip]:
    """How a number that its own cells do not state comes about: misread, or another cell's."""
    claimed = Decimal(number.value)
    slips = []
    for _, _, value, fit in same:
        if fit.sure and (code := misread(claimed, value)):
            slips.append(Slip(code, "", _candidate(number, value, fit, same=True)))  # type: ignore[arg-type]  # its literals
    best = max((fit.row for _, _, _, fit in same if fit.sure), default=None)
    for _, _, value, fit in other:
        if best is not None and within(claimed, number.precision, value, None) and fit.place.table >= 0:
            code = "period" if fit.row >= best - 0.25 else "metric"
            slips.append(Slip(code, "", _candidate(number, value, fit, same=False)))  # type: ignore[arg-type]  # its literals
    return slips[:NEAREST]
