"""The sentences of the information-budget detector, by code and language."""

from collections.abc import Mapping

from detection.core.text import Texts

# One sentence a line reads as the table it is.
# fmt: off
REASONS: Mapping[str, Texts] = {
    "supported": {
        "en": "With its evidence the verifier gives this {p1}, without it {p0}: the cited evidence carries it.",
        "he": "עם הראיות המאמת נותן לכך {p1}, ובלעדיהן {p0}: הראיות המצוטטות תומכות בכך.",
        "zh": "有证据时验证器给出 {p1}，无证据时给出 {p0}：所引证据支持这一点。",
    },
    "supported_uncited": {
        "en": "The sources carry this ({p1}), but the answer cites none of them for it.",
        "he": "המקורות תומכים בכך ({p1}), אך התשובה אינה מצטטת אף אחד מהם לעניין זה.",
        "zh": "来源支持这一点（{p1}），但回答没有为此引用任何来源。",
    },
    "supported_redundant": {
        "en": "The cited evidence carries this ({p_cited}); other sources say the same ({p0} without it).",
        "he": "הראיות המצוטטות תומכות בכך ({p_cited}); מקורות אחרים אומרים אותו דבר ({p0} בלעדיהן).",
        "zh": "所引证据支持这一点（{p_cited}）；其他来源也这样说（没有所引证据时为 {p0}）。",
    },
    "miscited": {
        "en": "The sources carry this ({p1}), but not the cited ones: they alone give {p_cited}.",
        "he": "המקורות תומכים בכך ({p1}), אך לא אלה שצוטטו: הם לבדם נותנים {p_cited}.",
        "zh": "来源支持这一点（{p1}），但不是所引的来源：仅凭它们只有 {p_cited}。",
    },
    "borderline": {
        "en": "Nearly carried: the evidence gives {observed} of the {required} bits that a confidence of {target} needs.",
        "he": "כמעט נתמך: הראיות נותנות {observed} מתוך {required} הסיביות שדורש ביטחון של {target}.",
        "zh": "接近得到支持：置信度 {target} 需要 {required} 比特，证据给出 {observed} 比特。",
    },
    "unsupported": {
        "en": "The evidence does not carry this: {p1} with it, {p0} without it, where {target} is needed.",
        "he": "הראיות אינן תומכות בכך: {p1} איתן, {p0} בלעדיהן, ודרוש {target}.",
        "zh": "证据不支持这一点：有证据时 {p1}，无证据时 {p0}，而需要 {target}。",
    },
    "contradicted": {
        "en": "The evidence speaks against this: the verifier gives {p_no} that it is false.",
        "he": "הראיות סותרות זאת: המאמת נותן {p_no} לכך שהדבר אינו נכון.",
        "zh": "证据与此相反：验证器认为其不实的概率为 {p_no}。",
    },
    "uncertain": {
        "en": "Not decided: with its evidence this is between {low} and {high}, where {target} is needed.",
        "he": "לא הוכרע: עם הראיות הדבר בין {low} ל-{high}, ודרוש {target}.",
        "zh": "未能判定：有证据时介于 {low} 与 {high} 之间，而需要 {target}。",
    },
    "unprobed": {
        "en": "Not decided: this is {p1} with and {p0} without its evidence, and the cited sources alone were not tried.",
        "he": "לא הוכרע: {p1} עם הראיות ו-{p0} בלעדיהן, והמקורות המצוטטים לבדם לא נבדקו.",
        "zh": "未能判定：有证据时 {p1}，无证据时 {p0}，而所引来源未单独验证。",
    },
    "flagged": {
        "en": "Flagged by the {scoring} rule: {observed} bits observed where {required} are required.",
        "he": "סומן לפי הכלל {scoring}: נצפו {observed} סיביות ודרושות {required}.",
        "zh": "按 {scoring} 规则标出：观测到 {observed} 比特，需要 {required} 比特。",
    },
    "cleared": {
        "en": "Passed by the {scoring} rule: {observed} bits observed where {required} are required.",
        "he": "עבר לפי הכלל {scoring}: נצפו {observed} סיביות ודרושות {required}.",
        "zh": "按 {scoring} 规则通过：观测到 {observed} 比特，需要 {required} 比特。",
    },
    "grounded": {
        "en": "Grounded by the GovIL rule: confidence {confidence}, {p1} with the evidence and {p0} without it.",
        "he": "מבוסס לפי הכלל GovIL: ביטחון {confidence}, {p1} עם הראיות ו-{p0} בלעדיהן.",
        "zh": "按 GovIL 规则有依据：置信度 {confidence}，有证据时 {p1}，无证据时 {p0}。",
    },
    "not_grounded": {
        "en": "Not grounded by the GovIL rule: confidence {confidence}, {p1} with the evidence and {p0} without it.",
        "he": "לא מבוסס לפי הכלל GovIL: ביטחון {confidence}, {p1} עם הראיות ו-{p0} בלעדיהן.",
        "zh": "按 GovIL 规则没有依据：置信度 {confidence}，有证据时 {p1}，无证据时 {p0}。",
    },
}
"""Why a statement with usable probabilities was found as it was."""

SKIPPED: Mapping[str, Texts] = {
    "question": {"en": "A question: it asserts nothing to verify.", "he": "שאלה: אין בה טענה לאימות.", "zh": "这是提问，没有可验证的陈述。"},
    "instruction": {"en": "An instruction: it asserts nothing to verify.", "he": "הוראה: אין בה טענה לאימות.", "zh": "这是指示，没有可验证的陈述。"},
    "hedge": {"en": "Hedged: it does not claim to be so.", "he": "מסויג: אינו טוען שכך הדבר.", "zh": "措辞有保留，并未断言如此。"},
    "closing": {"en": "It ends the conversation: it asserts nothing to verify.", "he": "סיום השיחה: אין בו טענה לאימות.", "zh": "这是结束语，没有可验证的陈述。"},
    "advice": {"en": "It says where to look or ask: it asserts nothing to verify.", "he": "הפניה לגורם אחר: אין בה טענה לאימות.", "zh": "这是指引读者查询或咨询，没有可验证的陈述。"},
    "reply": {"en": "Only a yes or no: nothing that can be judged by itself.", "he": "רק כן או לא: אין בכך דבר שאפשר לבחון כשלעצמו.", "zh": "仅为是或否，无法单独判断。"},
    "preamble": {"en": "It only says which evidence it is from.", "he": "נאמר בו רק מאילו ראיות הדברים לקוחים.", "zh": "仅说明所依据的材料。"},
    "heading": {"en": "A heading, or it leads to what follows: it asserts nothing to verify.", "he": "כותרת, או מילים שמובילות להמשך: אין בה טענה לאימות.", "zh": "这是标题或引出下文的话，没有可验证的陈述。"},
    "abstention": {"en": "It says only what the evidence does not tell.", "he": "נאמר בו רק מה אין בראיות.", "zh": "仅说明证据未提及的内容。"},
    "abstention_held": {"en": "It says that the evidence does not tell this, and nothing in the evidence comes near.", "he": "נאמר בו שהראיות אינן אומרות זאת, ואין בראיות דבר קרוב לכך.", "zh": "它称证据未说明这一点，证据中也没有相近的内容。"},
    "abstention_doubted": {"en": "It says that the evidence does not tell this, but one sentence of the evidence speaks of all of it.", "he": "נאמר בו שהראיות אינן אומרות זאת, אך משפט אחד בראיות עוסק בכל זה.", "zh": "它称证据未说明这一点，但证据中有一句话谈到了全部内容。"},
    "abstention_open": {"en": "It says that the evidence does not tell this; the evidence comes near, and whether it tells could not be decided.", "he": "נאמר בו שהראיות אינן אומרות זאת; יש בהן דבר קרוב, ולא ניתן להכריע אם הן אומרות זאת.", "zh": "它称证据未说明这一点；证据中有相近的内容，无法判定是否已经说明。"},
    "too_short": {"en": "Too short to verify.", "he": "קצר מדי לאימות.", "zh": "太短，无法验证。"},
    "claim_limit": {
        "en": "Beyond the number of statements verified for one answer.",
        "he": "מעבר למספר הטענות שמאומתות בתשובה אחת.",
        "zh": "超出单个回答可验证的陈述数量。",
    },
    "overload": {
        "en": "Skipped because too many answers waited for the verifier; this one is judged again later.",
        "he": "דולג כי יותר מדי תשובות המתינו למאמת; תשובה זו תיבדק שוב מאוחר יותר.",
        "zh": "因等待验证的回答过多而跳过；稍后会重新评判此回答。",
    },
    "no_verifier": {
        "en": "No verifier that reads this is switched on: nobody judged it.",
        "he": "לא הופעל מאמת שקורא זאת: איש לא שפט זאת.",
        "zh": "未启用能读懂此句的验证器：无人判断过它。",
    },
    "other": {"en": "Not checked ({code}).", "he": "לא נבדק ({code}).", "zh": "未核查（{code}）。"},
}
"""Why no verifier was asked about a statement; ``other`` for every other code."""

CAUTIONS: Mapping[str, Texts] = {
    "local": {
        "en": "This verifier compares words and does not read: one changed word may escape it.",
        "he": "מאמת זה משווה מילים ואינו קורא: מילה אחת ששונתה עלולה לחמוק ממנו.",
        "zh": "此验证器只比较词语，并不阅读：改动一个词可能逃过它。",
    },
}
"""What to know of a verifier that calls a statement supported, by its method."""
FAILED: Mapping[str, Texts] = {
    "timeout": {"en": "The verifier did not answer in time.", "he": "המאמת לא השיב בזמן.", "zh": "验证器未及时答复。"},
    "rate_limited": {"en": "The verifier asked to wait.", "he": "המאמת ביקש להמתין.", "zh": "验证器要求等待。"},
    "no_evidence": {
        "en": "There is neither a source nor a figure of record to compare this with.",
        "he": "אין מקור ואין נתון רשום שאפשר להשוות לזאת.",
        "zh": "既无来源也无登记数据可供比对。",
    },
    "not_measured": {
        "en": "Not measured under the thresholds of the time.",
        "he": "לא נמדד לפי הספים שהיו אז.",
        "zh": "未按当时的阈值测量。",
    },
    "verifier_no_logprobs": {
        "en": "The verifier's model gives no probabilities.",
        "he": "המודל של המאמת אינו נותן הסתברויות.",
        "zh": "验证器的模型不提供概率。",
    },
    "verifier_no_label": {
        "en": "The verifier answered neither yes nor no.",
        "he": "המאמת לא השיב לא בחיוב ולא בשלילה.",
        "zh": "验证器既未肯定，也未否定。",
    },
    "verifier_auth": {"en": "The verifier refused the key.", "he": "המאמת דחה את המפתח.", "zh": "验证器拒绝了密钥。"},
    "verifier_empty_choices": {
        "en": "The verifier's model gave no answer.",
        "he": "המודל של המאמת לא נתן תשובה.",
        "zh": "验证器的模型没有给出回答。",
    },
    "verifier_bad_json": {
        "en": "The verifier's answer could not be read.",
        "he": "לא ניתן היה לקרוא את תשובת המאמת.",
        "zh": "无法读取验证器的回答。",
    },
    "verifier_unreachable": {
        "en": "The verifier could not be reached.",
        "he": "לא ניתן היה להגיע אל המאמת.",
        "zh": "无法连接验证器。",
    },
    "verifier_context_too_long": {
        "en": "The sources are longer than the verifier's model can read.",
        "he": "המקורות ארוכים ממה שהמודל של המאמת יכול לקרוא.",
        "zh": "来源超出验证器模型可读的长度。",
    },
    "budget_spent": {
        "en": "Today's money for verifiers is spent; nothing is asked until tomorrow (UTC).",
        "he": "התקציב היומי למאמתים נוצל; עד מחר (UTC) לא נשאל דבר.",
        "zh": "今日的验证预算已用完；明天（UTC）之前不再询问。",
    },
    "verifier_unavailable": {
        "en": "The verifier could not be opened; an administrator has to look at its settings.",
        "he": "לא ניתן היה לפתוח את המאמת; על מנהל המערכת לבדוק את הגדרותיו.",
        "zh": "无法启用验证器；需由管理员检查其设置。",
    },
    "other": {"en": "The verifier failed ({code}).", "he": "המאמת נכשל ({code}).", "zh": "验证器失败（{code}）。"},
}
"""Why a statement that was due has no usable result; ``other`` for every other code."""
# fmt: on
