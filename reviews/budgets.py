"""The information budget of a statement in bars and words: how much its evidence adds (SPEC-08.03)."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Result = Mapping[str, Any]

SHORT = ("contradicted", "unsupported", "miscited", "unverified")
"""Findings whose evidence does not carry the claim, whatever the length of the bars."""


@dataclass(frozen=True, slots=True)
class Budget:
    """p1, p0 and bits, with the lengths of the two bars in per cent of the longer one; ``by_citation`` says
    what each cited source adds, where that was measured."""

    p1: str
    p0: str
    needed: str
    provided: str
    needed_width: float
    provided_width: float
    enough: bool
    sentence: str
    method: str
    by_citation: tuple[tuple[str, str], ...] = ()


def budget(claim: Result) -> Budget | None:
    """The information budget of a statement in words; None when it was not measured."""
    measured = claim.get("strawberry")
    if not measured or measured.get("p1") is None or measured.get("p0") is None:
        return None
    needed, provided = float(measured.get("required_bits") or 0), float(measured.get("observed_bits") or 0)
    longest = max(abs(needed), abs(provided), 0.01)
    return Budget(
        p1=_share(measured["p1"]),
        p0=_share(measured["p0"]),
        needed=f"{needed:.2f}",
        provided=f"{provided:.2f}".replace("-0.00", "0.00").replace("-", "−"),
        needed_width=round(100 * abs(needed) / longest, 1),
        provided_width=max(round(100 * abs(provided) / longest, 1), 1.0),
        enough=measured.get("finding") not in SHORT,
        sentence=_in_words(measured),
        method=" · ".join(str(measured[k]) for k in ("method", "model") if measured.get(k)),
        by_citation=tuple(
            (str(each["source"]), _points(each["lift"])) for each in measured.get("by_citation") or ()
        ),
    )


def _share(probability: object) -> str:
    return f"{Decimal(str(probability)) * 100:.0f} %"


def _points(lift: object) -> str:
    return f"{Decimal(str(lift)) * 100:+.0f} points".replace("-", "−")


def _in_words(measured: Result) -> str:
    taken = ", ".join(map(str, measured.get("scrubbed") or [])) or "the sources"
    start = (
        f"With {taken} in view the verifier finds this {_share(measured['p1'])} likely; "
        f"without, {_share(measured['p0'])}."
    )
    return f"{start} {_MEANING.get(str(measured.get('finding')), '')}".strip()


_MEANING = {
    "supported": "The evidence carries it.",
    "supported_uncited": "It is likely, but cites nothing.",
    "supported_redundant": "It holds on the cited source alone, though other sources say it too.",
    "miscited": "It is likely, but not because of the source it cites.",
    "borderline": "The evidence helps, but a little less than this much confidence needs.",
    "unsupported": "The evidence adds too little to carry it.",
    "contradicted": "The evidence speaks against it.",
    "uncertain": "The measurement is too wide to say.",
    "unverified": "There is no usable measurement.",
}
