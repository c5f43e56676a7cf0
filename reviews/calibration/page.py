"""The calibration page: charts over the figures, and what the figures are about in words (S10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from detection.core.calibration import Bin
from detection.models import CalibrationMap, Claim
from detection.models.calibration import LEAST
from reviews.calibration import reliability
from reviews.calibration.drift import Drift
from reviews.calibration.figures import Agreement
from reviews.calibration.reliability import Figures
from reviews.display import charts
from reviews.display.figures import whole_percent
from reviews.models import HallucinationReview

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
FEW_PAIRS = 30
"""Agreement over fewer claims is marked."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Some figures, the chart of them and, of a reliability diagram, one bin in words."""

    title: Words
    found: Any
    chart: SafeString
    sentence: str = ""


def diagram(title: Words, found: Figures, *, told: bool = True) -> Chart:
    """A reliability diagram; ``told`` says one of its bins in words."""
    shares = [(one, reliability.interval(one)) for one in found.bins]
    points = [
        charts.Point(one.mean, one.share, share.low or 0.0, 1.0 if share.high is None else share.high, one.n)
        for one, share in shares
    ]
    sentence = _sentence(found.bins) if told else ""
    return Chart(title, found, charts.reliability(points, str(title)), sentence)


def drift(name: str, found: Drift) -> Chart:
    """A control chart; the band is between its limits."""
    points = [(float(at), week.value) for at, week in enumerate(found.weeks, start=1)]
    band = [
        (float(at), week.low, week.high)
        for at, week in enumerate(found.weeks, start=1)
        if week.low is not None and week.high is not None
    ]
    series = [charts.Series("", points, band)]
    return Chart(DRIFTS[name], found, charts.lines(series, str(DRIFTS[name]), most=1.0))


def agreement(found: Agreement) -> dict[str, Any]:
    """The matrix of detectors and people, and where they differ most with what is said there; two queries."""
    heads = [gettext("judged right"), gettext("judged wrong")]
    rows = [(gettext("flagged"), found.counts[1]), (gettext("not flagged"), found.counts[0])]
    return {
        "found": found,
        "chart": charts.matrix(rows, gettext("Detectors and people"), columns=heads),
        "few": found.n < FEW_PAIRS,
        "differences": _differences(found),
    }


def verifiers(labels: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every verifier that has labels or maps, by name, with its maps, newest first; one query."""
    maps: dict[str, list[CalibrationMap]] = {name: [] for name in labels}
    for row in CalibrationMap.objects.select_related("created_by"):
        maps.setdefault(row.verifier, []).append(row)
    return [
        {
            "name": name,
            "labels": labels.get(name, 0),
            "enough": labels.get(name, 0) >= LEAST,
            "active": next((row.pk for row in maps[name] if row.state == CalibrationMap.State.ACTIVE), None),
            "maps": [(row, _reported(row, "before"), _reported(row, "after")) for row in maps[name]],
        }
        for name in sorted(maps)
    ]


def _reported(row: CalibrationMap, when: str) -> Chart:
    """The figures of a map on the later days, ``before`` or ``after`` it."""
    title = {"before": _("Before"), "after": _("After")}[when]
    return diagram(title, reliability.stored(row.report[when]), told=False)


def _sentence(bins: Iterable[Bin]) -> str:
    """The fullest bin in words; empty without any."""
    fullest = max(bins, key=lambda one: one.n, default=None)
    if fullest is None:
        return ""
    said = gettext("When the system says %(range)s, reviewers agree %(share)s of the time (n = %(n)d).")
    return said % {"range": fullest.said, "share": whole_percent(fullest.share), "n": fullest.n}


def _differences(found: Agreement) -> list[tuple[str, bool, int | None]]:
    """The claims on which they differ: their text, whether they were flagged, the review that shows them."""
    runs = {one.run for one in found.disagreements}
    texts = dict(
        Claim.objects.filter(pk__in=[d.claim for d in found.disagreements]).values_list("pk", "text")
    )
    reviews = dict(
        HallucinationReview.objects.filter(run__in=runs).order_by("pk").values_list("run_id", "pk")
    )
    return [
        (texts.get(one.claim, "")[:200], one.flagged, reviews.get(one.run)) for one in found.disagreements
    ]
