"""The sentences and the parts of sentences that say what a number was compared with, by code and language.

What stands in braces is filled in by :mod:`detection.core.matching.reasons.telling`.
"""

from collections.abc import Mapping

from detection.core.text import Texts

# One sentence a line reads as the table it is.
# fmt: off
_SLIPPED_IN_SLOT = {"en": "{claimed} {near}{slip}{right}.", "he": "הערך {claimed} {near}{slip}{right}.", "zh": "{claimed} {near}{slip}{right}。"}

REASONS: Mapping[str, Texts] = {
    "exact": {
        "en": "{where} says {value}{what}, as the answer does.",
        "he": "לפי {where} הערך הוא {value}{what}, כפי שנאמר בתשובה.",
        "zh": "据{where}，该值为 {value}{what}，与回答一致。",
    },
    "approximate": {
        "en": "{where} says {value}{what}; the answer gives it approximately.",
        "he": "לפי {where} הערך הוא {value}{what}; בתשובה הוא ניתן בקירוב.",
        "zh": "据{where}，该值为 {value}{what}；回答给出的是近似值。",
    },
    "bound_ok": {
        "en": "{where} says {value}{what}, which keeps the bound the answer states.",
        "he": "לפי {where} הערך הוא {value}{what}, והוא עומד בגבול שנאמר בתשובה.",
        "zh": "据{where}，该值为 {value}{what}，符合回答所说的界限。",
    },
    "unbound": {
        "en": "{claimed} matches {name}; the sentence names no metric.",
        "he": "הערך {claimed} תואם את {name}; המשפט אינו נוקב בשם של מדד.",
        "zh": "{claimed} 与{name}相符；句中没有指明指标。",
    },
    "derived": {
        "en": "It follows from {operands}: {arithmetic}.",
        "he": "הדבר נובע מתוך {operands}: {arithmetic}.",
        "zh": "由{operands}得出：{arithmetic}。",
    },
    "inexact": {
        "en": "{where} says {value}{what}; the answer says {claimed} ({deviation}), inside the tolerance {limit} but not the same.",
        "he": "לפי {where} הערך הוא {value}{what}; בתשובה נאמר {claimed} ({deviation}), בתוך הסבילות {limit} אך לא אותו ערך.",
        "zh": "据{where}，该值为 {value}{what}；回答为 {claimed}（{deviation}），在容差 {limit} 之内，但并不相同。",
    },
    "contradicted": {
        "en": "{where} says {value}{what}; the answer says {claimed} ({deviation}{outside}).",
        "he": "לפי {where} הערך הוא {value}{what}; בתשובה נאמר {claimed} ({deviation}{outside}).",
        "zh": "据{where}，该值为 {value}{what}；回答为 {claimed}（{deviation}{outside}）。",
    },
    "transposed": _SLIPPED_IN_SLOT,
    "scale": _SLIPPED_IN_SLOT,
    "sign": _SLIPPED_IN_SLOT,
    "off_period": {
        "en": "{claimed} {near}{slip}, not the value of the period asked for{right}.",
        "he": "הערך {claimed} {near}{slip}, ולא הערך של התקופה המבוקשת{right}.",
        "zh": "{claimed} {near}{slip}，而不是所问期间的值{right}。",
    },
    "off_property": {
        "en": "{claimed} {near}{slip}, not the value of the property asked for{right}.",
        "he": "הערך {claimed} {near}{slip}, ולא הערך של הנכס המבוקש{right}.",
        "zh": "{claimed} {near}{slip}，而不是所问物业的值{right}。",
    },
    "off_metric": {
        "en": "{claimed} {near}{slip}, not the figure that is named{right}.",
        "he": "הערך {claimed} {near}{slip}, ולא הנתון שצוין בשמו{right}.",
        "zh": "{claimed} {near}{slip}，而不是所说的指标{right}。",
    },
    "holds": {
        "en": "It follows from {operands}: {arithmetic}.",
        "he": "הדבר נובע מתוך {operands}: {arithmetic}.",
        "zh": "由{operands}得出：{arithmetic}。",
    },
    "not_compared": {
        "en": "Nothing that was read tells whether “{claimed}” is so.",
        "he": "דבר ממה שנקרא אינו מגלה אם „{claimed}” נכון.",
        "zh": "已读内容无法判断“{claimed}”是否属实。",
    },
    "off_role": {
        "en": "{claimed} {near}{slip}, in another role than the one that is named{right}.",
        "he": "הערך {claimed} {near}{slip}, בתפקיד אחר מזה שצוין{right}.",
        "zh": "{claimed} {near}{slip}，与所说的用途不同{right}。",
    },
    "off_unit": {
        "en": "{claimed} {near}{slip}, not in the one that is named{right}.",
        "he": "הערך {claimed} {near}{slip}, ולא ביחידה שצוינה{right}.",
        "zh": "{claimed} {near}{slip}，而不是按所说的单位{right}。",
    },
    "off_bound": {
        "en": "{claimed} {near}{slip}, a bound the other way round{right}.",
        "he": "הערך {claimed} {near}{slip}, גבול בכיוון ההפוך{right}.",
        "zh": "{claimed} {near}{slip}，界限方向相反{right}。",
    },
    "no_such_day": {"en": "There is no such day in the calendar.", "he": "אין יום כזה בלוח השנה.", "zh": "日历上没有这一天。"},
    "not_found": {
        "en": "{nothing} {claimed} here{nearest}.",
        "he": "{nothing} {claimed}{nearest}.",
        "zh": "{nothing} {claimed}{nearest}。",
    },
    "timeout": {
        "en": "The time for checking numbers was over before this one was checked.",
        "he": "הזמן לבדיקת מספרים תם לפני שנבדק מספר זה.",
        "zh": "在核对此数字之前，核对数字的时间已用完。",
    },
    "source_limit": {
        "en": "The sources read do not state {claimed}; {left} more were left unread.",
        "he": "המקורות שנקראו אינם מציינים את {claimed}; מספר המקורות שלא נקראו: {left}.",
        "zh": "已读来源没有给出 {claimed}；还有 {left} 个来源未读。",
    },
    "db_unavailable": {
        "en": "The financial database could not be read, and no source states {claimed}.",
        "he": "לא ניתן היה לקרוא את מסד הנתונים הפיננסי, ואף מקור אינו מציין את {claimed}.",
        "zh": "无法读取财务数据库，也没有来源给出 {claimed}。",
    },
    "switched_off": {
        "en": "Checking numbers like this is switched off.",
        "he": "בדיקת מספרים מסוג זה כבויה.",
        "zh": "此类数字的核对已关闭。",
    },
    "not_measured": {"en": "This number was not measured.", "he": "מספר זה לא נמדד.", "zh": "此数字未经测量。"},
}
"""Every code a number's finding can have, with the sentence an analyst reads."""

RECKONED: Texts = {
    "en": "By {operands} it is {arithmetic}; the answer says {claimed} ({deviation}{outside}).",
    "he": "לפי {operands} החישוב הוא {arithmetic}; בתשובה נאמר {claimed} ({deviation}{outside}).",
    "zh": "按{operands}计算为 {arithmetic}；回答为 {claimed}（{deviation}{outside}）。",
}
"""What ``contradicted`` says where the value was computed."""

DENIED: Texts = {
    "en": "By {operands} it is not so: {arithmetic}; the answer says “{claimed}”.",
    "he": "לפי {operands} אין הדבר כך: {arithmetic}; בתשובה נאמר „{claimed}”.",
    "zh": "按{operands}并非如此：{arithmetic}；回答为“{claimed}”。",
}
"""What ``contradicted`` says of a claim without digits."""

PARTS: Mapping[str, Texts] = {
    "database": {"en": "The database", "he": "מסד הנתונים", "zh": "数据库"},
    "source": {"en": "Source {ref}", "he": "מקור {ref}", "zh": "来源 {ref}"},
    "place": {"en": "source {ref}", "he": "מקור {ref}", "zh": "来源 {ref}"},
    "what": {"en": " for {name}", "he": " עבור {name}", "zh": "，即{name}"},
    "name": {"en": "{metric} of {slot}", "he": "{metric} ({slot})", "zh": "{metric}（{slot}）"},
    "figures": {"en": "the figures", "he": "הנתונים", "zh": "各项数字"},
    "records": {"en": "the figures of record ({what})", "he": "נתוני הרשומות של {what}", "zh": "{what}的记录数字"},
    "limit_days": {"en": "of {limit} days", "he": "של {limit} ימים", "zh": "{limit} 天"},
    "limit": {"en": "of {limit} %", "he": "של {limit} %", "zh": "{limit} %"},
    "outside_bound": {"en": ", against the bound it states", "he": ", בניגוד לגבול שנאמר בה", "zh": "，违反其所说的界限"},
    "outside_rounding": {"en": ", outside its own rounding", "he": ", מעבר לעיגול שלו", "zh": "，超出其自身的舍入"},
    "outside_exact": {
        "en": ", outside its own rounding, and numbers have to be exact",
        "he": ", מעבר לעיגול שלו, ומספרים צריכים להיות מדויקים",
        "zh": "，超出其自身的舍入，而数字必须准确",
    },
    "units": {"en": ", which is in {states} and not in {said}", "he": ", שהוא ב{states} ולא ב{said}", "zh": "，其单位为{states}而非{said}"},
    "near": {"en": "is only {apart} off, but ", "he": "סוטה ב-{apart} בלבד, אבל ", "zh": "仅相差 {apart}，但"},
    "outside_tolerance": {"en": ", outside the tolerance {limit}", "he": ", מחוץ לסבילות {limit}", "zh": "，超出容差 {limit}"},
    "apart_days": {"en": "{apart} days apart", "he": "הפרש של {apart} ימים", "zh": "相差 {apart} 天"},
    "apart": {"en": "{apart} apart", "he": "הפרש של {apart}", "zh": "相差 {apart}"},
    "apart_times": {"en": "{apart} times apart", "he": "הפרש של פי {apart}", "zh": "相差 {apart} 倍"},
    "right": {"en": "; {name} is {value}", "he": "; {name}: {value}", "zh": "；{name}为 {value}"},
    "right_reckoned": {"en": ": {arithmetic}", "he": ": {arithmetic}", "zh": "：{arithmetic}"},
    "nothing_anywhere": {
        "en": "No figure of record and no source that was read states",
        "he": "אף נתון רשום ואף מקור שנקרא אינם מציינים את הערך",
        "zh": "记录的数字和已读来源都没有给出",
    },
    "nothing_recorded": {"en": "No figure of record states", "he": "אף נתון רשום אינו מציין את הערך", "zh": "记录的数字没有给出"},
    "nothing_in_sources": {"en": "No source that was read states", "he": "אף מקור שנקרא אינו מציין את הערך", "zh": "已读来源没有给出"},
    "nothing_to_compare": {
        "en": "There was no figure of record and no source to compare with",
        "he": "לא היו נתון רשום או מקור להשוות אליהם את הערך",
        "zh": "没有记录的数字或来源可用来核对",
    },
    "nearest": {"en": "; nearest is {value} ({place})", "he": "; הקרוב ביותר הוא {value}, {place}", "zh": "；最接近的是{place} 的 {value}"},
}
"""What the sentences are put together from."""

SLIPS: Mapping[str, Texts] = {
    "transposed": {"en": "has two digits changed round", "he": "נכתב בחילוף של שתי ספרות", "zh": "有两位数字互换"},
    "scale": {"en": "has the right digits at another scale", "he": "נכתב בספרות הנכונות אך בסדר גודל אחר", "zh": "数字正确但数量级不同"},
    "sign": {"en": "has the opposite sign", "he": "נכתב בסימן הפוך", "zh": "正负号相反"},
    "period": {"en": "is the value of another period", "he": "הוא הערך של תקופה אחרת", "zh": "是另一期间的值"},
    "property": {"en": "is the value of another property", "he": "הוא הערך של נכס אחר", "zh": "是另一物业的值"},
    "role": {"en": "is a limit, a plan or a forecast", "he": "הוא מגבלה, תקציב או תחזית", "zh": "是限额、预算或预测"},
    "date": {"en": "is the date of something else", "he": "הוא מועד של דבר אחר", "zh": "是另一事项的日期"},
    "unit": {"en": "is the value in or per another unit", "he": "הוא הערך ביחידה אחרת או ליחידה אחרת", "zh": "是另一单位的值"},
    "bound": {"en": "is a bound of the source", "he": "הוא גבול במקור", "zh": "是来源中的界限"},
    "metric": {"en": "is another figure's value", "he": "הוא הערך של נתון אחר", "zh": "是另一指标的值"},
}
"""The mistakes by code, where nothing more is known."""

OF_A_FIGURE: Mapping[str, Texts] = {
    "transposed": {"en": "is {name}, {value}, with two digits changed round", "he": "הוא {name}, {value}, בחילוף של שתי ספרות", "zh": "是{name}的值 {value}，但有两位数字互换"},
    "times": {"en": "is {name} times {factor}", "he": "הוא {name} כפול {factor}", "zh": "是{name}的 {factor} 倍"},
    "divided": {"en": "is {name} divided by {factor}", "he": "הוא {name} חלקי {factor}", "zh": "是{name}除以 {factor}"},
    "sign": {"en": "is {name} with the opposite sign", "he": "הוא {name} בסימן הפוך", "zh": "是{name}，但正负号相反"},
    "equals": {"en": "equals {name}", "he": "שווה לערך של {name}", "zh": "等于{name}"},
    "changed_sign": {"en": "is the change of {name} with the opposite sign", "he": "הוא השינוי בערך של {name} בכיוון ההפוך", "zh": "是{name}的变化，但方向相反"},
    "changed": {"en": "equals the change of {name}", "he": "שווה לשינוי בערך של {name}", "zh": "等于{name}的变化"},
}
"""The mistakes with the figure that explains them."""

UNITS: Mapping[str, Texts] = {
    " percentage points": {"he": " נקודות אחוז", "zh": " 个百分点"},
    " thousand": {"he": " אלף", "zh": " 千"},
    " million": {"he": " מיליון", "zh": " 百万"},
    " billion": {"he": " מיליארד", "zh": " 十亿"},
    " days": {"he": " ימים", "zh": " 天"},
}
"""Words that stand behind figures in values and arithmetic."""
# fmt: on
