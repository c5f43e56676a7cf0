"""Sentences as people would divide them, one case a line: each item is a sentence, joined as it stands."""

EN = """
NOI was $1,234,567.89 in Q3 2024.| It rose by 5.2 %.
NOI rose. [S0]| Expenses fell. [S1]
NOI rose [S0].| Expenses fell [S1].
NOI rose.[S0]| Expenses fell.[S1][S2]
NOI rose. [S0] [S1]| Expenses fell.
NOI rose. [S0].| Costs fell.
NOI rose.[S0]|Costs fell.
NOI rose.| [S1] shows that expenses fell.
Is the DSCR above 1.25x?| Yes, it is 1.31x.
The rent was $4.5M vs. $4.2M a year ago.| Vacancy fell.
Acme Inc. reported revenue of $5 million.| Acme Corp. did not.
The lease with Oak Co. ended.| The tenant left.
Dr. Smith and Mrs. Jones signed on Dec. 31, 2024.
The U.S. portfolio grew.| The U.K. portfolio did not.
We operate in the U.S.| The market is large.
See p. 55 and Fig. 3 for details.
Revenue (incl. parking, e.g. monthly passes) was $2M.| Opex was $1M.
J. P. Morgan provided the loan.| It matures in 2030.
BCE Inc. 2019 Annual Report.| It is long.
The loan-to-value ratio, i.e. LTV, is 65 %.
He said "NOI will rise."| Then he left.
He said "NOI will rise." and left.
The report (see Note 5. It is long.) says so.| It is final.
Occupancy fell!| Why?| Nobody knows.
Really?!| Yes...| Perhaps not.
Costs rose ... slowly.
Net income was $(1,234).| Debt service was $500.
The ratio is 1.25:1.| It was 1.3:1.
Visit https://example.com/a.b?c=d.| Then call.
Write to j.doe@example.com.| We answer.
Version 2.0.1 of the model was used.| It is new.
**NOI rose.**| Costs fell.
1. NOI rose| 2. Costs fell| 3. Rents held
1. NOI rose.| 2. Costs fell.
No. 5 Main St. was sold.| The price was fair.
The answer is no.| Costs rose.
Approx. 40 units were let.| Est. completion is May 2025.
It closed at 5 p.m. on Friday.| Then it opened.
The value (approx. $5m) is final.| No change.
Cap rate: 5.5 %.| Yield: 6 %.
NOI rose.|Costs fell.
The 3rd. quarter was weak.
Rents rose 3 %.| (Source: management accounts.)| Costs fell.
NOI was flat.【S0】| Costs fell.
NOI was up [S0, S1].| Costs fell.
Ms. Levi of A.B.C. Ltd. signed.| She left.
Q. What was NOI?| A. It was $5M.
"""

HE = """
ההכנסה עלתה ב-5.2%.| ההוצאות ירדו.
ההכנסה עלתה. [S0]| ההוצאות ירדו. [S1]
ההכנסה עלתה [S0].| ההוצאות ירדו [S1].
ה-NOI היה 1,234,567.89 ש"ח.| הוא גדל.
מה היה ה-NOI?| הוא היה 1.2 מיליון ש"ח.
לפי ד"ר כהן, השווי ירד.| זה נבדק.
מע"מ בשיעור 18% לא נכלל.| זה סכום נטו.
י. כהן חתם על ההסכם.| הוא עזב.
ראו עמ. 5 בדוח.| שם הפירוט.
לפי מס. 12 בטבלה, השווי ירד.| זה סופי.
"ההכנסה עלתה."| כך נאמר בדוח.
החברה (ראו ביאור 5. הוא ארוך.) דיווחה.| זה הכול.
התפוסה ירדה!| למה?| לא ידוע.
ברבעון 3 2024 ההכנסה היתה 5 מיליון.| ברבעון 4 היא עלתה.
השווי הוא $5.5M.| החוב הוא $3M.
יחס הכיסוי היה 1.25.| הוא עלה ל-1.3.
ב-31.12.2024 התפוסה היתה 95%.| היא ירדה.
חברת Acme Inc. דיווחה על רווח.| הרווח היה גבוה.
א. ההכנסה עלתה.
1. ההכנסה עלתה.| 2. ההוצאות ירדו.
האם ההכנסה עלתה?| כן.
ההכנסה עלתה...| ההוצאות ירדו.
ההכנסה עלתה; ההוצאות ירדו.
השכירות עלתה ב-3% לעומת 2023.| זה צפוי.
שכ"ד שנתי: 1.5 מיליון ש"ח.| שכ"ד חודשי: 125 אלף ש"ח.
הדוח לשנת 2024 פורסם.| הוא זמין ב-example.co.il.
לפי סע. 5 לחוזה, השכירות צמודה.| כך נקבע.
הנכס נמכר ב-5 מיליון דולר.[S0]| הקונה שילם.
ההכנסה היתה 5 מיליון. [S0, S1]| ההוצאה היתה 2 מיליון.
תודה!| נשמח לעזור.
**ההכנסה עלתה.**| ההוצאות ירדו.
"""

ZH = """
收入增长了5.2%。|支出下降了。
收入增长了。[S0]|支出下降了。[S1]
收入增长了[S0]。|支出下降了[S1]。
净营业收入为1,234,567.89元。|同比增长。
入住率是多少？|是95%。
太好了！|真的吗？！|是的。
他说：“收入增长了。”|然后离开了。
我们看了《增长！增长》这份报告。|很好。
收入（见附注5。很长。）增长了。|支出下降了。
收入为1.5万元；|支出为1万元。
收入增长，支出下降，利润上升。
2024年第三季度收入为500万元。|第四季度为600万元。
收入增长了……支出下降了。
根据A.B.公司的报告，收入增长。|支出下降。
收入增长5%.| 支出下降3%.
收入增长5%!支出下降
偿债覆盖率为1.25x。|高于1.2x。
收入增长了。【S0】|支出下降了。
收入增长了。[S0][S1]|支出下降了。
「收入增長。」|支出下降。
營收為500萬元。|淨利為100萬元。
1. 收入增长。|2. 支出下降。
第一，收入增长。|第二，支出下降。
请参见第5页。|谢谢。
Acme Inc. 的收入增长了。|支出下降了。
NOI 为 $5M。|DSCR 为 1.3x。
资本化率为5.5%（约）。|收益率为6%。
收入增长了吗？|没有。
网址是 https://example.com/a.b。|请访问。
版本2.0.1已发布。|请更新。
**收入增长。**|支出下降。
"""

LINES = (
    ("- NOI rose\n- Costs fell", ["- NOI rose", "- Costs fell"]),
    ("NOI rose\nCosts fell", ["NOI rose", "Costs fell"]),
    ("NOI rose\nby 5 %.", ["NOI rose\nby 5 %."]),
    ("NOI rose.\n[S0]\nCosts fell.", ["NOI rose.\n[S0]", "Costs fell."]),
    ("NOI rose.\n\n[S0]", ["NOI rose.", "[S0]"]),
    ("| NOI | 5. | \n|---|---|\n| b. | C. D |", ["| NOI | 5. |", "|---|---|", "| b. | C. D |"]),
    ("# Results\nrevenue rose", ["# Results", "revenue rose"]),
    ("NOI rose • Costs fell • Rents held", ["NOI rose", "• Costs fell", "• Rents held"]),
    ("NOI rose\r\n\r\nand fell", ["NOI rose", "and fell"]),
    ("ההכנסה עלתה\nההוצאות ירדו", ["ההכנסה עלתה", "ההוצאות ירדו"]),
    ("收入增长\n支出下降", ["收入增长", "支出下降"]),
)
"""Line breaks, bullets and tables: the text and its sentences."""


def cases(block: str) -> list[tuple[str, list[str]]]:
    """The lines of a block as (text, sentences)."""
    lines = [line for line in block.splitlines() if line]
    return [(line.replace("|", ""), [part.strip() for part in line.split("|")]) for line in lines]
