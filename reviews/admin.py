"""The admin of reviews: everything to look at, nothing to change; decisions are made on the screens."""

from django.contrib import admin

from detection.admin.read_only import ReadOnlyAdmin
from detection.admin.records import EventAdmin
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

    about = "answer__"
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

    about = "review__answer__"
    list_display = ["id", "review_id", "reviewer", "pass_no", "blind", "state"]
    list_filter = ["state", "blind"]
    list_select_related = ["reviewer"]
    inlines = [VerdictInline]


@admin.register(models.ClaimVerdict)
class ClaimVerdictAdmin(ReadOnlyAdmin):
    """Verdicts."""

    about = "claim__run__answer__"
    list_display = ["id", "claim_id", "verdict", "reason_code", "corrected_value"]
    list_filter = ["verdict", "reason_code"]


@admin.register(models.Lease)
class LeaseAdmin(ReadOnlyAdmin):
    """Who holds what now."""

    about = "review__answer__"
    list_display = ["review_id", "user", "pass_no", "expires_at"]
    list_select_related = ["user"]


@admin.register(models.ReviewEvent)
class ReviewEventAdmin(EventAdmin):
    """The history of every review."""

    about = "subject__answer__"
    list_filter = ["action"]


@admin.register(models.IdempotencyRecord)
class IdempotencyRecordAdmin(ReadOnlyAdmin):
    """Requests that were answered once and for all."""

    about = "answer__"
    list_display = ["id", "caller", "key", "status_code", "created_at"]
    list_select_related = ["caller"]


@admin.register(models.Preferences)
class PreferencesAdmin(ReadOnlyAdmin):
    """How each person likes the screens."""

    list_display = ["user", "theme", "language", "shortcuts"]
    list_select_related = ["user"]


@admin.register(models.Skip)
class SkipAdmin(ReadOnlyAdmin):
    """Who passed on what, and why."""

    about = "review__answer__"
    list_display = ["review_id", "user", "reason", "created_at"]
    list_filter = ["reason"]
    list_select_related = ["user"]


@admin.register(models.AuditDraw)
class AuditDrawAdmin(ReadOnlyAdmin):
    """Further draws of audits, and who asked for them."""

    about = "run__answer__"
    list_display = ["run_id", "stratum", "probability", "audited", "drawn_by", "created_at"]
    list_filter = ["stratum"]
    list_select_related = ["drawn_by"]
