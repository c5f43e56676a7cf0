"""Why a reviewer's action was refused. Whenever one of these is raised, nothing was written."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from detection.models import Claim

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def name_of(user: Any) -> str:
    """How a person is called on screens and in messages; "the system" for nobody."""
    return (user.get_full_name() or user.get_username()) if user else gettext("the system")


class ReviewError(Exception):
    """A reviewer's action was refused and nothing was written."""


HAPPENED: "dict[str, StrOrPromise]" = {
    "opened": _("This review was opened at %(when)s UTC."),
    "taken": _("%(who)s took this review at %(when)s UTC."),
    "released": _("%(who)s released this review at %(when)s UTC."),
    "force_released": _("%(who)s ended the hold on this review at %(when)s UTC."),
    "lease_expired": _("The hold on this review ran out at %(when)s UTC."),
    "decided": _("%(who)s decided a claim at %(when)s UTC."),
    "claim_added": _("%(who)s added a claim at %(when)s UTC."),
    "rest_examined": _("%(who)s examined the remaining claims at %(when)s UTC."),
    "resolved": _("%(who)s resolved this review at %(when)s UTC."),
    "reopened": _("%(who)s reopened this review at %(when)s UTC."),
    "voided": _("This review was voided at %(when)s UTC."),
    "assigned": _("%(who)s assigned this review at %(when)s UTC."),
    "snoozed": _("%(who)s snoozed this review at %(when)s UTC."),
    "woken": _("This review came back from snooze at %(when)s UTC."),
    "run_adopted": _("%(who)s took over a newer detection at %(when)s UTC."),
    "undone": _("%(who)s undid the last step at %(when)s UTC."),
}
CHANGED = _("%(who)s changed this review at %(when)s UTC.")
HELD = _("%(who)s is reviewing this until %(when)s UTC.")


class Conflict(ReviewError):
    """Somebody else was there first (409). ``what`` is a sentence that names ``who`` and ``when``; ``advice``
    is what the panel says below its own "Not saved"."""

    def __init__(self, what: "StrOrPromise", *, who: Any = None, when: datetime | None = None) -> None:
        self.who, self.when = name_of(who), when
        self.what = what % {"who": self.who, "when": f"{when:%Y-%m-%d %H:%M}" if when else ""}
        self.advice = gettext("%(what)s Keep your input, reload the review and apply it again.") % {
            "what": self.what
        }
        super().__init__(gettext("Not saved: %(advice)s") % {"advice": self.advice})


class NotAllowed(ReviewError):
    """This person may not do that, or not in this state of the review (403)."""


class Undecided(ReviewError):
    """The review cannot be resolved yet: ``claims`` still need a verdict (422)."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = list(claims)
        named = ", ".join(f"{claim.index + 1} “{claim.text[:40]}”" for claim in self.claims)
        sentence = ngettext(
            "%(count)s claim undecided: %(named)s. Give it a verdict, then resolve.",
            "%(count)s claims undecided: %(named)s. Give each a verdict, then resolve.",
            len(self.claims),
        )
        super().__init__(sentence % {"count": len(self.claims), "named": named})


class KeyReused(ReviewError):
    """The idempotency key was used before with another body (422)."""

    def __init__(self, key: str) -> None:
        super().__init__(
            gettext("The idempotency key %(key)s was used with another body. Send a new key.") % {"key": key}
        )
