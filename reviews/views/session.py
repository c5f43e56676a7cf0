"""Logging in and out."""

from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe


class LogIn(LoginView):
    """The log-in page; it says what is wrong and goes back to the page that was asked for."""

    redirect_authenticated_user = True


class LogOut(LogoutView):
    """Ends the session."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page is the queue."""
    return redirect("queue")
