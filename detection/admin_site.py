"""The administration pages: for people with the role admin, who must be staff as well (F12)."""

from functools import wraps
from typing import Any, cast

from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from detection.access import roles
from detection.models.standing import setting_password


class AdministrationSite(AdminSite):
    """Django's admin, which being a member of staff alone does not open."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether this person administers."""
        return super().has_permission(request) and "admin" in roles(request.user)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """A page of the administration; whoever is logged in and no administrator is told so."""
        guarded = super().admin_view(view, cacheable)

        @wraps(guarded)
        def told(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            self._refuse(request)
            answered: HttpResponse = guarded(request, *args, **kwargs)
            return answered

        return told

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The log-in page of all pages: there is one way in."""
        self._refuse(request)
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """A new password for oneself, which is an event."""
        person = cast(User, request.user)
        with setting_password(person, person):
            return super().password_change(request, extra_context)

    def _refuse(self, request: HttpRequest) -> None:
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied(
                _("These pages are for administrators. Ask one of them to do it or for the role.")
            )
