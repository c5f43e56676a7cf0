"""Finished runs with realistic results for the tests of the screens, written as rows."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Group, User
from django.utils import timezone

from detection import search
from detection.core import codec
from detection.core.text import direction
from detection.core.types import Claim as Read
from detection.models import (
    Answer,
    Claim,
    DetectionRun,
    FinancialPeriod,
    Property,
    Query,
    Source,
    ThresholdProfile,
)
from reviews.models import HallucinationReview, open_review

PASSWORD = "a long enough password"


def person(name: str, *roles: str, full: str = "") -> User:
    """A user with roles and :data:`PASSWORD`."""
    first, _, last = full.partition(" ")
    user = User.objects.create_user(name, password=PASSWORD, first_name=first, last_name=last)
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return user


@dataclass
class Written:
    """An answer under construction: claims are found in the text, so that offsets cannot drift."""

    text: str
    question: str = "What were NOI, occupancy and DSCR of Oak Plaza in Q3 2024?"
    sources: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    language: str = "en"
    original: float | None = 0.95
    adjusted: float | None = 0.76
    risk: str = "high"
    code: str = "number_contradicted"
    invalid: list[str] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    rules: dict[str, Any] = field(default_factory=dict)
    checks: dict[str, Any] = field(default_factory=dict)
    supersedes: Answer | None = None

    def claim(self, text: str, kind: str, status: str, finding: str, **more: Any) -> None:
        """The next claim; ``flagged`` follows from the status unless given."""
        start = self.text.index(text)
        flagged = more.pop("flagged", status in ("contradicted", "unsupported"))
        base = {
            "index": len(self.claims),
            "kind": kind,
            "text": text,
            "start": start,
            "end": start + len(text),
        }
        base |= {"sentence": 0, "citations": [], "status": status, "finding": finding, "flagged": flagged}
        self.claims.append(base | {"reason": "", "warning": None, "evidence": []} | more)

    def span(self, ref: str, text: str) -> dict[str, int]:
        """Where ``text`` stands in source ``ref``."""
        source = next(s for s in self.sources if s["ref"] == ref)
        start = source["text"].index(text)
        return {"start": start, "end": start + len(text)}

    def store(
        self, property_: Property | None = None, period: FinancialPeriod | None = None
    ) -> HallucinationReview:
        """Write the rows and open the review."""
        answer = Answer.objects.create(
            query=self.supersedes.query if self.supersedes else Query.objects.create(),
            supersedes=self.supersedes,
            question=self.question,
            property=property_,
            period=period,
            text=self.text,
            language=self.language,
            direction=direction(self.text),
            original_confidence=self.original,
        )
        for position, source in enumerate(self.sources):
            Source.objects.create(answer=answer, position=position, **source)
        search.keep(answer, search.groups_of(answer))
        run = DetectionRun.objects.create(
            answer=answer,
            profile=ThresholdProfile.objects.get(state="active"),
            finished_at=timezone.now(),
            has_hallucinations=True,
            needs_review=True,
            risk_level=self.risk,
            risk_score=0.9,
            adjusted_confidence=self.adjusted,
            result=self._result(),
        )
        for claim in self.claims:
            self._row(run, claim)
        review = open_review(run)
        assert review is not None
        return review

    def _result(self) -> dict[str, Any]:
        reasons = [
            {"code": self.code, "claim": c["index"], "text": c["reason"]} for c in self.claims if c["flagged"]
        ]
        return {
            "verdict": {"risk_level": self.risk, "reasons": [*self.told, *reasons]},
            "claims": self.claims,
            "citations": {"invalid_citations": self.invalid, **self.rules},
            "checks": self.checks,
        }

    def _row(self, run: DetectionRun, claim: dict[str, Any]) -> None:
        numeric = claim.get("numeric") or {}
        Claim.objects.create(
            run=run,
            index=claim["index"],
            kind=claim["kind"],
            text=claim["text"],
            start=claim["start"],
            end=claim["end"],
            sentence=0,
            statement=claim.get("statement"),
            citations=claim["citations"],
            reading=codec.dump(_read(claim)),
            status=claim["status"],
            finding=claim["finding"],
            reason=claim["reason"],
            flagged=claim["flagged"],
            metric=numeric.get("metric") or "",
            value=str(numeric.get("value") or ""),
            expected=str(numeric.get("expected") or ""),
            deviation=float(Decimal(numeric["deviation"])) if numeric.get("deviation") else None,
        )


def _read(claim: dict[str, Any]) -> Read:
    """A claim as the core would have read it."""
    return Read(
        claim["index"],
        claim["kind"],
        claim["text"],
        claim["start"],
        claim["end"],
        claim["sentence"],
        citations=tuple(claim["citations"]),
        statement=claim.get("statement"),
    )


def portfolio(code: str = "OAK", name: str = "Oak Plaza") -> tuple[Property, FinancialPeriod]:
    """A property with its third quarter of 2024."""
    oak, _ = Property.objects.get_or_create(code=code, defaults={"name": name})
    quarter, _ = FinancialPeriod.objects.get_or_create(
        property=oak, label="Q3 2024", defaults={"start": "2024-07-01", "end": "2024-09-30"}
    )
    return oak, quarter


def number(value: str, expected: str | None, unit: str, metric: str, **more: Any) -> dict[str, Any]:
    """The ``numeric`` part of a claim."""
    deviation = (
        str((Decimal(value) - Decimal(expected)) / abs(Decimal(expected))) if expected is not None else None
    )
    base: dict[str, Any] = {
        "value": value,
        "unit": unit,
        "metric": metric,
        "period": "2024-Q3",
        "precision": "0.005",
    }
    base |= {"approximate": False, "bound": None, "expected": expected, "deviation": deviation}
    return base | {"tolerance": "0.05", "matched": "none", "arithmetic": None} | more


def record(value: str, unit: str, name: str, **more: Any) -> dict[str, Any]:
    """A candidate out of the database."""
    base: dict[str, Any] = {
        "origin": "database",
        "text": value,
        "unit": unit,
        "value": value,
        "same": True,
        "record": "FinancialMetrics",
    }
    base |= {"id": 17, "field": name, "period": "Q3 2024", "property": "OAK", "as_of": "2024-11-04"}
    return base | more


def look(value: str, unit: str, slot: str, **more: Any) -> dict[str, Any]:
    """Something that a number was compared with besides."""
    base: dict[str, Any] = {"origin": "database", "value": value, "unit": unit, "text": value, "slot": slot}
    base |= {"source": None, "start": None, "end": None, "deviation": None, "days": None, "arithmetic": None}
    return base | {"own": True, "slip": None, "says": ""} | more


def slot(name: str, said: str, states: str, verdict: str, **more: Any) -> dict[str, Any]:
    """One slot of a number beside that of what it was compared with."""
    return {"slot": name, "said": said, "states": states, "verdict": verdict, "by": "sentence"} | more


def agreeing() -> list[dict[str, Any]]:
    """The slots of a figure of OAK that all agree."""
    return [
        slot("metric", "Net operating income", "net operating income", "agree", start=0, end=20),
        slot("property", "OAK", "OAK", "assumed", by="link"),
        slot("period", "Q3 2024", "Q3 2024", "agree"),
        slot("unit", "USD", "USD", "agree"),
    ]


OPERATING = """Oak Plaza · Operating statement, third quarter of 2024 (USD)

                          Q3 2024        Q2 2024        Q3 2023
Total revenue         2,410,332.10   2,355,180.44   2,288,019.75
Operating expenses    1,175,764.21   1,181,680.44   1,160,402.18
Net operating income  1,234,567.89   1,173,500.00   1,127,617.57"""

LIFT = {
    "p1": 0.52,
    "p0": 0.47,
    "p_no": 0.3,
    "required_bits": 0.79,
    "observed_bits": 0.01,
    "budget_gap_bits": 0.78,
    "intervals": {"p1": [0.5, 0.54], "p0": [0.45, 0.49]},
    "confidence": 0.013,
    "finding": "unsupported",
    "scrubbed": ["S0"],
    "method": "local",
    "model": "features-1",
    "cost_usd": "0",
    "error": None,
}


def oak_plaza() -> HallucinationReview:
    """The answer of the mock: one transposed number, one wrong growth, the rest in order."""
    first = "Net operating income was $1,243,567.89 [S0], up 6.0% from the second quarter, while occupancy reached 85.5% [S1] in Q3 2024."
    second = "Debt service coverage stood at 1.25x [S9]."
    third = "Leasing momentum should carry into the winter months."
    written = Written(f"{first} {second} {third}", invalid=["S9"])
    written.sources = [
        {
            "ref": "S0",
            "title": "Operating statement",
            "text": OPERATING,
            "score": 0.91,
            "metadata": {"page": 4},
        },
        {
            "ref": "S1",
            "title": "Rent roll",
            "text": "As of 30 September 2024 the property was 85.5% occupied, with 41 of 48 units let. Two leases expire in December.",
            "score": 0.84,
            "metadata": {"page": 2},
        },
    ]
    written.claim(first, "statement", "contradicted", "number_contradicted", citations=["S0", "S1"], flagged=False,
        reason="A number in it is contradicted.", strawberry=LIFT, grounding={"overlap": 0.71, "overlap_literal": 0.6, "source": "S0"})  # fmt: skip
    written.claim("$1,243,567.89", "currency", "contradicted", "transposed", statement=0, citations=["S0"],
        reason="The database has 1,234,567.89 for net operating income of Q3 2024.",
        numeric=number("1243567.89", "1234567.89", "USD", "net_operating_income", tolerance=None), slots=agreeing(),
        slips=[{"code": "transposed", "text": ""}],
        looked_at=[look("1234567.89", "USD", "net operating income · Q3 2024 · OAK", slip="transposed", deviation="0.0073"),
            look("1234567.89", "USD", "", origin="document", source="S0", text="1,234,567.89", deviation="0.0073"),
            look("1173500.00", "USD", "net operating income · Q2 2024 · OAK", own=False, deviation="0.0597")],
        searched={"database": "ok", "sources_read": 2, "sources_left": 0, "timed_out": False},
        evidence=[record("1234567.89", "USD", "net_operating_income"),
            {"origin": "document", "text": "1,234,567.89", "value": "1234567.89", "unit": "USD", "same": True, "source": "S0", **written.span("S0", "1,234,567.89")}])  # fmt: skip
    written.claim("6.0%", "percentage", "contradicted", "computed", statement=0, citations=["S0"],
        reason="Computed from the records the growth is 5.2 %.",
        numeric=number("6.0", "5.2038", "%", "net_operating_income", precision="0.05", tolerance="0.02"),
        slips=[], searched={"database": "ok", "sources_read": 2, "sources_left": 0, "timed_out": False},
        evidence=[{"origin": "derived", "text": "5.2 %", "value": "5.2038", "unit": "%", "same": True, "field": "net_operating_income", "period": "Q3 2024", "property": "OAK", "arithmetic": "1,234,567.89 / 1,173,500.00 − 1"}])  # fmt: skip
    written.claim("85.5%", "percentage", "supported", "exact", statement=0, citations=["S1"], reason="Equals the record.",
        numeric=number("85.5", "85.500000", "%", "occupancy_rate", matched="database", precision="0.05", tolerance="0.02"),
        evidence=[record("85.500000", "%", "occupancy_rate", matched=True),
            {"origin": "document", "text": "85.5%", "value": "85.5", "unit": "%", "same": True, "source": "S1", **written.span("S1", "85.5%")}])  # fmt: skip
    written.claim("Q3 2024", "date", "supported", "exact", statement=0, reason="The period asked for.",
        numeric={"value": "2024-Q3", "unit": "", "metric": None, "period": "2024-Q3", "expected": "Q3 2024", "deviation": None, "tolerance": "7", "matched": "database", "precision": None},
        evidence=[{"origin": "database", "text": "Q3 2024", "same": True, "matched": True, "record": "FinancialPeriod", "id": 4, "period": "Q3 2024", "property": "OAK"}])  # fmt: skip
    written.claim(second, "statement", "unsupported", "unsupported", citations=["S9"], reason="Its only citation does not exist.",
        strawberry={**LIFT, "p1": 0.31, "p0": 0.31, "observed_bits": 0.0, "scrubbed": []}, grounding={"overlap": 0.1, "overlap_literal": 0.1, "source": None})  # fmt: skip
    written.claim("1.25x", "ratio", "supported", "inexact", statement=5, citations=["S9"], reason="Within the tolerance, outside its rounding.",
        numeric=number("1.25", "1.27", "x", "dscr", matched="database"), evidence=[record("1.27", "x", "dscr", matched=True)])  # fmt: skip
    written.claim(third, "statement", "not_checked", "hedge", reason="A hedge, not an assertion.")
    return written.store(*portfolio())


def off_period() -> HallucinationReview:
    """An answer that gives the second quarter's figure for the third's."""
    written = Written("Net operating income was $1,173,500.00 in Q3 2024 [S0].")
    written.sources = [{"ref": "S0", "title": "Operating statement", "text": OPERATING, "score": 0.91}]
    there = written.span("S0", "1,173,500.00")
    written.claim("$1,173,500.00", "currency", "contradicted", "off_period", citations=["S0"],
        numeric=number("1173500", "1234567.89", "USD", "net_operating_income", period="Q3 2024"),
        slips=[{"code": "period", "text": ""}],
        looked_at=[look("1173500.00", "USD", "net operating income · Q2 2024 · OAK", slip="period", own=False, deviation="0"),
            look("1173500", "USD", "Q2 2024", origin="document", source="S0", text="1,173,500.00", slip="period", own=False, deviation="0", **there)],
        evidence=[record("1234567.89", "USD", "net_operating_income", matched=True),
            {"origin": "document", "text": "1,234,567.89", "value": "1234567.89", "unit": "USD", "same": True, "source": "S0", **written.span("S0", "1,234,567.89")}])  # fmt: skip
    return written.store(*portfolio())


def hebrew() -> HallucinationReview:
    """A Hebrew answer with a scale slip, Latin fragments and a percentage range."""
    text = "NOI היה $1,234,567.89 ברבעון Q3 2024, והתפוסה עמדה על 85.5% [S0]. שיעור ההיוון נע בטווח 12.5-15% לפי ההערכה האחרונה."
    written = Written(text, question="מה היו ה-NOI והתפוסה של הרבור ויו ברבעון השלישי?", language="he")
    written.sources = [
        {
            "ref": "S0",
            "title": "דוח רבעוני",
            "text": "ברבעון השלישי של 2024 התפוסה בנכס הייתה 83.5% וההכנסה התפעולית נטו הסתכמה ב-$1,234,567.89.",
            "score": 0.88,
        }
    ]
    written.claim("$1,234,567.89", "currency", "supported", "exact", citations=["S0"], reason="Equals the record.",
        numeric=number("1234567.89", "1234567.89", "USD", "net_operating_income", matched="database"),
        evidence=[record("1234567.89", "USD", "net_operating_income", property="HARBOR", matched=True)])  # fmt: skip
    written.claim("85.5%", "percentage", "contradicted", "out_of_tolerance", citations=["S0"], reason="The source says 83.5 %.",
        numeric=number("85.5", "83.5", "%", "occupancy_rate", precision="0.05", tolerance="0.02"), slips=[],
        evidence=[{"origin": "document", "text": "83.5%", "value": "83.5", "unit": "%", "same": True, "source": "S0", **written.span("S0", "83.5%")}])  # fmt: skip
    written.claim("12.5-15%", "percentage", "unsupported", "not_found", reason="Nowhere in the records or sources.",
        numeric=number("12.5", None, "%", "cap_rate"), searched={"database": "ok", "sources_read": 1, "sources_left": 0, "timed_out": False})  # fmt: skip
    return written.store(*portfolio("HARBOR", "Harbor View"))


def chinese() -> HallucinationReview:
    """A Chinese answer with full-width digits."""
    text = "第三季度净营业收入为123.5万美元，出租率达到85.5％ [S0]。"
    written = Written(
        text,
        question="橡树广场第三季度的净营业收入是多少？",
        language="zh",
        risk="moderate",
        code="number_not_found",
    )
    written.sources = [
        {
            "ref": "S0",
            "title": "季度报告",
            "text": "2024年第三季度出租率为85.5％，净营业收入未披露。",
            "score": 0.8,
        }
    ]
    written.claim("123.5万美元", "currency", "unsupported", "not_found", citations=["S0"], reason="Nowhere in the records or sources.",
        numeric=number("1235000", None, "USD", "net_operating_income", precision="500"),
        searched={"database": "unavailable", "sources_read": 1, "sources_left": 0, "timed_out": False})  # fmt: skip
    written.claim("85.5％", "percentage", "supported", "exact", citations=["S0"], reason="The source says so.",
        numeric=number("85.5", "85.5", "%", "occupancy_rate", matched="document", precision="0.05"),
        evidence=[{"origin": "document", "text": "85.5％", "value": "85.5", "unit": "%", "same": True, "matched": True, "source": "S0", **written.span("S0", "85.5％")}])  # fmt: skip
    return written.store()
