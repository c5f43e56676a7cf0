"""Logging in and out."""

from typing import Any, cast

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from detection.access.sign_in import EMERGENCY, PASSWORD, first_step
from detection.models import SecondFactor
from reviews.display.screen import Asked
from reviews.models import Lease


class LogIn(LoginView):
    """The log-in page; it says what is wrong and goes back to the page that was asked for.

    Under htmx it is the form of the dialog, for a session that has ended in the middle of work.
    """

    http_method_names = ["get", "head", "post"]
    redirect_authenticated_user = True

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Who logged in again in another window only needs the forms' new token."""
        if request.htmx and request.user.is_authenticated:
            return self.logged_in()
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """With whether people sign in by a provider."""
        return super().get_context_data(**kwargs) | {"provider": bool(settings.OIDC)}

    def get_template_names(self) -> list[str]:
        """The page, or the form alone."""
        return ["registration/_login.html" if self._in_dialog else "registration/login.html"]

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Begin the session, or ask for the second step."""
        way, after = EMERGENCY if settings.OIDC else PASSWORD, self.get_success_url()
        if first_step(self.request, form.get_user(), way, after):
            return self.logged_in() if self._in_dialog else redirect(after)
        if not self._in_dialog:
            return redirect("second-step")
        unset = not SecondFactor.objects.filter(user=form.get_user()).exists()
        return render(self.request, "registration/_code.html", {"unset": unset})

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with what is wrong."""
        response = super().form_invalid(form)
        response.status_code = 422 if self._in_dialog else 200
        return response

    def logged_in(self) -> HttpResponse:
        """Who is there now, and the token that the forms of the page need from now on."""
        return render(self.request, "registration/_signed_in.html")

    @property
    def _in_dialog(self) -> bool:
        return bool(cast(Asked, self.request).htmx)


class LogOut(LogoutView):
    """Ends the session, and gives back what the person holds, so that nobody waits for who has gone."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Drafts stay; the reviews are free at once, and the browser forgets what it kept of the pages."""
        if request.user.is_authenticated:
            Lease.release_all(request.user)
        response = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response
