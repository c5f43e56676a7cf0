"""The calibration page in words, charts and their tables (S10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core.calibration import Bin
from detection.models import CalibrationMap, Claim
from detection.models.calibration import LEAST
from reviews import charts, reliability
from reviews.calibration_figures import Agreement
from reviews.drift import Drift, Week
from reviews.models import HallucinationReview
from reviews.reliability import Figures
from reviews.tuning.estimates import Estimate

Words = str | Promise
TITLES: Mapping[str, Words] = {
    "automatic": _("Automatic confidence"),
    "final": _("Final confidence"),
    "p1": _("Probability of statements"),
}
DRIFTS: Mapping[str, Words] = {
    "precision": _("Precision by week"),
    "missed": _("Wrong among audited by week"),
}
FEW = 10
"""A bin of fewer is drawn hollow; agreement over fewer than :data:`FEW_PAIRS` is marked."""
FEW_PAIRS = 30
TONES = {"draft": "", "active": "ok", "retired": "dim"}


@dataclass(frozen=True, slots=True)
class Row:
    """A bin in the table beside a diagram."""

    said: str
    n: int
    right: str
    limits: str


@dataclass(frozen=True, slots=True)
class Diagram:
    """A reliability diagram with its table, the figures under it and one bin in words; ``n`` 0 draws nothing."""

    title: Words
    n: int
    chart: SafeString
    rows: list[Row]
    ece: str
    brier: str
    sentence: str


@dataclass(frozen=True, slots=True)
class DriftShown:
    """A control chart with its table."""

    title: Words
    n: int
    centre: str
    chart: SafeString
    weeks: list[tuple[Week, str, str]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A claim on which detectors and people differ, with where it is shown."""

    text: str
    flagged: bool
    review: int | None


@dataclass(frozen=True, slots=True)
class AgreementShown:
    """The matrix of detectors and people, kappa in words, and some claims on which they differ."""

    n: int
    chart: SafeString
    counts: tuple[tuple[int, int], tuple[int, int]]
    kappa: str
    few: bool
    differences: list[Difference]


@dataclass(frozen=True, slots=True)
class MapShown:
    """A map with its figures on the later days, before and after."""

    row: CalibrationMap
    state: str
    tone: str
    before: Diagram
    after: Diagram


@dataclass(frozen=True, slots=True)
class VerifierShown:
    """What there is for one verifier: labels so far, the active map's key, the maps, newest first."""

    name: str
    labels: int
    enough: bool
    active: int | None
    maps: list[MapShown]


def percent(value: float | None) -> str:
    """A share in per cent; a dash without one."""
    return "–" if value is None else f"{value * 100:.0f} %"


def limits(found: Estimate, digits: int = 3) -> str:
    """A figure with its interval; a dash without one."""
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.{digits}f} ({found.low:.{digits}f}–{found.high:.{digits}f})"


def diagram(title: Words, found: Figures, *, told: bool = True) -> Diagram:
    """A diagram of some figures; ``told`` says one of its bins in words."""
    shares = [(one, reliability.interval(one)) for one in found.bins]
    points = [
        charts.Point(one.mean, one.share, share.low or 0.0, 1.0 if share.high is None else share.high, one.n)
        for one, share in shares
    ]
    return Diagram(
        title=title,
        n=found.n,
        chart=charts.reliability(points, str(title)),
        rows=[
            Row(_said(one), one.n, percent(one.share), f"{percent(share.low)}–{percent(share.high)}")
            for one, share in shares
        ],
        ece=limits(found.ece),
        brier=limits(found.brier),
        sentence=_sentence(found.bins) if told else "",
    )


def drift(name: str, found: Drift) -> DriftShown:
    """A control chart; the band is between its limits."""
    points = [(float(at), week.value) for at, week in enumerate(found.weeks, start=1)]
    band = [
        (float(at), week.low, week.high)
        for at, week in enumerate(found.weeks, start=1)
        if week.low is not None and week.high is not None
    ]
    title = DRIFTS[name]
    return DriftShown(
        title=title,
        n=sum(week.n for week in found.weeks),
        centre=percent(found.centre),
        chart=charts.lines([charts.Series("", points, band)], str(title), most=1.0),
        weeks=[
            (
                week,
                percent(week.value),
                "–" if week.low is None else f"{percent(week.low)}–{percent(week.high)}",
            )
            for week in reversed(found.weeks)
        ],
    )


def agreement(found: Agreement) -> AgreementShown:
    """The matrix, kappa and the claims on which detectors and people differ most; two queries."""
    (passed_right, passed_wrong), (flagged_right, flagged_wrong) = found.counts
    n = passed_right + passed_wrong + flagged_right + flagged_wrong
    heads = [gettext("judged right"), gettext("judged wrong")]
    rows = [(gettext("flagged"), found.counts[1]), (gettext("not flagged"), found.counts[0])]
    return AgreementShown(
        n=n,
        chart=charts.matrix(rows, gettext("Detectors and people"), columns=heads),
        counts=found.counts,
        kappa=limits(found.kappa, 2),
        few=n < FEW_PAIRS,
        differences=_differences(found),
    )


def verifiers(labels: Mapping[str, int]) -> list[VerifierShown]:
    """Every verifier that has labels or maps, by name; one query."""
    maps: dict[str, list[CalibrationMap]] = {name: [] for name in labels}
    for row in CalibrationMap.objects.select_related("created_by"):
        maps.setdefault(row.verifier, []).append(row)
    return [
        VerifierShown(
            name=name,
            labels=labels.get(name, 0),
            enough=labels.get(name, 0) >= LEAST,
            active=next((row.pk for row in maps[name] if row.state == CalibrationMap.State.ACTIVE), None),
            maps=[_map(row) for row in maps[name]],
        )
        for name in sorted(maps)
    ]


def days(first: date, last: date) -> dict[str, str]:
    """The days as fields of a form take them."""
    return {"from": first.isoformat(), "to": last.isoformat()}


def _map(row: CalibrationMap) -> MapShown:
    before, after = (reliability.stored(row.report[name]) for name in ("before", "after"))
    return MapShown(
        row=row,
        state=str(row.get_state_display()),
        tone=TONES[row.state],
        before=diagram(_("Before"), before, told=False),
        after=diagram(_("After"), after, told=False),
    )


def _said(one: Bin) -> str:
    low, high = f"{one.low:.2f}", f"{one.high:.2f}"
    return low if low == high else f"{low}–{high}"


def _sentence(bins: Iterable[Bin]) -> str:
    """The fullest bin in words; empty without any."""
    fullest: Any = max(bins, key=lambda one: one.n, default=None)
    if fullest is None:
        return ""
    said = gettext("When the system says %(range)s, reviewers agree %(share)s of the time (n = %(n)d).")
    return said % {"range": _said(fullest), "share": percent(fullest.share), "n": fullest.n}


def _differences(found: Agreement) -> list[Difference]:
    runs = {one.run for one in found.disagreements}
    texts = dict(
        Claim.objects.filter(pk__in=[d.claim for d in found.disagreements]).values_list("pk", "text")
    )
    reviews = dict(
        HallucinationReview.objects.filter(run__in=runs).order_by("pk").values_list("run_id", "pk")
    )
    return [
        Difference(texts.get(one.claim, "")[:200], one.flagged, reviews.get(one.run))
        for one in found.disagreements
    ]
