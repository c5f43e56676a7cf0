"""The words and signs of numbers in English, Hebrew and Chinese, as plain tables (NUM-01…NUM-04).

Keys are lower case. Scales are powers of ten as factors; currencies are ISO 4217 codes.
"""

from decimal import Decimal

CURRENCY_SIGNS: dict[str, str] = {
    "$": "USD", "€": "EUR", "£": "GBP", "₪": "ILS", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
    "₫": "VND", "฿": "THB", "₴": "UAH", "₦": "NGN", "₱": "PHP", "₡": "CRC", "₭": "LAK", "₾": "GEL", "￥": "CNY",
    "us$": "USD", "us $": "USD", "u.s. $": "USD", "u.s $": "USD", "a$": "AUD", "au$": "AUD", "au $": "AUD",
    "c$": "CAD", "c $": "CAD", "ca$": "CAD", "cad$": "CAD", "cad $": "CAD", "hk$": "HKD", "hk $": "HKD",
    "nt$": "TWD", "nz$": "NZD", "nz $": "NZD", "nzd$": "NZD", "nzd $": "NZD", "s$": "SGD", "sgd$": "SGD",
    "r$": "BRL", "mex$": "MXN", "mx$": "MXN", "mop$": "MOP", "tt$": "TTD", "rd$": "DOP", "gy$": "GYD",
    "z$": "ZWL", "t$": "TOP", "cuc$": "CUC", "$u": "UYU", "aud$": "AUD",
}  # fmt: skip

CURRENCY_CODES = (
    "USD", "EUR", "GBP", "ILS", "NIS", "JPY", "CNY", "RMB", "INR", "CHF", "CAD", "AUD", "NZD", "HKD", "SGD",
    "SEK", "NOK", "DKK", "KRW", "TWD", "BRL", "MXN", "ZAR", "TRY", "PLN", "RUB", "AED", "SAR", "THB",
    "CZK", "HUF", "IDR", "MYR", "VND", "EGP", "NGN", "KES", "QAR", "KWD", "BHD", "ARS", "CLP", "UAH", "KZT", "PKR", "LKR", "CNH", "COP", "RON",
)  # fmt: skip
CODE_MEANS = {"NIS": "ILS", "RMB": "CNY", "CNH": "CNY"}
CODES_LIKE_WORDS = frozenset(("TRY", "COP", "RON"))  # currencies only where written in capitals

DOLLARS = frozenset(("AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "MXN"))
"""Currencies whose sign is ``$`` too, when their code says so: ``$1,190 AUD``."""

CURRENCY_WORDS: dict[str, str] = {
    "us dollars": "USD", "us dollar": "USD", "u.s. dollars": "USD", "u.s. dollar": "USD", "dollars": "USD",
    "dollar": "USD", "australian dollars": "AUD", "australian dollar": "AUD", "canadian dollars": "CAD",
    "canadian dollar": "CAD", "hong kong dollars": "HKD", "singapore dollars": "SGD", "euros": "EUR", "euro": "EUR",
    "new zealand dollars": "NZD", "pounds sterling": "GBP", "british pounds": "GBP", "pound sterling": "GBP",
    "swiss francs": "CHF", "swiss franc": "CHF", "francs": "CHF", "yen": "JPY", "japanese yen": "JPY",
    "yuan": "CNY", "chinese yuan": "CNY", "renminbi": "CNY", "rupees": "INR", "rupee": "INR",
    "indian rupees": "INR", "new israeli shekels": "ILS", "israeli shekels": "ILS", "shekels": "ILS", "shekel": "ILS",
    "turkish lira": "TRY", "lira": "TRY", "liras": "TRY", "zloty": "PLN", "zlotys": "PLN", "forints": "HUF", "forint": "HUF",
    "swedish kronor": "SEK", "swedish krona": "SEK", "norwegian kroner": "NOK", "danish kroner": "DKK", "rand": "ZAR",
    "south african rand": "ZAR", "reais": "BRL", "brazilian reais": "BRL", "mexican pesos": "MXN", "philippine pesos": "PHP",
    "korean won": "KRW", "baht": "THB", "ringgit": "MYR", "rupiah": "IDR", "dirhams": "AED", "saudi riyals": "SAR",
    "roubles": "RUB", "rubles": "RUB", "hryvnia": "UAH", "new taiwan dollars": "TWD",
    "דולרים": "USD", "דולר": "USD", "דולר אמריקאי": "USD", "דולר ארה\"ב": "USD", "יורו": "EUR", "אירו": "EUR",
    "שקלים": "ILS", "שקלים חדשים": "ILS", "שקל": "ILS", "שקל חדש": "ILS", "ש\"ח": "ILS", "ש״ח": "ILS",
    "ש''ח": "ILS", "שח": "ILS", "לירות שטרלינג": "GBP", "ליש\"ט": "GBP", "ליש״ט": "GBP",
    "美元": "USD", "美金": "USD", "元人民币": "CNY", "元人民幣": "CNY", "人民币": "CNY", "人民幣": "CNY", "元": "CNY",
    "块钱": "CNY", "欧元": "EUR", "歐元": "EUR", "英镑": "GBP", "英鎊": "GBP", "日元": "JPY", "日圓": "JPY", "港元": "HKD",
    "港币": "HKD", "港幣": "HKD", "加元": "CAD", "澳元": "AUD", "新台币": "TWD", "新臺幣": "TWD", "瑞士法郎": "CHF",
    "谢克尔": "ILS", "新谢克尔": "ILS", "以色列新谢克尔": "ILS", "印度卢比": "INR", "卢比": "INR",
}  # fmt: skip

CURRENCY_PARTS: dict[str, str] = {
    "cents": "USD", "cent": "USD", "¢": "USD", "pence": "GBP", "אגורות": "ILS",
}  # fmt: skip
"""Hundredths of a currency; a currency named beside them says which."""

_K, _M, _B, _T = Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9, Decimal(10) ** 12

SCALE_WORDS: dict[str, Decimal] = {
    "hundred": Decimal(100), "thousand": _K, "thousands": _K, "million": _M, "millions": _M, "billion": _B, "billions": _B,
    "trillion": _T, "trillions": _T, "lakh": Decimal(10) ** 5, "crore": Decimal(10) ** 7,
    "אלף": _K, "אלפי": _K, "אלפים": _K, "מיליון": _M, "מיליוני": _M, "מליון": _M, "מיליארד": _B, "מיליארדי": _B,
    "טריליון": _T, "א'": _K, "מ'": _M,
    "千": _K, "万": Decimal(10) ** 4, "萬": Decimal(10) ** 4, "十万": Decimal(10) ** 5, "十萬": Decimal(10) ** 5, "百万": _M,
    "百萬": _M, "千万": Decimal(10) ** 7, "千萬": Decimal(10) ** 7, "亿": Decimal(10) ** 8, "億": Decimal(10) ** 8,
    "十亿": _B, "十億": _B, "百亿": Decimal(10) ** 10, "百億": Decimal(10) ** 10, "千亿": Decimal(10) ** 11,
    "千億": Decimal(10) ** 11, "万亿": _T, "萬億": _T, "兆": _T,
}  # fmt: skip
SCALE_LETTERS: dict[str, Decimal] = {
    "k": _K, "m": _M, "mm": _M, "mn": _M, "mln": _M, "mio": _M, "mrd": _B, "b": _B, "bn": _B, "t": _T, "tn": _T, "trn": _T
}  # fmt: skip

HAN_CURRENCIES = (
    "人民币",
    "人民幣",
    "美元",
    "欧元",
    "歐元",
    "港元",
    "港币",
    "港幣",
    "日元",
    "英镑",
    "英鎊",
    "新台币",
    "新臺幣",
    "新谢克尔",
)

DECIMAL_COMMA = frozenset((
    "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "hr", "hu", "id", "is", "it", "lt", "lv", "nb", "nl", "nn", "no", "pl", "pt",
    "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi",
))  # fmt: skip
"""Languages that write 1.234,5 (ISO 639-1)."""

ENGLISH_NUMBERS: dict[str, int] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
ENGLISH_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
HEBREW_NUMBERS: dict[str, int] = {
    "אחד": 1, "אחת": 1, "שני": 2, "שתי": 2, "שניים": 2, "שתיים": 2, "שלושה": 3, "שלוש": 3, "שלושת": 3,
    "ארבעה": 4, "ארבע": 4, "חמישה": 5, "חמש": 5, "שישה": 6, "שש": 6, "שבעה": 7, "שבע": 7, "שמונה": 8, "תשעת": 9, "ששת": 6, "חמשת": 5, "ארבעת": 4, "שבעת": 7, "שמונת": 8, "עשרת": 10,
    "תשעה": 9, "תשע": 9,
    "עשרה": 10, "עשר": 10, "עשרים": 20, "שלושים": 30, "ארבעים": 40, "חמישים": 50, "שישים": 60, "שבעים": 70,
    "שמונים": 80, "תשעים": 90, "מאה": 100, "מאתיים": 200, "אלפיים": 2000,
}  # fmt: skip
HEBREW_SCALES = {"מאות": 100, "אלף": 10**3, "אלפים": 10**3, "מיליון": 10**6, "מיליארד": 10**9}
CHINESE_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9
}  # fmt: skip
CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
CHINESE_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan ינואר ינו'", "february feb פברואר פבר'", "march mar מרץ מרס", "april apr אפריל אפר'", "may מאי",
            "june jun יוני", "july jul יולי", "august aug אוגוסט אוג'", "september sept sep ספטמבר ספט'",
            "october oct אוקטובר אוק'", "november nov נובמבר נוב'", "december dec דצמבר דצמ'",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_DAY_NAMES = (
    *_ONES, *["tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"],
    "twentieth", *(f"twenty {name}" for name in _ONES), "thirtieth", "thirty first",
)  # fmt: skip
SPELLED_DAYS: dict[str, int] = {name: day for day, name in enumerate(_DAY_NAMES, start=1)}
ORDINALS: dict[str, int] = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": 4, "last": 4,
    "ראשון": 1, "ראשונה": 1, "שני": 2, "שנייה": 2, "שניה": 2, "שלישי": 3, "רביעי": 4,
    "א'": 1, "ב'": 2, "ג'": 3, "ד'": 4, "一": 1, "二": 2, "三": 3, "四": 4, "上": 1, "下": 2, "1": 1, "2": 2, "3": 3, "4": 4,
}  # fmt: skip

APPROXIMATE = (
    "about", "approximately", "c.", "approx.", "approx", "around", "roughly", "nearly", "almost", "some", "circa", "ca.", "close to", "~", "≈", "∼",
    "כ-", "כ", "בכ-", "בכ", "לכ-", "לכ", "מכ-", "מכ", "בערך", "בסביבות", "קרוב ל-", "קרוב ל", "כמעט", "בקירוב",
    "约", "約", "大约", "大約", "约为", "近", "接近", "将近", "大概", "约占", "約為",
)  # fmt: skip
AT_LEAST = (
    "at least", "more than", "over", "above", "exceeding", "exceeds", "exceed", "exceeded", "greater than", "no less than", "not less than",
    "a minimum of", "minimum of", "in excess of", "upwards of", "just over", "a floor of", "floor of", "no lower than", "not below", "at a minimum of", "no fewer than", "not fewer than", ">", "≥", ">=",
    "לפחות", "יותר מ-", "יותר מ", "מעל", "מעל ל-", "למעלה מ-", "למעלה מ", "לא פחות מ-", "לא פחות מ",
    "לא יפחת מ-", "לא תפחת מ-", "לא יפחתו מ-", "לא יפחת מ", "לא תפחת מ",
    "至少", "超过", "超過", "超", "高于", "高於", "不少于", "不少於", "不低于", "不低於", "大于", "逾", "突破",
)  # fmt: skip
AT_MOST = (
    "at most", "less than", "under", "below", "up to", "no more than", "not more than", "not to exceed", "not exceed", "not exceeding",
    "a maximum of", "maximum of", "capped at", "a cap of", "cap of", "a ceiling of", "as much as", "as many as", "just under", "no higher than", "fewer than", "<", "≤", "<=",
    "לכל היותר", "פחות מ-", "פחות מ", "עד", "מתחת ל-", "מתחת ל", "לא יותר מ-", "לא יותר מ",
    "לא יעלה על", "לא תעלה על", "לא יעלו על",
    "至多", "最多", "不超过", "不超過", "低于", "低於", "少于", "少於", "小于", "不到", "不足", "跌破",
)  # fmt: skip
UP = (
    "increased", "increase", "increases", "increasing", "rose", "rise", "risen", "rising", "grew", "grow", "grown", "growing", "growth", "up",
    "gained", "gain", "climbed", "jumped", "higher", "improved", "improvement", "expanded", "surged", "added", "soared", "rallied", "widened", "accelerated",
    "עלה", "עלתה", "עלו", "עלייה", "עליה", "גדל", "גדלה", "גדלו", "צמח", "צמחה", "צמיחה", "גידול", "התחזק", "התרחב", "התרחבה", "השתפר", "השתפרה", "השתפרו", "זינק", "זינקה",
    "增长", "增長", "上升", "增加", "上涨", "上漲", "提高", "提升", "升", "扩大", "擴大", "上调", "上調",
)  # fmt: skip
DOWN = (
    "decreased", "decrease", "decreases", "decreasing", "fell", "fall", "fallen", "falling", "declined", "decline", "declining", "down", "dropped", "drop",
    "lost", "lower", "reduced", "reduction", "shrank", "contracted", "slipped", "narrowed", "compressed", "tightened", "cut", "cuts", "trimmed", "lowered", "slashed", "plunged", "slid", "eased", "tumbled",
    "ירד", "ירדה", "ירדו", "ירידה", "קטן", "קטנה", "קטנו", "קיטון", "צנח", "פחת", "הצטמצם", "הצטמצמה", "נשחק", "נשחקה", "נשחקו", "צנחה",
    "下降", "下调", "下調", "收窄", "减少", "減少", "下跌", "下滑", "降低", "降", "跌",
)  # fmt: skip

CUE_LINKS = ("by", "of", "a", "an", "the", "בשיעור", "של", "ב-", "ב", "了", "about:")
UP_BY = ("raised", "raise", "lifted", "boosted", "pushed")
"""Verbs that state a change only with "by": the fund raised $5m, and raised rents by 5 %."""
NO_CUE = ("最近", "附近")  # they end like a cue and are none
LEVELS = (
    "above",
    "below",
    "under",
    "מעל",
    "מעל ל-",
    "מתחת ל-",
    "מתחת ל",
    "高于",
    "高於",
    "低于",
    "低於",
    "跌破",
    "突破",
)
"""Bounds that name a level: ``fell below 90 %`` says where it stands, not by how much it changed."""

CUES_AFTER = (
    "+", "annual", "yearly", "year", "yoy", "quarter", "qoq", "monthly", "tightening", "compression", "contraction", "widening", "expansion",
    "increase", "growth", "higher", "rise", "gain", "improvement", "עלייה", "גידול", "decrease", "decline", "lower", "drop",
    "reduction", "fall", "ירידה", "קיטון", "or", "以上", "לפחות", "ומעלה", "以下", "לכל היותר", "左右", "上下", "בערך",
)  # fmt: skip

RATIO_NAMES = (
    "dscr", "icr", "fccr", "ratio", "ratios", "coverage", "cover", "leverage", "multiple", "loan-to-value", "ltv", "debt-to-equity",
    "יחס", "יחס כיסוי", "יחס הכיסוי", "יחס כיסוי החוב", "יחס כיסוי חוב", "יחס כיסוי שירות החוב", "יחס ההוצאות", "יחס המינוף", "מכפיל", "比率", "比例", "覆盖率", "覆蓋率", "倍数", "倍數",
)  # fmt: skip
RATIO_LINKS = (
    "of", "is", "was", "were", "at", "to", "stood", "remained", "came", "in", "from", "and", "be", "not", "no", "less", "more", "greater", "than", "or", "equal", "least", "exceed", "exceeds", "exceeded", "about", "approximately", "rose", "fell", "improved", "declined", "increased", "decreased", "reached", "equals", "equaled", "equalled", "required", "minimum", "maximum", "a", "an", "the", "which", "has", "had", "been", "will", "לא", "יפחת", "תפחת", "יעלה", "היה", "היתה", "הייתה", "הוא", "עמד", "עמדה", "על", "של", "עלה", "ירד",
)  # fmt: skip
LABELS_BEFORE = (
    "section", "sections", "sec.", "item", "items", "note", "notes", "exhibit", "exhibits", "page", "pages", "p.", "pp.", "chapter", "chapters",
    "article", "articles", "table", "tables", "figure", "figures", "fig.", "form", "rule", "rules", "no.", "number", "line", "lines", "part",
    "parts", "appendix", "schedule", "schedules", "step", "steps", "version", "ver.", "suite", "suites", "room", "floor", "unit",
    "apt.", "apartment", "building", "tier", "level", "phase", "series", "class", "type", "id", "id:", "invoice", "account", "policy",
    "ref.", "ref", "ticket", "lot", "parcel", "zip", "box", "order", "ifrs", "ias", "iso", "asu", "asc", "sfas", "topic", "boeing", "model",
    "paragraph", "paragraphs", "clause", "clauses", "footnote", "footnotes", "source", "sources", "chunk", "document", "slide", "slides", "row",
    "rows", "column", "columns", "tab", "question", "bullet", "phone", "tel", "tel.", "fax", "ein", "cusip", "isin", "docket",
    "highway", "route", "interstate", "exit", "gate", "pier", "terminal", "district", "zone",
    "s&p", "russell", "fortune", "nikkei", "ftse", "cac", "dax", "stoxx", "topix",
    "סעיף", "סעיפים", "עמוד", "עמודים", "עמ'", "פרק", "פרקים", "מספר", "מס'", "דירה", "קומה", "חדר", "גרסה", "טופס", "הערה", "ביאור", "ביאורים",
    "טבלה", "טבלאות", "נספח", "תרשים", "איור", "שורה", "עמודה", "שלב", "טלפון", "גוש", "חלקה", "ח.פ.", "ח\"פ", "תיק", "חשבון", "חשבונית",
    "כביש", "תקן", "תקנה", "מדד תל אביב", "מדד ת\"א",
    "第", "附注", "附註", "附件", "附录", "附錄", "注释", "表", "图", "圖", "编号", "編號", "号码", "號碼", "账号", "賬號", "帐号", "手机号", "证号", "单号",
    "尾号", "代码", "电话", "電話", "版本", "型号", "波音", "上午", "下午", "早上", "晚上", "凌晨", "沪深", "标普", "標普", "上证", "中证", "深证", "恒生", "日经",
    "罗素", "富时",
)  # fmt: skip
