"""The admin of people: who may log in, their roles and property groups, each change in a history (F12, F13)."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from detection.models import PersonEvent, PropertyGroup
from detection.models.access import standing

admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(UserAdmin):
    """People. Only who sees everything may let others see everything."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """What an administrator who is no superuser cannot give, to themselves or to others."""
        fixed = tuple(super().get_readonly_fields(request, obj))
        return fixed if request.user.is_superuser else (*fixed, "is_superuser", "user_permissions")

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Remember what the person could do before."""
        form.before = standing(User.objects.get(pk=obj.pk)) if change else {}
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Write down what changed."""
        super().save_related(request, form, formsets, change)
        PersonEvent.note(form.instance, form.before, actor=request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """People are barred from logging in, so that histories keep their names."""
        return False


@admin.register(Group)
class RoleAdmin(GroupAdmin):
    """Roles and further groups. A name is a role, so that it cannot be changed under those who have it."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The name of what exists already."""
        return ("name",) if obj else ()


@admin.register(PropertyGroup)
class PropertyGroupAdmin(admin.ModelAdmin):
    """Groups of properties with their members."""

    filter_horizontal = ["members"]

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Write down whose groups changed."""
        touched = {*_members(form.instance), *form.cleaned_data.get("members", ())}
        before = {person: standing(person) for person in touched}
        super().save_related(request, form, formsets, change)
        for person, was in before.items():
            PersonEvent.note(person, was, actor=request.user)

    def delete_model(self, request: HttpRequest, obj: PropertyGroup) -> None:
        """Write down who loses the group."""
        before = {person: standing(person) for person in _members(obj)}
        super().delete_model(request, obj)
        for person, was in before.items():
            PersonEvent.note(person, was, actor=request.user)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Each by itself, for the same reason."""
        for group in queryset:
            self.delete_model(request, group)


def _members(group: PropertyGroup) -> list[User]:
    return list(group.members.order_by("pk"))
