"""The history of a review: append-only, one hashed chain for each review."""

from django.db import models
from django.utils.translation import gettext

from detection.models import Event
from reviews.models.errors import CHANGED, HAPPENED, Conflict

PERSONAL = ("skipped", "requeued", "carried")
"""What changes nothing for anybody else, and so is no reason for a conflict."""


class ReviewEvent(Event):
    """What happened to a review, by whom, and what changed."""

    subject = models.ForeignKey(
        "reviews.HallucinationReview", on_delete=models.PROTECT, related_name="events"
    )

    class Meta(Event.Meta):
        abstract = False
        constraints = [models.UniqueConstraint(fields=["subject", "seq"], name="review_event_seq_unique")]

    @classmethod
    def last_change(cls, review: models.Model) -> Conflict:
        """The conflict that names who changed ``review`` last, and how."""
        events = cls.objects.filter(subject_id=review.pk).exclude(action__in=PERSONAL)
        last = events.select_related("actor").order_by("-seq").first()
        if last is None:
            return Conflict(gettext("This review was changed."))
        return Conflict(HAPPENED.get(last.action, CHANGED), who=last.actor, when=last.created_at)
