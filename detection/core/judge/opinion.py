"""A language model's opinion of the whole answer, as measurement and as risk (CIT-04…CIT-06).

The judge comes last and costs most. Rules that alone find a high risk make it unnecessary; without a text model it is
not asked at all, and its report says so. An opinion that cannot be read is an error of this detector, never “no risk”.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import ge

from detection.core import citations, text
from detection.core.context import Context, NotAsked
from detection.core.judge.prompts import CLERK, CRITIC, VERSION, critique, form, repair
from detection.core.judge.reading import Opinion, Unreadable, read_opinion
from detection.core.ports import Text, TextModel, VerifierError, VerifierTimeout
from detection.core.rules import Row, holds
from detection.core.thresholds import Thresholds
from detection.core.types import (
    Claim,
    Expired,
    Finding,
    Hallucination,
    JudgeDecision,
    JudgeMeasurement,
    Status,
    Usage,
)
from detection.core.verdict import sentence

CRITIQUE_TOKENS = 1500
FORM_TOKENS = 1500
ACTIONS = {
    "continue": "refine_search",
    "refine_search": "refine_search",
    "synthesize": "accept",
    "accept": "accept",
    "reject": "reject",
}
"""The judge's decision as an action (contracts §2)."""

STATUSES: dict[str, Status] = {
    "contradictory": "contradicted",
    "unsupported": "unsupported",
    "over_extrapolation": "unsupported",
}
"""What a kind of hallucination makes of its statement; the other kinds are about citations, not about truth."""

SURE = Row("sure", ("confidence", ge, "judge_confidence"))
"""Whether an opinion is sure enough of itself to doubt a statement."""


class OpinionUnreadable(VerifierError):
    """The judge answered twice in a form that cannot be read."""

    code = "judge_unreadable"


def measure(context: Context) -> JudgeMeasurement:
    """Ask for a critique and its form. Raises :class:`NotAsked`, or a :class:`VerifierError` when a model gives
    nothing usable; a form that cannot be read is asked for once more."""
    case, claims, judges = context.case, context.claims, context.judges
    if judges is None:
        raise NotAsked("no text model is configured.")
    spans = text.sentences(case.answer, case.language)
    spoken = sorted({claim.sentence for claim in claims if claim.kind == "statement"})
    if not spoken:
        raise NotAsked("the answer claims nothing.")
    if _rules_decide(context):
        raise NotAsked("the citation rules alone find a high risk.")
    sentences = [case.answer[slice(*spans[index])] for index in spoken]
    review = judges.critic.complete(
        CRITIC, critique(case, sentences, context.thresholds.placeholder), maximum_tokens=CRITIQUE_TOKENS
    )
    opinion, written = _form(judges.clerk, review.text, len(sentences), context.expired)
    placed = tuple(_placed(each, claims, spoken) for each in opinion.hallucinations)
    return _measured(opinion, placed, [review, *written])


def _rules_decide(context: Context) -> bool:
    """The cascade's first step (CIT-06): a rule risk that needs no opinion beside it."""
    rules = citations.decide(citations.measure(context), context)
    return rules.expected and rules.risk_score > context.thresholds.cascade


def _form(clerk: TextModel, review: str, sentences: int, expired: Expired) -> tuple[Opinion, list[Text]]:
    """The review's form, and everything that was written on the way to it."""
    asked = prompt = form(review, sentences)
    written: list[Text] = []
    for _ in range(2):
        if expired():
            raise VerifierTimeout("There was no time left for the form of the judge's opinion.")
        written.append(clerk.complete(CLERK, prompt, maximum_tokens=FORM_TOKENS))
        try:
            return read_opinion(written[-1].text, sentences), written
        except Unreadable as fault:
            prompt = repair(asked, written[-1].text, str(fault))
            reason = str(fault)
    raise OpinionUnreadable(f"The judge's opinion could not be read: {reason}")


def _placed(found: Hallucination, claims: Sequence[Claim], spoken: Sequence[int]) -> Hallucination:
    """With the answer's own sentence number and its statements, for the number among those shown."""
    sentence = spoken[found.sentence]
    inside = (claim.index for claim in claims if claim.kind == "statement" and claim.sentence == sentence)
    return replace(found, sentence=sentence, statements=tuple(inside))


def _measured(
    opinion: Opinion, hallucinations: tuple[Hallucination, ...], written: Sequence[Text]
) -> JudgeMeasurement:
    return JudgeMeasurement(
        score=opinion.shares["score"],
        reasoning=opinion.texts["reasoning"],
        confidence=opinion.shares["confidence"],
        decision=opinion.texts["decision"],
        hallucination_risk=opinion.shares["hallucination_risk"],
        hallucination_notes=opinion.texts["hallucination_notes"],
        completeness=opinion.shares["completeness"],
        relevance=opinion.shares["relevance"],
        answer_quality=opinion.shares["answer_quality"],
        citation_quality=opinion.shares["citation_quality"],
        hallucinations=hallucinations,
        critique=written[0].text,
        models=tuple(dict.fromkeys(each.model for each in written)),
        prompt_version=VERSION,
        usage=sum((each.usage for each in written), Usage()),
        latency_ms=sum(each.latency_ms for each in written),
    )


def decide(measurement: JudgeMeasurement, context: Context) -> JudgeDecision:
    """The judge's risk, held within 0 and 1, what it advises, and the statements it doubts, told in the answer's language but
    for the judge's own words. A word that it was not offered counts for nothing, and the advice then follows from the risk; an opinion that is
    not sure of itself doubts no statement."""
    thresholds = context.thresholds
    risk = min(max(measurement.hallucination_risk, 0.0), 1.0)
    word = measurement.decision.strip().casefold()
    sure = holds(SURE, {"confidence": measurement.confidence}, thresholds)
    return JudgeDecision(
        risk=risk,
        action=ACTIONS.get(word) or _by_risk(risk, thresholds),
        notes=measurement.hallucination_notes,
        findings=_findings(measurement, thresholds, context.language) if sure else (),
        unsupported=sure and any(each.kind == "unsupported" for each in measurement.hallucinations),
    )


def _by_risk(risk: float, thresholds: Thresholds) -> str:
    if risk > thresholds.judge_risk_high:
        return "reject"
    return "refine_search" if risk > thresholds.judge_risk else "accept"


def _findings(measurement: JudgeMeasurement, thresholds: Thresholds, language: str) -> tuple[Finding, ...]:
    """One finding for each doubted statement, the graver kind first."""
    found: dict[int, Finding] = {}
    for kind, status in STATUSES.items():
        for each in measurement.hallucinations:
            for index in each.statements if each.kind == kind else ():
                notes = each.reason or measurement.hallucination_notes
                reason = sentence("judge", language, notes=notes)
                severe, named = thresholds.severity(status), text.values_of({"notes": notes})
                found.setdefault(
                    index, Finding("judge", index, status, f"judge_{kind}", reason, severe, values=named)
                )
    return tuple(found[index] for index in sorted(found))
