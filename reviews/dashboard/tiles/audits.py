"""Audit health: is enough of what nobody flagged looked at?"""

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Row, Tile, share, share_row
from reviews.models.states import AUDITS, SelectionReason, State
from reviews.tuning.gate import NEEDED_AUDITS, NEEDED_BAND

NEEDED = {"base": NEEDED_AUDITS, "boundary": NEEDED_BAND, "new": NEEDED_AUDITS}
"""Audits that the gate before an activation wants of a stratum, of a language or kind for a new one."""


def stratum_words() -> dict[str, str]:
    """What the strata are called."""
    return {
        "base": pgettext("audit", "all others"),
        "boundary": pgettext("audit", "near a threshold"),
        "new": pgettext("audit", "new language or kind of claim"),
    }


def sampled(scope: Scope) -> Tile:
    """Audits examined, of those that were opened for answers judged in these days; by why they were opened."""
    audits = scope.reviews.filter(selection_reason__in=AUDITS, **scope.within("created_at"))
    done = Count("pk", filter=Q(state=State.RESOLVED))
    words = dict(SelectionReason.choices)
    counted = (
        audits.values_list("selection_reason").annotate(n=Count("pk"), done=done).order_by("selection_reason")
    )
    rows = [share_row(str(words[reason]), examined, n) for reason, n, examined in counted]
    examined, opened = sum(each[2] for each in counted), sum(each[1] for each in counted)
    return share(examined, opened, _("No audit was opened in these days."), rows=rows)


def by_band(scope: Scope) -> Tile:
    """Examined audits by stratum beside how many the gate wants, and of how many unflagged answers."""
    unflagged = scope.runs.filter(needs_review=False)
    looked = Q(reviews__selection_reason__in=AUDITS, reviews__state=State.RESOLVED)
    counted = unflagged.values_list("audit_stratum").annotate(
        n=Count("pk", distinct=True), done=Count("reviews", filter=looked, distinct=True)
    )
    found = {stratum: (n, done) for stratum, n, done in counted.order_by("audit_stratum")}
    words, rows = stratum_words(), []
    for stratum, (n, done) in found.items():
        name = words.get(stratum, stratum or _("never drawn from"))
        rows.append(Row(pgettext("audits", "examined"), done, n, group=name))
        if stratum in NEEDED:
            rows.append(Row(pgettext("audits", "needed"), NEEDED[stratum], group=name))
    if not found:
        return Tile(None, 0, text=_("No unflagged answer was judged in these days."))
    return Tile(sum(done for _n, done in found.values()), sum(n for n, _done in found.values()), rows=rows)


def drawn(scope: Scope) -> Tile:
    """Unflagged answers with a stored chance of an audit, of all unflagged ones: estimates need all of them."""
    unflagged = scope.runs.filter(needs_review=False)
    kept = Count("pk", filter=Q(audit_probability__isnull=False))
    found = unflagged.aggregate(kept=kept, n=Count("pk"))
    return share(found["kept"], found["n"], _("No unflagged answer was judged in these days."))


def gold(_scope: Scope) -> Tile:
    """The pool of gold answers; there is none yet."""
    return Tile(None, 0, text=_("Not measured yet: there is no pool of gold answers."))
