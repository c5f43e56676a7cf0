"""The sections of a table: which label-only rows and which less indented rows stand over a row (NUM-06)."""

from typing import NamedTuple

import regex

from detection.core.chunks.places import Words, words
from detection.core.chunks.tables.periods import UNNAMED, Named, named
from detection.core.chunks.tables.terms import LONGEST, Terms, terms

_DEEPEST = 6
_TOTAL = words("total totals subtotal sum sub 合计 总计 小计") | {'סה"כ', "סך"}
_NOTHING: Words = frozenset()


class Label(NamedTuple):
    """A row's label with what it declares, and the words, the periods and the unit of the section it is in: in per cent,
    or for each share."""

    text: str
    terms: Terms
    named: Named
    section: Words = _NOTHING
    section_named: Named = UNNAMED
    percent: bool = False
    each: bool = False


class _Over(NamedTuple):
    indent: int
    terms: Terms
    named: Named


_SECTION_END = regex.compile(r"[\s:：*_]+$")


class Sections:
    """The labels that stand over the row being read."""

    def __init__(self) -> None:
        self._headed: list[_Over] = []  # label-only rows
        self._parents: list[_Over] = []  # rows of values, less indented than those below
        self._fresh = False

    def open(self, text: str, indent: int) -> None:
        """A row that is only a label: it heads the rows below, inside those it follows at once or is set under."""
        text = _SECTION_END.sub("", text)[:LONGEST]
        while self._headed and not (self._fresh and self._headed[-1].indent <= indent):
            if self._headed[-1].indent < indent:
                break
            self._headed.pop()
        self._headed = [*self._headed[1 - _DEEPEST :], _Over(indent, terms(text), named(text))]
        self._parents, self._fresh = [], True

    def label(self, text: str, indent: int) -> Label:
        """The label of a row of values, in its section."""
        text = text[:LONGEST]
        self._fresh = False
        said, when = terms(text), named(text)
        while self._parents and self._parents[-1].indent >= indent:
            self._parents.pop()
        over = [*self._headed, *self._parents]
        if over:
            section = frozenset[str]().union(*(one.terms.words for one in over))
            dated = next(
                (one.named for one in reversed(over) if one.named.periods or one.named.part), UNNAMED
            )
            percent = any(one.terms.percent > 1 for one in over)
            each = any(one.terms.each for one in self._headed)
            found = Label(text, said, when, section, dated, percent, each)
        else:
            found = Label(text, said, when)
        self._parents = [*self._parents[-_DEEPEST:], _Over(indent, said, when)]
        if self._headed and said.words & _TOTAL:
            self._end(said.words - _TOTAL)
        return found

    def _end(self, named_by_total: Words) -> None:
        """A total ends the section that it names, a bare one the innermost; sections that are periods go on."""
        inner = self._headed[-1]
        if inner.terms.words and (not named_by_total or inner.terms.words <= named_by_total):
            self._headed.pop()
            self._parents = []
