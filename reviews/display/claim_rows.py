"""The claims of an answer as the list and the highlights show them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from detection.core.verdict import concluded
from detection.models import Claim
from reviews.display import figures, wording
from reviews.display.choices import KINDS
from reviews.display.comparisons import matched
from reviews.display.paragraphs import direction_of
from reviews.models import ClaimVerdict

LISTED = 300
"""Code points of a claim that the list shows."""
CORE = re.compile(r"[\d٠-٩０-９][\d٠-٩０-９.,，．'’ \u00a0]*[\d٠-٩０-９]|[\d٠-٩０-９]")


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with the number people call it by (its index from 1), its status and its verdict so far.

    ``conclusion`` is the detectors' one word on it, empty for a blind reviewer and where they did not read it.
    ``added`` says that a reviewer added it, ``carried`` is the verdict of an older version, a suggestion;
    ``fix`` is the text that the candidate would put in the claim's place; empty when there is none.
    """

    id: int
    index: int
    kind: str
    text: str
    start: int
    end: int
    status: str
    flagged: bool
    tone: str
    icon: str
    word: str
    nested: bool = False
    verdict_code: str = ""
    verdict: str = ""
    reason_code: str = ""
    corrected_value: str = ""
    note: str = ""
    fix: str = ""
    candidate_label: str = "database"
    direction: str = "ltr"
    added: bool = False
    carried_code: str = ""
    carried: str = ""
    conclusion: str = ""

    @property
    def n(self) -> int:
        """The number on its badge and in the history."""
        return self.index + 1

    @property
    def look(self) -> str:
        """The classes of its highlight."""
        kind = "statement" if self.kind == "statement" else "number"
        more = (" flagged" if self.flagged else "") + (" added" if self.added else "")
        return f"{kind} {self.tone}{more}"

    @property
    def kind_word(self) -> str:
        """Its kind as people read it."""
        return str(KINDS.get(self.kind, self.kind))


def claim_rows(
    rows: Sequence[Claim],
    rendered: Mapping[int, Mapping[str, Any]],
    verdicts: Mapping[int, ClaimVerdict],
    carried: Mapping[int, ClaimVerdict] = MappingProxyType({}),
    *,
    direction: str = "ltr",
    blind: bool,
) -> list[ClaimRow]:
    """Claims in the order of the text, statements before the numbers inside them. ``direction`` is that of the
    answer, for claims without a letter."""
    ordered = sorted(rows, key=lambda c: (c.start, -c.end, c.index))
    return [
        _shown(row, rendered.get(row.index, {}), verdicts.get(row.pk), carried.get(row.pk), direction, blind)
        for row in ordered
    ]


def _shown(
    row: Claim,
    result: Mapping[str, Any],
    given: ClaimVerdict | None,
    carried: ClaimVerdict | None,
    direction: str,
    blind: bool,
) -> ClaimRow:
    look = _look(row, blind=blind)
    suggested = None if blind or given else carried
    fix = "" if blind else candidate_text(row, result)
    return ClaimRow(
        id=row.pk,
        index=row.index,
        kind=row.kind,
        text=row.text,
        start=row.start,
        end=row.end,
        status="hidden" if blind else row.status,
        flagged=row.flagged or blind,
        tone=look.tone,
        icon=look.icon,
        word=str(look.word),
        nested=row.statement is not None,
        added=row.origin == Claim.Origin.REVIEWER,
        verdict_code=given.verdict if given else "",
        verdict=given.get_verdict_display().lower() if given else "",
        reason_code=given.reason_code if given else "",
        corrected_value=given.corrected_value if given else "",
        note=given.note if given else "",
        fix=fix,
        candidate_label={"document": "source", "derived": "computed"}.get(
            str(matched(result).get("origin")), "database"
        ),
        direction=direction_of(row.text[:LISTED], direction),
        carried_code=suggested.verdict if suggested else "",
        carried=suggested.get_verdict_display().lower() if suggested else "",
        conclusion=concluded(row.kind, row.status, row.finding) if row.status and not blind else "",
    )


def _look(row: Claim, *, blind: bool) -> wording.Badge:
    if row.origin == Claim.Origin.REVIEWER:
        return wording.ADDED
    return wording.HIDDEN if blind else wording.badge(row.kind, row.status, row.finding)


def candidate_text(row: Claim, result: Mapping[str, Any]) -> str:
    """The expected value written the way the claim writes its own: ``$1,243,567.89`` → ``$1,234,567.89``.

    Scaled forms (``$1.2M``) cannot carry the digits of record and get the plain value with its unit. Empty
    when nothing was expected, the claim says it already, or it states no value.
    """
    numeric = result.get("numeric") or {}
    if row.kind == "change":
        return ""
    expected, value = numeric.get("expected"), numeric.get("value")
    if expected in (None, "") or str(expected) == str(value):
        return ""
    claimed, known = figures.decimal(value), figures.decimal(expected)
    if claimed is None or known is None:
        return str(expected)
    if claimed == known:
        return ""
    unit = str(numeric.get("unit") or "")
    core = CORE.search(row.text)
    written = figures.decimal(core.group().replace(",", "").replace(" ", "")) if core else None
    if core and written is not None and abs(written) == abs(claimed) and (claimed < 0) == (known < 0):
        digits = max(figures.places(known), figures.places(claimed))
        plain = (
            f"{abs(known):,.{digits}f}"
            if abs(known) >= 1000 and "," in core.group()
            else f"{abs(known):.{digits}f}"
        )
        return row.text[: core.start()] + plain + row.text[core.end() :]
    shown = figures.together(known, known, unit)[0].replace("−", "-")
    return f"{unit} {shown}" if unit and unit not in figures.UNITS else shown
