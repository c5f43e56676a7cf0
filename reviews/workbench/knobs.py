"""The thresholds of the left column: value in force, value of the draft, a small histogram of the scores."""

from collections.abc import Sequence
from dataclasses import Field, dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from detection.core.thresholds import DEFAULTS, form_fields
from detection.models import ThresholdProfile
from reviews.display.chart_parts import chart
from reviews.display.charts import Bin, stacked
from reviews.thresholds.changes import GROUPS
from reviews.tuning.curves import Histogram, histogram
from reviews.tuning.grids import in_force
from reviews.tuning.replay.scores import scores
from reviews.workbench.asked import TUNABLE, value_text
from reviews.workbench.remembered import Remembered
from reviews.workbench.window import Window

HISTOGRAMS: Remembered[dict[str, Histogram | None]] = Remembered(6)
WIDTH, HEIGHT = 72, 18


@dataclass(frozen=True, slots=True)
class Knob:
    """One threshold; ``draft`` is empty where the draft does not change it. ``low``, ``high``, ``step`` are for numbers."""

    name: str
    label: str
    help: str
    active: str
    draft: str
    histogram: SafeString | str
    low: float | None
    high: float | None
    step: str


@dataclass(frozen=True, slots=True)
class Group:
    """The thresholds of one detector; open when the chosen one is among them."""

    name: str | Promise
    knobs: Sequence[Knob]
    open: bool


def groups(
    window: Window, profile: ThresholdProfile, draft: ThresholdProfile | None, chosen: str
) -> list[Group]:
    """The thresholds that stored measurements tell about, by group."""
    found = histograms(window)
    by_group: dict[str, list[Knob]] = {}
    for declared in TUNABLE.values():
        small = _small(found[declared.name])
        by_group.setdefault(declared.metadata["group"], []).append(knob(declared, profile, draft, small))
    return [
        Group(GROUPS[name], knobs, any(each.name == chosen for each in knobs))
        for name, knobs in by_group.items()
    ]


def shadow_only(profile: ThresholdProfile) -> list[Knob]:
    """The thresholds whose effect only new runs tell."""
    return [knob(declared, profile, None) for declared in form_fields() if declared.name not in TUNABLE]


def knob(
    declared: Field[Any],
    profile: ThresholdProfile,
    draft: ThresholdProfile | None,
    small: SafeString | str = "",
) -> Knob:
    """One threshold as the column shows it."""
    now = in_force(profile.values, declared.name)
    then = in_force(draft.values, declared.name) if draft else now
    meta = declared.metadata
    return Knob(
        name=declared.name,
        label=declared.name.replace("_", " "),
        help=meta["help"],
        active=value_text(now),
        draft="" if then == now else value_text(then),
        histogram=small,
        low=meta["low"],
        high=meta["high"],
        step="1" if isinstance(getattr(DEFAULTS, declared.name), int) else "any",
    )


def histograms(window: Window) -> dict[str, Histogram | None]:
    """The histogram of the score behind each threshold that has one."""
    return HISTOGRAMS.get(window.key, lambda: {name: _histogram(window, name) for name in TUNABLE})


def _histogram(window: Window, name: str) -> Histogram | None:
    scored = scores(window.measured, name)
    return histogram(scored, window.labels) if scored else None


def large(found: Histogram | None, label: str, mark: object) -> SafeString | str:
    """The histogram of the chosen threshold, a line at its value."""
    if found is None or not (found.wrong.any() or found.right.any()):
        return ""
    bins = [
        Bin(float(low), float(high), int(right), int(wrong))
        for low, high, right, wrong in zip(
            found.edges, found.edges[1:], found.right, found.wrong, strict=False
        )
    ]
    at = float(mark) if isinstance(mark, int | float) and not isinstance(mark, bool) else None
    return stacked(bins, label, names=(gettext("right"), gettext("wrong")), mark=at)


def one_score(found: Histogram | None) -> bool:
    """Whether every score lies in one bin, so that no threshold can part them."""
    if found is None:
        return False
    return int(((found.wrong + found.right + found.unlabelled) > 0).sum()) == 1


def _small(found: Histogram | None) -> SafeString | str:
    """Without axes: right answers from below, wrong ones on top of them."""
    if found is None:
        return ""
    right, wrong = found.right, found.wrong
    both = right + wrong
    if not both.any():
        return ""
    tall = (HEIGHT - 1) / float(both.max())
    path = format_html(
        '<path class="fill one" d="{}"/><path class="fill wrong" d="{}"/>',
        _columns(right * 0, right, tall),
        _columns(right, both, tall),
    )
    return chart("small", gettext("Scores with a verdict"), HEIGHT, [path], width=WIDTH)


def _columns(low: Any, high: Any, tall: float) -> str:
    width = WIDTH / len(low)
    return "".join(
        f"M{at * width:.1f} {HEIGHT - bottom * tall:.1f}V{HEIGHT - top * tall:.1f}h{width - 0.5:.1f}V{HEIGHT - bottom * tall:.1f}Z"
        for at, (bottom, top) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
        if top > bottom
    )
