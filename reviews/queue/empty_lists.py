"""The truth about a queue in which there is nothing to see, or nothing to take (review-queue §3.4, F05)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from detection.access import visible_properties
from detection.models import Property
from reviews.queue.counts import Counts, count_text


@dataclass(frozen=True, slots=True)
class Way:
    """A way on: an address and its words, or what is posted to ``action``."""

    words: str
    href: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class Empty:
    """Why nothing is there, with the numbers behind it, and the ways on."""

    code: str
    title: str
    text: str = ""
    lines: Sequence[str] = ()
    ways: Sequence[Way] = ()


def empty(facts: Counts, user: Any, *, waiting: int, narrowed: bool) -> Empty:
    """Why the list is empty; it never says "done" while something waits. ``waiting`` is how many rows the list
    has when nothing narrows it."""
    if narrowed:
        return _narrowed(facts, waiting)
    if facts.snoozed:
        return _snoozed(facts)
    limited = _limits(user)
    if facts.last_resolved_at:
        ways = [Way(_("Show resolved"), "?state=resolved")]
        return Empty("done", _("Nothing waiting"), _last(facts), [*_today(facts), *limited], ways)
    text = _("Doubtful answers appear here as soon as they are found.")
    return Empty("new", _("Nothing waiting"), text, limited, [Way(_("Look at all answers"), "/answers/")])


def _narrowed(facts: Counts, waiting: int) -> Empty:
    title = _("0 of %(count)s match") % {"count": count_text(waiting)}
    text = _("No review that you can see matches these filters.")
    snoozed = (
        [_("%(count)s more are snoozed.") % {"count": count_text(facts.snoozed)}] if facts.snoozed else []
    )
    return Empty("filtered", title, text, snoozed, [Way(_("Clear filters"), "?")])


def _snoozed(facts: Counts) -> Empty:
    text = ngettext(
        "%(count)s review is snoozed and comes back by itself.",
        "%(count)s reviews are snoozed and come back by themselves.",
        facts.snoozed,
    ) % {"count": count_text(facts.snoozed)}
    first = (
        [_("The first one comes back at %(time)s UTC.") % {"time": _moment(facts.back_at)}]
        if facts.back_at
        else []
    )
    ways = [Way(_("Show snoozed"), "?state=snoozed")]
    return Empty("snoozed", _("Everything left is snoozed"), text, [*first, *_today(facts)], ways)


def _last(facts: Counts) -> str:
    told = {"time": _moment(facts.last_resolved_at), "who": facts.last_resolved_by}
    return _("The last one was resolved at %(time)s UTC by %(who)s.") % told


def _today(facts: Counts) -> list[str]:
    told = {"count": count_text(facts.resolved_today)}
    return [_("Resolved today: %(count)s.") % told] if facts.resolved_today else []


def _limits(user: Any) -> list[str]:
    """Said to whoever may not see every property: an empty list is only as empty as their view."""
    seen = visible_properties(user).count()
    if seen == Property.objects.count():
        return []
    words = ngettext(
        "You see the answers about %(count)d property and those about none. Ask an administrator for others.",
        "You see the answers about %(count)d properties and those about none. Ask an administrator for others.",
        seen,
    )
    return [words % {"count": seen}]


def nothing_to_take(facts: Counts, *, ready: bool = False) -> Empty | None:
    """Why there is no review for a person to take although some wait; None when there is one, or they hold one.

    ``ready`` says that they asked for one just now: then "nothing waits" is an answer too.
    """
    if facts.free or (facts.held_by_me and not ready):
        return None
    reasons = [one for one in (_held(facts), _skipped(facts), _assigned(facts), _judged(facts)) if one]
    if not reasons:
        return Empty("nothing", _("Nothing is waiting.")) if ready else None
    lines = [one.title for one in reasons[1:]]
    lines += [_("Snoozed: %(count)s.") % {"count": count_text(facts.snoozed)}] if facts.snoozed else []
    first = reasons[0]
    ways = [way for one in reasons for way in one.ways]
    return Empty(first.code, first.title, first.text, lines, ways)


def _held(facts: Counts) -> Empty | None:
    if not facts.held_by_others:
        return None
    told = [{"who": h.name, "count": h.count, "time": f"{h.until:%H:%M}"} for h in facts.holders]
    people = ", ".join(_("%(who)s (%(count)d, until %(time)s UTC)") % one for one in told)
    title = ngettext(
        "%(count)d review is being reviewed by others: %(people)s.",
        "%(count)d reviews are being reviewed by others: %(people)s.",
        facts.held_by_others,
    ) % {"count": facts.held_by_others, "people": people}
    return Empty("held", title, _("You can open them and read along."))


def _skipped(facts: Counts) -> Empty | None:
    if not facts.skipped_by_me:
        return None
    title = ngettext(
        "You passed on %(count)s review.", "You passed on %(count)s reviews.", facts.skipped_by_me
    ) % {"count": count_text(facts.skipped_by_me)}
    return Empty("skipped", title, ways=[Way(_("Put them back into my queue"), action="queue-requeue")])


def _assigned(facts: Counts) -> Empty | None:
    if not facts.assigned_elsewhere:
        return None
    people = ", ".join(f"{who} ({count})" for who, count in facts.assignees)
    title = ngettext(
        "%(count)s review is assigned to others: %(people)s.",
        "%(count)s reviews are assigned to others: %(people)s.",
        facts.assigned_elsewhere,
    ) % {"count": count_text(facts.assigned_elsewhere), "people": people}
    return Empty("assigned", title, _("Ask them, or a senior, to hand one over."))


def _judged(facts: Counts) -> Empty | None:
    if not facts.judged_by_me:
        return None
    title = ngettext(
        "You have judged %(count)s review already; somebody else has to look at it now.",
        "You have judged %(count)s reviews already; somebody else has to look at them now.",
        facts.judged_by_me,
    ) % {"count": count_text(facts.judged_by_me)}
    return Empty("judged", title)


def _moment(at: Any) -> str:
    return date_format(at, "j F, H:i") if at else ""
