"""How the admin shows rows of properties that not everybody may see, what only the system writes, and what is bound."""

from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest

from detection.access import property_scope


def person_of(request: HttpRequest) -> User:
    """Who asks; the administration opens to nobody else."""
    return cast(User, request.user)


class SeenAdmin(admin.ModelAdmin):
    """Rows about properties: an administrator sees those that they may see on the screens, a superuser all.

    ``about`` is the way from a row to what has the property, ``""`` when that is the row itself; None for rows that
    are about none.
    """

    about: ClassVar[str | None] = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows that this administrator may see."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows if self.about is None else rows.filter(property_scope(request.user, self.about))


class ReadOnlyAdmin(SeenAdmin):
    """Rows that are written by the system alone: looked at here, never changed or deleted."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds these by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes these by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes these by hand."""
        return False


class BoundAdmin(admin.ModelAdmin):
    """Rows that are not deleted while keys, people or groups name them: the page that asks shows these."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What would go too, and what forbids it."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        bound = {str(binding) for row in objs for binding in row.bindings()}
        return deleted, counts, needed, [*protected, *sorted(bound)]
