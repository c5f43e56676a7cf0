"""What a number's finding says to an analyst: what was compared, with both values and the tolerance (NUM-08)."""

from dataclasses import dataclass
from decimal import Decimal

from detection.core.binding import called
from detection.core.matching.sentences import OF_A_FIGURE, PARTS, REASONS, RECKONED, SLIPS, UNITS
from detection.core.numbers import factor
from detection.core.text import base, isolated, spoken
from detection.core.types import Candidate, NumberMeasured, Slip


def reason(
    code: str,
    number: NumberMeasured,
    matched: Candidate | None,
    slip: Slip | None,
    tolerance: Decimal,
    language: str = "en",
) -> str:
    """The sentence for a finding in ``language``: ``matched`` is what it rests on, ``slip`` what explains a wrong
    number, ``tolerance`` a share of the expected value, or days."""
    return _Told(number, matched, slip, tolerance, language).sentence(code)


def figure_text(value: Decimal | str, unit: str) -> str:
    """A value with its unit as people read it: grouped, at most six decimals."""
    if isinstance(value, str):
        return value
    plain = f"{value:,}" if abs(value.adjusted()) < 30 else f"{value:.6E}"
    if "." in plain and "E" not in plain:
        whole, _, rest = plain.partition(".")
        plain = f"{whole}.{rest[:6].rstrip('0')}".rstrip(".") if len(rest) > 6 else plain
    return plain + {"%": " %", "pp": " percentage points", "x": "x", "": ""}.get(unit, f" {unit}")


@dataclass(frozen=True, slots=True)
class _Told:
    """One finding on its way into words. A method is what stands for the placeholder of its name."""

    number: NumberMeasured
    matched: Candidate | None
    slip: Slip | None
    tolerance: Decimal
    language: str

    def sentence(self, code: str) -> str:
        """The sentence of the finding ``code``. Raises :class:`KeyError` for a code without one."""
        reckoned = code == "contradicted" and self.matched is not None and self.matched.origin == "derived"
        form = spoken(RECKONED if reckoned else REASONS[code], self.language)
        return form.format(
            where=self._where(),
            value=self._value(self.matched),
            what=self._what(),
            name=self._name(self.matched),
            claimed=self._figure(figure_text(self.number.value, self.number.unit)),
            deviation=self._deviation(),
            limit=self._limit(),
            outside=self._outside(),
            operands=self._operands(),
            arithmetic=self._arithmetic(),
            slip=self._slip(),
            right=self._right(),
            nothing=self._nothing(),
            nearest=self._nearest(),
            left=self.number.sources_left,
        )

    def _part(self, part: str, **values: str) -> str:
        return spoken(PARTS[part], self.language).format(**values)

    def _figure(self, text: str) -> str:
        """A value or an equation; the words behind its figures in the language."""
        for word, texts in UNITS.items():
            text = text.replace(word, spoken({"en": word, **texts}, self.language))
        return isolated(text, self.language)

    def _where(self) -> str:
        if self.matched is None or not self.matched.source:
            return self._part("database")
        return self._part("source", ref=isolated(self.matched.source, self.language))

    def _value(self, matched: Candidate | None) -> str:
        if matched is None:
            return ""
        if matched.value is None:
            return isolated(self._span(matched, matched.text), self.language)
        unit = (matched.unit or self.number.unit) if matched.origin == "database" else self.number.unit
        return self._figure(figure_text(matched.value, unit))

    def _what(self) -> str:
        """`` for NOI of Q3 2024``; a source and a period of record speak for themselves."""
        recorded = (
            self.matched is not None and self.matched.origin == "database" and self.matched.value is not None
        )
        return self._part("what", name=self._name(self.matched)) if recorded else ""

    def _name(self, matched: Candidate | None) -> str:
        """What people call a figure of record, with its property and its period; else what it is called where it
        stands."""
        if matched is None:
            return ""
        if matched.origin != "database" or matched.days is not None:
            return isolated(self._span(matched, matched.text), self.language)
        return self._in_slot(matched)

    def _in_slot(self, of: Candidate) -> str:
        """A figure by its metric, and in brackets where it stands."""
        metric = called(of.field or "", base(self.language)) or (
            of.text if of.origin == "database" else of.field or ""
        )
        source = self._part("place", ref=of.source) if of.source else ""
        slot = ", ".join(part for part in (of.property, self._span(of, of.period or ""), source) if part)
        named = isolated(metric.replace("_", " "), self.language)
        return self._part("name", metric=named, slot=isolated(slot, self.language)) if slot else named

    def _span(self, of: Candidate, period: str) -> str:
        """A period; one that was put together of others without English words in between."""
        together = of.origin == "derived" or (of.days is not None and of.id is None)
        if base(self.language) == "en" or not together:
            return period
        return period.replace(" to ", "–").replace(" and ", ", ")

    def _operands(self) -> str:
        if self.matched is None or self.matched.field is None:
            return self._part("figures")
        what = self.matched.text if self._is_english() else self._in_slot(self.matched)
        return self._part("records", what=what)

    def _is_english(self) -> bool:
        return spoken({"en": "", "he": "he", "zh": "zh"}, self.language) == ""

    def _arithmetic(self) -> str:
        return self._figure(self.matched.arithmetic or "") if self.matched else ""

    def _limit(self) -> str:
        if self.number.kind == "date":
            return self._part("limit_days", limit=str(self.tolerance))
        return self._part("limit", limit=f"{(self.tolerance * 100).normalize():f}")

    def _outside(self) -> str:
        """What the deviation breaks: the claim's bound, its own rounding or the tolerance."""
        of = self.matched
        if self.number.bound:
            return self._part("outside_bound")
        if of is None or of.origin == "derived" or of.relative is None or not self.tolerance:
            return self._part("outside_rounding")
        if of.relative <= self.tolerance:
            return self._part("outside_rounding")
        return self._part("outside_tolerance", limit=self._limit())

    def _deviation(self) -> str:
        of = self.matched
        if of is None or of.days is not None:
            return self._part("apart_days", apart=str(max(of.days))) if of and of.days else ""
        if of.relative is None:
            return "" if of.absolute is None else self._part("apart", apart=f"{of.absolute:,}")
        if of.relative >= 10:
            return self._part("apart_times", apart=f"{of.relative:,.4g}")
        return self._part("apart", apart=self._figure(f"{of.relative * 100:.4g} %"))

    def _slip(self) -> str:
        """What became of the number: as it was measured in English, from the figure that explains it elsewhere."""
        if self.slip is None:
            return ""
        if self._is_english() and self.slip.text:
            return self.slip.text
        there = self.slip.candidate
        if there.field and there.value is not None and not self._is_english():
            return self._of_figure(self.slip.code, there)
        parts = (
            there.field,
            there.property,
            there.period,
            there.source and self._part("place", ref=there.source),
        )
        slot = ", ".join(isolated(part.replace("_", " "), self.language) for part in parts if part)
        return spoken(SLIPS[self.slip.code], self.language) + (f" ({slot})" if slot else "")

    def _of_figure(self, code: str, there: Candidate) -> str:
        form, times = _FORMS.get(code, "equals"), ""
        if there.origin == "derived":
            form = "changed_sign" if code == "sign" else "changed"
        elif code == "scale":
            is_more, by = factor(Decimal(self.number.value), there.value or Decimal(1))
            form, times = "times" if is_more else "divided", f"{by:,f}"
        texts = {"en": "", **OF_A_FIGURE[form]}
        name, value = self._in_slot(there), self._value(there)
        return spoken(texts, self.language).format(name=name, value=value, factor=times)

    def _right(self) -> str:
        """What stands in the claim's own slot, where the slip has not said it."""
        of = self.matched
        if of is None or self.slip is None or not of.same or of.value is None:
            return ""
        if of.origin == "derived":
            return self._part("right_reckoned", arithmetic=self._arithmetic())
        if of.origin == "database":
            return self._part("right", name=self._name(of), value=self._value(of))
        return ""

    def _nothing(self) -> str:
        looked = (self.number.database == "ok", bool(self.number.sources_read))
        return self._part(_NOWHERE[looked])

    def _nearest(self) -> str:
        """The figure that comes nearest, so that a reader sees what was looked at."""
        near = [c for c in self.number.candidates if c.absolute is not None and c.value is not None][:8]
        near.sort(key=lambda candidate: candidate.absolute or Decimal(0))
        return self._part("nearest", value=self._value(near[0]), place=self._place(near[0])) if near else ""

    def _place(self, candidate: Candidate) -> str:
        if not candidate.source:
            return self._name(candidate)
        return self._part("place", ref=isolated(candidate.source, self.language))


_FORMS = {"transposed": "transposed", "sign": "sign"}
_NOWHERE = {
    (True, True): "nothing_anywhere",
    (True, False): "nothing_recorded",
    (False, True): "nothing_in_sources",
    (False, False): "nothing_to_compare",
}
