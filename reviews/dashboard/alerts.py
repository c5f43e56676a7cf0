"""What somebody should look at now, in words, with the tile that tells more (review-queue §6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from detection.core.strawberry import error_reason
from detection.operations import verifier_health
from detection.operations.optional import BROKER
from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles import agreement, quality, system, thresholds, waiting

MOST_OVERDUE = 0
"""Overdue reviews that nobody is told of."""
MOST_MISSED = 0.05
"""The estimated share of wrong answers among the unflagged above which it is told."""
LEAST_KAPPA, ENOUGH_PAIRS = 0.6, 50
LONGEST_LAG = 120
"""Seconds that an answer may wait to be judged."""


@dataclass(frozen=True, slots=True)
class Alert:
    """One sentence about the tile named ``tile``."""

    tile: str
    text: str


def _overdue(scope: Scope) -> str:
    late = int(waiting.overdue(scope).value or 0)
    told = ngettext("%(n)d review is overdue.", "%(n)d reviews are overdue.", late) % {"n": late}
    return told if late > MOST_OVERDUE else ""


def _lag(scope: Scope) -> str:
    waited = system.lag(scope).value or 0
    if waited <= LONGEST_LAG:
        return ""
    minutes = int(waited // 60)
    return ngettext("An answer has waited %(n)d minute to be judged.", "An answer has waited %(n)d minutes to be judged.", minutes) % {"n": minutes}  # fmt: skip


def _verifier(scope: Scope) -> str:
    """Why the verifier of answers fails its probes, since when, and what waits for it."""
    down = verifier_health.down()
    if down is None or down.down_since is None:
        return ""
    waiting = int(system.owed(scope).value or 0)
    told = ngettext("Since %(since)s UTC; %(n)d answer waits to be judged again.", "Since %(since)s UTC; %(n)d answers wait to be judged again.", waiting)  # fmt: skip
    why = error_reason(down.down_reason, get_language() or "en")
    return f"{why} {told % {'since': f'{down.down_since:%Y-%m-%d %H:%M}', 'n': waiting}}"


def _broker(scope: Scope) -> str:
    """Whether the last message of this process found nobody to take it."""
    return (
        _("The message broker could not be reached: answers are judged at the next sweep.")
        if BROKER.reason
        else ""
    )


def _flag_rate(scope: Scope) -> str:
    """Outside of what was predicted even at the near end of its interval."""
    found = thresholds.flag_rate(scope)
    predicted = found.rows[0] if found.rows else None
    if predicted is None or found.low is None or found.high is None:
        return ""
    outside = found.high < (predicted.low or 0) or found.low > (predicted.high or 1)
    return _("The flag rate lies outside of what was predicted.") if outside else ""


def _missed(scope: Scope) -> str:
    found = quality.unflagged_wrong(scope)
    if found.value is None or found.value <= MOST_MISSED:
        return ""
    said = _("About %(share)s of the unflagged answers are wrong (n = %(n)d audits).")
    return said % {"share": f"{found.value:.1%}".replace("%", " %"), "n": found.n or 0}


def _kappa(scope: Scope) -> str:
    found = agreement.kappa(scope)
    if found.value is None or (found.n or 0) < ENOUGH_PAIRS or found.value >= LEAST_KAPPA:
        return ""
    return _("Reviewers agree too little: κ = %(value).2f (n = %(n)d).") % {
        "value": found.value,
        "n": found.n or 0,
    }


Told = Sequence[tuple[str, Callable[[Scope], str]]]
AT_ONCE: Told = (
    ("overdue", _overdue),
    ("lag", _lag),
    ("lag", _broker),
    ("owed", _verifier),
    ("flag_rate", _flag_rate),
)
LATER: Told = (("unflagged_wrong", _missed), ("kappa", _kappa))
"""Those that need every verdict, and so come after the page."""


def alerts(scope: Scope, wanted: Told = (*AT_ONCE, *LATER)) -> list[Alert]:
    """The alerts that hold, in order."""
    return [Alert(tile, text) for tile, tell in wanted if (text := tell(scope))]
