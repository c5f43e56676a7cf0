"""Why a verdict is what it is: reasons in order of weight, a plain sentence each (contracts §2)."""

from collections.abc import Iterable, Mapping

from detection.core.citations import EMPTY
from detection.core.text import has_rules, values_of
from detection.core.thresholds import Thresholds
from detection.core.types import CONCLUSIONS, CitationDecision, Level, Reason, Voice
from detection.core.verdict.conclusions import concluded
from detection.core.verdict.graded import (
    DOUBTFUL,
    UNDERCHECKED,
    Graded,
    abstains,
    deciding_ratio,
    lacking_bits,
    lacks_too_much,
    near_limit,
)
from detection.core.verdict.reason_sentences import sentence, voice, word

CHECKED = ("supported", "contradicted", "unsupported")
"""Statuses of what was checked."""
_LONGEST = 200  # characters of evidence that a reason quotes


def reasons(graded: Graded, level: Level, thresholds: Thresholds) -> Iterable[Reason]:
    """The reasons: of single claims in the finding's words, of the answer as a whole in its language."""
    language = graded.case.language
    if graded.case.refused:
        yield _said("strict_refused", language, why=graded.case.refused)
    yield from _of_claims(graded)
    yield from _of_disputes(graded, language)
    if abstains(graded):
        yield _said("abstains", language)
    if lacks_too_much(graded):
        lacking, limit = lacking_bits(graded), graded.flag_threshold_bits
        yield _said("high_hallucination_risk", language, lacking=lacking, limit=limit)
    for span in graded.injected:
        code = "suspected_injection" if span.source else "orders_verifier"
        yield _said(code, language, source=span.source, text=span.text)
    if graded.judge and graded.judge.notes and graded.judge.risk > thresholds.judge_risk:
        yield _said("judge", language, notes=graded.judge.notes)
    if graded.citations:
        yield from _nothing_claimed(graded, language)
        yield from _of_citations(graded.citations, language, thresholds)
    yield from _of_checks(graded, language)
    if near_limit(graded.case, thresholds) and level != "low":
        yield _said("near_iteration_limit", language, words={"level": word(level, language)}, level=level)
    if language and not has_rules(language):
        yield _said("generic_language", language, spoken=language)


def reason_code(kind: str, status: str, conclusion: str) -> str:
    """The code of the reason that a claim of ``kind`` gives by its finding's status and its ``conclusion``: of what only
    an opinion is against it says no more than that."""
    if conclusion == "doubtful":
        return "statement_doubted"
    return f"{'statement' if kind == 'statement' else 'number'}_{status}"


def _said(
    code: str,
    language: str,
    *,
    claim: int | None = None,
    words: Mapping[str, str] | None = None,
    **values: object,
) -> Reason:
    """A reason by its ``values``; ``words`` are those of them that the sentence has in its language."""
    return Reason(code, sentence(code, language, **(values | dict(words or {}))), claim, values_of(values))


def _of_claims(graded: Graded) -> Iterable[Reason]:
    """What is proved before what is only doubted, and both before what nobody could check."""
    told = [
        (concluded(claim.kind, finding.status, finding.code), claim.kind, finding)
        for claim, finding in zip(graded.claims, graded.findings, strict=True)
        if finding.status in (*DOUBTFUL, "unverified") and finding.code != "number_contradicted"
    ]
    for conclusion, kind, finding in sorted(told, key=lambda one: CONCLUSIONS.index(one[0])):
        code = reason_code(kind, finding.status, conclusion)
        yield Reason(code, finding.reason, finding.claim, finding.values)
    for finding in graded.findings:
        if finding.code in UNDERCHECKED:
            yield Reason(finding.code, finding.reason, finding.claim, finding.values)


def _of_disputes(graded: Graded, language: str) -> Iterable[Reason]:
    for finding in graded.findings:
        for one in finding.disputed:
            sources = {"first": one.carried.source, "second": one.against.source}
            yield _said(
                "sources_disagree",
                language,
                claim=finding.claim,
                words={name: voice(source, language) for name, source in sources.items()},
                one=_quoted(one.carried),
                other=_quoted(one.against),
                **sources,
            )


def _quoted(one: Voice) -> str:
    return one.text if len(one.text) <= _LONGEST else f"{one.text[: _LONGEST - 1].rstrip()}…"


def _nothing_claimed(graded: Graded, language: str) -> Iterable[Reason]:
    """That there is nothing to check; not of an answer of which something was, if only a number."""
    note = graded.citations.note if graded.citations else None
    if note and not any(finding.status in CHECKED for finding in graded.findings):
        yield Reason("note", sentence("note_empty" if note == EMPTY else "note_no_claims", language))


def _of_citations(rules: CitationDecision, language: str, thresholds: Thresholds) -> Iterable[Reason]:
    for wrong in rules.misplaced:
        cited = ", ".join(f"[{ref}]" for ref in wrong.cited)
        yield _said("misplaced_citation", language, claim=wrong.claim, cited=cited, better=wrong.better)
    for ref in rules.invalid:
        yield _said("invalid_citation", language, ref=ref)
    if rules.expected and rules.uncited_count:
        yield _said("uncited_sentences", language, count=rules.uncited_count)
    ratio = deciding_ratio(rules, thresholds)
    if rules.expected and rules.total_claims and ratio < thresholds.citation_ratio_good:
        yield _said("few_citations", language, ratio=ratio, claims=rules.total_claims)
    for phrase in rules.indicators:
        yield _said("indicator_phrase", language, phrase=phrase)
    if rules.too_long:
        yield _said("longer_than_context", language)


def _of_checks(graded: Graded, language: str) -> Iterable[Reason]:
    """Too little overlap, and the checks that failed or did not run."""
    overlap = graded.grounding
    if overlap and not overlap.grounded and overlap.total_sentences:
        grounded, total = overlap.grounded_sentences, overlap.total_sentences
        yield _said("low_overlap", language, grounded=grounded, total=total)
    for name, why in (graded.failed or {}).items():
        yield _of_check("check_failed", language, name, why)
    for name, why in (graded.left_out or {}).items():
        yield _of_check("not_run", language, name, why)


def _of_check(code: str, language: str, name: str, why: str) -> Reason:
    words = {"name": word(name, language), "why": word(why, language)}
    return _said(code, language, words=words, name=name, why=why)
