"""Words that decide where a sentence ends and what kind of sentence it is, by language.

Plain data for :mod:`detection.core.text.splitting` and :mod:`detection.core.text`; keys are ISO 639-1 codes.
Abbreviations are written in lower case without their last full stop.
"""

NEVER_LAST = {
    "en": """mr mrs ms mx dr prof st mt ft gen sen rep gov hon rev sgt capt lt col maj adm cmdr pres messrs
        e.g i.e eg ie vs v cf viz approx incl excl est resp esp avg ave""",
    "de": """hr fr dr prof st z.b d.h bzw ca evtl ggf inkl exkl sog vgl z.t u.a o.g i.d.r mio mrd nr abs art
        bspw zzgl abzgl insb jhrl durchschn ing dipl""",
    "fr": "m mm mme mlle dr pr st ste p.ex c.-à-d env cf vol av apr",
    "es": "sr sra srta dr dra d dña ud uds p.ej aprox núm pág págs av avda gral ing lic prof cía",
    "it": "sig sig.ra sigg dott dr prof ing avv arch geom es ad.es p.es ca pag pagg art cfr on rag",
    "ru": "т.е т.к т.н напр ул пр им д кв стр рис табл см ср г.г гг проф акад тов г-н г-жа",
    "da": "hr fr dr f.eks bl.a dvs ca inkl ekskl evt nr pkt stk jf mht vedr pga",
    "nl": "dhr mevr dr drs ir ing prof bijv d.w.z ca incl excl nr blz o.a",
    "pl": "np tj tzn dr prof inż mgr ul nr str ok m.in św",
    "sk": "napr tzn dr prof ing mgr ul č str cca sv hod min tzv t.j",
    "he": "עמ מס טל וכד",
    "el": "κ κα π.χ δηλ κ.λπ βλ αρ",
    "bg": "г гр ул бул т.е т.н напр проф д-р стр",
    "kk": "т.б т.с.с мыс",
}
"""Abbreviations that a name or another word always follows."""

BEFORE_NUMBER = {
    "en": """no nos p pp fig figs vol vols art arts sec secs ch chs para paras ex exh app eq n° nr ref rs
        jan feb mar apr jun jul aug sep sept oct nov dec""",
    "de": "s kap ziff jan feb mär apr jun jul aug sep sept okt nov dez",
    "fr": "p pp n n° art chap fig janv févr avr juil sept oct nov déc",
    "es": "p pp n n.º art cap fig",
    "it": "p pp n n° cap fig",
    "ru": "п пп ч гл ст №",
    "he": "סע פר",
}
"""Abbreviations that end no sentence when a number follows."""

MAYBE_LAST = {
    "en": "inc ltd co corp llc l.l.c plc bros jr sr ph.d m.d esq dept div assn intl mfg univ a.m p.m b.a m.a d.c",
    "de": "gmbh ag usw etc co",
    "fr": "etc cie",
    "es": "etc ee.uu s.a",
    "it": "ecc etc s.p.a s.r.l",
    "ru": "и т.д т.п др г в руб коп млн млрд тыс",
    "da": "osv mv a/s",
    "nl": "enz etc b.v n.v",
    "pl": "itd itp r w zł",
    "sk": "atď r a.s s.r.o",
    "hi": "",
}
"""Abbreviations after which only a word of :data:`STARTERS` begins a new sentence."""

STARTERS = frozenset(
    {
        "the", "this", "that", "these", "those", "it", "its", "he", "she", "we", "they", "you", "i", "a",
        "an", "in", "on", "at", "as", "by", "for", "from", "with", "after", "before", "during", "since",
        "while", "when", "where", "why", "how", "what", "who", "which", "if", "although", "though",
        "however", "but", "and", "so", "yet", "then", "there", "here", "all", "both", "each", "every",
        "some", "many", "most", "no", "not", "now", "our", "their", "his", "her", "my", "your", "according",
        "because", "despite", "did", "do", "does", "is", "are", "was", "were", "has", "had", "will",
        "would", "should", "can", "could", "may", "let", "please", "overall", "meanwhile", "moreover",
        "furthermore", "therefore", "thus", "total", "net",
    }
)  # fmt: skip
"""English words that, capitalised after an abbreviation or an initial, begin a sentence."""

HEDGES = {
    "en": (
        r"\b(?i:might|perhaps|possibly|probably|presumably|conceivably|arguably|seemingly|supposedly)\b",
        r"\bmay(?= (?:have|well|possibly|perhaps|soon)\b)",
        r"\bcould(?! not\b|n't\b)\b(?=\s+\p{Ll})",
        r"\b(?:seems?|appears?) (?:to|that|as|like|likely)\b",
        r"\b[Ii]t (?:is|was) (?:likely|unlikely|possible|unclear|uncertain|not clear)\b",
        r"\b(?:is|are|was|were) (?:likely|unlikely) to\b",
        r"\b[Ii] (?:think|believe|guess|suppose|assume|am not sure|cannot (?:tell|confirm|determine))\b",
        r"\b[Ii](?:'m|’m) not (?:sure|certain)\b",
    ),
    "he": (
        r"(?<!\p{L})[וש]?(?:אולי|ייתכן|יתכן|כנראה|לכאורה|להערכתי|לדעתי)(?!\p{L})",
        r"(?<!\p{L})ככל הנראה(?!\p{L})",
        r"(?<!\p{L})ו?(?:עשוי|עשויה|עשויים|עשויות|עלול|עלולה|עלולים|עלולות)(?=(?:\s+\p{L}+)?\s+ל)",
        r"(?<!\p{L})(?:נראה|סביר) (?:כי|ש)",
        r"(?<!\p{L})(?:אני|אנחנו|אנו) (?:חושב|חושבת|מאמין|מאמינה|סבור|סבורה|מעריך|מעריכה|מניח|מניחה|לא בטוח)",
        r"(?<!\p{L})לא (?:ברור|ידוע) (?:אם|האם|כי|ש)",
    ),
    "zh": (
        r"(?<![不])可能(?!性)",
        r"也许|也許|或许|或許|恐怕|似乎|好像|说不定|說不定|大概(?!\s*[\p{Nd}$¥€￥])",
        r"(?:我|我们|我們)(?:认为|認為|觉得|覺得|猜|想是|不确定|不確定)",
        r"(?:尚)?不(?:清楚|确定|確定)(?:是否)?",
    ),
}
"""Patterns of a statement that its writer does not assert (SPEC-08.09). About and approximately are not
among them: they state a number with less precision, not with less conviction."""

INSTRUCTIONS = {
    "en": (
        r"(?i:please|kindly|let me know|feel free|make sure|be sure to|do not hesitate|don[’']t hesitate)\b",
        r"(?:See|Refer|Consult|Contact|Check|Review|Verify|Ensure|Consider|Compare|Ask|Provide|Use|Look)"
        r"\s+(?:to|at|the|your|our|with|whether|that|a|an|also|for|(?i:note|section|table|page|appendix|figure))\b",
    ),
    "he": (
        r"(?:אנא|בבקשה|נא|ראו|ראה|עיינו|פנו|בדקו|ודאו|הקפידו|אל תהססו|יש (?:לפנות|לבדוק|לעיין|לוודא))(?!\p{L})",
    ),
    "zh": (r"(?:请|請|敬请|敬請|参见|參見|详见|詳見|务必|務必|如需|欢迎|歡迎)(?!求)",),
}
"""How a sentence begins that tells the reader to do something."""

SUBORDINATE = r"\b(?:that|which|who|whose|where|wherein)\b|(?<!\p{L})אשר(?!\p{L})"
"""What opens a clause of which the sentence speaks: a doubt in there is reported, not held (``the lender
argues that rents may fall``)."""

QUESTIONS = {
    "he": (r"(?:האם)(?!\p{L})",),
    "zh": (r".*(?:吗|嗎|呢)[。.!！]?$",),
}
"""Questions that need no question mark."""

CONFIDENCE = (
    r"\b(?P<percent>\d{1,3}(?:\.\d+)?)\s*(?:%|％|per ?cent)\s+(?:confident|certain|sure|confidence(?!\s+(?:interval|level|band|limit)))\b",
    r"\bconfidence(?:\s+(?:level|score))?(?:\s+(?:of|is)|\s*[:=])\s*(?P<percent>\d{1,3}(?:\.\d+)?)\s*[%％]",
    r"\bconfidence(?:\s+(?:level|score))?(?:\s+(?:of|is)|\s*[:=])\s*(?P<share>0?\.\d+|[01](?:\.0+)?)(?![\d%％])",
    r"(?:ביטחון|בטחון|ודאות)(?:\s+של|\s*[:=])\s*(?P<percent>\d{1,3}(?:\.\d+)?)\s*[%％]",
    r"(?:ביטחון|בטחון|ודאות)(?:\s+של|\s*[:=])\s*(?P<share>0?\.\d+)(?![\d%％])",
    r"(?:置信度|信心度?|把握)\s*+(?:(?:为|為|是|[:：=])\s*+)?(?P<percent>\d{1,3}(?:\.\d+)?)\s*[%％]",
    r"(?:置信度|信心度?|把握)\s*+(?:(?:为|為|是|[:：=])\s*+)?(?P<share>0?\.\d+)(?![\d%％])",
)
"""How an answer states its own confidence (SPEC-08.08): ``percent`` or ``share`` is the figure."""

CLAUSE_BREAKS = {
    "en": r"\s*;\s+(?:and\s+|but\s+|while\s+)?|,\s+(?:but|while|whereas|and)\s+",
    "he": r"\s*;\s+|,\s+(?:אך|אבל|ואילו|בעוד ש?|לעומת זאת)\s*",
    "zh": r"，(?:但是?|而且|而(?!非)|同时|同時|然而|不过|不過)",
}
"""Where two independent clauses of one sentence may meet."""

FINITE_VERBS = {
    "en": r"\b(?:is|are|was|were|has|had|have|rose|fell|grew|increased|decreased|declined|dropped|climbed|"
    r"stood|reached|totall?ed|amounted|remained|improved|exceeded|came|equall?ed|averaged|will|did|does)\b",
    "he": r"(?<!\p{L})(?:היה|היתה|הייתה|היו|עלה|עלתה|עלו|ירד|ירדה|ירדו|עמד|עמדה|עמדו|הסתכם|הסתכמה|הסתכמו|"
    r"גדל|גדלה|קטן|קטנה|צמח|צמחה|הגיע|הגיעה|הגיעו|נותר|נותרה|נשאר|נשארה|הוא|היא)(?!\p{L})",
    "zh": r"为|為|是|增长|增長|下降|上升|增加|减少|減少|达到|達到|达|達|保持|升至|降至|有",
}
"""Verbs that show a clause to stand on its own."""

ATTRIBUTION = r"[^，。！？；：,\s]{0,8}(?:说|說|称|稱|表示|指出|问|問|写道|寫道)(?:道|了)?(?=[。，,：:])"
"""Who said it, after a quotation: Chinese has no comma there, and no capital would begin the next sentence."""

ADVERSATIVE = r"(?:אך|אבל|ואולם|אלא|או|ולא)\b|(?:但|却|卻|而)"
"""How a sentence goes on after an ellipsis."""

MARK_SAYS = r"(?:מאשר|מראה|מציג|מציינ|מציין|קובע|מפרט|מדווח|טוען)\p{L}{0,2}\b|(?:证实|證實|显示|顯示|表明|指出|说明|說明|确认|確認|称|稱|则|則|却|卻|亦)"
"""What a source does that begins a sentence as its subject: ``[S2] מאשר``, ``[S2]证实``; in Chinese also the adverbs that need a subject
before them (``[S2]则``)."""
