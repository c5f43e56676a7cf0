"""The admin of people: who may log in, their roles and property groups, each change in a history (F12, F13)."""

from contextlib import nullcontext
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from detection.access import sessions
from detection.admin.read_only import BoundAdmin, person_of
from detection.models import Identity, NotHeld, PropertyGroup, SecondFactor
from detection.models.standing import Change, changing, setting_password

admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(UserAdmin):
    """People. Nobody gives them more than they hold themselves, and only superusers change a superuser."""

    actions = ["remove_second_factor"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the form is one to change and not to read."""
        above = obj is not None and obj.is_superuser and not person_of(request).is_superuser
        return not above and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Remember what the person could do before."""
        form.rights = Change(person_of(request), [obj] if change else [])
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Judge and write down what changed."""
        super().save_related(request, form, formsets, change)
        form.rights.end(form.instance)

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002  # Django's name
        form_url: str = "",
    ) -> HttpResponse:
        """A new password, which opens all that the person holds."""
        person = self.get_object(request, unquote(id))
        with setting_password(person_of(request), person) if person else nullcontext():
            return super().user_change_password(request, id, form_url)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are barred from logging in, so that histories keep their names."""
        return False

    @admin.action(description="Remove the second factor of the chosen people", permissions=["change"])
    def remove_second_factor(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """For who has lost it; of those alone who hold no more than the administrator."""
        for person in queryset:
            try:
                SecondFactor.remove(person, actor=person_of(request))
                sessions.end_of(person)
            except NotHeld as refusal:
                self.message_user(request, f"{person}: {refusal}", messages.ERROR)


@admin.register(Group)
class RoleAdmin(GroupAdmin):
    """Roles and further groups. A name is a role, so that it cannot be changed under those who have it, nor can it go."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The name of what exists already."""
        return ("name",) if obj else ()

    def save_model(self, request: HttpRequest, obj: Group, form: Any, change: bool) -> None:
        """Remember what the role gave before, and to whom."""
        super().save_model(request, obj, form, change)
        form.rights = Change(person_of(request), User.objects.filter(groups=obj), bundles=[obj])

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Judge and write down what changed."""
        super().save_related(request, form, formsets, change)
        form.rights.end()

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Those who have the role forbid that it goes."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        people = User.objects.filter(groups__in=objs).distinct().order_by("username")
        return deleted, counts, needed, [*protected, *map(str, people)]


@admin.register(PropertyGroup)
class PropertyGroupAdmin(BoundAdmin):
    """Groups of properties with their members."""

    list_display = ["name", "all_properties"]
    filter_horizontal = ["members"]

    def save_model(self, request: HttpRequest, obj: PropertyGroup, form: Any, change: bool) -> None:
        """Remember what those could see whom it is about."""
        touched = {*User.objects.filter(property_groups=obj.pk), *form.cleaned_data.get("members", ())}
        form.rights = Change(person_of(request), touched, bundles=[obj])
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Judge and write down what changed."""
        super().save_related(request, form, formsets, change)
        form.rights.end()


@admin.register(Identity)
class IdentityAdmin(admin.ModelAdmin):
    """Who people are at the provider. Linking opens all that a person holds, so it is judged like a password."""

    list_display = ["person", "issuer", "subject", "linked_at"]
    list_select_related = ["person"]
    fields = ["person", "issuer", "subject"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An identity is unlinked, and another one linked."""
        return False

    def save_model(self, request: HttpRequest, obj: Identity, form: Any, change: bool) -> None:
        """Link, judge and write down."""
        with changing(person_of(request), obj.person):
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Identity) -> None:
        """Unlink and write down."""
        with changing(person_of(request), obj.person):
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Identity]) -> None:
        """The same for several."""
        for identity in queryset:
            self.delete_model(request, identity)
