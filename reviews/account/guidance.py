"""The help page (S17): keys, what a status means, how to decide."""

from django.http import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from reviews.account import guidelines
from reviews.display.screen import Asked, personal


@personal
@require_safe
def help_page(request: Asked) -> HttpResponseBase:
    """Everything on one page, with links to its parts."""
    context = {
        "meanings": guidelines.meanings(),
        "verdicts": guidelines.verdicts(),
        "reasons": guidelines.reasons(),
        "section": "help",
    }
    return render(request, "reviews/account/help.html", context)
