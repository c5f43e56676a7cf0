"""Answers for the tests of the way of an answer, and what must be true of each when it is over."""

from detection.models import DetectionRun
from reviews.lifecycle.intake import Submission, submit
from reviews.models import HallucinationReview

SOURCE = "Net operating income of the property for Q3 2024 was $1,234,567.89. Occupancy was 95.2%."


def pending_runs(count: int = 1, remark: str = "") -> list[DetectionRun]:
    """Submit answers of two doubtful and one supported statement; ``remark`` is added to each."""
    text = (
        "Net operating income was $9,999,999.00 in Q3 2024 [S0]. Occupancy was 95.2% [S0]. The tenant left."
    )
    return [
        submit(Submission(answer=f"{text} {remark}", sources=[{"id": "S0", "text": SOURCE}]))
        for _ in range(count)
    ]


def finished_whole(run: DetectionRun) -> None:
    """Assert that the run finished with one set of reports, one set of claims and at most one live review."""
    run = DetectionRun.objects.get(pk=run.pk)
    assert run.state == "completed", (run.state, run.failed_reason, run.attempts)
    assert sorted(report.detector for report in run.reports.all()) == sorted(run.due)
    indexes = sorted(run.claims.values_list("index", flat=True))
    assert indexes == list(range(len(indexes)))
    assert indexes
    assert run.result is not None
    reviews = HallucinationReview.objects.filter(answer=run.answer)
    assert reviews.count() == (1 if run.needs_review else 0)
