"""How the admin shows rows of properties that not everybody may see, and what only the system writes."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from detection.access import property_scope


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
