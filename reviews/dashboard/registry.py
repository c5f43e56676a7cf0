"""All tiles of the dashboard: what each is called, what it means, how it is worked out and where its rows are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles import (
    agreement,
    audits,
    detectors,
    flow,
    people,
    quality,
    system,
    thresholds,
    waiting,
)
from reviews.dashboard.tiles.tile import Tile, Unit
from reviews.display.choices import address

Words = str | Promise
Chart = Literal["", "bars", "matrix", "lines"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A tile before it is worked out: ``link`` is the address of its rows in a list, empty where no list has them."""

    block: str
    title: Words
    definition: Words
    unit: Unit
    work_out: Callable[[Scope], Tile]
    link: Callable[[Scope], str] = lambda _scope: ""
    chart: Chart = ""


BLOCKS: Mapping[str, Words] = {
    "now": _("Now"),
    "flow": _("Flow"),
    "quality": _("Answer quality"),
    "detectors": _("Detectors"),
    "agreement": _("Reviewer agreement"),
    "people": _("Reviewers"),
    "audits": _("Audit health"),
    "thresholds": _("Thresholds"),
    "system": _("System"),
}
"""The parts of the page, in their order."""


def _queue(**asked: str) -> Callable[[Scope], str]:
    """The queue with what was asked for, under the filters that it knows."""

    def link(scope: Scope) -> str:
        known = {"language": scope.language, "kind": scope.kind, "property": scope.property}
        return reverse("queue") + address(known | asked).removesuffix("?")

    return link


def _answers(**asked: str) -> Callable[[Scope], str]:
    def link(scope: Scope) -> str:
        known = {"language": scope.language, "property": scope.property}
        return reverse("answers") + address(known | asked).removesuffix("?")

    return link


def _page(name: str) -> Callable[[Scope], str]:
    return lambda _scope: reverse(name)


TO_DO, SETTLED = _queue(), _queue(state="resolved")
TILES: Mapping[str, Entry] = {
    "open": Entry("now", _("To do"), _("Reviews that wait or are worked on, by priority; snoozed ones are left out."), "count", waiting.open_by_priority, TO_DO, "bars"),
    "overdue": Entry("now", _("Overdue"), _("Reviews to do whose time has run out; n are all reviews to do."), "count", waiting.overdue, _queue(due="overdue")),
    "oldest": Entry("now", _("Oldest"), _("How long the oldest review to do has waited; n are all reviews to do."), "seconds", waiting.oldest, _queue(sort="oldest")),
    "held": Entry("now", _("Held"), _("Reviews on which somebody works now; n are all unfinished reviews."), "count", waiting.held, _queue(state="in_review")),
    "snoozed": Entry("now", _("Snoozed"), _("Reviews put off; n are all unfinished reviews."), "count", waiting.snoozed, _queue(state="snoozed")),
    "second_review": Entry("now", _("Second review"), _("Reviews that wait for a second person; n are all unfinished reviews."), "count", waiting.second_review, _queue(state="second_review")),
    "adjudication": Entry("now", _("Adjudication"), _("Reviews that wait for a senior to decide; n are all unfinished reviews."), "count", waiting.adjudication, _queue(state="adjudication")),
    "arrival": Entry("now", _("Arrivals"), _("Reviews that came, and that ended, in the last 24 hours; by the hour."), "per_hour", waiting.arrival, _queue(state="all", sort="newest")),
    "clear_time": Entry("now", _("Clear in"), _("Time until nothing is left to do if the last 24 hours go on; n are the reviews to do."), "seconds", waiting.clear_time, TO_DO),
    "weekly": Entry("flow", _("Resolved"), _("Reviews resolved; by week also those created and reopened. n were created."), "count", flow.weekly, SETTLED, "lines"),
    "time_to_open": Entry("flow", _("Time to open"), _("From the creation of a review to the first person who took it."), "seconds", flow.time_to_open, SETTLED),
    "time_to_resolve": Entry("flow", _("Time to resolve"), _("From the creation of a review to its resolution."), "seconds", flow.time_to_resolve, SETTLED),
    "active": Entry("flow", _("Active work"), _("Median time that a person worked on a review, and by the kinds of claims in it."), "seconds", flow.active_seconds, SETTLED),
    "skips": Entry("flow", _("Skipped"), _("Skips among skips and submitted reviews; by reason."), "share", flow.skip_share),
    "cannot_tell": Entry("flow", _("Cannot tell"), _("Claims of which a person said “cannot tell”, of all claims decided."), "share", flow.cannot_tell_share, _queue(state="resolved")),
    "in_time": Entry("flow", _("In time"), _("Reviews resolved before they were due, of all resolved."), "share", flow.in_time, SETTLED),
    "flagged": Entry("quality", _("Flagged"), _("Answers sent to review, of all answers as they were first judged."), "share", quality.flagged_share, _answers(), "bars"),
    "confirmed_wrong": Entry("quality", _("Confirmed wrong"), _("Of the flagged answers that people judged, the share that is wrong."), "share", quality.confirmed_wrong, SETTLED),
    "unflagged_wrong": Entry("quality", _("Wrong among unflagged"), _("Estimated share of wrong answers among those not flagged, out of random audits weighted by their chance; n were audited."), "share", quality.unflagged_wrong, _answers(review="resolved")),
    "wrong_numbers": Entry("quality", _("Wrong numbers"), _("Numbers that people corrected or rejected, of all numbers they judged."), "share", quality.wrong_numbers, SETTLED, "bars"),
    "confidence": Entry("quality", _("Confidence change"), _("Mean of final minus original confidence of resolved reviews, and its two steps."), "coefficient", quality.confidence_change, SETTLED),
    "precision": Entry("detectors", _("Precision"), _("Of the flagged claims that people judged, the share that is wrong. Claims of one answer are not independent, so the interval is a little narrow."), "share", detectors.precision, SETTLED, "bars"),
    "recall": Entry("detectors", _("Weighted recall"), _("Of all wrong answers the estimated share that was flagged; audits are weighted by their chance. By kind: answers with such a claim."), "share", detectors.recall, _answers(review="resolved"), "bars"),
    "f1": Entry("detectors", _("F1"), _("Harmonic mean of precision and weighted recall over answers; n are labelled."), "number", detectors.f1, _answers(review="resolved")),
    "false_alarms": Entry("detectors", _("False alarms"), _("Flagged claims that people found right, for every 100 answers resolved."), "number", detectors.false_alarms, SETTLED),
    "unchecked": Entry("detectors", _("Not checked"), _("Claims that no detector checked, of all claims; and reports that failed."), "share", detectors.unchecked, _answers()),
    "misread": Entry("detectors", _("Misread and missed"), _("Claims misread or no claims, and wrong ones not flagged or not read, in n resolved answers."), "count", detectors.misread, SETTLED),
    "detection_time": Entry("detectors", _("Detection time"), _("How long a detector takes; n reports."), "seconds", detectors.detection_time, _page("monitoring")),
    "agreement": Entry("agreement", _("Agreement"), _("Claims on which two people gave the same verdict, of all that both judged."), "share", agreement.percent, SETTLED),
    "kappa": Entry("agreement", _("Cohen’s κ"), _("Agreement of two people beyond chance: 0 is chance, 1 is always."), "coefficient", agreement.kappa, SETTLED),
    "alpha": Entry("agreement", _("Krippendorff’s α"), _("Agreement beyond chance for any number of people."), "coefficient", agreement.alpha, SETTLED),
    "ac1": Entry("agreement", _("Gwet’s AC1"), _("Agreement beyond chance, little moved by how common a verdict is."), "coefficient", agreement.ac1, SETTLED),
    "matrix": Entry("agreement", _("Verdicts side by side"), _("How often which two verdicts met: rows are the first person, columns the second."), "count", agreement.matrix, SETTLED, "matrix"),
    "blind": Entry("agreement", _("Agreement with detectors, blind"), _("Claims judged as the detectors did, by people who did not see the conclusion; beside it those who did."), "share", agreement.blind, SETTLED, "bars"),
    "overturned": Entry("agreement", _("Overturned"), _("Adjudications that decided against the first person."), "share", agreement.overturned),
    "submitted": Entry("people", _("Submitted"), _("Reviews submitted, each person’s beside how often others reopened them and the median time. Seniors see everybody, by name."), "count", people.submitted, _queue(state="resolved")),
    "reopened": Entry("people", _("Reopened by others"), _("Reviews that somebody else reopened, of those submitted."), "share", people.reopened, SETTLED),
    "gold_accuracy": Entry("people", _("Gold accuracy"), _("Verdicts on the last 50 gold answers that were right."), "share", people.gold_accuracy),
    "unseen": Entry("people", _("Evidence not seen"), _("Verdicts given without opening the evidence."), "share", people.unseen),
    "examined": Entry("audits", _("Audits examined"), _("Audits resolved, of those opened in these days."), "share", audits.sampled),
    "bands": Entry("audits", _("Audits by band"), _("Examined audits of n unflagged answers, beside how many an activation needs."), "count", audits.by_band, _answers()),
    "drawn": Entry("audits", _("Chance stored"), _("Unflagged answers of which the chance of an audit is stored, of all; estimates need it."), "share", audits.drawn, _answers()),
    "gold": Entry("audits", _("Gold pool"), _("Gold answers, how often each was shown, and how many are contested."), "count", audits.gold),
    "version": Entry("thresholds", _("Version"), _("The version of thresholds in force; n versions exist."), "version", thresholds.active),
    "age": Entry("thresholds", _("In force for"), _("Time since it came into force; n answers were judged under it in these days."), "seconds", thresholds.age),
    "flag_rate": Entry("thresholds", _("Flag rate"), _("Answers flagged under the version in force, beside what was predicted."), "share", thresholds.flag_rate, _answers()),
    "shadows": Entry("thresholds", _("Shadows"), _("Versions that judge along without effect, and the share of answers that they would decide otherwise."), "count", thresholds.shadows),
    "lag": Entry("system", _("Lag"), _("Age of the oldest answer not judged yet; n wait or are worked on."), "seconds", system.lag, _answers()),
    "failures": Entry("system", _("Failures"), _("Answers whose every attempt failed, of those that came."), "share", system.failures, _answers()),
    "owed": Entry("system", _("Verification owed"), _("Answers that their verifier could not judge and that are judged again by themselves; n were tried again in vain."), "count", system.owed, _answers(verification="owed")),
    "webhooks": Entry("system", _("Webhook failures"), _("Deliveries that failed."), "share", system.webhooks),
    "polls": Entry("system", _("Poll load"), _("How often pages ask for news."), "per_hour", system.polls),
}  # fmt: skip
"""The tiles by the name that addresses and the API know them by."""


def of_block(block: str) -> list[str]:
    """The names of a block's tiles, in order."""
    return [name for name, entry in TILES.items() if entry.block == block]
