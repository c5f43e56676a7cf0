"""Finds the periods that a text names, and what the words around them make of them."""

from collections.abc import Sequence

from detection.core.periods.calendars import CALENDAR_YEAR, Calendar
from detection.core.periods.distances import Reader
from detection.core.periods.grammar import FORMS, PATTERN
from detection.core.periods.mentions import Mention
from detection.core.periods.readings import Draft
from detection.core.periods.spans import Span, months_of
from detection.core.periods.surroundings import edges, end_trailing, is_base, joined
from detection.core.periods.tokens import Tokens

_TWO = ("earlier", "later")
_WHOLE = frozenset(("ended", "ended_too", "ended_han", "part"))


def find(text: str, language: str, calendar: Calendar = CALENDAR_YEAR) -> tuple[Mention, ...]:
    """The periods that the text names, in order, not overlapping.

    ``language`` decides only what the digits of a date leave open: in ``03/04/2024`` the day stands first except in
    English. Words of all languages are read in any text.
    """
    tokens = Tokens(text)
    signs = tokens.signs
    reader = Reader(tokens, calendar, day_first=not language.lower().startswith("en") and bool(language))
    drafts: list[Draft] = []
    place = 0
    while (match := PATTERN.search(signs, place)) is not None:
        first, last = match.span()
        form = FORMS[(match.lastindex or 1) - 1]
        draft = reader.read(form, first, last)
        place = last if draft is not None else first + 1
        if draft is not None and draft.points:
            draft.span = _pointed_at(*draft.points, drafts)
            draft = draft if draft.span else None
        if draft is not None and not _is_none(tokens, form, draft):
            drafts.append(draft)
    return _finished(reader, drafts) if drafts else ()


def _pointed_at(which: str, months: int, before: Sequence[Draft]) -> Span | None:
    """The period of those named before that words point at: the last one of so many ``months``, any for 0, or the earlier or
    the later of two; None where none is."""
    dated = [one.span for one in before if one.span and months in (0, months_of(one.span))]
    if which == "that":
        return dated[-1] if dated else None
    two = sorted(set(dated))
    return two[_TWO.index(which)] if len(two) == len(_TWO) else None


def _is_none(tokens: Tokens, form: str, draft: Draft) -> bool:
    """Whether a form names no period here: a count of things, a verb, the number of a suite."""
    signs = tokens.signs
    behind, ahead = signs[draft.last : draft.last + 1], signs[max(draft.first - 1, 0) : draft.first]
    if form == "year":
        return behind == "#" or ahead == "!"
    if form == "yearless_day" and "m" in signs[draft.first : draft.last]:
        place = signs.index("m", draft.first)
        return not tokens.text[tokens.span(place, place + 1)[0]].isupper()
    if form == "month_bare" and "m" in signs[draft.first : draft.last]:
        return not _is_month(tokens, draft)
    return False


def _is_month(tokens: Tokens, draft: Draft) -> bool:
    """Whether "may" or "march" is the month: with a capital, behind a preposition or in a list of months with their values."""
    signs, first, last = tokens.signs, draft.first, draft.last
    start = tokens.span(first, last)[0]
    listed = signs[max(first - 2, 0) : first] in _LISTED or signs[last : last + 2][::-1] in _LISTED
    ahead = signs[max(first - 1, 0) : first]
    return tokens.text[start].isupper() and (listed or ahead in tuple("ozφ@fe&-,tB↕"))


_LISTED = ("M0", "m0")


def _finished(reader: Reader, drafts: list[Draft]) -> tuple[Mention, ...]:
    drafts = joined(reader, drafts)
    end_trailing(reader.tokens, drafts)
    before: Draft | None = None
    for place, draft in enumerate(drafts):
        ceiling = drafts[place + 1].first if place + 1 < len(drafts) else -1
        draft.is_base = draft.is_base or is_base(reader.tokens, before, draft, ceiling)
        edges(reader.tokens, draft, before.last if before else 0)
        before = draft
    return tuple(_mention(reader.tokens, draft) for draft in drafts)


def _mention(tokens: Tokens, draft: Draft) -> Mention:
    last = draft.last - (tokens.signs[draft.last - 1] == "." and draft.last - draft.first > 1)
    start, end = tokens.span(draft.first, last)
    return Mention(
        start, end, draft.span, draft.away, draft.part, draft.trailing, draft.to_date, draft.point, draft.fuzzy,
        draft.is_base, draft.each, draft.several, draft.naming, draft.third, draft.between,
        draft.ends, draft.form in _WHOLE,
    )  # fmt: skip
