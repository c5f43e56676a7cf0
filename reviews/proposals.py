"""What one key accepts: the recognised mistake of a number, or what was said of the same claim before."""

from dataclasses import dataclass

from django.utils.translation import gettext

from reviews import wording
from reviews.claims_shown import ClaimShown
from reviews.forms import DATABASE
from reviews.models import ClaimVerdict, name_of


@dataclass(frozen=True, slots=True)
class Proposal:
    """A verdict ready to be accepted: its form's fields, ``text`` why, ``leads_to`` what accepting says."""

    verdict: str
    text: str
    leads_to: str
    reason_code: str = ""
    corrected_value: str = ""
    note: str = ""
    carried: bool = False


def proposal(claim: ClaimShown, carried: ClaimVerdict | None, slip: str, reason: str) -> Proposal | None:
    """What is proposed for ``claim``: an earlier verdict of the same words before a recognised mistake; None
    once it has a verdict."""
    if claim.verdict_code:
        return None
    if carried is not None:
        return _earlier(carried)
    if not slip or not reason:
        return None
    label = str(wording.WORDS.get(reason, reason)).lower()
    return Proposal(DATABASE if claim.fix else "rejected", slip, label, reason)


def _earlier(carried: ClaimVerdict) -> Proposal:
    given = carried.carried_from
    who = name_of(given.review_pass.reviewer) if given else ""
    word = carried.get_verdict_display().lower()
    text = gettext("%(name)s said of the same words before: %(verdict)s")
    return Proposal(
        carried.verdict,
        text % {"name": who, "verdict": word},
        carried.corrected_value,
        carried.reason_code,
        carried.corrected_value,
        carried.note,
        carried=True,
    )
