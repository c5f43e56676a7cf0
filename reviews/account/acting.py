"""Which API keys act for a person: they agree, or withdraw what they agreed to."""

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from detection.models import ApiKey, NotHeld
from reviews.display.screen import Asked, number, personal


@personal
@require_http_methods(["GET", "HEAD", "POST"])
def acting(request: Asked) -> HttpResponseBase:
    """The live keys that would act for the person; a POST agrees to one of them, or withdraws that."""
    keys = _keys(request)
    if request.method != "POST":
        return render(request, "reviews/account/acting.html", {"keys": keys, "section": "me"})
    key = get_object_or_404(keys, pk=number(request.POST.get("key")))
    try:
        if "withdraw" in request.POST:
            key.withdraw(request.user)
            messages.success(request, gettext("%(key)s no longer acts for you.") % {"key": key.name})
        else:
            key.agree(request.user, seen=number(request.POST.get("seen")))
            messages.success(request, gettext("%(key)s acts for you from now on.") % {"key": key.name})
    except NotHeld as refusal:
        messages.error(request, str(refusal))
    return redirect("acting")


def _keys(request: Asked) -> QuerySet[ApiKey]:
    live = Q(expires=None) | Q(expires__gt=timezone.now())
    return ApiKey.objects.filter(live, revoked=None, user=request.user).prefetch_related("properties")
