"""What the activation gate says of a profile, from the verdicts of the last days (review-queue §5.3)."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from detection.access import Caller, sees_everything
from detection.core.profile_values import to_measure
from detection.models import ShadowFlag, ThresholdProfile
from detection.profiles.gates import Gate
from reviews.thresholds.shadow_standing import standing
from reviews.tuning import estimates, gate
from reviews.tuning.labels import labels
from reviews.tuning.replay import measured
from reviews.tuning.replay.deciding import replay
from reviews.tuning.what_if import what_if

WINDOW = timedelta(days=30)
DAY = 86400
FEW = 30
"""Answers of a day under which its share of flags says little."""

TEXTS: dict[str, str | Promise] = {
    "sees_part": _("It decides about every property; whoever sees only some cannot change it."),
    "no_answers": _("No answer was judged in the last 30 days, so nothing can be lost."),
    "changes_nothing": _("No answer would change."),
    "only_flags_more": _("It only flags more answers."),
    "enough_audits": _(
        "%(audits)d answers were audited, %(band_audits)d of them where it decides otherwise."
    ),
    "few_audits": _("%(audits)d answers were audited; %(needed_audits)d are needed."),
    "few_in_band": _(
        "%(band_audits)d audited answers lie where it decides otherwise; %(needed_band)d are needed."
    ),
    "needs_shadow": _(
        "It changes what is measured: let it run as a shadow for 7 days and 200 answers first."
    ),
}
"""What the gate says, by the code of why."""


def of_profile(profile: ThresholdProfile, caller: Caller) -> Gate:
    """What the gate says of ``profile`` against the active one, over the answers of the last 30 days that
    ``caller`` may see; closed for a caller who may not see all: what nobody counts here could be lost."""
    if not sees_everything(caller):
        return said("sees_part", open=False)
    active, now = ThresholdProfile.active(), timezone.now()
    if _measures_anew(active, profile):
        return _of_shadow(profile, caller)
    found = measured.window(caller, now - WINDOW, now)
    if not len(found.run):
        return said("no_answers", open=True)
    given = labels(found)
    before, after = (replay(found, each.values, each.scoring) for each in (active, profile))
    change = what_if(found, given, before, after, days=WINDOW.days)
    told = gate.gate(change, given)
    low, high = _band(found.finished, after.needs_review)
    counts = {name: getattr(told, name) for name in ("audits", "band_audits", "needed_audits", "needed_band")}
    confirmed = change.after.precision
    return replace(
        said(told.why, open=told.open, **counts),
        low=low,
        high=high,
        confirm_low=confirmed.low,
        confirm_high=confirmed.high,
    )


def said(why: str, *, open: bool, **counts: int) -> Gate:  # noqa: A002  # the gate's own word
    """A gate with its sentence."""
    return Gate(open=open, why=why, text=str(TEXTS[why]) % counts, **counts)


def _measures_anew(active: ThresholdProfile, profile: ThresholdProfile) -> bool:
    """Whether some answer would be measured otherwise, so that stored measurements do not tell."""
    conditions = [each["when"] for row in (active, profile) for each in row.values.get("overrides") or ()]
    return any(to_measure(active.resolve(facets), profile.resolve(facets)) for facets in ({}, *conditions))


def _of_shadow(profile: ThresholdProfile, caller: Caller) -> Gate:
    """The same rules over what the profile said of live answers as a shadow."""
    found = standing(profile, caller, timezone.now())
    if not found.suggested:
        return said("needs_shadow", open=False)
    audits, band = _labelled(profile, caller)
    why = "only_flags_more" if not found.gone else _of_audits(audits, band)
    counts = {"needed_audits": gate.NEEDED_AUDITS, "needed_band": gate.NEEDED_BAND}
    told = said(why, open=why not in ("few_audits", "few_in_band"), audits=audits, band_audits=band, **counts)
    return replace(told, low=found.shadow.low, high=found.shadow.high)


def _labelled(profile: ThresholdProfile, caller: Caller) -> tuple[int, int]:
    """How many answers since it began as a shadow were audited, and how many of those on which it differs carry a
    label that may be counted."""
    now = timezone.now()
    found = measured.window(caller, profile.shadow_since or now, now)
    given = labels(found)
    differs = np.isin(found.run, list(ShadowFlag.differing(profile).values_list("run", flat=True)))
    return int(given.audited.sum()), int((differs & (given.weight > 0)).sum())


def _of_audits(audits: int, band: int) -> str:
    if audits < gate.NEEDED_AUDITS:
        return "few_audits"
    return "enough_audits" if band >= gate.NEEDED_BAND else "few_in_band"


def _band(finished: np.ndarray, flagged: np.ndarray) -> tuple[float | None, float | None]:
    """Between which shares of flagged answers a day is expected to lie: the interval of the whole window, widened
    to the middle 95 % of its days, which differ by more than chance."""
    whole = estimates.wilson(int(flagged.sum()), len(flagged))
    day = np.floor(finished / DAY).astype(int)
    day -= day.min()
    answers, flags = np.bincount(day), np.bincount(day, weights=flagged)
    shares = flags[answers >= FEW] / answers[answers >= FEW]
    if whole.low is None or whole.high is None or not len(shares):
        return whole.low, whole.high
    low, high = np.quantile(shares, [0.025, 0.975])
    return min(whole.low, float(low)), max(whole.high, float(high))
