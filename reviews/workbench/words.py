"""The what-if card in words (review-queue §5.2): labelled apart from unlabelled, and no share without its n.

The page carries these texts for every point, so that the slider changes them without asking.
"""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import get_language_bidi, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from reviews.display.choices import KINDS, LANGUAGES
from reviews.thresholds.gates import TEXTS
from reviews.tuning.estimates import Estimate
from reviews.tuning.what_if import Changed, Segment
from reviews.workbench.asked import value_text
from reviews.workbench.points import Point, Points

Words = str | Promise
Card = dict[str, str]
FIGURES: Mapping[str, Words] = {
    "precision": _("Precision"),
    "recall": _("Recall"),
    "load": _("Flagged a day"),
    "cost": _("Expected cost"),
}
SLICES: Mapping[str, Words] = {
    "language": _("By language"),
    "kind": _("By claim kind"),
    "property": _("By property"),
}
NAMES: Mapping[str, Mapping[str, Words]] = {"language": dict(LANGUAGES), "kind": KINDS, "property": {}}
MOST_SLICES = 6
"""Values of a facet that the card names, those with most changes first."""


def card(points: Points, point: Point, capacity: float) -> Card:
    """Every text of the card for one point, by slot; empty for a row that has nothing to say."""
    now, change = points.now, point.change
    newly, gone = change.newly, change.gone
    return {
        "change": f"{value_text(now.value)} → {value_text(point.value)}",
        "more": ngettext("%(n)s answer would be flagged", "%(n)s answers would be flagged", newly.answers)
        % {"n": together(f"+{newly.answers:,}")},
        "more_split": _split(newly),
        "more_wrong": _expected(newly),
        "fewer": gettext("%(n)s would no longer be flagged") % {"n": together(f"−{gone.answers:,}")},
        "lost": _lost(gone),
        "fewer_split": _split(gone),
        "fewer_wrong": _expected(gone),
        "precision": _moved(now.precision, point.precision),
        "recall": _moved(now.recall, point.recall),
        "load": _load(now.load, point.load, capacity),
        "cost": _cost(now.cost, point.cost),
        **{facet: slices(change.segments, facet) for facet in SLICES},
        "unmeasured": _unmeasured(change.not_measured),
        "gate": gate_words(point),
        "audits": _audits(point),
    }


def estimate(found: Estimate) -> str:
    """A share with its interval and n; a dash when the labels do not tell."""
    if found.value is None:
        return "–"
    if found.low is None or found.high is None:
        return f"{found.value:.2f} (n = {found.n:,})"
    return f"{found.value:.2f} ({found.low:.2f}–{found.high:.2f}, n = {found.n:,})"


def slices(segments: Sequence[Segment], facet: str) -> str:
    """The change by the values of one facet: ``Hebrew +9, English +24 −1``."""
    found = sorted(
        (each for each in segments if each.facet == facet and (each.newly or each.gone)),
        key=lambda each: (-each.newly - each.gone, each.value),
    )
    names = NAMES[facet]
    told = [f"{names.get(each.value, each.value or '–')} {_signed(each)}" for each in found[:MOST_SLICES]]
    return ", ".join([*told, "…"] if len(found) > MOST_SLICES else told)


def gate_words(point: Point) -> str:
    """Whether this point may be activated, and why."""
    found = point.gate
    if found.why in ("sees_part", "changes_nothing"):
        return str(TEXTS[found.why])
    first = gettext("May be activated.") if found.open else gettext("Needs a second administrator.")
    counts = {
        name: getattr(found, name) for name in ("audits", "band_audits", "needed_audits", "needed_band")
    }
    return f"{first} {TEXTS[found.why] % counts}"


def audits_wanted(point: Point) -> int:
    """How many more audits the card offers: what the band lacks, as far as newly flagged answers are unlabelled."""
    return max(0, min(point.gate.needed_band - point.gate.band_audits, point.change.newly.unlabelled))


def _audits(point: Point) -> str:
    wanted = audits_wanted(point)
    return (
        ngettext("Queue %(n)d more audit", "Queue %(n)d more audits", wanted) % {"n": wanted}
        if wanted
        else ""
    )


def _split(changed: Changed) -> str:
    """Of the answers that change: those nobody labelled, those drawn at random, those labelled otherwise."""
    if not changed.answers:
        return ""
    audited = changed.audited_wrong + changed.audited_right
    wrong, right = changed.wrong - changed.audited_wrong, changed.right - changed.audited_right
    parts = [gettext("%(n)s without a verdict") % {"n": f"{changed.unlabelled:,}"}]
    if audited:
        parts.append(
            gettext("%(n)s audited: %(wrong)s wrong, %(right)s right")
            % {"n": audited, "wrong": changed.audited_wrong, "right": changed.audited_right}
        )
    if wrong + right:
        parts.append(
            gettext("%(n)s reviewed: %(wrong)s wrong, %(right)s right")
            % {"n": wrong + right, "wrong": wrong, "right": right}
        )
    return " · ".join(parts)


def _expected(changed: Changed) -> str:
    found = changed.expected
    if not changed.answers or found.value is None or found.low is None or found.high is None:
        return ""
    said = gettext("wrong among them, estimated: %(value)s (95 %%: %(range)s, n = %(n)s)")
    figures = {
        "value": f"{found.value:.0f}",
        "range": together(f"{found.low:.0f}–{found.high:.0f}"),
        "n": found.n,
    }
    return said % figures


def _lost(gone: Changed) -> str:
    if not gone.wrong:
        return ""
    said = ngettext("%(n)d confirmed error would be lost", "%(n)d confirmed errors would be lost", gone.wrong)
    return said % {"n": gone.wrong}


def _moved(before: Estimate, after: Estimate) -> str:
    if before.value is None or before == after:
        return estimate(after)
    return f"{before.value:.2f} → {estimate(after)}"


def _load(before: float, after: float, capacity: float) -> str:
    told = f"{after:.1f}" if before == after else f"{before:.1f} → {after:.1f}"
    return gettext("%(load)s (%(possible)s possible)") % {"load": together(told), "possible": f"{capacity:g}"}


def _cost(before: float | None, after: float | None) -> str:
    if after is None or before is None:
        return "–"
    return f"{after:,.0f}" if before == after else f"{before:,.0f} → {after:,.0f}"


def _unmeasured(count: int) -> str:
    if not count:
        return ""
    said = ngettext(
        "%(n)d claim needs a measurement that was not taken.",
        "%(n)d claims need a measurement that was not taken.",
        count,
    )
    return said % {"n": count}


def _signed(each: Segment) -> str:
    more, fewer = (f"+{each.newly}" if each.newly else ""), (f"−{each.gone}" if each.gone else "")
    return together(f"{more} {fewer}".strip())


def together(figures: str) -> str:
    """Signs and figures kept from left to right in a sentence that runs from right to left."""
    return f"\u2066{figures}\u2069" if get_language_bidi() else figures
