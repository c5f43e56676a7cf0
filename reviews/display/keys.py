"""The keys of the screens: the one registry from which hints are drawn and keys are bound (F03).

A control carries ``data-key`` with the codes below (``KeyboardEvent.code``, so that a Hebrew layout
works) and shows the hint; the script looks the control up by its code. Neither can exist without the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from reviews.models import Preferences

Words = str | Promise


@dataclass(frozen=True, slots=True)
class Key:
    """``codes`` of the physical keys, the ``hint`` on the control and the ``help`` in the key sheet.

    ``screen`` is where it works: review, queue or both. A ``fixed`` one cannot be moved to another key.
    """

    codes: str
    hint: str
    help: Words
    screen: str = "review"
    fixed: bool = False

    @property
    def shortcuts(self) -> str:
        """The keys as ``aria-keyshortcuts`` names them."""
        codes = [f"Digit{n}" for n in range(1, 10)] if self.codes == "Digit Numpad" else self.codes.split()
        return " ".join(aria(code) for code in codes)


KEYS: dict[str, Key] = {
    "next": Key("KeyJ ArrowDown", "J", _("next claim")),
    "previous": Key("KeyK ArrowUp", "K", _("previous claim")),
    "next_undecided": Key("Shift+KeyJ Shift+ArrowDown", "⇧ J", _("next undecided claim")),
    "previous_undecided": Key("Shift+KeyK Shift+ArrowUp", "⇧ K", _("previous undecided claim")),
    "go_to": Key("Digit Numpad", "1–9", _("go to claim"), fixed=True),
    "supported": Key("KeyA", "A", _("supported")),
    "database": Key("KeyD", "D", _("correct with the value of record")),
    "corrected": Key("KeyC", "C", _("correct")),
    "rejected": Key("KeyX", "X", _("reject")),
    "cannot_tell": Key("KeyQ", "Q", _("cannot tell")),
    "not_a_claim": Key("KeyN", "N", _("not a claim")),
    "accept": Key("KeyY", "Y", _("accept the suggestion")),
    "alike": Key("KeyL", "L", _("the verdict of the claim that says the same")),
    "examine_rest": Key("KeyV", "V", _("I checked all remaining claims")),
    "missed": Key("KeyM", "M", _("add a missed claim from the selected text")),
    "evidence": Key("KeyE", "E", _("go to the evidence and back")),
    "evidence_previous": Key("BracketLeft", "[", _("previous piece of evidence")),
    "evidence_next": Key("BracketRight", "]", _("next piece of evidence")),
    "evidence_full": Key("KeyO Enter", "O", _("show the evidence in full")),
    "direction": Key("KeyT", "T", _("switch the direction of the text")),
    "more": Key("Equal Shift+Equal NumpadAdd", "+", _("final confidence up by 0.05")),
    "less": Key("Minus NumpadSubtract", "−", _("final confidence down by 0.05")),
    "resolve": Key("Ctrl+Enter", "Ctrl ↵", _("resolve and open the next"), fixed=True),
    "resolve_stay": Key("Ctrl+Shift+Enter", "Ctrl ⇧ ↵", _("resolve and stay"), fixed=True),
    "retry_check": Key("Shift+KeyR", "⇧ R", _("run the check again")),
    "skip": Key("KeyS", "S", _("skip this review")),
    "row_next": Key("KeyJ ArrowDown", "J", _("next row"), "queue"),
    "row_previous": Key("KeyK ArrowUp", "K", _("previous row"), "queue"),
    "row_open": Key("KeyO", "O", _("open the row"), "queue"),
    "row_pick": Key(
        "Space Shift+Space", "␣", _("select the row, with Shift all up to it"), "queue", fixed=True
    ),
    "page_previous": Key("BracketLeft", "[", _("previous page"), "queue"),
    "page_next": Key("BracketRight", "]", _("next page"), "queue"),
    "start": Key("KeyS", "S", _("start reviewing"), "queue"),
    "begin": Key("Enter KeyS", "↵", _("start reviewing, from My work"), "queue", fixed=True),
    "snooze": Key("KeyZ", "Z", _("snooze"), "both"),
    "assign": Key("KeyI", "I", _("assign; twice: to me"), "both"),
    "undo": Key("KeyU Ctrl+KeyZ", "U", _("undo"), "both"),
    "reload": Key("KeyR", "R", _("show what changed"), "both"),
    "find": Key("Slash", "/", _("find in the answer")),
    "search": Key("Slash", "/", _("search"), "queue"),
    "help": Key("Shift+Slash", "?", _("this sheet"), "both"),
    "retry": Key("Enter", "↵", _("save again what was not saved"), fixed=True),
    "close": Key("Escape", "Esc", _("leave the field, close"), "both", fixed=True),
}
SIGNS = {
    "Slash": "/",
    "Enter": "↵",
    "Equal": "+",
    "NumpadAdd": "+",
    "Minus": "−",
    "NumpadSubtract": "−",
    "BracketLeft": "[",
    "BracketRight": "]",
    "Comma": ",",
    "Period": ".",
    "Semicolon": ";",
    "Quote": "'",
    "Backslash": "\\",
    "Backquote": "`",
    "ArrowDown": "↓",
    "ArrowUp": "↑",
    "Ctrl": "Ctrl",
    "Shift": "⇧",
}
"""Keys by their code, where the code is not the sign with ``Key`` or ``Digit`` before it."""
ARIA = {"Ctrl": "Control", "Equal": "Plus", "NumpadAdd": "Plus", "Slash": "/", "Minus": "-"}
UNASSIGNABLE = ("Digit", "Numpad", "Escape", "Tab", "Enter", "Space", "Arrow", "Page", "Home", "End")
"""Beginnings of codes that keep their meaning: they move, type or confirm."""


def sign(code: str) -> str:
    """A code as it is shown on a control: ``Shift+KeyR`` → ``⇧ R``."""
    parts = [SIGNS.get(part, part.removeprefix("Key").removeprefix("Digit")) for part in code.split("+")]
    return "?" if code == "Shift+Slash" else " ".join(parts)


def aria(code: str) -> str:
    """A code as ``aria-keyshortcuts`` names it: ``Ctrl+Enter`` → ``Control+Enter``."""
    parts = [ARIA.get(part, part.removeprefix("Key").removeprefix("Digit")) for part in code.split("+")]
    return "+".join(parts)


def assignable(code: str) -> bool:
    """Whether an action may be moved to the key ``code``."""
    return code in SIGNS.keys() - {"Ctrl", "Shift"} - {"Enter", "ArrowDown", "ArrowUp"} or (
        len(code) == 4 and code.startswith("Key") and "A" <= code[3] <= "Z"
    )


def clash(name: str, code: str, keymap: Mapping[str, str]) -> str:
    """The action of the same screen that already has ``code`` in ``keymap``; empty when it is free."""
    mine = KEYS[name].screen
    for other, key in moved(keymap).items():
        together = "both" in (mine, key.screen) or mine == key.screen
        if other != name and together and code in key.codes.split():
            return other
    return ""


def moved(keymap: Mapping[str, str]) -> dict[str, Key]:
    """The registry with the keys of ``keymap`` (name of an action → code) in place; unknown ones are left."""
    return {
        name: replace(key, codes=_with_ctrl(key, keymap[name]), hint=sign(keymap[name]))
        if name in keymap and not key.fixed and assignable(keymap[name])
        else key
        for name, key in KEYS.items()
    }


def keys_of(preferences: Preferences) -> dict[str, Key]:
    """The registry as a person has it: moved, and with single keys off only those held with Ctrl."""
    own = moved(preferences.keymap)
    return own if preferences.shortcuts else {name: _without_singles(key) for name, key in own.items()}


def _with_ctrl(key: Key, code: str) -> str:
    return " ".join([code, *(c for c in key.codes.split() if c.startswith("Ctrl+"))])


def _without_singles(key: Key) -> Key:
    left = [code for code in key.codes.split() if code.startswith("Ctrl+") or code == "Escape"]
    return replace(key, codes=" ".join(left), hint=sign(left[0]) if left else "")
