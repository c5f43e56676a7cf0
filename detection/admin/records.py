"""The admin of detection: figures of record to edit, answers and runs to look at, profiles to draft."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from detection import models
from detection.access import visible_properties
from detection.admin.read_only import BoundAdmin, ReadOnlyAdmin, SeenAdmin, person_of
from detection.forms import ApiKeyForm, IssuedKeyForm


class MetricsInline(admin.StackedInline):
    """The figures of a period, on its page."""

    model = models.FinancialMetrics
    extra = 0


class StatementInline(admin.TabularInline):
    """The income statement of a period, on its page."""

    model = models.IncomeStatementData
    extra = 0


class SourceInline(admin.TabularInline):
    """The sources of an answer, on its page."""

    model = models.Source
    extra = 0
    fields = ["ref", "title", "score", "quality", "text"]
    can_delete = False


class ReportInline(admin.TabularInline):
    """What the detectors of a run reported."""

    model = models.DetectorReport
    extra = 0
    fields = ["detector", "status", "reason", "duration_ms"]
    can_delete = False


@admin.register(models.Property)
class PropertyAdmin(BoundAdmin):
    """Properties and who may see them."""

    list_display = ["code", "name", "currency", "fiscal_year_end_month"]
    search_fields = ["code", "name"]
    filter_horizontal = ["groups"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Property]:
        """Those that this administrator may see."""
        return visible_properties(request.user)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Say who sees it."""
        with form.instance.regrouping(person_of(request)):
            super().save_related(request, form, formsets, change)


@admin.register(models.FinancialPeriod)
class FinancialPeriodAdmin(SeenAdmin):
    """Periods with their figures and statement lines."""

    about = ""
    list_display = ["label", "property", "start", "end"]
    list_filter = ["property"]
    list_select_related = ["property"]
    search_fields = ["label", "property__code"]
    inlines = [MetricsInline, StatementInline]


@admin.register(models.FinancialMetrics)
class FinancialMetricsAdmin(SeenAdmin):
    """Figures of record."""

    about = "period__"
    list_display = ["period", "net_operating_income", "occupancy_rate", "dscr", "updated_at"]
    list_select_related = ["period__property"]
    autocomplete_fields = ["period"]


@admin.register(models.IncomeStatementData)
class IncomeStatementAdmin(SeenAdmin):
    """Income statement lines."""

    about = "period__"
    list_display = ["account_code", "account_name", "period", "amount"]
    list_select_related = ["period__property"]
    search_fields = ["account_code", "account_name"]
    autocomplete_fields = ["period"]


@admin.register(models.MetricAlias)
class MetricAliasAdmin(admin.ModelAdmin):
    """Further names of metrics."""

    list_display = ["text", "metric", "language"]
    list_filter = ["language"]
    search_fields = ["text", "metric"]


ROTATING = ("rotate", "overlap_days")
"""The fields of a key's form that are none of its columns."""


@admin.register(models.ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):
    """Keys: issued here, shown once, revoked but never deleted."""

    form = ApiKeyForm
    list_display = [
        "name",
        "prefix",
        "scopes",
        "sees",
        "user",
        "consented_at",
        "last_used",
        "expires",
        "revoked",
        "old_until",
        "requests_per_minute",
    ]
    list_select_related = ["user"]
    readonly_fields = ["consented_at", "old_prefix", "old_until"]
    filter_horizontal = ["properties"]
    actions = ["revoke", "end_old_secret"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.ApiKey]:
        """With the properties, which the list counts."""
        return super().get_queryset(request).prefetch_related("properties")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **given: Any) -> Any:
        """Only a key that there is can be rotated."""
        form = {"form": IssuedKeyForm} if obj else {}
        return super().get_form(request, obj, change, **form, **given)

    @admin.display(description=_("Sees"))
    def sees(self, obj: models.ApiKey) -> str:
        """What the key sees, in words."""
        named = ", ".join(one.code for one in obj.properties.all())
        return str(_("all properties")) if obj.all_properties else named or str(_("no property"))

    def save_model(self, request: HttpRequest, obj: models.ApiKey, form: Any, change: bool) -> None:
        """Issue a new key and show its plain text, this once; or change it."""
        given, actor = form.cleaned_data, person_of(request)
        if change:
            obj.change(
                actor=actor, **{name: given[name] for name in form.changed_data if name not in ROTATING}
            )
            if given["rotate"]:
                plain = obj.rotate(actor=actor, overlap=form.overlap())
                self.message_user(request, f"The new secret, shown only now: {plain}")
            return
        key, plain = models.ApiKey.issue(actor=actor, **given)
        obj.pk = key.pk
        obj.refresh_from_db()
        self.message_user(request, f"The key, shown only now: {plain}")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keys are revoked, so that their history stays."""
        return False

    @admin.action(description="Revoke the chosen keys", permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[models.ApiKey]) -> None:
        """End the chosen keys now."""
        for key in queryset:
            key.revoke(actor=person_of(request), reason="revoked in the admin")

    @admin.action(description="End the old secrets of the chosen keys", permissions=["change"])
    def end_old_secret(self, request: HttpRequest, queryset: QuerySet[models.ApiKey]) -> None:
        """End the overlaps of the chosen keys now."""
        for key in queryset:
            key.end_old_secret(actor=person_of(request))


@admin.register(models.Query)
class QueryAdmin(ReadOnlyAdmin):
    """What backends asked for."""

    list_display = ["external_id", "asked_by", "created_at"]


@admin.register(models.Answer)
class AnswerAdmin(ReadOnlyAdmin):
    """Answers with their sources."""

    about = ""
    list_display = ["id", "__str__", "property", "period", "language", "created_at"]
    list_select_related = ["property", "period__property"]
    inlines = [SourceInline]


@admin.register(models.DetectionRun)
class DetectionRunAdmin(ReadOnlyAdmin):
    """Runs with their reports."""

    about = "answer__"
    list_display = [
        "id",
        "answer_id",
        "purpose",
        "state",
        "risk_level",
        "attempts",
        "failed_reason",
        "created_at",
        "finished_at",
    ]
    list_filter = ["purpose", "risk_level"]
    inlines = [ReportInline]


@admin.register(models.MonitoredRun)
class MonitoredRunAdmin(ReadOnlyAdmin):
    """What monitoring adds up."""

    about = ""
    list_display = ["run_id", "finished_on", "property", "model", "language", "risk_score", "high_risk"]
    list_filter = ["high_risk", "language"]
    list_select_related = ["property"]


@admin.register(models.Claim)
class ClaimAdmin(ReadOnlyAdmin):
    """Claims with what was found."""

    about = "run__answer__"
    list_display = ["run_id", "index", "kind", "__str__", "status", "finding", "deviation"]
    list_filter = ["kind", "status"]


@admin.register(models.Erasure)
class ErasureAdmin(ReadOnlyAdmin):
    """Orders to erase."""

    list_display = ["id", "cause", "ordered_by", "reason", "created_at"]
    list_select_related = ["ordered_by"]
    list_filter = ["cause"]


@admin.register(models.ErasedRows)
class ErasedRowsAdmin(ReadOnlyAdmin):
    """How many rows of each kind lost their words, or were deleted when their time was over."""

    list_display = ["kind", "rows", "last_at"]


@admin.register(
    models.ProfileEvent, models.CalibrationEvent, models.AccessEvent, models.PersonEvent, models.ErasureEvent
)
class EventAdmin(ReadOnlyAdmin):
    """Histories, with what their bodies tell."""

    exclude = ["body"]
    readonly_fields = ["before", "after", "reason"]
    list_display = ["subject_id", "seq", "action", "actor", "key", "reason", "created_at"]
    list_select_related = ["actor", "key"]


@admin.register(models.FactEvent)
class FactEventAdmin(EventAdmin):
    """Histories of facts."""

    about = "subject__"
