"""Threshold profiles in the admin: drafted and moved here as on the screens, with the history of who and why."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from detection import models
from detection.access import sees_everything
from detection.admin.read_only import ReadOnlyAdmin
from detection.forms import ThresholdProfileForm
from detection.models.thresholds import Overtaken
from detection.profiles.gates import GateClosed, gate_of

KEPT = [
    "version", "state", "scoring", "note", "as_yaml", "created_by", "created_at", "activated_at", "copied_from", "gate",
    "predicted_low", "predicted_high", "asked_by", "asked_reason",
]  # fmt: skip
"""What is shown of a profile that has left draft."""


class ProfileEventInline(admin.TabularInline):
    """Who changed a profile, and why, on its page."""

    model = models.ProfileEvent
    fk_name = "subject"
    extra = 0
    can_delete = False
    fields = ("seq", "action", "actor", "reason", "before", "after", "created_at")
    readonly_fields = ("seq", "action", "actor", "reason", "before", "after", "created_at")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A history writes itself."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was done stays done."""
        return False


@admin.register(models.ThresholdProfile)
class ThresholdProfileAdmin(admin.ModelAdmin):
    """Threshold profiles: a new one is a draft; the actions move it on."""

    form = ThresholdProfileForm
    list_display = ["version", "state", "scoring", "note", "created_by", "created_at", "activated_at"]
    list_filter = ["state", "scoring"]
    actions = ["shadow", "activate", "retire"]

    def get_inlines(self, request: HttpRequest, obj: models.ThresholdProfile | None) -> Any:
        """Its history, once it has one."""
        return [ProfileEventInline] if obj else []

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever sees only some properties decides about none of the thresholds."""
        return sees_everything(request.user) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: models.ThresholdProfile | None = None) -> bool:
        """Only a draft can be edited, by those who see every property."""
        draft = obj is None or obj.state == models.ThresholdProfile.State.DRAFT
        return draft and sees_everything(request.user) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Versions stay: runs point at them."""
        return False

    def get_fields(self, request: HttpRequest, obj: models.ThresholdProfile | None = None) -> Any:
        """A draft as its form, any other as what is kept of it."""
        return super().get_fields(request, obj) if self.has_change_permission(request, obj) else KEPT

    @admin.display(description="values")
    def as_yaml(self, obj: models.ThresholdProfile) -> SafeString:
        """The thresholds that it sets, as its file has them."""
        return format_html("<pre>{}</pre>", obj.to_yaml())

    def save_model(self, request: HttpRequest, obj: models.ThresholdProfile, form: Any, change: bool) -> None:
        """Draft the next version, or word a draft anew."""
        if change:
            stored = models.ThresholdProfile.objects.get(pk=obj.pk)
            stored.change(obj.values, scoring=obj.scoring, note=obj.note, actor=request.user)
            return
        drafted = models.ThresholdProfile.draft(
            obj.values, scoring=obj.scoring, note=obj.note, actor=request.user
        )
        obj.pk = drafted.pk
        obj.refresh_from_db()

    @admin.action(description="Start as shadow", permissions=["change"])
    def shadow(self, request: HttpRequest, queryset: QuerySet[models.ThresholdProfile]) -> None:
        """draft → shadow."""
        self._each(request, queryset, lambda profile, **why: profile.shadow(**why))

    @admin.action(description="Activate (the active version retires)", permissions=["change"])
    def activate(self, request: HttpRequest, queryset: QuerySet[models.ThresholdProfile]) -> None:
        """draft or shadow → active, if the gate is open; otherwise it is asked for on the page of its version."""
        self._each(
            request,
            queryset,
            lambda profile, **why: profile.activate(gate=gate_of(profile, request.user), **why),
        )

    @admin.action(description="End as shadow", permissions=["change"])
    def retire(self, request: HttpRequest, queryset: QuerySet[models.ThresholdProfile]) -> None:
        """shadow → retired; the active one retires when another takes its place."""
        shadows = queryset.filter(state=models.ThresholdProfile.State.SHADOW)
        if shadows.count() < queryset.count():
            self.message_user(
                request, "Only shadows end here; activate another version instead.", level="error"
            )
        self._each(request, shadows, lambda profile, **why: profile.end_as_shadow(**why))

    def _each(
        self, request: HttpRequest, chosen: QuerySet[models.ThresholdProfile], move: Callable[..., None]
    ) -> None:
        for profile in chosen:
            try:
                move(profile, actor=request.user, reason="in the admin")
            except ValidationError as error:
                self.message_user(request, "; ".join(error.messages), level="error")
            except (GateClosed, Overtaken) as refusal:
                self.message_user(request, f"Version {profile.version}: {refusal}", level="error")


@admin.register(models.ShadowFlag)
class ShadowFlagAdmin(ReadOnlyAdmin):
    """What shadows made of live answers."""

    about = "run__answer__"
    list_display = ["run_id", "profile", "needs_review", "delivered_needs_review", "risk_level", "created_at"]
    list_filter = ["profile", "needs_review", "delivered_needs_review"]
    list_select_related = ["profile"]
