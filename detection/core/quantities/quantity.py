"""A quantity as a text states it, with everything around it that may say what it is of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from detection.core.periods import Mention
from detection.core.quantities.reach import Reach
from detection.core.types import NumericClaim

LIMITS = frozenset(("limit", "limit_min", "limit_max"))
"""The roles of what has to be kept."""
PLANS = frozenset(("budget", "forecast", "target", "underwritten"))
"""The roles of what was meant to come about."""
_OWN = 0.8  # the weight of a word that is a number's own


class Tier(NamedTuple):
    """What may name the slots of a quantity from one distance: words by weight, and periods, the likeliest first."""

    words: Mapping[str, float]
    periods: tuple[Mention, ...] = ()

    def own(self) -> frozenset[str]:
        """The words that stand near, without those that the sentence shares with other numbers."""
        return frozenset(word for word, weight in self.words.items() if weight >= _OWN)


Operation = Literal["share", "ratio", "difference", "sum", "mean", "rate"]


class Formula(NamedTuple):
    """An operation and what it is of, in order; several tiers of one part are taken together."""

    how: Operation
    parts: tuple[tuple[Tier, ...], ...]


class Parted(NamedTuple):
    """A part of a whole, as a text states both."""

    part: NumericClaim
    whole: NumericClaim


class Singled(NamedTuple):
    """What names those of a group that are unlike the others: of which alone something is true (``only``), or is not."""

    tier: Tier
    only: bool


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its surroundings.

    ``tiers`` go from its own words (those of no other number) over its sentence and what leads it in (heading, sentence
    before) to the question. ``cues`` are the keys of each table of the lexicons that its own words name
    (``directions`` → ``{"up"}``). ``direction`` is the nearest of them that says where a
    change went. ``is_base`` it is what another figure is compared with ("from", "versus"), ``arrives`` where a change led
    ("to"), ``by`` how far it went ("by"). ``reckons``: it is said
    to be the change, the difference or the mean of something, ``is_result`` in so many words ("the change in NOI was"). ``counts``: the sentence says in how many periods. ``said`` are the roles that its sentence names, ``bases`` the periods that the sentence compares with, ``reach`` over how many of a group its clause speaks, ``singled`` which of it are excepted or the only ones, ``beyond`` the number that
    it is said to lie above or below: "1.05x, below the 1.20x", ``parted`` of what it only says how much of what it is, ``formulas`` what it says that the number was reckoned from. ``onward``: it is of later than the period named before. ``is_share``: so much "of" something, ``share_of`` the words for that, ``is_whole``: that of which something else is a part, ``is_part`` the part of a count right behind it.
    ``is_actual``: it is what came about, so far from a plan: "2 % under plan at $5". ``speaks_back``: its part of the
    sentence is of an earlier time, or goes on to what it became.
    ``called`` are the roles that words give the number itself: "a budget of $5".
    ``denied``: a "not" stands right before a claim without digits, ``hardly`` with a degree ("not much better").
    """

    number: NumericClaim
    tiers: tuple[Tier, ...]
    cues: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sentence: int = 0
    direction: str = ""
    is_base: bool = False
    arrives: bool = False
    by: bool = False
    said: frozenset[str] = frozenset()
    counts: bool = False
    in_brackets: bool = False
    reckons: bool = False
    is_result: bool = False
    bases: tuple[Mention, ...] = ()
    reach: Reach | None = None
    singled: Singled | None = None
    beyond: NumericClaim | None = None
    parted: Parted | None = None
    formulas: tuple[Formula, ...] = ()
    onward: bool = False
    is_share: bool = False
    share_of: frozenset[str] = frozenset()
    is_whole: bool = False
    is_part: bool = False
    speaks_back: bool = False
    behind: tuple[Mention, ...] = ()
    may_be: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    denied: Literal["", "not", "hardly"] = ""
    is_actual: bool = False

    def cue(self, table: str) -> frozenset[str]:
        """The keys of ``table`` that its own words name."""
        return self.cues.get(table, frozenset())
