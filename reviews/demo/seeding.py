"""A demo answer, as a backend would have submitted it."""

from detection.models import ApiKey, DetectionRun, FinancialPeriod
from reviews.demo.answers import DemoAnswer
from reviews.demo.people import KEY_NAME
from reviews.lifecycle import intake


def submit(demo: DemoAnswer) -> DetectionRun:
    """Store it with its pending run."""
    period = FinancialPeriod.objects.get(property__code=demo.code, label=demo.period)
    return intake.submit(
        intake.Submission(
            answer=demo.answer,
            external_id=demo.name,
            question=demo.question,
            asked_by="analyst@example.com",
            original_confidence=demo.confidence,
            language=demo.language,
            property=period.property,
            period=period,
            sources=demo.sources,
        ),
        ApiKey.objects.get(name=KEY_NAME),
    )
