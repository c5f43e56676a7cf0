"""How well two operators must align before they refute, by family, as measured by ``benchmarks/refuters.py``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from detection.core.refuters.alignment import Alignment
from detection.core.refuters.refutation import Kind

_APART = 0.15  # what an operator that agrees may share where the words only stand there
_SAID = 0.5  # what the claim says of the source's clause where places and shares are added
_MANY = 4  # neighbours that make up for a clause that says more
_PAIR = 2
_NEVER = 2.0  # more than there can be


class Demand(NamedTuple):
    """What an alignment needs: ``placed`` of the neighbours in their places, so many ``neighbours``, ``back`` of the source's
    clause said by the claim, and where ``follows`` the same word behind both. Or one of four that make up for it: ``shared``
    of the neighbours anywhere in the sentence where nothing agrees; ``joint`` of those in their places and half of those
    elsewhere, ``few`` of them, in a clause that says little else; ``sure`` of the same in any clause; a ``whole`` claim of
    two words behind the operator: "the tenant insures the building"."""

    kind: Kind
    placed: float
    neighbours: int
    back: float = 0.0
    shared: float = _NEVER
    follows: bool = False
    joint: float = _NEVER
    few: int = 3
    sure: float = _NEVER
    whole: float = _NEVER

    def met(self, alignment: Alignment, agreed: float) -> bool:
        """Whether ``alignment`` suffices where operators that agree reach ``agreed``."""
        if alignment.placed > agreed and self._together(alignment):
            return True
        if self.follows and not alignment.follows:
            return False
        if alignment.neighbours < self.neighbours or alignment.back < self.back:
            return False
        if alignment.placed >= self.placed and alignment.placed > agreed:
            return True
        return alignment.shared >= self.shared and agreed < _APART

    def _together(self, alignment: Alignment) -> bool:
        both = alignment.placed + alignment.shared / 2
        close = both >= self.joint and alignment.back >= _SAID and alignment.neighbours >= self.few
        acts = alignment.follows and alignment.neighbours >= _PAIR
        close = close or (acts and alignment.placed >= self.whole)
        return close or (both >= self.sure and alignment.neighbours >= _MANY)


NEGATION = Demand("negation", placed=0.55, neighbours=3, back=0.4, joint=0.75, few=2)
UNIT = Demand("unit", placed=0.5, neighbours=3, back=0.4)
DEMANDS: Mapping[str, Demand] = MappingProxyType(
    {
        "direction.level": Demand("direction", placed=0.4, neighbours=3, back=0.3, joint=1.0, few=2),
        "direction.time": Demand("direction", placed=0.5, neighbours=3, back=0.4),
        "direction.advance": Demand("direction", placed=0.3, neighbours=2, back=0.3),
        "direction.first": Demand("direction", placed=0.5, neighbours=3, back=0.3),
        "direction.rank": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.inclusion": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.permission": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.opposite": Demand("direction", placed=0.35, neighbours=2, back=0.3),
        "quantifier.share": Demand(
            "quantifier", placed=0.4, neighbours=2, back=0.3, shared=0.5, follows=True, joint=0.8
        ),
        "modality.force": Demand("modality", placed=0.3, neighbours=3, back=0.3, follows=True, joint=0.7),
        "modality.certainty": Demand("modality", placed=0.3, neighbours=3, back=0.3, follows=True, joint=0.9),
        "party.role": Demand("parties", placed=0.45, neighbours=3, back=0.3, sure=1.2, whole=0.95),
        "condition.tie": Demand("condition", placed=0.3, neighbours=2, back=0.2, shared=0.4),
    }
)
