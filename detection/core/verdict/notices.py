"""What a reader is told, in the language of the answer (GOV-07)."""

from detection.core.text import spoken

_CLAIM = {
    "en": "No sufficient source was found.",
    "he": "לא נמצא מקור מספק.",
    "zh": "未找到充分的来源。",
}
_UNCHECKED_CLAIM = {
    "en": "This could not be checked.",
    "he": "לא ניתן היה לבדוק זאת.",
    "zh": "此项未能核实。",
}
_ONE = {
    "en": "Note: 1 claim of this answer is not fully supported by the sources.",
    "he": "שים לב: טענה אחת בתשובה אינה נתמכת במלואה על ידי המקורות.",
    "zh": "请注意：回答中有 1 项陈述未得到来源的充分支持。",
}
_MANY = {
    "en": "Note: {n} claims of this answer are not fully supported by the sources.",
    "he": "שים לב: {n} טענות בתשובה אינן נתמכות במלואן על ידי המקורות.",
    "zh": "请注意：回答中有 {n} 项陈述未得到来源的充分支持。",
}
_UNCHECKED = {
    "en": "Note: part of this answer could not be checked.",
    "he": "שים לב: חלק מהתשובה לא ניתן היה לבדוק.",
    "zh": "请注意：回答的一部分未能核实。",
}


def claim_warning(language: str, *, checked: bool = True) -> str:
    """The warning beside one claim that is not supported, or that could not be ``checked``."""
    return spoken(_CLAIM if checked else _UNCHECKED_CLAIM, language)


def answer_warning(language: str, doubtful: int, unchecked: int) -> str | None:
    """The warning under an answer with ``doubtful`` claims contradicted or unsupported, or with
    ``unchecked`` ones that could not be verified; None when there is nothing to warn of."""
    if doubtful == 1:
        return spoken(_ONE, language)
    if doubtful:
        return spoken(_MANY, language).format(n=doubtful)
    return spoken(_UNCHECKED, language) if unchecked else None
