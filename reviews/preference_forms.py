"""What a person may choose on the page of preferences, checked for shape and for keys that clash."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.keys import KEYS, SIGNS, assignable, clash, sign
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
