"""Which figure a number speaks of: the metric that the words around it name (contracts: bound claims).

A number belongs to the nearest phrase of its sentence that names a metric of its kind. A percentage belongs to
an amount only as its change. What was demanded or planned is not the figure itself: "the covenant of 1.20x" is
no DSCR. A number without such a phrase is bound to nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

import regex

from detection.core.binding.binding_words import NORMS
from detection.core.binding.metric_words import ALIASES, COLUMNS, KINDS
from detection.core.binding.names import Mark, Names, Words
from detection.core.types import Alias, Case, Kind, NumericClaim

NOTHING = ""  # what a phrase means that takes a number without naming a metric
_OF_LENGTH = 40  # more than _OF matches
_POINTS = frozenset(("point", "points", "נקודות", "נקודה", "点", "點", "个点", "個點"))
_PLANS = regex.compile(
    r"\s(?:had\s|has\s)?(?:(?:call|provide|allow)(?:s|e?d)?\sfor|envisag(?:es|ed)|foresaw|foresees|show(?:s|ed)|sets?|puts?|had|has|is|was)\s"
    r"(?:\S*\d\S*\s(?:(?:million|billion|thousand)\s)?(?:of|in|for)\s)?(?:(?:the|an?|its|total|annual|quarterly)\s){0,2}"
    r"|\s(?:חזה|חוזה|צפה|צופה|קבע|קובע|הקצה|כלל|דיבר\sעל)\s|\s?(?:中|里)?的\s?"
)
_LONGEST_PLAN = 60
_FIGURE_ITSELF = regex.compile(
    r"[;；]|[,，]\s?(?=(?:and\s|while\s|but\s)?(?:the\s)?(?:actual|current|we\s|it\s|ours|实际|實際|目前|现为|בפועל|כיום))"
)
_HALF = Decimal("0.5")
_SHARE = regex.compile(
    r"(?:%|\bpercent|\bper cent)\sof\s(?:the\s|its\s|total\s|gross\s|all\s|portfolio\s)*$|占\w{0,4}$"
)
_AND = (" and ", ", ", ", and ")
_GAPS = frozenset(("", " ", "-", " a ", " an ", " the "))
_MEASURED_BY = regex.compile(
    r"\s(?:per|proceeds|claims?|compan(?:y|ies)|polic(?:y|ies)|providers?|officers?|team|staff|covers?)\b"
)

Metrics = Names[str]


def phrases_of(aliases: Iterable[Alias] = ()) -> Metrics:
    """The phrases that name metrics, the built-in ones and those of ``aliases``, ready for :func:`bind`.

    An alias without a language is the name of an account. Where that name is one of the built-in phrases of a
    figure without a column of its own, all phrases of this figure name the account: "real estate taxes" and
    "property taxes" are one line.
    """
    return _names(tuple(sorted((alias.text, alias.metric, not alias.language) for alias in aliases)))


@lru_cache(maxsize=64)
def _names(aliases: tuple[tuple[str, str, bool], ...]) -> Metrics:
    phrases = dict.fromkeys(NORMS, NOTHING)
    phrases.update((phrase, metric) for metric, names in ALIASES.items() for phrase in names)
    phrases.update(_accounts(phrases, aliases))
    phrases.update((text, metric) for text, metric, _ in aliases)
    return Names(phrases)


def _accounts(phrases: dict[str, str], aliases: Sequence[tuple[str, str, bool]]) -> dict[str, str]:
    """The built-in phrases that name one of the accounts, and no other."""
    codes: dict[str, set[str]] = {}
    for text, code, is_account in aliases:
        known = phrases.get(" ".join(text.lower().replace("&", "and").split()), NOTHING)
        if is_account and known and known not in COLUMNS:
            codes.setdefault(known, set()).add(code)
    return {
        phrase: code for metric, (code, *others) in codes.items() if not others for phrase in ALIASES[metric]
    }


def named(text: Words, names: Metrics) -> list[Mark[str]]:
    """The metrics a text names, in order. Beside a norm a metric is one itself ("budgeted NOI", "NOI target"), and
    so it is where it is counted by the piece or is part of another name. What a share is of ("3% of revenue") is
    not named by the share."""
    found: list[Mark[str]] = []
    resumed: list[Mark[str]] = []
    for mark in names.find(text):
        if KINDS.get(mark.value) == "currency" and _share_of(text.folded, mark):
            continue
        if found and found[-1].value == "average_rent" and text.folded.startswith("per ", mark.start):
            continue  # a rent is one per unit
        if mark.value and mark.value != "average_rent" and _MEASURED_BY.match(text.folded, mark.end):
            mark = Mark(mark.start, mark.end, NOTHING)
        if found and (found[-1].value and mark.value) == NOTHING and _together(text.folded, found[-1], mark):
            if mark.value == NOTHING and text.folded[mark.end - 1] == "s":
                _all_norms(text.folded, found)
            resumed += _resumed(text.folded, mark) if mark.value else []
            mark = Mark(found.pop().start, mark.end, NOTHING)
        elif found and found[-1].value == NOTHING and _planned(text.folded, found[-1], mark):
            resumed += _resumed(text.folded, mark)
            mark = Mark(mark.start, mark.end, NOTHING)
        found.append(mark)
    return sorted([*found, *resumed], key=lambda mark: mark.start) if resumed else found


def _share_of(folded: str, mark: Mark[str]) -> bool:
    before = folded[max(0, mark.start - _OF_LENGTH) : mark.start]
    return _SHARE.search(before) is not None or (folded[mark.start] == "מ" and before.endswith("% "))


def _together(folded: str, first: Mark[str], second: Mark[str]) -> bool:
    return folded[first.end : second.start] in _GAPS


def _planned(folded: str, norm: Mark[str], mark: Mark[str]) -> bool:
    """ "The budget called for $350,000 of capex": the plan says what the figure should be."""
    near = mark.start - norm.end <= _LONGEST_PLAN
    return near and _PLANS.fullmatch(folded, norm.end, mark.start) is not None


def _resumed(folded: str, planned: Mark[str]) -> list[Mark[str]]:
    """Behind the clause of a plan the figure itself may be spoken of: "…; the actual figure was $310,000"."""
    end = _FIGURE_ITSELF.search(folded, planned.end, planned.end + _LONGEST_PLAN)
    return [Mark(end.end(), end.end(), planned.value)] if end else []


def _all_norms(folded: str, found: list[Mark[str]]) -> None:
    """ "The LTV and DSCR covenants" are covenants both."""
    place = len(found) - 1
    while place and found[place - 1].value and folded[found[place - 1].end : found[place].start] in _AND:
        place -= 1
        found[place] = Mark(found[place].start, found[place].end, NOTHING)


def kinds_of(case: Case) -> Mapping[str, Kind]:
    """The kind of each metric: of the built-in ones, and of the accounts and columns that the case has figures of."""
    if not case.aliases:
        return KINDS
    return {figure.field: figure.kind for figure in case.figures} | KINDS


def fits(metric: str, kind: Kind | None, number: NumericClaim, change: bool) -> bool:
    """Whether ``number`` can state ``metric`` of this kind (None: of any), or, where ``change`` says so, its change."""
    if number.kind == "date":
        return False
    if kind is None or kind == number.kind:
        return True
    if in_points(number, kind):
        return True
    if number.kind == "percentage":
        return kind == "currency" and change
    if number.kind == "ratio":
        return metric in ("ltv", "expense_ratio")
    return number.kind == "number" and number.precision < 1 and counts_nothing(number)


def in_points(number: NumericClaim, kind: Kind | None) -> bool:
    """Whether a plain number beside a metric of this kind counts percentage points: "occupancy rose 2 points"."""
    return kind == "percentage" and number.kind == "number" and number.noun in _POINTS


def counts_nothing(number: NumericClaim) -> bool:
    """Whether no noun says what ``number`` counts. Behind a fraction, a Hebrew word with a preposition is none."""
    noun = number.noun
    return noun is None or (noun[0] in "בלמ" and number.precision < _HALF)
