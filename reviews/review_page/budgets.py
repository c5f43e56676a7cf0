"""The information budget of a statement in bars and words: how much its evidence adds (SPEC-08.03)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.display import figures
from reviews.review_page.rule_findings import listed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Result = Mapping[str, Any]

NAMED = 4
"""So many sources are named; of more, "the sources" says as much."""
FIGURES = ("p1", "p0", "required_bits", "observed_bits")
REFUTED = "number_contradicted"
SHORT = ("contradicted", "unsupported", "miscited", REFUTED)
"""Findings whose evidence does not carry the claim, whatever the length of the bars."""


@dataclass(frozen=True, slots=True)
class Budget:
    """p1, p0 and bits, with the lengths of the two bars in per cent of the longer one. ``meaning`` says in one
    sentence what they amount to, ``likely`` the figures in words; ``by_citation`` what each cited
    source adds, where that was measured; ``against`` what a source states against it: the statement's words, the source, its words."""

    p1: str
    p0: str
    needed: str
    provided: str
    needed_width: float
    provided_width: float
    enough: bool
    meaning: str
    likely: str
    method: str
    by_citation: tuple[tuple[str, str], ...] = ()
    against: tuple[tuple[str, str, str], ...] = ()

    @property
    def sentence(self) -> str:
        """The figures in words and what they amount to."""
        return f"{self.likely} {self.meaning}".strip()


def budget(claim: Result) -> Budget | None:
    """The information budget of a statement in words; None when it was not measured, as where the verifier does not read
    it: then its probabilities are no more than the middle of what they could be."""
    measured = claim.get("strawberry")
    if not measured or any(measured.get(name) is None for name in FIGURES):
        return None
    needed, provided = float(measured["required_bits"]), float(measured["observed_bits"])
    longest = max(abs(needed), abs(provided), 0.01)
    return Budget(
        p1=_share(measured["p1"]),
        p0=_share(measured["p0"]),
        needed=f"{needed:.2f}",
        provided=f"{provided:.2f}".replace("-0.00", "0.00").replace("-", "−"),
        needed_width=round(100 * abs(needed) / longest, 1),
        provided_width=max(round(100 * abs(provided) / longest, 1), 1.0),
        enough=_finding(claim, measured) not in SHORT,
        meaning=_meaning(claim, measured),
        likely=_likely(measured),
        method=" · ".join(str(measured[k]) for k in ("method", "model") if measured.get(k)),
        by_citation=tuple(
            (str(each["source"]), _points(each["lift"])) for each in measured.get("by_citation") or ()
        ),
        against=tuple((one["said"], one["source"], one["states"]) for one in measured.get("against") or ()),
    )


def _share(probability: object) -> str:
    return figures.apart(f"{Decimal(str(probability)) * 100:.0f} %")


def _points(lift: object) -> str:
    points = figures.apart(f"{Decimal(str(lift)) * 100:+.0f}".replace("-", "−"))
    return gettext("%(points)s points") % {"points": points}


def _likely(measured: Result) -> str:
    sources = measured.get("scrubbed") or []
    taken = listed(sources) if len(sources) <= NAMED else ""
    told = {"sources": taken, "with": _share(measured["p1"]), "without": _share(measured["p0"])}
    if taken:
        start = gettext(
            "With %(sources)s in view the verifier finds this %(with)s likely; without, %(without)s."
        )
    else:
        start = gettext(
            "With the evidence in view the verifier finds this %(with)s likely; without, %(without)s."
        )
    return start % told


def _meaning(claim: Result, measured: Result) -> str:
    return str(_MEANING.get(_finding(claim, measured), ""))


def _finding(claim: Result, measured: Result) -> str:
    """What decides of a statement: its figures, where they carry it, and where they refute what the verifier believes."""
    own, believed = str(claim.get("finding")), str(measured.get("finding"))
    return own if own == "covered" or (own == REFUTED and believed not in SHORT) else believed


_MEANING: "dict[str, StrOrPromise]" = {
    "supported": _("The evidence carries it."),
    "supported_uncited": _("It is likely, but cites nothing."),
    "supported_redundant": _("It holds on the cited source alone, though other sources say it too."),
    "miscited": _("It is likely, but not because of the source it cites."),
    "borderline": _("The evidence helps, but a little less than this much confidence needs."),
    "unsupported": _("The evidence adds too little to carry it."),
    "contradicted": _("The verifier takes the evidence to speak against it."),
    "uncertain": _("The measurement is too wide to say."),
    "covered": _("Its figures carry it, so that the verifier's opinion does not count."),
    REFUTED: _("A number in it is refuted, so that the verifier's opinion does not count."),
}
