"""The history of a review: append-only, one hashed chain for each review."""

from django.db import models

from detection.models import Event


class ReviewEvent(Event):
    """What happened to a review, by whom, and what changed."""

    subject = models.ForeignKey(
        "reviews.HallucinationReview", on_delete=models.PROTECT, related_name="events"
    )

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="review_event_seq_unique")]
