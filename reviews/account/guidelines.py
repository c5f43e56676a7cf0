"""What the help page says (S17): what a status means, when a verdict fits, which reason code to choose."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from reviews.display.wording import FINDINGS, REASONS, STATUSES, Badge
from reviews.models import ClaimVerdict

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Verdict, Reason = ClaimVerdict.Verdict, ClaimVerdict.Reason

STATUS_MEANS: "dict[str, StrOrPromise]" = {
    "supported": _("A figure of record or a source says the same."),
    "contradicted": _("A figure of record or a source says something else."),
    "unsupported": _("It was checked, and nothing that was read says so."),
    "unverified": _("It should have been checked, and the check gave no usable result."),
    "not_checked": _("It was left out on purpose; this says nothing for or against it."),
}
FINDING_MEANS: "dict[str, StrOrPromise]" = {
    "overload": _("Too much was waiting for the verifier; the sweep checks it again later."),
    "inexact": _("Beyond the digits that the answer gives, but inside the permitted tolerance."),
    "borderline": _("So close to the threshold that it could fall on either side."),
    "miscited": _("It stands in a source, but not in the one that is cited."),
    "not_found": _("No record and no source states this figure; the nearest ones are listed."),
    "off_period": _("The figure belongs to another period."),
    "off_metric": _("The figure belongs to another metric."),
    "off_property": _("The figure belongs to another property."),
    "transposed": _("Two digits of the right figure are swapped."),
    "scale": _("The right digits in the wrong scale, thousands for millions for example."),
    "sign": _("The right figure with the wrong sign."),
    "off_role": _(
        "The figure is a limit, a budget or a forecast where the actual value is named, or the other way round."
    ),
    "off_unit": _("The figure is per another unit."),
    "off_bound": _("The figure is a bound the other way round."),
    "unbound": _("The figure is on record or in a source, but the sentence does not say what it is of."),
}
VERDICT_FITS: "dict[str, StrOrPromise]" = {
    Verdict.SUPPORTED: _(
        "The evidence says what the claim says, for the same metric, property, period and unit. "
        "A number rounded correctly is supported."
    ),
    Verdict.CORRECTED: _("The claim is wrong and you know what is right. The value you give replaces it."),
    Verdict.REJECTED: _("The claim is wrong or rests on nothing, and no value can take its place."),
    Verdict.CANNOT_TELL: _("The evidence at hand does not settle it. Say in the note what is missing."),
    Verdict.NOT_A_CLAIM: _("The marked text states nothing that could be checked, a heading for example."),
}
REASON_FITS: "dict[str, StrOrPromise]" = {
    Reason.WRONG_VALUE: _("Metric, property, period and unit agree; the number does not."),
    Reason.WRONG_PERIOD: _("The number is right for another quarter, month or year."),
    Reason.WRONG_ENTITY: _("The number is right for another property, tenant or loan."),
    Reason.WRONG_METRIC: _("The number is right for another metric, revenue in place of NOI for example."),
    Reason.WRONG_UNIT_OR_SCALE: _("Thousands for millions, percent for a ratio, another currency."),
    Reason.ROUNDING_OR_TOLERANCE: _("The number is rounded wrongly, or differs more than is permitted."),
    Reason.STALE_DATABASE: _("The figure of record is out of date and the answer may be right."),
    Reason.CITATION_MISSING: _("The statement needs a source and names none."),
    Reason.CITATION_WRONG_SOURCE: _("The cited source does not say it; another one may."),
    Reason.UNSUPPORTED_INFERENCE: _("The sources hold the parts, but not the conclusion drawn from them."),
    Reason.CONTRADICTED_BY_SOURCE: _("A source says the opposite."),
    Reason.EXTRACTION_ERROR: _("The claim was cut or read wrongly; the answer itself is not at fault."),
    Reason.DB_DATA_ERROR: _("The figure of record itself is wrong."),
    Reason.OTHER: _("None of these; the note says what."),
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """A status with its looks and what it means."""

    look: Badge
    text: "StrOrPromise"


@dataclass(frozen=True, slots=True)
class Guideline:
    """When a verdict or a reason code fits; ``letter`` picks the code while a row is open."""

    word: "StrOrPromise"
    text: "StrOrPromise"
    letter: str = ""


def meanings() -> list[Meaning]:
    """Every status and finding of a claim, in the order of their tables."""
    return [Meaning(look, STATUS_MEANS[code]) for code, look in STATUSES.items()] + [
        Meaning(look, FINDING_MEANS[code]) for code, look in FINDINGS.items()
    ]


def verdicts() -> list[Guideline]:
    """Every verdict and when it fits."""
    return [Guideline(word, VERDICT_FITS[code]) for code, word in Verdict.choices]


def reasons() -> list[Guideline]:
    """Every reason code, when it fits and its letter."""
    return [Guideline(word, REASON_FITS[code], letter) for code, word, letter in REASONS]
