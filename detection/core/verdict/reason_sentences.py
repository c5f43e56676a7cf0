"""Plain sentences for the answer-level reasons of a verdict, by code and language; other languages get English.

What stands in braces is filled in by :mod:`detection.core.verdict.reasons`. Reasons of a single claim are the finding's own
words: ``numeric_sentences``, ``strawberry_sentences`` and ``claim_findings`` have those.
"""

from collections.abc import Mapping

from detection.core.text import Texts, base, spoken
from detection.core.types import RECORD, is_of_record

# One sentence a line reads as the table it is.
# fmt: off
SENTENCES: Mapping[str, Texts] = {
    "strict_refused": {
        "en": "It was not shown to its reader: {why}",
        "he": "התשובה לא הוצגה לקורא: {why}",
        "zh": "此回答未向读者显示：{why}",
    },
    "abstains": {
        "en": "It answers nothing: it says only what the evidence does not tell.",
        "he": "אין בה תשובה: נאמר בה רק מה אין בראיות.",
        "zh": "它没有作答：仅说明证据未提及的内容。",
    },
    "high_hallucination_risk": {
        "en": "Its doubtful statements lack {lacking:.1f} bits of evidence together, more than {limit:g}.",
        "he": "לטענות המוטלות בספק חסרים יחד {lacking:.1f} סיביות של ראיות, יותר מ-{limit:g}.",
        "zh": "存疑的陈述合计缺少 {lacking:.1f} 比特证据，超过 {limit:g}。",
    },
    "sources_disagree": {
        "en": "Its evidence disagrees. {first} says: “{one}”. {second} says: “{other}”.",
        "he": "הראיות סותרות זו את זו. {first}: „{one}”. {second}: „{other}”.",
        "zh": "证据相互矛盾。{first}：“{one}”；{second}：“{other}”。",
    },
    "suspected_injection": {
        "en": "Source {source} gives orders to the verifier: “{text}”",
        "he": "מקור {source} נותן הוראות למאמת: „{text}”",
        "zh": "来源 {source} 向验证器下达指令：“{text}”",
    },
    "orders_verifier": {
        "en": "The answer or its question gives orders to the verifier: “{text}”",
        "he": "התשובה או השאלה נותנת הוראות למאמת: „{text}”",
        "zh": "回答或其问题向验证器下达指令：“{text}”",
    },
    "judge": {
        "en": "The judge: {notes}",
        "he": "השופט: {notes}",
        "zh": "评审意见：{notes}",
    },
    "note_empty": {
        "en": "Answer is empty, cannot detect hallucinations",
        "he": "התשובה ריקה ולכן אין מה לבדוק.",
        "zh": "回答为空，无法检测。",
    },
    "note_no_claims": {
        "en": "No valid claims found, cannot detect hallucinations",
        "he": "לא נמצאו בתשובה טענות שניתן לבדוק.",
        "zh": "回答中没有可检测的陈述。",
    },
    "misplaced_citation": {
        "en": "This cites {cited}, but [{better}] is what says it.",
        "he": "כאן מצוטט {cited}, אך הדבר נאמר ב-[{better}].",
        "zh": "此处引用 {cited}，但出处其实是 [{better}]。",
    },
    "invalid_citation": {
        "en": "The answer cites [{ref}], which is not among its sources.",
        "he": "התשובה מצטטת את [{ref}], שאינו בין מקורותיה.",
        "zh": "回答引用了 [{ref}]，但它不在来源之中。",
    },
    "uncited_sentences": {
        "en": "{count} long sentences carry no citation.",
        "he": "מספר המשפטים הארוכים ללא ציטוט: {count}.",
        "zh": "有 {count} 个长句没有引用。",
    },
    "few_citations": {
        "en": "Citations cover {ratio:.0%} of its {claims} sentences that claim something.",
        "he": "הציטוטים מכסים {ratio:.0%} מתוך {claims} המשפטים שטוענים דבר מה.",
        "zh": "在 {claims} 个提出陈述的句子中，引用覆盖了 {ratio:.0%}。",
    },
    "indicator_phrase": {
        "en": "“{phrase}” points to knowledge from outside the sources.",
        "he": "„{phrase}” מעיד על ידע שאינו מן המקורות.",
        "zh": "“{phrase}”表明使用了来源之外的知识。",
    },
    "longer_than_context": {
        "en": "The answer is much longer than the sources it was written from.",
        "he": "התשובה ארוכה בהרבה מהמקורות שמהם נכתבה.",
        "zh": "回答远长于其所依据的来源。",
    },
    "low_overlap": {
        "en": "Only {grounded} of {total} sentences share enough words with a source.",
        "he": "רק ב-{grounded} מתוך {total} משפטים יש די מילים משותפות עם מקור.",
        "zh": "{total} 个句子中只有 {grounded} 个与来源有足够的共同词语。",
    },
    "check_failed": {
        "en": "The {name} check failed: {why}",
        "he": "בדיקת {name} נכשלה: {why}",
        "zh": "{name}检查失败：{why}",
    },
    "not_run": {
        "en": "The {name} check did not run: {why}",
        "he": "בדיקת {name} לא בוצעה: {why}",
        "zh": "{name}检查未执行：{why}",
    },
    "near_iteration_limit": {
        "en": "Accepted because the iteration limit is near; the risk stays {level}.",
        "he": "התשובה התקבלה כי מגבלת האיטרציות קרובה; הסיכון נותר {level}.",
        "zh": "因接近迭代上限而接受；风险仍为{level}。",
    },
    "generic_language": {
        "en": "There are no rules for its language ({spoken}): sentences, hedges and overlap follow generic rules.",
    },
}

WORDS: Mapping[str, Texts] = {
    "source {ref}": {"en": "Source {ref}", "he": "מקור {ref}", "zh": "来源 {ref}"},
    "record of {place}": {"en": "The record of {place}", "he": "הרישום של {place}", "zh": "{place} 的记录"},
    "numeric": {"he": "המספרים", "zh": "数字"},
    "citation": {"he": "הציטוטים", "zh": "引用"},
    "grounding": {"he": "הביסוס במקורות", "zh": "来源依据"},
    "strawberry": {"he": "הראיות", "zh": "证据"},
    "judge": {"he": "השופט", "zh": "评审"},
    "high": {"he": "גבוה", "zh": "高"},
    "moderate": {"he": "בינוני", "zh": "中等"},
    "it was not asked for or is switched off.": {"he": "לא נתבקשה או שהיא כבויה.", "zh": "未请求或已关闭。"},
    "too many answers waited for the verifier. It is made up for when fewer do.": {
        "he": "יותר מדי תשובות המתינו למאמת. הבדיקה תושלם כשהעומס יפחת.",
        "zh": "等待验证的回答过多，负载降低后补做。",
    },
    "no verifier is switched on.": {"he": "לא הופעל מאמת.", "zh": "未启用验证器。"},
    "it took too long and was ended.": {"he": "היא ארכה זמן רב מדי והופסקה.", "zh": "耗时过长，已终止。"},
    "no text model is configured.": {"he": "לא הוגדר מודל שפה.", "zh": "未配置文本模型。"},
    "the answer claims nothing.": {"he": "אין בתשובה טענות.", "zh": "回答没有提出陈述。"},
    "the citation rules alone find a high risk.": {
        "he": "די בכללי הציטוט כדי לקבוע סיכון גבוה.",
        "zh": "仅凭引用规则已判定为高风险。",
    },
}
"""Names and fixed reasons that are filled into the sentences, by their English form."""
# fmt: on


def sentence(code: str, language: str, **values: object) -> str:
    """The sentence of ``code`` in ``language`` (ISO 639, a region is ignored), ``values`` filled in."""
    return spoken(SENTENCES[code], language).format(**values)


def voice(source: str, language: str) -> str:
    """Who says something: a source by its id, or the record of a property and period."""
    named = "record of {place}" if is_of_record(source) else "source {ref}"
    return spoken(WORDS[named], language).format(ref=source, place=source.removeprefix(RECORD))


def word(text: str, language: str) -> str:
    """A name or a fixed reason in ``language``; what the table does not have stays as it is."""
    return WORDS.get(text, {}).get(base(language), text)
