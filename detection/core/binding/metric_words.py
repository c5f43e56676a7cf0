"""What people call the figures of a property and of an income statement, in English, Hebrew and Chinese.

``KINDS`` gives each metric's kind; ``ALIASES`` its phrases, lower case; ``COLUMNS`` names those that the
database keeps one column each for. The others are accounts, or figures that no record holds: a number that
belongs to one of these must not be taken for another figure. The first phrase of a language is what Hallu itself says.
"""

from functools import cache

import regex

from detection.core.types import Kind

_SCRIPTS = {"he": regex.compile(r"\p{Hebrew}"), "zh": regex.compile(r"\p{Han}")}

COLUMNS = frozenset((
    "total_revenue", "gross_potential_rent", "operating_expenses", "net_operating_income", "net_income",
    "debt_service", "occupancy_rate", "vacancy_rate", "expense_ratio", "ltv", "cap_rate", "debt_yield", "dscr",
))  # fmt: skip

_OF_KIND: dict[Kind, tuple[str, ...]] = {
    "currency": (
        "total_revenue", "operating_expenses", "net_operating_income", "net_income", "debt_service",
        "gross_potential_rent", "effective_gross_income", "rental_income", "other_income", "tenant_recoveries",
        "parking_income", "laundry_income", "late_fees", "interest_income", "bad_debt", "concessions", "property_taxes",
        "insurance", "utilities", "repairs_and_maintenance", "management_fees", "payroll", "landscaping",
        "security", "cleaning", "marketing", "professional_fees", "general_and_administrative", "income_taxes",
        "interest_expense", "depreciation", "capital_expenditures", "tenant_improvements", "leasing_commissions",
        "replacement_reserves", "cost_of_sales", "cash_flow", "ebitda", "gross_profit", "vacancy_loss",
        "property_value", "purchase_price", "loan_balance", "average_rent",
    ),
    "percentage": (
        "occupancy_rate", "vacancy_rate", "expense_ratio", "cap_rate", "debt_yield", "ltv", "noi_margin",
        "net_margin", "gross_margin", "interest_rate", "collection_rate", "cash_on_cash",
    ),
    "ratio": ("dscr", "interest_coverage", "current_ratio", "debt_to_equity", "equity_multiple"),
}  # fmt: skip
KINDS: dict[str, Kind] = {metric: kind for kind, metrics in _OF_KIND.items() for metric in metrics}

ALIASES: dict[str, tuple[str, ...]] = {
    "total_revenue": (
        "total revenue", "total revenues", "revenue", "revenues", "total income", "gross revenue", "gross revenues", "total operating revenue", "operating revenue",
        "turnover", "top line", "total sales",
        "הכנסות", "סך ההכנסות", "סך הכנסות", "סך כל ההכנסות", "הכנסה כוללת", "כלל ההכנסות", "מחזור", "מחזור ההכנסות",
        "总收入", "總收入", "营业收入", "營業收入", "收入总额", "收入總額", "营收", "營收", "总营收", "總營收", "营业总收入", "營業總收入", "收入",
    ),
    "operating_expenses": (
        "operating expenses", "operating expense", "operating costs", "operating cost", "opex", "total expenses", "total operating expenses", "total opex", "expenses", "expense growth",
        "הוצאות תפעול", "הוצאות תפעוליות", "הוצאות התפעול", "סך הוצאות התפעול", "סך ההוצאות", "עלויות תפעול", "עלויות התפעול", "הוצאות",
        "运营费用", "運營費用", "營運費用", "营业费用", "營業費用", "运营支出", "運營支出", "营运支出", "营运费用", "运营成本", "運營成本", "經營費用", "经营费用", "总支出", "費用總額",
    ),
    "net_operating_income": (
        "noi", "net operating income", "operating income", "net operating profit",
        "הכנסה תפעולית נטו", "הכנסה תפעולית נקייה", "הכנסה נטו מתפעול", "רווח תפעולי נקי", "רווח תפעולי", "רווח תפעולי נטו", "הכנסות תפעוליות נטו",
        "净营业收入", "淨營業收入", "净运营收入", "淨運營收入", "淨營運收入", "净经营收入", "淨經營收入", "營運淨收入", "营运净收入", "运营净收入", "净营运收入", "营业净收入", "營業淨收入", "净营业收益",
    ),
    "net_income": (
        "net income", "net profit", "net earnings", "bottom line", "profit after tax", "רווח נקי", "רווח נטו", "הכנסה נטו",
        "净利润", "淨利潤", "净收入", "淨收入", "净收益", "淨收益", "净利", "淨利", "纯利", "純利",
    ),
    "debt_service": (
        "debt service", "debt payments", "annual debt service", "total debt service", "loan payments", "mortgage payments", "debt service payments",
        "שירות החוב", "שירות חוב", "תשלומי החוב", "תשלומי חוב", "החזרי החוב", "החזר החוב", "תשלומי המשכנתא",
        "偿债额", "償債額", "偿债支出", "償債支出", "債務償付", "债务偿付", "债务偿还", "債務償還", "债务偿还额", "还本付息", "還本付息", "还本付息额", "债务支出", "债务服务",
    ),
    "gross_potential_rent": (
        "gross potential rent", "gpr", "potential gross income", "gross potential income", "potential rent", "gross potential rental income", "scheduled rent", "gross scheduled rent",
        "שכר דירה פוטנציאלי", "דמי שכירות פוטנציאליים", "שכירות פוטנציאלית", "潜在总租金", "潛在總租金", "潜在租金总额", "潛在租金總額", "潜在毛租金", "潛在毛租金", "潜在租金收入", "潜在总租金收入",
    ),
    "effective_gross_income": ("effective gross income", "egi", "effective gross revenue", "הכנסה ברוטו אפקטיבית", "הכנסה אפקטיבית ברוטו", "有效总收入", "有效總收入", "有效毛收入"),
    "rental_income": (
        "rental income", "base rental income", "rent revenue", "rental revenue", "rental revenues", "base rent", "base rents", "lease income", "lease revenue", "rent collections",
        "הכנסות משכירות", "הכנסות מדמי שכירות", "הכנסות שכירות", "הכנסות משכר דירה", "הכנסה משכירות", "דמי השכירות", "דמי שכירות", "租金收入", "租赁收入", "租賃收入", "基本租金",
    ),
    "other_income": ("other income", "miscellaneous income", "ancillary income", "other revenue", "הכנסות אחרות", "הכנסה אחרת", "其他收入", "其它收入"),
    "tenant_recoveries": (
        "cam recoveries", "tenant recoveries", "expense recoveries", "expense reimbursements", "tenant reimbursements", "recoveries", "cam income", "common area maintenance recoveries",
        "החזרי הוצאות", "החזרים משוכרים", "费用回收", "租户分摊收入", "公摊费收入",
    ),
    "parking_income": ("parking income", "parking revenue", "parking fees", "הכנסות מחניה", "הכנסות מחניון", "הכנסות חניה", "停车费收入", "停车收入", "停車收入", "車位收入", "车位收入"),
    "laundry_income": ("laundry income", "laundry revenue", "הכנסות מכביסה", "洗衣收入", "洗衣房收入"),
    "late_fees": ("late fees", "late fee income", "דמי פיגורים", "滞纳金", "滯納金"),
    "interest_income": ("interest income", "הכנסות ריבית", "הכנסות מריבית", "利息收入"),
    "bad_debt": ("bad debt", "bad debts", "bad debt expense", "credit loss", "חובות אבודים", "חובות מסופקים", "坏账", "壞帳", "坏账损失", "坏账费用"),
    "concessions": ("concessions", "rent concessions", "הנחות לשוכרים", "租金优惠", "租金減免", "租金减免"),
    "property_taxes": ("property taxes", "real estate taxes", "property tax", "real estate tax", "property tax expense", "ארנונה", "מסי רכוש", "מס רכוש", "מיסי נדל\"ן", "房产税", "房產稅", "物业税", "物業稅", "地产税", "不动产税"),
    "insurance": ("insurance", "property insurance", "insurance expense", "insurance premiums", "insurance premium", "insurance costs", "insurance cost", "ביטוח", "הוצאות ביטוח", "הוצאות הביטוח", "דמי ביטוח", "פרמיית הביטוח", "保险费", "保險費", "保险费用", "保險費用", "保费"),
    "utilities": ("utilities", "utility costs", "utility cost", "utility expenses", "utilities expense", "utility bills", "חשמל ומים", "הוצאות חשמל ומים", "水电费", "水電費", "公用事业费", "公用事業費", "水电费用", "能源费"),
    "repairs_and_maintenance": (
        "repairs and maintenance", "repair and maintenance", "maintenance and repairs", "r&m", "maintenance", "repairs", "maintenance costs", "maintenance expenses",
        "תיקונים ותחזוקה", "תחזוקה", "הוצאות תחזוקה", "הוצאות התחזוקה", "תחזוקה ותיקונים", "אחזקה", "הוצאות אחזקה", "维修费", "維修費", "维修费用", "维护费", "维修保养费", "維修保養費", "维修支出", "维修和保养", "维护费用",
    ),
    "management_fees": ("management fees", "management fee", "property management fees", "property management fee", "asset management fee", "asset management fees", "דמי ניהול", "דמי הניהול", "管理费", "管理費", "管理费用", "物业管理费", "物業管理費"),
    "payroll": ("payroll", "payroll costs", "payroll expense", "salaries", "salaries and wages", "wages", "personnel costs", "staff costs", "labor costs", "שכר עבודה", "משכורות", "הוצאות שכר", "עלויות שכר", "工资", "薪资", "薪資", "工資", "人工成本", "人员费用", "薪酬", "员工薪酬"),
    "landscaping": ("landscaping", "landscaping costs", "grounds maintenance", "גינון", "הוצאות גינון", "绿化费", "園藝費", "绿化费用", "园林绿化费"),
    "security": ("security costs", "security expense", "security services", "אבטחה", "שמירה", "הוצאות אבטחה", "הוצאות שמירה", "安保费", "保安费", "保安費", "安保费用"),
    "cleaning": ("cleaning", "janitorial", "cleaning costs", "janitorial services", "janitorial costs", "ניקיון", "הוצאות ניקיון", "שירותי ניקיון", "清洁费", "清潔費", "保洁费", "清洁费用"),
    "marketing": ("marketing", "advertising", "advertising and marketing", "marketing and advertising", "marketing costs", "marketing expenses", "שיווק", "הוצאות שיווק", "שיווק ופרסום", "פרסום", "营销费用", "市场推广费", "廣告費", "广告费", "营销费", "推广费"),
    "professional_fees": ("professional fees", "legal fees", "legal and professional fees", "accounting fees", "audit fees", "שכר טרחה", "שירותים מקצועיים", "הוצאות משפטיות", "专业服务费", "專業費用", "法律费用", "律师费", "审计费"),
    "general_and_administrative": ("general and administrative", "general and administrative expenses", "g&a", "administrative expenses", "administrative costs", "הנהלה וכלליות", "הוצאות הנהלה וכלליות", "行政费用", "行政費用", "一般及行政费用", "行政管理费"),
    "income_taxes": ("income tax", "income taxes", "income tax expense", "מס הכנסה", "מסים על ההכנסה", "所得税", "所得稅", "所得税费用"),
    "interest_expense": ("interest expense", "interest expenses", "interest costs", "interest payments", "mortgage interest", "הוצאות ריבית", "הוצאות הריבית", "תשלומי ריבית", "הוצאות מימון", "利息支出", "利息费用", "利息費用", "財務費用", "财务费用"),
    "depreciation": ("depreciation", "depreciation and amortization", "depreciation expense", "d&a", "פחת", "פחת והפחתות", "הוצאות פחת", "折旧", "折舊", "折旧与摊销", "折旧和摊销", "折旧及摊销", "折旧费用", "折旧费"),
    "capital_expenditures": ("capital expenditures", "capital expenditure", "capex", "capital improvements", "capital spending", "השקעות הוניות", "הוצאות הוניות", "השקעה הונית", "资本支出", "資本支出", "资本性支出", "資本性支出", "资本开支"),
    "tenant_improvements": ("tenant improvements", "tenant improvement costs", "tenant improvement allowance", "ti allowance", "התאמות לשוכר", "עבודות התאמה לשוכרים", "租户装修费", "租户装修补贴"),
    "leasing_commissions": ("leasing commissions", "leasing costs", "broker commissions", "עמלות תיווך", "דמי תיווך", "租赁佣金", "租賃佣金", "中介佣金"),
    "replacement_reserves": ("replacement reserves", "reserves", "replacement reserve", "capital reserves", "קרן חידוש", "קרן לחידוש", "עתודות", "重置准备金", "重置儲備", "维修基金", "准备金"),
    "cost_of_sales": ("cost of sales", "cost of goods sold", "cogs", "cost of revenue", "עלות המכירות", "עלות המכר", "营业成本", "營業成本", "销售成本"),
    "cash_flow": ("cash flow", "net cash flow", "cash flow before reserves", "free cash flow", "cash flow after debt service", "operating cash flow", "תזרים מזומנים", "תזרים המזומנים", "תזרים המזומנים הפנוי", "תזרים המזומנים נטו", "תזרים המזומנים לאחר שירות החוב", "תזרים לאחר שירות החוב", "תזרים", "现金流", "現金流", "现金流量", "現金流量", "净现金流", "自由现金流"),
    "ebitda": ("ebitda", "adjusted ebitda", "税息折旧及摊销前利润", "息税折旧摊销前利润"),
    "gross_profit": ("gross profit", "רווח גולמי", "毛利润", "毛利", "毛利潤"),
    "vacancy_loss": ("vacancy loss", "vacancy losses", "loss to vacancy", "vacancy and credit loss", "הפסד תפוסה", "הפסד מאי תפוסה", "אובדן הכנסה מאי תפוסה", "空置损失", "空置損失"),
    "occupancy_rate": (
        "occupancy", "occupancy rate", "occupancy level", "physical occupancy", "economic occupancy", "average occupancy", "occupied", "leased",
        "תפוסה", "שיעור תפוסה", "שיעור התפוסה", "אחוז תפוסה", "אחוז התפוסה", "אחוזי התפוסה", "רמת התפוסה", "אכלוס", "שיעור האכלוס", "מאוכלס", "מאוכלסים", "מאוכלסות", "תפוסים", "מושכרים", "מושכר",
        "出租率", "入住率", "占用率", "使用率", "已出租", "租出",
    ),
    "vacancy_rate": (
        "vacancy", "vacancy rate", "vacant", "unoccupied", "unleased", "שיעור הפנויים", "שטחים פנויים", "פנויים", "פנויות", "פנוי", "שיעור אי התפוסה", "אי תפוסה", "אי התפוסה", "שיעור השטחים הפנויים", "空置率", "空置",
    ),
    "expense_ratio": ("expense ratio", "operating expense ratio", "oer", "operating ratio", "יחס ההוצאות", "יחס הוצאות", "יחס הוצאות תפעול", "שיעור ההוצאות", "费用率", "費用率", "费用比率", "費用比率", "运营费用率", "運營費用率", "支出比率"),
    "dscr": (
        "dscr", "debt service coverage ratio", "debt service coverage", "debt coverage ratio", "debt coverage", "dcr", "coverage ratio", "coverage", "debt service cover",
        "יחס כיסוי החוב", "יחס כיסוי חוב", "יחס כיסוי שירות החוב", "יחס כיסוי", "יחס הכיסוי", "כיסוי החוב", "כיסוי שירות החוב",
        "偿债覆盖率", "償債覆蓋率", "偿债备付率", "償債備付率", "债务覆盖率", "偿债保障比率", "償債保障比率", "債務覆蓋率", "偿债覆盖比率", "债务偿付比率", "覆盖率", "覆蓋率", "债务覆盖比率", "偿债保障倍数",
    ),
    "ltv": ("ltv", "loan to value", "loan to value ratio", "ltv ratio", "leverage", "יחס הלוואה לשווי", "יחס חוב לשווי", "שיעור המימון", "שיעור מימון", "贷款价值比", "貸款價值比", "贷款成数", "貸款成數", "按揭成数", "贷款与价值比", "贷款与估值比"),
    "cap_rate": ("cap rate", "capitalization rate", "capitalisation rate", "going in cap rate", "שיעור היוון", "שיעור ההיוון", "שער היוון", "资本化率", "資本化率"),
    "debt_yield": ("debt yield", "תשואת החוב", "תשואת חוב", "תשואה על החוב", "תשואת noi על החוב", "债务收益率", "債務收益率", "债务收益", "負債收益率", "债务回报率"),
    "noi_margin": ("noi margin", "operating margin", "net operating income margin", "שיעור הרווח התפעולי", "שיעור noi", "שולי הרווח התפעולי", "净营业收入率", "营业利润率", "營業利潤率", "运营利润率", "noi率", "净营业收入利润率"),
    "net_margin": ("net margin", "profit margin", "net profit margin", "net income margin", "שיעור הרווח הנקי", "שולי הרווח", "שיעור הרווחיות", "净利率", "淨利率", "净利润率", "淨利潤率", "利润率"),
    "gross_margin": ("gross margin", "gross profit margin", "שיעור הרווח הגולמי", "毛利率"),
    "interest_rate": ("interest rate", "mortgage rate", "loan rate", "coupon", "interest", "שיעור הריבית", "ריבית", "ריבית שנתית", "利率", "年利率", "贷款利率", "貸款利率"),
    "collection_rate": ("collection rate", "collections rate", "rent collection rate", "שיעור הגבייה", "שיעור גבייה", "אחוזי הגבייה", "收缴率", "租金收缴率", "收租率"),
    "cash_on_cash": ("cash on cash", "cash on cash return", "cash on cash yield", "תשואה על ההון", "תשואה על ההון העצמי", "现金回报率", "現金回報率"),
    "interest_coverage": ("interest coverage", "interest coverage ratio", "icr", "יחס כיסוי הריבית", "יחס כיסוי ריבית", "利息保障倍数", "利息保障倍數", "利息覆盖率", "利息覆盖倍数"),
    "current_ratio": ("current ratio", "quick ratio", "יחס שוטף", "流动比率", "流動比率", "速动比率"),
    "debt_to_equity": ("debt to equity", "debt to equity ratio", "יחס חוב להון", "负债权益比", "产权比率", "資產負債比"),
    "equity_multiple": ("equity multiple", "מכפיל הון", "מכפיל ההון", "权益倍数", "股本倍数"),
    "property_value": ("appraised value", "property value", "market value", "valuation", "asset value", "appraisal", "fair value", "value of", "valued at", "שווי הנכס", "שווי השוק", "שווי הוגן", "שמאות", "שווי", "שוויו", "שוויה", "שווי השמאי", "评估价值", "評估價值", "物业价值", "物業價值", "市值", "市场价值", "估值", "评估值", "资产价值"),
    "purchase_price": ("purchase price", "acquisition price", "sale price", "sales price", "acquisition cost", "מחיר הרכישה", "מחיר המכירה", "עלות הרכישה", "收购价格", "收购价", "购买价格", "購買價格", "出售价格", "售价"),
    "loan_balance": ("loan balance", "outstanding balance", "principal balance", "mortgage balance", "loan amount", "outstanding loan", "outstanding debt", "mortgage", "loan", "senior loan", "outstanding principal", "יתרת ההלוואה", "יתרת הלוואה", "סכום ההלוואה", "הלוואה", "יתרת החוב", "יתרת המשכנתא", "贷款余额", "貸款餘額", "贷款金额", "貸款金額", "未偿贷款", "未偿余额", "按揭余额", "按揭貸款餘額", "按揭贷款余额", "贷款本金"),
    "average_rent": ("average rent", "average rents", "average monthly rent", "asking rent", "asking rents", "effective rent", "in place rent", "market rent", "rent growth", "שכר דירה ממוצע", "שכר הדירה הממוצע", "平均租金", "月租金", "市场租金"),
}  # fmt: skip


@cache
def called(metric: str, language: str) -> str | None:
    """What ``language`` (``he``, ``zh``) calls a metric; None for an account, and where there is no name of its own."""
    script = _SCRIPTS.get(language)
    names = ALIASES.get(metric, ()) if script else ()
    return next((name for name in names if script and script.search(name)), None)


# Abbreviations that a source may spell out, or the other way round; both read as the same words.
SPELLED_OUT = {
    "noi": "net operating income", "dscr": "debt service coverage ratio", "ltv": "loan to value ratio",
    "opex": "operating expenses", "capex": "capital expenditures", "gpr": "gross potential rent",
    "egi": "effective gross income", "oer": "operating expense ratio",
}  # fmt: skip
