"""What a number's finding says to an analyst: what was compared, with both values and the tolerance (NUM-08)."""

from dataclasses import dataclass
from decimal import Decimal

from detection.core import lexicons
from detection.core.matching.reasons.sentences import (
    DENIED,
    OF_A_FIGURE,
    PARTS,
    REASONS,
    RECKONED,
    SLIPS,
    UNITS,
)
from detection.core.numbers import factor
from detection.core.text import Texts, base, isolated, spoken, values_of
from detection.core.types import Candidate, NumberMeasured, Slip


def reason(
    code: str,
    number: NumberMeasured,
    matched: Candidate | None,
    slip: Slip | None,
    tolerance: Decimal,
    applied: Decimal | None,
    language: str = "en",
) -> str:
    """The sentence for a finding in ``language``: ``matched`` is what it rests on, ``slip`` what explains a wrong
    number, ``tolerance`` a share of the expected value, or days, and ``applied`` the one that decided, None where none
    did: then the sentence says why a near number is wrong."""
    return _Told(number, matched, slip, tolerance, applied, language).sentence(code)


def values(
    code: str, number: NumberMeasured, matched: Candidate | None, slip: Slip | None, applied: Decimal | None
) -> dict[str, str]:
    """What the sentence of a finding speaks of, whatever its language: what is ``claimed`` and its ``claimed_unit``; what it
    rests on: ``value``, ``unit``, ``origin``, ``metric``, ``property``, ``period``, ``source``, ``arithmetic``, and the distance to it:
    ``deviation`` as a share of the value, ``difference``, ``days``; ``tolerance`` where one decided, a share or days;
    ``slip`` and, with ``slip_`` before their names, the same of what explains the number; with ``nearest_`` of what came
    nearest to one that nothing says; ``unread``, how many sources were left. What is not known is left out."""
    near = _nearest(number) if code == "not_found" else None
    return values_of(
        {
            "claimed": _key(number) if number.kind == "change" else number.value,
            "claimed_unit": number.unit,
            **_named(matched, number),
            "tolerance": applied,
            "slip": slip.code if slip else None,
            **{
                f"slip_{name}": each
                for name, each in _named(slip.candidate if slip else None, number).items()
            },
            **{f"nearest_{name}": each for name, each in _named(near, number).items()},
            "unread": number.sources_left or None,
        }
    )


def _named(of: Candidate | None, number: NumberMeasured) -> dict[str, object]:
    """A candidate by the names of :func:`values`."""
    if of is None:
        return {}
    measured = {"deviation": of.relative, "difference": of.absolute}
    return {
        "value": of.text if of.value is None else of.value,
        "unit": None if of.value is None else _unit(of, number),
        "origin": of.origin,
        "metric": of.field,
        "property": of.property,
        "period": of.period,
        "source": of.source,
        "arithmetic": of.arithmetic,
        "days": max(of.days) if of.days else None,
        **{name: None if apart is None else float(apart) for name, apart in measured.items()},
    }


def _unit(of: Candidate, number: NumberMeasured) -> str:
    """The unit of a candidate's value: records have their own, all others were read in the claim's."""
    return (of.unit or number.unit) if of.origin == "database" else number.unit


def _key(number: NumberMeasured) -> str:
    """The word that a change without a number says."""
    return str(number.value).partition(":")[2]


def _nearest(number: NumberMeasured) -> Candidate | None:
    """The figure that comes nearest among those that were looked at first."""
    near = [c for c in number.candidates if c.absolute is not None and c.value is not None][:8]
    return min(near, key=lambda candidate: candidate.absolute or Decimal(0), default=None)


def called(metric: str, language: str) -> str | None:
    """What people call a metric in ``language``, by the language's code; None where it has no name there, and in English,
    where figures and rows keep the names that they were given."""
    known = language in lexicons.LANGUAGES and language != "en"
    return lexicons.named("metrics", metric, language) if known else None


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
    applied: Decimal | None
    language: str

    def sentence(self, code: str) -> str:
        """The sentence of the finding ``code``. Raises :class:`KeyError` for a code without one."""
        form = spoken(self._texts(code), self.language)
        return form.format(
            where=self._where(),
            value=self._value(self.matched),
            what=self._what(),
            name=self._name(self.matched),
            claimed=self._claimed(),
            deviation=self._deviation(),
            limit=self._limit(),
            outside=self._outside(),
            operands=self._operands(),
            arithmetic=self._arithmetic(),
            near=self._near(),
            slip=self._slip(),
            right=self._right(),
            nothing=self._nothing(),
            nearest=self._nearest(),
            left=self.number.sources_left,
        )

    def _texts(self, code: str) -> Texts:
        if code == "contradicted" and self.matched is not None and self.matched.origin == "derived":
            return DENIED if self.number.kind == "change" else RECKONED
        return REASONS[code]

    def _claimed(self) -> str:
        if self.number.kind != "change":
            return self._figure(figure_text(self.number.value, self.number.unit))
        table, _, key = str(self.number.value).partition(":")
        spoken_in = base(self.language) if base(self.language) in lexicons.LANGUAGES else "en"
        return lexicons.named(table, key, spoken_in) or key

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
        return self._figure(figure_text(matched.value, _unit(matched, self.number)))

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
        is_told = (
            self._is_english() and self.matched.text != self.matched.arithmetic
        )  # as older measurements have it
        what = self.matched.text if is_told else self._in_slot(self.matched)
        return self._part("records", what=what)

    def _is_english(self) -> bool:
        return spoken({"en": "", "he": "he", "zh": "zh"}, self.language) == ""

    def _arithmetic(self) -> str:
        """The equation with its result, told as finely as the claim is."""
        if self.matched is None:
            return ""
        shown, value = self.matched.arithmetic or self.matched.text, self.matched.value
        if (
            " = " not in shown
            and value is not None
            and self.matched.arithmetic
            and self.number.kind != "change"
        ):
            step = self.number.precision * 2
            rounded = (
                (value / step).to_integral_value() * step
                if step and abs(value / step) < _MOST_STEPS
                else value
            )
            told = figure_text(Decimal(f"{rounded.normalize():f}"), self.number.unit)
            shown += f" = {told}".replace("= -", "= −")
        return self._figure(shown)

    def _limit(self) -> str:
        if self.number.kind == "date":
            return self._part("limit_days", limit=str(self.tolerance))
        return self._part("limit", limit=f"{(self.tolerance * 100).normalize():f}")

    def _outside(self) -> str:
        """What the deviation breaks: the claim's bound, the tolerance that was applied, else its own rounding."""
        if self.number.bound:
            return self._part("outside_bound")
        if self.applied is not None:
            return self._part("outside_tolerance", limit=self._limit())
        written = self.matched is not None and self.matched.origin != "derived"
        return self._part("outside_exact" if written and self._is_near() else "outside_rounding")

    def _is_near(self) -> bool:
        """Whether a wrong number lies so near the right one that a tolerance would let it pass."""
        of = self.matched
        is_own = of is not None and of.same and self.number.kind not in ("date", "number")
        return is_own and of is not None and bool(of.relative) and (of.relative or 0) <= self.tolerance

    def _near(self) -> str:
        """That nearness excuses no slip."""
        if self.slip is None or self.matched is None or not self._is_near():
            return ""
        apart = (self.matched.relative or Decimal(0)) * 100
        return self._part(
            "near", apart=self._figure(f"{apart:.2f} %" if apart >= _FINE else f"{apart:.1g} %")
        )

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
        if self._is_english() and self.slip.text:  # as older measurements have it
            return self.slip.text
        there = self.slip.candidate
        if there.field and there.value is not None:
            return self._of_figure(self.slip.code, there) + self._units(there)
        parts = (
            there.field,
            there.property,
            there.period,
            there.source and self._part("place", ref=there.source),
        )
        slot = ", ".join(isolated(part.replace("_", " "), self.language) for part in parts if part)
        code = "date" if self.number.kind == "date" and self.slip.code == "role" else self.slip.code
        return spoken(SLIPS[code], self.language) + (f" ({slot})" if slot else "")

    def _of_figure(self, code: str, there: Candidate) -> str:
        form, times = _FORMS.get(code, "equals"), ""
        if there.origin == "derived":
            form = "changed_sign" if code == "sign" else "changed"
        elif code == "scale":
            is_more, by = factor(Decimal(self.number.value), there.value or Decimal(1))
            form, times = "times" if is_more else "divided", f"{by:,f}"
        name, value = self._in_slot(there), self._value(there)
        return spoken(OF_A_FIGURE[form], self.language).format(name=name, value=value, factor=times)

    def _units(self, there: Candidate) -> str:
        """In which unit a value is, and in which one the answer has it."""
        unit = next((one for one in there.slots if one.slot == "unit" and one.verdict == "conflict"), None)
        if unit is None or not (unit.said and unit.states) or self.slip is None or self.slip.code != "unit":
            return ""
        return self._part("units", states=self._unit_names(unit.states), said=self._unit_names(unit.said))

    def _unit_names(self, units: str) -> str:
        return isolated(lexicons.unit_names(units, base(self.language)), self.language)

    def _right(self) -> str:
        """What stands in the claim's own slot, where the slip has not said it."""
        of = self.matched
        if of is None or self.slip is None or not of.same or of.value is None:
            return ""
        if self.slip.code == "transposed" and self.slip.candidate.value == of.value:
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
        near = _nearest(self.number)
        return self._part("nearest", value=self._value(near), place=self._place(near)) if near else ""

    def _place(self, candidate: Candidate) -> str:
        if not candidate.source:
            return self._name(candidate)
        return self._part("place", ref=isolated(candidate.source, self.language))


_MOST_STEPS = 10**20
_FINE = Decimal("0.01")  # per cent
_FORMS = {"transposed": "transposed", "sign": "sign"}
_NOWHERE = {
    (True, True): "nothing_anywhere",
    (True, False): "nothing_recorded",
    (False, True): "nothing_in_sources",
    (False, False): "nothing_to_compare",
}
