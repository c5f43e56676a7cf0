"""GOV-10's four cases for real: an answer is read, measured with the embedded verifier and decided."""

from collections.abc import Mapping

import pytest

from detection.core.claims import read
from detection.core.context import Context
from detection.core.statements import measure
from detection.core.strawberry import decide
from detection.core.types import Case, Source, StrawberryDecision
from detection.verifiers import open_verifier
from detection.verifiers.embedded.local import shipped_model

SOURCES = {
    "en": (
        "Oak Plaza closed the third quarter of 2024 with net operating income of $1,234,567, compared with "
        "$1,180,200 a year earlier. Occupancy at the end of September was 94.2 percent. The debt service "
        "coverage ratio stood at 1.35x.",
        "The anchor tenant, Green Grocer, renewed its lease in August 2024 for ten years. Management expects no "
        "further vacancies in 2024. Operating expenses decreased by 3.1 percent because of lower utility costs.",
    ),
    "he": (
        'ההכנסה התפעולית הנקייה של קניון האורן ברבעון השלישי של 2024 הייתה 1,234,567 ש"ח, לעומת 1,180,200 ש"ח '
        "אשתקד. שיעור התפוסה בסוף ספטמבר עמד על 94.2%.",
        "השוכר המרכזי חידש את חוזה השכירות באוגוסט 2024 לעשר שנים. הוצאות התפעול ירדו ב-3.1%.",
    ),
    "zh": (
        "橡树广场2024年第三季度净营业收入为1,234,567美元，去年同期为1,180,200美元。9月底出租率为94.2%。",
        "主力租户于2024年8月续签了十年租约。运营费用下降了3.1%。",
    ),
}
SUPPORTED = {
    "en": "Net operating income of Oak Plaza was $1,234,567 in Q3 2024 [S0].",
    "he": 'ההכנסה התפעולית הנקייה של קניון האורן הייתה 1,234,567 ש"ח ברבעון השלישי של 2024 [S0].',
    "zh": "橡树广场2024年第三季度净营业收入为1,234,567美元[S0]。",
}
CONTRADICTED = {
    "en": "Operating expenses increased by 3.1 percent because of lower utility costs [S1].",
    "he": "שיעור התפוסה בסוף ספטמבר עמד על 84.2% [S0].",
    "zh": "9月底出租率为84.2%[S0]。",
}
CONFABULATED = {
    "en": "The roof was replaced after storm damage last winter [S1].",
    "he": "הקניון נרכש על ידי קרן פנסיה מקנדה [S1].",
    "zh": "该广场被加拿大养老基金收购[S1]。",
}
READ = shipped_model().languages
LANGUAGES = sorted(READ)


def judged(language: str, answer: str) -> StrawberryDecision:
    sources = tuple(Source(f"S{i}", text) for i, text in enumerate(SOURCES[language]))
    case = Case(answer=answer, language=language, sources=sources)
    return decide(measure(Context(case, read(case), verifier=open_verifier({}))), Context())


def statuses(decision: StrawberryDecision) -> list[str]:
    return [finding.status for finding in decision.findings]


@pytest.mark.parametrize("language", sorted(SOURCES.keys() - READ))
@pytest.mark.parametrize("case", [SUPPORTED, CONFABULATED], ids=["supported", "confabulated"])
def test_a_language_that_it_does_not_read_is_not_checked(case: Mapping[str, str], language: str) -> None:
    decision = judged(language, case[language])
    assert [(one.status, one.code) for one in decision.findings] == [("not_checked", "no_verifier")]


@pytest.mark.requirement("GOV-10")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_supported_claim_is_not_flagged(language: str) -> None:
    decision = judged(language, SUPPORTED[language])
    assert statuses(decision) == ["supported"]
    assert decision.overall_grounded


@pytest.mark.requirement("GOV-10")
@pytest.mark.requirement("GOV-04")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_against_its_evidence_is_flagged(language: str) -> None:
    decision = judged(language, CONTRADICTED[language])
    assert statuses(decision)[0] in {"contradicted", "unsupported"}
    assert decision.findings[0].severity > 0
    assert not decision.overall_grounded


@pytest.mark.requirement("GOV-10")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_confabulated_claim_is_flagged(language: str) -> None:
    decision = judged(language, CONFABULATED[language])
    assert statuses(decision) == ["unsupported"]
    assert not decision.overall_grounded


@pytest.mark.requirement("GOV-10")
@pytest.mark.parametrize("language", LANGUAGES)
def test_of_mixed_claims_only_the_wrong_ones_are_flagged(language: str) -> None:
    parts: tuple[Mapping[str, str], ...] = (SUPPORTED, CONTRADICTED, CONFABULATED)
    decision = judged(language, " ".join(part[language] for part in parts))
    flagged = [status in {"contradicted", "unsupported"} for status in statuses(decision)]
    assert flagged == [False, True, True]
    assert decision.grounding_ratio == pytest.approx(1 / 3)


@pytest.mark.requirement("GOV-01")
@pytest.mark.requirement("GOV-02")
def test_a_claim_that_cites_the_wrong_source_is_told_apart() -> None:
    finding = judged("en", SUPPORTED["en"].replace("[S0]", "[S1]")).findings[0]
    assert (finding.status, finding.code) == ("unsupported", "miscited")
