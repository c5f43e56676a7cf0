"""The admin of reviews: everything to look at, nothing to change; decisions are made on the screens."""

from django.contrib import admin

from detection.admin import ReadOnlyAdmin
from reviews import models


class PassInline(admin.TabularInline):
    """Who worked on a review."""

    model = models.ReviewPass
    extra = 0
    can_delete = False
    fields = readonly_fields = ("reviewer", "pass_no", "blind", "state")


class VerdictInline(admin.TabularInline):
    """What was said of each claim."""

    model = models.ClaimVerdict
    extra = 0
    can_delete = False
    fields = readonly_fields = ("claim", "verdict", "reason_code", "corrected_value", "note")


@admin.register(models.HallucinationReview)
class HallucinationReviewAdmin(ReadOnlyAdmin):
    """Reviews with their passes."""

    list_display = [
        "id",
        "state",
        "outcome",
        "priority",
        "selection_reason",
        "property",
        "period",
        "assignee",
        "created_at",
    ]
    list_filter = ["state", "outcome", "priority", "selection_reason"]
    list_select_related = ["property", "period__property", "assignee"]
    inlines = [PassInline]


@admin.register(models.ReviewPass)
class ReviewPassAdmin(ReadOnlyAdmin):
    """Passes with their verdicts."""

    list_display = ["id", "review_id", "reviewer", "pass_no", "blind", "state"]
    list_filter = ["state", "blind"]
    list_select_related = ["reviewer"]
    inlines = [VerdictInline]


@admin.register(models.ClaimVerdict)
class ClaimVerdictAdmin(ReadOnlyAdmin):
    """Verdicts."""

    list_display = ["id", "claim_id", "verdict", "reason_code", "corrected_value"]
    list_filter = ["verdict", "reason_code"]


@admin.register(models.Lease)
class LeaseAdmin(ReadOnlyAdmin):
    """Who holds what now."""

    list_display = ["review_id", "user", "pass_no", "expires_at"]
    list_select_related = ["user"]


@admin.register(models.ReviewEvent)
class ReviewEventAdmin(ReadOnlyAdmin):
    """The history of every review."""

    list_display = ["subject_id", "seq", "action", "actor", "reason", "created_at"]
    list_filter = ["action"]
    list_select_related = ["actor"]


@admin.register(models.IdempotencyRecord)
class IdempotencyRecordAdmin(ReadOnlyAdmin):
    """Requests that were answered once and for all."""

    list_display = ["id", "caller", "key", "status_code", "created_at"]
    list_select_related = ["caller"]
