"""Why strict generation refuses, by code and in the language of the question: the reader gets the fallback in it too."""

from collections.abc import Mapping

from detection.core.text import Texts, spoken

# One sentence a line reads as the table it is.
# fmt: off
SENTENCES: Mapping[str, Texts] = {
    "no_source": {"en": "No source was given.", "he": "לא ניתן מקור.", "zh": "没有给出来源。"},
    "low_score": {
        "en": "The sources score {score:.2f} on average, under {least:.2f}.",
        "he": "הציון הממוצע של המקורות הוא {score:.2f}, פחות מ-{least:.2f}.",
        "zh": "来源的平均得分为 {score:.2f}，低于 {least:.2f}。",
    },
    "no_model": {"en": "No text model is configured.", "he": "לא הוגדר מודל שפה.", "zh": "未配置文本模型。"},
    "model_failed": {
        "en": "The model gave no answer: {why}.",
        "he": "המודל לא נתן תשובה: {why}.",
        "zh": "模型没有给出回答：{why}。",
    },
    "given_up": {
        "en": "It was tried several times and could not be finished.",
        "he": "נעשו כמה ניסיונות ולא ניתן היה לסיים.",
        "zh": "已尝试多次，未能完成。",
    },
    "declined": {
        "en": "The model found the sources not enough to answer.",
        "he": "המודל מצא שאין במקורות די כדי להשיב.",
        "zh": "模型认为来源不足以作答。",
    },
    "foreign": {
        "en": "It is written in another language ({written}) than the question ({asked}).",
        "he": "התשובה כתובה בשפה אחרת ({written}) מזו של השאלה ({asked}).",
        "zh": "回答所用的语言（{written}）与问题（{asked}）不同。",
    },
    "uncited": {"en": "It cites no source.", "he": "אין בתשובה ציטוט של מקור.", "zh": "回答没有引用任何来源。"},
    "indicator": {
        "en": "It contains a phrase that points to outside knowledge: “{phrase}”.",
        "he": "יש בתשובה ביטוי המעיד על ידע שאינו מן המקורות: „{phrase}”.",
        "zh": "其中的措辞表明使用了来源之外的知识：“{phrase}”。",
    },
    "fabricated": {
        "en": "It cites sources that do not exist: {refs}.",
        "he": "התשובה מצטטת מקורות שאינם קיימים: {refs}.",
        "zh": "回答引用了不存在的来源：{refs}。",
    },
    "too_long": {
        "en": "It is much longer than the sources can account for.",
        "he": "התשובה ארוכה בהרבה ממה שהמקורות יכולים לבסס.",
        "zh": "回答的篇幅远超来源所能支持的内容。",
    },
    "few_words": {
        "en": "Only {grounded} of its {sentences} sentences share enough words with a source.",
        "he": "רק ב-{grounded} מתוך {sentences} משפטים יש די מילים משותפות עם מקור.",
        "zh": "{sentences} 个句子中只有 {grounded} 个与来源有足够的共同词语。",
    },
    "wrong_number": {
        "en": "A number in it is wrong: {why}",
        "he": "מספר בתשובה שגוי: {why}",
        "zh": "其中有数字错误：{why}",
    },
    "missing_number": {
        "en": "A number in it is not in the sources: “{number}”.",
        "he": "מספר בתשובה אינו מופיע במקורות: „{number}”.",
        "zh": "其中有数字不在来源中：“{number}”。",
    },
    "doubted": {
        "en": "The check of all that it says doubts {doubted} of {claims} statements and numbers.",
        "he": "הבדיקה של כל הנאמר בה מטילה ספק ב-{doubted} מתוך {claims} טענות ומספרים.",
        "zh": "对全文的核查质疑了 {claims} 项陈述和数字中的 {doubted} 项。",
    },
    "unread": {
        "en": "The verifier could not check all that it says.",
        "he": "המאמת לא הצליח לבדוק את כל הנאמר בה.",
        "zh": "验证器未能核查全文。",
    },
}
# fmt: on


def refusal(code: str, language: str, **values: object) -> str:
    """The sentence of ``code`` in ``language``, ``values`` filled in."""
    return spoken(SENTENCES[code], language).format(**values)
