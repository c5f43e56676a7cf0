"""How well two operators must align before they refute, by family, as measured by ``benchmarks/refuters.py``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from detection.core.refuters.alignment import Alignment
from detection.core.refuters.refutation import Kind

_APART = 0.15  # what an operator that agrees may share where the words only stand there


class Demand(NamedTuple):
    """What an alignment needs: ``placed`` of the neighbours in their places, or ``shared`` of them anywhere in the
    sentence where nothing agrees; so many ``neighbours``, and ``back`` of the source's clause said by the claim; ``follows``: the
    same word behind both."""

    kind: Kind
    placed: float
    neighbours: int
    back: float = 0.0
    shared: float = 2.0  # more than there can be: neighbours must be in their places
    follows: bool = False

    def met(self, alignment: Alignment, agreed: float) -> bool:
        """Whether ``alignment`` suffices where operators that agree reach ``agreed``."""
        if self.follows and not alignment.follows:
            return False
        if alignment.neighbours < self.neighbours or alignment.back < self.back:
            return False
        if alignment.placed >= self.placed and alignment.placed > agreed:
            return True
        return alignment.shared >= self.shared and agreed < _APART


NEGATION = Demand("negation", placed=0.55, neighbours=3, back=0.4)
UNIT = Demand("unit", placed=0.5, neighbours=3, back=0.4)
DEMANDS: Mapping[str, Demand] = MappingProxyType(
    {
        "direction.level": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.time": Demand("direction", placed=0.5, neighbours=3, back=0.4),
        "direction.advance": Demand("direction", placed=0.3, neighbours=2, back=0.3),
        "direction.first": Demand("direction", placed=0.5, neighbours=3, back=0.3),
        "direction.rank": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.inclusion": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.permission": Demand("direction", placed=0.4, neighbours=3, back=0.3),
        "direction.opposite": Demand("direction", placed=0.35, neighbours=2, back=0.3),
        "quantifier.share": Demand(
            "quantifier", placed=0.4, neighbours=2, back=0.3, shared=0.5, follows=True
        ),
        "modality.force": Demand("modality", placed=0.3, neighbours=3, back=0.3, follows=True),
        "modality.certainty": Demand("modality", placed=0.3, neighbours=3, back=0.3, follows=True),
        "party.role": Demand("parties", placed=0.45, neighbours=3, back=0.3),
        "condition.tie": Demand("condition", placed=0.3, neighbours=2, back=0.2, shared=0.4),
    }
)
