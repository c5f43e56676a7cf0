"""The keys of the screens: the one registry from which hints are drawn and keys are bound (F03).

A control carries ``data-key`` with the codes below (``KeyboardEvent.code``, so that a Hebrew layout
works) and shows the hint; the script looks the control up by its code. Neither can exist without the other.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """``codes`` of the physical keys, the ``hint`` on the control and the ``help`` in the key sheet."""

    codes: str
    hint: str
    help: str
    screen: str = "review"


KEYS: dict[str, Key] = {
    "next": Key("KeyJ ArrowDown", "J", "next claim"),
    "previous": Key("KeyK ArrowUp", "K", "previous claim"),
    "supported": Key("KeyA", "A", "supported"),
    "database": Key("KeyD", "D", "correct with the value of record"),
    "corrected": Key("KeyC", "C", "correct"),
    "rejected": Key("KeyX", "X", "reject"),
    "cannot_tell": Key("KeyQ", "Q", "cannot tell"),
    "not_a_claim": Key("KeyN", "N", "not a claim"),
    "evidence": Key("KeyE", "E", "go to the evidence and back"),
    "more": Key("Equal NumpadAdd", "+", "final confidence up by 0.05"),
    "less": Key("Minus NumpadSubtract", "−", "final confidence down by 0.05"),
    "resolve": Key("Ctrl+Enter", "Ctrl ↵", "resolve and open the next"),
    "row_next": Key("KeyJ ArrowDown", "J", "next row", "queue"),
    "row_previous": Key("KeyK ArrowUp", "K", "previous row", "queue"),
    "start": Key("KeyS", "S", "start reviewing", "queue"),
    "search": Key("Slash", "/", "search", "queue"),
    "help": Key("Shift+Slash", "?", "this sheet", "both"),
}
