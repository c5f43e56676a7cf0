"""The sentences that say what a step of a trace is and whether its answer follows, by code and language."""

from collections.abc import Mapping, Sequence

from detection.core.text import Texts, spoken

# One sentence a line reads as the table it is.
# fmt: off
SENTENCES: Mapping[str, Texts] = {
    "opposed": {
        "en": "The context speaks against this: without the steps the verifier gives {p_no:.0%} that it is false.",
        "he": "ההקשר סותר זאת: בלי השלבים המאמת נותן {p_no:.0%} לכך שהדבר אינו נכון.",
        "zh": "上下文与此相反：不看步骤时，验证器认为其不实的概率为 {p_no:.0%}。",
    },
    "only_failed": {
        "en": "The context speaks against this; only a contradicted step says so.",
        "he": "ההקשר סותר זאת; רק שלב שנסתר אומר כך.",
        "zh": "上下文与此相反；只有一个被否定的步骤这样说。",
    },
    "carried": {
        "en": "The context carries this on its own ({p1:.0%}), whatever the steps before it say.",
        "he": "ההקשר לבדו תומך בכך ({p1:.0%}), בלי קשר לשלבים שלפניו.",
        "zh": "无论前面的步骤怎么说，上下文本身就支持这一点（{p1:.0%}）。",
    },
    "premise": {
        "en": "A premise: there is no context to hold it against.",
        "he": "הנחה: אין הקשר שאפשר להשוות אליו.",
        "zh": "这是前提：没有可供比对的上下文。",
    },
    "nothing": {
        "en": "It asserts nothing that can be verified.",
        "he": "אין בו טענה שאפשר לאמת.",
        "zh": "其中没有可验证的陈述。",
    },
    "step_error": {"en": "This step could not be read.", "he": "לא ניתן היה לקרוא שלב זה.", "zh": "无法读取此步骤。"},
    "timeout": {
        "en": "The time for the audit was over before this step.",
        "he": "הזמן לביקורת תם לפני שלב זה.",
        "zh": "审核时间在此步骤之前已用完。",
    },
    "operand": {
        "en": "A source states it, as another figure.",
        "he": "מקור מציין זאת כנתון אחר.",
        "zh": "有来源给出该值，但属于另一指标。",
    },
    "reckoned": {"en": "{text}: it comes to {value}.", "he": "{text}: התוצאה היא {value}.", "zh": "{text}：结果为 {value}。"},
    "recalled": {"en": "Reckoned in {steps}.", "he": "חושב ב{steps}.", "zh": "在{steps}中算出。"},
    "rests_on_failed": {
        "en": "It follows only from {steps}, which the context does not carry.",
        "he": "הדבר נובע רק מתוך {steps}, וההקשר אינו תומך בכך.",
        "zh": "仅由{steps}得出，而上下文不支持这一依据。",
    },
    "rests_on_unverified": {
        "en": "It follows only from {steps}, which could not be verified.",
        "he": "הדבר נובע רק מתוך {steps}, ולא ניתן היה לאמת זאת.",
        "zh": "仅由{steps}得出，而这一依据无法验证。",
    },
    "under_premises": {
        "en": "It follows from {steps}, and holds only with {premises}.",
        "he": "הדבר נובע מתוך {steps}, ותקף רק יחד עם {premises}.",
        "zh": "由{steps}得出，仅在{premises}成立时成立。",
    },
    "follows": {"en": "It follows from {steps}.", "he": "הדבר נובע מתוך {steps}.", "zh": "由{steps}得出。"},
    "step": {"en": "step {last}", "he": "שלב {last}", "zh": "步骤 {last}"},
    "steps": {"en": "steps {first} and {last}", "he": "שלבים {first} ו-{last}", "zh": "步骤 {first} 和 {last}"},
}
"""What is found of a step, where it is not the sentence of a detector."""

ANSWERS: Mapping[str, Texts] = {
    "no_answer": {"en": "The trace came without an answer.", "he": "מהלך ההסקה הגיע בלי תשובה.", "zh": "推理轨迹没有附带回答。"},
    "switched_off": {
        "en": "The check whether the answer follows from the steps is switched off.",
        "he": "הבדיקה אם התשובה נובעת מן השלבים כבויה.",
        "zh": "检查回答是否由步骤得出的功能已关闭。",
    },
    "carried": {"en": "The steps carry the answer.", "he": "השלבים תומכים בתשובה.", "zh": "这些步骤支持回答。"},
    "not_carried": {"en": "The steps do not carry the answer. {why}", "he": "השלבים אינם תומכים בתשובה. {why}", "zh": "这些步骤不支持回答。{why}"},
    "untold": {"en": "It could not be told. {why}", "he": "לא ניתן היה לקבוע. {why}", "zh": "无法判定。{why}"},
    "asserts_nothing": {
        "en": "The answer asserts nothing that can be verified.",
        "he": "אין בתשובה טענה שאפשר לאמת.",
        "zh": "回答中没有可验证的陈述。",
    },
    "failed": {"en": "The executor gave no answer. {why}", "he": "המבצע לא נתן תשובה. {why}", "zh": "执行器没有给出回答。{why}"},
    "underivable": {
        "en": "The executor could not derive any answer from the steps.",
        "he": "המבצע לא הצליח להסיק תשובה כלשהי מן השלבים.",
        "zh": "执行器无法从步骤中得出任何回答。",
    },
    "missing": {
        "en": "From the steps the executor does not arrive at {numbers}.",
        "he": "מן השלבים המבצע אינו מגיע אל {numbers}.",
        "zh": "执行器从步骤中得不出 {numbers}。",
    },
    "same_numbers": {
        "en": "The executor arrives at the same numbers.",
        "he": "המבצע מגיע לאותם מספרים.",
        "zh": "执行器得出相同的数字。",
    },
    "opposed": {
        "en": "What follows from the steps contradicts the answer.",
        "he": "מה שנובע מן השלבים סותר את התשובה.",
        "zh": "由步骤得出的结论与回答相反。",
    },
    "same": {"en": "The executor arrives at the same answer.", "he": "המבצע מגיע לאותה תשובה.", "zh": "执行器得出相同的回答。"},
    "more": {
        "en": "The answer says more than follows from its steps.",
        "he": "בתשובה נאמר יותר ממה שנובע משלביה.",
        "zh": "回答所说的超出了其步骤所能得出的内容。",
    },
    "other": {"en": "The executor arrives at another answer.", "he": "המבצע מגיע לתשובה אחרת.", "zh": "执行器得出另一个回答。"},
    "incomparable": {
        "en": "The two answers could not be compared. {why}",
        "he": "לא ניתן היה להשוות בין שתי התשובות. {why}",
        "zh": "无法比较这两个回答。{why}",
    },
}
"""Whether the answer follows, and why."""
# fmt: on
LISTED: Texts = {"en": ", ", "zh": "、"}
"""What stands between the numbers of several steps."""


def told(code: str, language: str, **parts: object) -> str:
    """The sentence of a step's ``code`` in ``language``, with its parts filled in."""
    return spoken(SENTENCES[code], language).format(**parts)


def on_answer(code: str, language: str, **parts: object) -> str:
    """The sentence on the answer with ``code`` in ``language``, with its parts filled in."""
    return spoken(ANSWERS[code], language).format(**parts).strip()


def named(steps: Sequence[int], language: str) -> str:
    """``step 1``, ``steps 1 and 2``, ``steps 1, 2 and 4``, of indexes from 0."""
    *first, last = (str(n + 1) for n in steps)
    return told("steps" if first else "step", language, first=spoken(LISTED, language).join(first), last=last)
