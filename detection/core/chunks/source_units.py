"""The unit and the scale of cells that state none themselves (NUM-06)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from detection.core.chunks.places import Place, kind_of
from detection.core.chunks.scale_words import in_full

_ONE = Decimal(1)


def with_scale(places: Sequence[Place], scale: Decimal | None) -> Sequence[Place]:
    """The places of a chunk, those of tables that neither state a scale nor show full amounts at ``scale``."""
    if all(place.scale is not None for place in places):
        return places
    scales = dict.fromkeys(in_full(places), _ONE)
    if scale is None and not scales:
        return places
    return [
        place if place.scale is not None else place._replace(scale=scales.get(place.table, scale))
        for place in places
    ]


def currencies(places: Sequence[Place]) -> Mapping[int, frozenset[str]]:
    """The currencies that the text and each table of a chunk name."""
    found: dict[int, frozenset[str]] = {}
    for place in places:
        if kind_of(place) == "currency":
            found[place.table] = found.get(place.table, frozenset()) | {place.unit}
    return found


def with_currency(
    places: Sequence[Place], named: Mapping[int, frozenset[str]], common: str
) -> Sequence[Place]:
    """Cells without a sign take the one currency that their table names, else ``common``."""
    units = {table: min(those) if len(those) == 1 else common for table, those in named.items()}
    if not common and not any(units.values()):
        return places
    return [
        place if place.unit or place.table < 0 else place._replace(unit=units.get(place.table, common))
        for place in places
    ]
