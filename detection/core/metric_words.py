"""What people call the figures of a property and of an income statement, in English, Hebrew and Chinese.

``KINDS`` gives each metric's kind; ``ALIASES`` its phrases, lower case.
"""

from detection.core.types import Kind

KINDS: dict[str, Kind] = {
    "total_revenue": "currency", "operating_expenses": "currency", "net_operating_income": "currency",
    "net_income": "currency", "debt_service": "currency", "gross_potential_rent": "currency",
    "effective_gross_income": "currency", "rental_income": "currency", "other_income": "currency",
    "property_taxes": "currency", "insurance": "currency", "utilities": "currency",
    "repairs_and_maintenance": "currency", "management_fees": "currency", "payroll": "currency",
    "interest_expense": "currency", "depreciation": "currency", "capital_expenditures": "currency",
    "cash_flow": "currency", "ebitda": "currency", "gross_profit": "currency", "vacancy_loss": "currency",
    "occupancy_rate": "percentage", "vacancy_rate": "percentage", "expense_ratio": "percentage",
    "cap_rate": "percentage", "debt_yield": "percentage", "ltv": "percentage", "dscr": "ratio",
}  # fmt: skip

ALIASES: dict[str, tuple[str, ...]] = {
    "total_revenue": (
        "total revenue", "total revenues", "revenue", "revenues", "total income", "gross revenue", "turnover",
        "הכנסות", "ההכנסות", "סך ההכנסות", "סך הכנסות", "הכנסה כוללת", "ההכנסה הכוללת", "מחזור", "总收入", "總收入", "营业收入", "營業收入", "收入总额", "营收",
    ),
    "operating_expenses": (
        "operating expenses", "operating expense", "operating costs", "opex", "total expenses", "total operating expenses",
        "הוצאות תפעול", "הוצאות התפעול", "הוצאות תפעוליות", "ההוצאות התפעוליות", "运营费用", "營運費用", "营业费用", "运营支出", "运营成本", "經營費用",
    ),
    "net_operating_income": (
        "noi", "net operating income", "operating income", "הכנסה תפעולית נטו", "הכנסה תפעולית נקייה", "ההכנסה התפעולית הנקייה", "ההכנסה התפעולית נטו", "רווח תפעולי נקי", "הרווח התפעולי הנקי", "ה-noi", "ה noi",
        "净营业收入", "淨營業收入", "净运营收入", "淨營運收入", "净经营收入", "營運淨收入", "营运净收入", "净营运收入",
    ),
    "net_income": (
        "net income", "net profit", "net earnings", "bottom line", "רווח נקי", "הרווח הנקי", "净利润", "淨利潤", "净收入", "淨收入", "净收益", "淨利",
    ),
    "debt_service": (
        "debt service", "debt payments", "annual debt service", "שירות החוב", "שירות חוב", "תשלומי החוב", "偿债额", "偿债支出", "債務償付", "债务偿还", "还本付息", "还本付息额", "償債支出",
    ),
    "gross_potential_rent": (
        "gross potential rent", "gpr", "potential gross income", "gross potential income", "שכר דירה פוטנציאלי", "דמי שכירות פוטנציאליים", "潜在总租金", "潛在總租金", "潜在租金总额", "潜在毛租金",
    ),
    "effective_gross_income": ("effective gross income", "egi", "הכנסה ברוטו אפקטיבית", "有效总收入", "有效毛收入"),
    "rental_income": (
        "rental income", "base rental income", "rent revenue", "rental revenue", "base rent", "הכנסות משכירות", "הכנסות מדמי שכירות", "דמי השכירות", "租金收入",
    ),
    "other_income": ("other income", "miscellaneous income", "הכנסות אחרות", "其他收入"),
    "property_taxes": ("property taxes", "real estate taxes", "property tax", "ארנונה", "מסי רכוש", "房产税", "物业税", "房產稅"),
    "insurance": ("insurance", "property insurance", "insurance expense", "ביטוח", "הוצאות ביטוח", "保险费", "保險費"),
    "utilities": ("utilities", "utility costs", "utilities expense", "חשמל ומים", "水电费", "水電費", "公用事业费"),
    "repairs_and_maintenance": ("repairs and maintenance", "r&m", "maintenance", "תיקונים ותחזוקה", "תחזוקה", "הוצאות תחזוקה", "维修费", "維修費", "维修保养费"),
    "management_fees": ("management fees", "management fee", "property management fees", "דמי ניהול", "管理费", "管理費", "物业管理费"),
    "payroll": ("payroll", "salaries", "wages", "שכר עבודה", "משכורות", "工资", "薪资", "薪資"),
    "interest_expense": ("interest expense", "interest expenses", "הוצאות ריבית", "利息支出", "利息费用", "利息費用"),
    "depreciation": ("depreciation", "depreciation and amortization", "פחת", "פחת והפחתות", "折旧", "折舊", "折旧与摊销"),
    "capital_expenditures": ("capital expenditures", "capital expenditure", "capex", "השקעות הוניות", "资本支出", "資本支出", "资本性支出"),
    "cash_flow": ("cash flow", "net cash flow", "cash flow before reserves", "free cash flow", "תזרים מזומנים", "תזרים המזומנים", "现金流", "現金流", "现金流量"),
    "ebitda": ("ebitda", "税息折旧及摊销前利润"),
    "gross_profit": ("gross profit", "רווח גולמי", "הרווח הגולמי", "毛利润", "毛利"),
    "vacancy_loss": ("vacancy loss", "הפסד תפוסה", "空置损失"),
    "occupancy_rate": (
        "occupancy", "occupancy rate", "physical occupancy", "occupied", "leased", "תפוסה", "שיעור התפוסה", "שיעור תפוסה", "התפוסה", "אחוז התפוסה", "אכלוס", "出租率", "入住率", "占用率", "出租",
    ),
    "vacancy_rate": ("vacancy", "vacancy rate", "vacant", "שיעור הפנויים", "שטחים פנויים", "שיעור אי התפוסה", "空置率", "空置"),
    "expense_ratio": ("expense ratio", "operating expense ratio", "oer", "יחס ההוצאות", "יחס הוצאות", "费用率", "費用率", "费用比率", "运营费用率", "運營費用率"),
    "dscr": (
        "dscr", "debt service coverage ratio", "debt service coverage", "debt coverage ratio", "debt-service coverage ratio", "debt-service coverage", "coverage ratio", "יחס כיסוי החוב", "יחס כיסוי חוב", "יחס כיסוי שירות החוב",
        "偿债覆盖率", "償債覆蓋率", "偿债备付率", "债务覆盖率", "偿债保障比率", "債務覆蓋率", "偿债覆盖比率",
    ),
    "ltv": ("ltv", "loan-to-value", "loan to value", "loan-to-value ratio", "loan to value ratio", "יחס הלוואה לשווי", "יחס ההלוואה לשווי", "יחס חוב לשווי", "שיעור המימון", "贷款价值比", "貸款價值比", "贷款成数", "按揭成数"),
    "cap_rate": ("cap rate", "capitalization rate", "capitalisation rate", "שיעור היוון", "שיעור ההיוון", "资本化率", "資本化率"),
    "debt_yield": ("debt yield", "תשואת החוב", "תשואת חוב", "תשואה על החוב", "债务收益率", "債務收益率", "债务收益", "負債收益率"),
}  # fmt: skip

# Abbreviations that a source may spell out, or the other way round; both read as the same words.
SPELLED_OUT = {
    "noi": "net operating income", "dscr": "debt service coverage ratio", "ltv": "loan to value ratio",
    "opex": "operating expenses", "capex": "capital expenditures", "gpr": "gross potential rent",
    "egi": "effective gross income", "oer": "operating expense ratio",
}  # fmt: skip
