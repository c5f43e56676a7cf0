"""What a person passed on: it leaves their queue and nobody else's (F04)."""

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.models.events import ReviewEvent
from reviews.models.guards import check_live
from reviews.models.leases import Lease
from reviews.models.review import HallucinationReview
from reviews.models.states import ENDED
from reviews.models.transition import transition


class Skip(models.Model):
    """One person passed on one review. The row is there as long as their queue leaves the review out."""

    class Reason(models.TextChoices):
        NOT_MINE = "not_mine", _("Not my field")
        TOO_LONG = "too_long", _("Too long for now")
        UNCLEAR = "unclear", _("I cannot judge it")
        LATER = "later", _("Later")
        OTHER = "other", _("Another reason")

    review = models.ForeignKey(HallucinationReview, on_delete=models.CASCADE, related_name="skips")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="skips")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["user", "-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "review"], name="one_skip_per_person_and_review"),
            models.CheckConstraint(
                condition=Q(reason__in=["not_mine", "too_long", "unclear", "later", "other"]),
                name="skip_reason_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} skipped review {self.review_id}: {self.reason}"

    @classmethod
    def leave(
        cls, review: HallucinationReview, user: User, reason: str, *, idempotency_key: str = ""
    ) -> None:
        """F04: pass on ``review``, for a reason of :data:`SKIP_REASONS`. It leaves ``user``'s queue and
        nobody else's; their lease ends, their draft stays, and the review is as it was for everybody else.

        Skipping again only changes the reason. Raises :class:`NotAllowed` for whoever is no reviewer,
        :class:`Conflict` when the review has ended, :class:`KeyReused`, and :class:`ValidationError` for an
        unknown reason.
        """
        asked = {"action": "skip", "reason": reason}
        with transition(review, user, asked, key=idempotency_key, guard=check_live) as step:
            if step.done is not None:
                return
            if reason not in cls.Reason.values:
                raise ValidationError({"reason": gettext("Choose why you skip this review.")})
            earlier = cls.objects.filter(review=review, user=user).first()
            cls.objects.update_or_create(review=review, user=user, defaults={"reason": reason})
            before = {"skip": earlier.reason if earlier else None, "held": Lease.give_up(review, user)}
            step.log("skipped", before=before, after={"skip": reason})

    @classmethod
    @transaction.atomic
    def requeue(cls, user: User) -> int:
        """Take back everything that ``user`` passed on and that is still there to do; returns how many."""
        rows = cls.objects.filter(user=user).exclude(review__state__in=ENDED)
        back = list(rows.select_related("review").order_by("review_id"))
        for row in back:
            ReviewEvent.append(row.review, "requeued", actor=user)
        rows.delete()
        return len(back)


SKIP_REASONS = tuple(Skip.Reason.values)
