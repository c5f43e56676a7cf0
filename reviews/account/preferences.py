"""How a person wants the screens: theme, language, keys, password (S15)."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from detection.models.standing import setting_password
from reviews.display.keys import KEYS, SIGNS, assignable, clash, sign
from reviews.display.screen import Asked, personal
from reviews.models import Preferences

CODES = [
    code for code in [*(f"Key{chr(n)}" for n in range(ord("A"), ord("Z") + 1)), *SIGNS] if assignable(code)
]
"""The physical keys to which an action can be moved."""
MOVABLE = {name: key for name, key in KEYS.items() if not key.fixed}


class LooksForm(forms.Form):
    """Theme and language."""

    theme = forms.ChoiceField(label=_("Theme"), choices=Preferences.Theme.choices, widget=forms.RadioSelect)
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("As the browser asks for")), *settings.LANGUAGES], required=False
    )


class KeysForm(forms.Form):
    """One choice for each key that can be moved; the usual key is the empty choice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """One field for each entry of the registry."""
        super().__init__(*args, **kwargs)
        for name, key in MOVABLE.items():
            usual = gettext("%(key)s (usual)") % {"key": key.hint}
            choices = [("", usual), *((code, sign(code)) for code in CODES if code not in key.codes.split())]
            self.fields[name] = forms.ChoiceField(label=str(key.help), choices=choices, required=False)

    def clean(self) -> dict[str, Any]:
        """Refuse two actions of one screen on one key."""
        keymap = self.keymap()
        for name, code in keymap.items():
            if other := clash(name, code, keymap):
                self.add_error(
                    name,
                    gettext("%(key)s is already the key for “%(action)s”.")
                    % {"key": sign(code), "action": KEYS[other].help},
                )
        return self.cleaned_data

    def keymap(self) -> dict[str, str]:
        """The keys that differ from the usual ones: name of an action → code."""
        return {name: code for name, code in self.cleaned_data.items() if code}

    def on(self, screen: str) -> list[forms.BoundField]:
        """The fields of the keys that work on ``screen``: review, queue or both."""
        return [self[name] for name, key in MOVABLE.items() if key.screen == screen]


@personal
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: Asked) -> HttpResponseBase:
    """The page; a POST stores theme and language."""
    if request.method != "POST":
        return _page(request)
    form = LooksForm(request.POST)
    if not form.is_valid():
        return _page(request, looks=form, status=422)
    own = Preferences.keep(request.user, **form.cleaned_data)
    with override(own.language or None):
        messages.success(request, gettext("Saved."))
    response = redirect("preferences")
    if not own.language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME)
    return response


@personal
@require_POST
def keys(request: Asked) -> HttpResponseBase:
    """Move keys, or put all of them back; two actions on one key are refused."""
    if "reset" in request.POST:
        Preferences.keep(request.user, keymap={})
    else:
        form = KeysForm(request.POST)
        if not form.is_valid():
            return _page(request, keys=form, status=422)
        Preferences.keep(request.user, keymap=form.keymap())
    messages.success(request, gettext("Saved."))
    return redirect(resolve_url("preferences") + "#keys")


@personal
@require_POST
def shortcuts(request: Asked) -> HttpResponseBase:
    """Switch single keys on or off, and go back to the page that asked."""
    Preferences.keep(request.user, shortcuts=request.POST.get("shortcuts") == "on")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if safe else "preferences")


@method_decorator(personal, name="dispatch")
class Password(PasswordChangeView):
    """A new password, given the old one; every other session of the person ends."""

    http_method_names = ["get", "head", "post"]
    success_url = reverse_lazy("preferences")
    extra_context = {"section": "me"}

    def form_valid(self, form: Any) -> HttpResponse:
        """Store it and say so."""
        messages.success(self.request, _("Your password was changed."))
        with setting_password(form.user, form.user):
            return super().form_valid(form)


def _page(
    request: HttpRequest, *, looks: LooksForm | None = None, keys: KeysForm | None = None, status: int = 200
) -> HttpResponse:
    own = Preferences.of(request.user)
    form = keys or KeysForm(initial=own.keymap)
    context = {
        "looks": looks or LooksForm(initial={"theme": own.theme, "language": own.language}),
        "keys_form": form,
        "key_groups": [
            (gettext("Everywhere"), form.on("both")),
            (gettext("Review"), form.on("review")),
            (gettext("Lists"), form.on("queue")),
        ],
        "moved": bool(own.keymap),
        "section": "me",
    }
    return render(request, "reviews/account/preferences.html", context, status=status)
