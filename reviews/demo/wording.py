"""How the demo backend words its answers and sources, in three languages."""

TEXTS = {
    "en": {
        "money": "${value}",
        "q_income": "What was the net operating income of {name} in {period}?",
        "q_overview": "How did {name} do in {period}?",
        "q_lease": "Who pays for building insurance under the {tenant} lease at {name}?",
        "correct": "Net operating income of {name} was {income} in {period} [S0]. Occupancy stood at {occupancy}% [S0], and the debt service coverage ratio was {dscr}x [S1].",
        "wrong_number": "Net operating income of {name} was {income} in {period} [S0], while occupancy reached {occupancy}% [S0]. Debt service coverage stood at {dscr}x [S1].",
        "rounded": "Total revenue came to about {revenue_short} in {period} [S0] and operating expenses to {expenses} [S0].",
        "revenue_short": "${value} million",
        "uncited": "As we know, properties of this kind usually recover quickly after a renovation of their lobby. In {period} the net operating income of {name} was {income}, which the asset manager explained by the new parking contract. Further growth of the surrounding district is expected to lift rents over the next five years.",
        "bad_citation": "Operating expenses were {expenses} in {period} [S0]. The lender waived the covenant test for that quarter [S9].",
        "lease_right": "Under the lease, {tenant} pays the premiums of the building insurance [S2].",
        "lease_wrong": "Under the lease, {tenant} does not pay the premiums of the building insurance [S2].",
        "lease_made_up": "{tenant} signed a ten-year renewal in spring and agreed to fund a new entrance [S2].",
        "mixed": "Which quarter do you mean? Please check the rent roll for the details. Occupancy of {name} was {occupancy}% in {period} [S0]. Rents may rise further next year.",
        "cut_off": "Total revenue was {revenue} in {period} [S0]. {filler}",
        "filler": "Account {n} of the operating statement shows no unusual movement for the quarter [S0].",
        "unread": "The garage of {name} has 412 parking spaces.",
        "appendix": "Appendix {n}: inspection notes for floor {n} of {name}. No defects were found in {period}.",
        "statement_title": "Operating statement, {period}",
        "memo_title": "Loan memo, {period}",
        "lease_title": "Lease abstract, {tenant}",
        "header": "{name} ({currency}) | {period} | {before}",
        "memo": "The senior loan was tested at quarter end. For {period} the debt service coverage ratio of {name} was {dscr}x and loan to value was {ltv}%. Occupancy at {name} stood at {occupancy}%. Debt service of {debt} was paid on time.",
        "lease": "{tenant} occupies the ground floor of {name}. The tenant, {tenant}, pays the premiums of the building insurance under the lease. The landlord maintains the roof and the structure. The lease runs until 31 December 2029.",
    },
    "he": {
        "money": "{value} ₪",
        "q_income": "מה הייתה ההכנסה התפעולית הנקייה של {name} ב{period}?",
        "q_overview": "מה היו תוצאות {name} ב{period}?",
        "q_lease": "מי משלם את ביטוח המבנה לפי חוזה השכירות של {tenant}?",
        "correct": "ההכנסה התפעולית הנקייה של {name} הייתה {income} ב{period} [S0]. שיעור התפוסה עמד על {occupancy}% [S0].",
        "wrong_number": "ההכנסה התפעולית הנקייה של {name} הייתה {income} ב{period} [S0], ושיעור התפוסה הגיע ל-{occupancy}% [S0].",
        "rounded": "סך ההכנסות היה כ-{revenue_short} ב{period} [S0], והוצאות התפעול היו {expenses} [S0].",
        "revenue_short": "{value} מיליון ₪",
        "uncited": "כידוע, נכסים מסוג זה מתאוששים מהר לאחר שיפוץ הלובי. ב{period} ההכנסה התפעולית הנקייה של {name} הייתה {income}, ומנהל הנכס הסביר זאת בחוזה החניה החדש.",
        "bad_citation": "הוצאות התפעול היו {expenses} ב{period} [S0]. המלווה ויתר על בדיקת ההתניה הפיננסית ברבעון זה [S9].",
        "lease_right": "לפי חוזה השכירות, {tenant} משלמת את דמי ביטוח המבנה [S2].",
        "lease_wrong": "לפי חוזה השכירות, {tenant} אינה משלמת את דמי ביטוח המבנה [S2].",
        "lease_made_up": "{tenant} חתמה באביב על הארכה לעשר שנים והסכימה לממן כניסה חדשה [S2].",
        "mixed": "לאיזה רבעון התכוונת? נא לבדוק את מצבת השוכרים. שיעור התפוסה של {name} היה {occupancy}% ב{period} [S0]. ייתכן שדמי השכירות יעלו בשנה הבאה.",
        "statement_title": "דוח תפעולי, {period}",
        "memo_title": "מזכר הלוואה, {period}",
        "lease_title": "תקציר חוזה, {tenant}",
        "header": "{name} ({currency}) | {period} | {before}",
        "memo": "ההלוואה נבדקה בסוף הרבעון. ב{period} יחס כיסוי החוב של {name} היה {dscr}x ויחס ההלוואה לשווי היה {ltv}%. שירות החוב בסך {debt} שולם במועד.",
        "lease": "{tenant} שוכרת את קומת הקרקע של {name}. לפי חוזה השכירות, השוכרת {tenant} משלמת את דמי ביטוח המבנה. המשכיר מתחזק את הגג ואת השלד. החוזה בתוקף עד 31 בדצמבר 2029.",
    },
    "zh": {
        "money": "{value}元",
        "q_income": "{name}{period}的净营业收入是多少？",
        "q_overview": "{name}在{period}表现如何？",
        "q_lease": "按照{tenant}的租约，建筑保险由谁支付？",
        "correct": "{name}{period}的净营业收入为{income}[S0]。出租率为{occupancy}%[S0]。",
        "wrong_number": "{name}{period}的净营业收入为{income}[S0]，出租率达到{occupancy}%[S0]。",
        "rounded": "{period}总收入约为{revenue_short}[S0]，营业费用为{expenses}[S0]。",
        "revenue_short": "{value}万元",
        "uncited": "众所周知，这类物业在大堂翻新之后通常恢复得很快。{period}{name}的净营业收入为{income}，资产经理认为这得益于新的停车场合同。",
        "bad_citation": "{period}营业费用为{expenses}[S0]。贷款人豁免了该季度的财务约束测试[S9]。",
        "lease_right": "按照租约，{tenant}支付建筑保险的保险费[S2]。",
        "lease_wrong": "按照租约，{tenant}不支付建筑保险的保险费[S2]。",
        "lease_made_up": "{tenant}在春天签订了十年续租协议，并同意出资修建新的入口[S2]。",
        "mixed": "您指的是哪个季度？请查看租金明细表。{name}{period}的出租率为{occupancy}%[S0]。明年租金可能会继续上涨。",
        "statement_title": "营业报表，{period}",
        "memo_title": "贷款备忘录，{period}",
        "lease_title": "租约摘要，{tenant}",
        "header": "{name}（{currency}） | {period} | {before}",
        "memo": "贷款在季末接受测试。{period}{name}的偿债备付率为{dscr}x，贷款价值比为{ltv}%。偿债支出{debt}已按时支付。",
        "lease": "{tenant}承租{name}的首层。按照租约，承租人{tenant}支付建筑保险的保险费。出租人负责维护屋顶和结构。租约有效期至2029年12月31日。",
    },
}  # fmt: skip

# Row labels of the operating statement: revenue, expenses, income, occupancy.
ROWS = {
    "en": ("Total revenue", "Operating expenses", "Net operating income", "Occupancy"),
    "he": ("סך ההכנסות", "הוצאות תפעול", "הכנסה תפעולית נקייה", "שיעור התפוסה"),
    "zh": ("总收入", "营业费用", "净营业收入", "出租率"),
}
PERIODS = {"en": "Q{q} {y}", "he": "רבעון {q} {y}", "zh": "{y}年第{zh}季度"}
CHINESE_QUARTERS = "一二三四"


def period_name(language: str, year: int, quarter: int) -> str:
    """How a language names a quarter."""
    return PERIODS[language].format(q=quarter, y=year, zh=CHINESE_QUARTERS[quarter - 1])
