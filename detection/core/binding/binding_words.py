"""The words that say how the numbers of a sentence hang together, in English, Hebrew and Chinese.

``CUES`` holds them by what they do: ``versus``, ``from`` and ``than`` set off what a figure is compared with;
``break`` begins another clause; ``change`` speaks of growth; ``spend`` has somebody pay, so that what follows
is no figure of the subject before; ``leave`` says what remains, which is none either; ``event`` dates something that happened, not a period reported on;
``range`` gives two ends of a spread; ``yearly`` compares with the year before. ``NORMS`` are figures that were
demanded or planned, or that are counted by the piece: not the figure itself. ``PLAIN`` are the words of a
sentence that has no subject of its own.
"""

CUES: dict[str, tuple[str, ...]] = {
    "versus": (
        "compared with", "compared to", "as compared with", "as compared to", "in comparison with", "in comparison to", "versus", "vs", "against", "relative to",
        "up from", "down from", "an increase from", "a decrease from", "unlike",
        "לעומת", "בהשוואה ל", "בהשוואה", "ביחס ל", "ביחס", "מול", "אל מול",
        "相比", "相比于", "相較", "相较于", "对比", "较", "較", "比",
    ),
    "from": ("from", "מ", "מרמה של", "从", "從", "由", "自"),
    "than": (
        "than", "over", "above", "below", "under", "exceeded", "exceeds", "exceeding", "exceed", "outperformed", "outperforms", "outpaced", "surpassed",
        "lagged", "lags", "lagging", "trailed", "trails", "trailing", "beat", "beats", "topped", "since", "ahead of", "behind",
        "מעל", "מתחת ל", "מתחת", "עקף", "עקפה", "מאז", "高于", "低于", "高於", "低於", "超过", "超過", "超出", "优于", "多于", "少于", "落后于", "不及",
    ),
    "break": (
        "while", "whereas", "although", "though", "but", "however", "yet", "meanwhile",
        "ואילו", "בעוד", "בעוד ש", "אך", "אבל", "אולם", "לעומת זאת", "而", "但", "但是", "然而", "虽然", "雖然", "尽管", "儘管",
    ),
    "change": (
        "grow", "grows", "grew", "grown", "growing", "growth", "increase", "increases", "increased", "increasing", "decrease", "decreases", "decreased", "decreasing",
        "rise", "rises", "rose", "risen", "rising", "fall", "falls", "fell", "fallen", "falling", "decline", "declines", "declined", "declining", "drop", "drops", "dropped",
        "up", "down", "change", "changed", "higher", "lower", "improve", "improved", "improves", "improvement", "gain", "gained", "climb", "climbed", "jump", "jumped",
        "slip", "slipped", "dip", "dipped", "reduced", "reduction", "above", "below", "more", "less", "year over year", "yoy", "quarter over quarter", "surged", "surge",
        "expanded", "contracted", "edged", "rebounded", "recovered", "bounced", "narrowed", "widened", "ahead of", "behind", "rebound", "recovery", "shrink", "faster", "slower", "boosted", "cut", "fewer", "greater",  "shrank", "advanced", "softened", "eased", "soared", "plunged", "saved", "savings", "added", "ahead",
        "עלה", "עלתה", "עלו", "עלייה", "ירד", "ירדה", "ירדו", "ירידה", "צמח", "צמחה", "צמחו", "צמיחה", "גדל", "גדלה", "גדלו", "גידול", "קיטון", "שינוי", "התכווץ", "התכווצה",
        "זינק", "זינקה", "זינקו", "זינוק", "טיפס", "טיפסה", "טיפסו", "קפץ", "קפצה", "קפצו", "צנח", "צנחה", "צנחו", "פחת", "פחתו", "הצטמצם", "הצטמצמה", "הצטמצמו", "השתפר", "השתפרה", "השתפרו", "שיפור", "יותר", "פחות", "גבוה", "גבוהה", "גבוהים", "גבוהות", "נמוך", "נמוכה", "נמוכים", "נמוכות",
        "增长", "增長", "增加", "上升", "上涨", "上漲", "提高", "提升", "下降", "下跌", "下滑", "减少", "減少", "降低", "回落", "同比", "环比", "環比", "高于", "低于", "增幅", "降幅", "涨幅", "回升", "反弹", "少", "多", "增", "减", "減", "升", "降", "涨", "漲", "跌",
    ),
    "spend": (
        "spent", "paid", "cost", "costs", "costing", "purchased", "bought", "borrowed", "invested", "funded", "allocated", "approved", "sold", "acquired", "raised", "charged",
        "הוציא", "הוציאה", "שילם", "שילמה", "השקיע", "השקיעה", "השקיעו", "נמכר", "נרכש", "花费", "花費", "支付", "投入", "购买", "投资", "出售", "收购",
    ),
    "leave": ("left", "leave", "leaves", "leaving", "remaining", "available", "נותר", "נותרה", "נותרו", "הותיר", "הותירה", "הותירו", "剩余", "剩餘", "剩下", "留下", "余下"),
    "event": (
        "built", "constructed", "renovated", "acquired", "purchased", "bought", "sold", "founded", "established", "matures", "maturing", "mature", "maturity", "expires", "expire",
        "expiring", "expiration", "due", "signed", "opened", "completed", "originated", "commenced", "commences", "refinanced", "refinancing", "closed on", "closing on", "inception", "filed", "dated",
        "נבנה", "נבנתה", "נרכש", "נרכשה", "נחתם", "נחתמה", "פוקע", "יפוג", "תפוג", "לפירעון", "שופץ", "הוקם", "נפתח", "建于", "建成", "购于", "收购于", "到期", "签订", "竣工", "翻新", "成立于",
    ),
    "range": ("range", "ranges", "ranged", "ranging", "varies", "varied", "vary", "נע", "נעה", "נעים", "介于", "不等", "区间", "之间"),
    "yearly": ("year over year", "yoy", "year on year", "annually", "משנה לשנה", "לעומת אשתקד", "同比"),
}  # fmt: skip

NORMS = (
    "requires", "require", "requiring", "tests", "expects", "expect", "expected", "anticipates", "anticipated", "assumes", "assumed", "forecasts", "projects", "budget", "budgeted", "budgets", "forecast", "forecasted", "projected", "projection", "projections", "target", "targets", "targeted", "underwritten", "underwriting", "pro forma", "covenant", "covenants",
    "minimum", "maximum", "threshold", "requirement", "requirements", "required", "limit", "ceiling", "benchmark", "market average", "submarket average", "industry average", "peer average",
    "national average", "plan", "planned", "per unit", "per square foot", "per sq ft", "per sf", "per month", "per room", "per bed", "per key", "per available room", "per share", "deposits", "security deposits",
    "discounted cash flow", "discounted cash flows", "היוון תזרים", "היוון תזרימי המזומנים", "折现现金流", "现金流折现",
    "תקציב", "המתוקצב", "מתוקצב", "תחזית", "החזוי", "יעד", "יעדים", "תקרה", "מגבלה", "דרישה", "דרישת", "דורש", "דורשת", "דורשים", "צפוי", "צפויה", "צופה", "הנדרש", "נדרש", "מינימום", "מינימלי", "מקסימום", "מקסימלי", "סף", "ממוצע השוק", "ממוצע ענפי", "תוכנית",
    "למ\"ר", "ליחידה", "לדירה", "לחודש", "פיקדונות",
    "预算", "預算", "预测", "預測", "目标", "目標", "上限", "下限", "要求", "最低", "最高", "阈值", "市场平均", "行业平均", "市场均值", "计划", "計劃", "每平方米", "每平方英尺", "每套", "每单位", "每户", "每月", "押金",
)  # fmt: skip

WHOLE = (
    "portfolio", "combined", "both properties", "all properties", "the properties", "aggregate", "תיק הנכסים", "הפורטפוליו", "כלל הנכסים", "שני הנכסים", "כל הנכסים",
    "投资组合", "投資組合", "合计", "合計", "所有物业", "两处物业", "全部物业",
)  # fmt: skip

PLAIN = frozenset([
    *(  # noqa: SIM905
        "a about above across after again ago all also amount an and another approximately around as at average back before below but by "
        "came cent climbed comfortably compared current currently decline declined decrease decreased dipped down dropped during earlier "
        "edged end ended expanded fell figure figures finally first for fourth from further gain gained gradually grew had half has have "
        "held higher however improved improvement in increase increased increases is it its jumped just last later level lower measure "
        "metric modestly month more nearly number of on only over over-year per percent percentage points previous prior quarter quarterly "
        "ratio reached remained representing represents result rise risen rose roughly same second sharply slightly slipped some stands "
        "steady still stood subsequently than that the their then there these they third this those to total totaled totalled up value "
        "produced generated reported posted recorded achieved earned delivered contrast been be compares compare represented therefore thus now so equal equals both ends here leaving going moved move trending averaging averaged quarters years months versus was well went were which while with year yearly "
        "הוא היא הם הן זה זו זאת אלה נתון הנתון היה הייתה היו עלה עלתה עלו ירד ירדה ירדו עלייה ירידה של על ב ל מ ה ו את לעומת שנה שנת חודש השנה רבעון "
        "הרבעון עמד עמדה הגיע הגיעה הסתכם הסתכמה קודם הקודם הקודמת כ כבר עד סוף בסוף גידול שיעור מדובר מהווה צמח צמחה גדל גדלה המדד היחס "
        "הסכום מדד שינוי אחוז"
    ).split(),
    *"的为是了该此其这一数字指标比例至到升降增长加减少上下在于达则约已较年季度月第同期去今本与相从由而也进步随后涨跌滑高低代表意味着幅回落仍并又将點点個个百分數為這達則約較與從長減隨後",
])  # fmt: skip
