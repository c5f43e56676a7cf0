"""Brackets and quotations inside which no sentence ends."""

import regex

Span = tuple[int, int]

_PAIRS = {
    ")": "(",
    "）": "（",
    "]": "[",
    "】": "【",
    "］": "［",
    "》": "《",
    "」": "「",
    "』": "『",
    "”": "“",
    "»": "«",
}
_BRACKETS = regex.compile(r"[()（）\[\]【】［］《》「」『』“”«»\"]")
_PROTECTED_LENGTH = 300  # a longer "bracket" is an opening that was never closed where it should have been


def brackets(text: str, start: int, end: int) -> list[Span]:
    """Outermost brackets and quotations: full stops inside them end no sentence."""
    stack: list[tuple[str, int]] = []
    found: list[Span] = []
    for bracket in _BRACKETS.finditer(text, start, end):
        sign, position = bracket[0], bracket.start()
        if sign == '"':
            sign = _quote_role(text, position, stack)
        if sign in _PAIRS:
            if stack and stack[-1][0] == _PAIRS[sign]:
                opening = stack.pop()[1]
                if position - opening <= _PROTECTED_LENGTH:
                    found.append((opening, position + 1))
        elif sign:
            stack.append((sign, position))
    return _outermost(found)


def _quote_role(text: str, position: int, stack: list[tuple[str, int]]) -> str:
    """A straight quotation mark opens, closes, or (inside a word: ש"ח) is part of it."""
    before, after = text[position - 1 : position] if position else "", text[position + 1 : position + 2]
    if (
        (not before or not before.isalnum())
        and after
        and not after.isspace()
        and (not stack or stack[-1][0] != "“")
    ):
        return "“"
    if before and not before.isspace() and not after.isalnum():
        return "”"
    return ""


def _outermost(found: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(found):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept
