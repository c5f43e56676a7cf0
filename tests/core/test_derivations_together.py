"""What figures come to that stand together in a source, where the answer's words name one of them alone: a remainder, a
margin to a plan or a limit, a closing balance, a sum, a figure that is a known difference of two others."""

from detection.core.types import Case, Source
from tests.core.derivation_tables import judged
from tests.core.record_cases import told
from tests.tables import each_case

LEFT = [
    ("en", "The college offered 640 places. It enrolled 587 pupils.", "{} places went unfilled.", "53", "63"),
    ("en", "The line is USD 40 million. USD 26 million was drawn.", "{} of the line is undrawn.", "USD 14 million", "USD 16 million"),
    ("en", "Of the 312 applications received, 268 were processed.", "{} applications are still to be processed.", "44", "54"),
    ("en", "Pledges amount to CHF 2.75 million. Donors paid CHF 1.9 million.", "Donors still owe {}.", "CHF 0.85 million", "CHF 0.95 million"),
    ("en", "Rental income was $6.2 million. Operating expenses were $2.3 million. Interest was $1.1 million.",
     "After operating expenses and interest, {} of rental income was left.", "$2.8 million", "$3.8 million"),
    ("he", "באולם 450 מושבים. נמכרו 385 כרטיסים להצגה.", "באולם נותרו {} מושבים פנויים.", "65", "75"),
    ("he", "התקציב הוא 5.4 מיליון ש\"ח. הוצאו 3.9 מיליון ש\"ח.", "נותרו {} בתקציב.", "1.5 מיליון ש\"ח", "1.8 מיליון ש\"ח"),
    ("zh", "酒店共有320间客房,当晚入住298间。", "当晚还有{}间客房空置。", "22", "32"),
    ("zh", "应收租金2,400万元,已收2,150万元。", "尚有{}租金未收。", "250万元", "280万元"),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", LEFT)
def test_what_is_left_of_a_whole_follows_from_what_stands_beside_it(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[wrong].status != "supported"


def test_a_remainder_of_other_things_than_are_spoken_of_supports_nothing() -> None:
    source = "The college offered 640 places. It enrolled 587 pupils."
    assert judged("Fifty-three lorries remained.", source)["Fifty-three"].status != "supported"


def test_a_small_number_is_no_remainder_of_one_of_many_pairs() -> None:
    source = "The yard has 30 berths, 4 cranes, 11 sheds, 17 carts, 23 lamps and 27 hooks."
    assert judged("Thirteen berths stand empty.", source)["Thirteen"].status != "supported"


NAMED_PARTS = [
    ("en", "The ferry cost $7.2 million in all. The county gave $2.5 million and the port $1.9 million; the island pays the rest.",
     "The ferry cost $7.2 million. After the county's $2.5 million and the port's $1.9 million, the island has to raise {}.", "$2.8 million", "$3.8 million"),
    ("en", "The order was for 860 chairs. 310 chairs went to the hall and 145 chairs to the school.",
     "Of the 860 chairs, less 310 chairs for the hall and 145 chairs for the school, {} remain.", "405", "415"),
    ("he", "הצוללת עלתה 7.2 מיליון ש\"ח. המחוז נתן 2.5 מיליון ש\"ח והנמל 1.9 מיליון ש\"ח; את היתר משלם האי.",
     "הצוללת עלתה 7.2 מיליון ש\"ח. אחרי 2.5 מיליון ש\"ח של המחוז ו-1.9 מיליון ש\"ח של הנמל, האי צריך לגייס {}.", "2.8 מיליון ש\"ח", "3.8 מיליון ש\"ח"),
    ("zh", "渡轮总价720万元。县里出250万元，港口出190万元，其余由岛上承担。",
     "渡轮价格为720万元。扣除县里的250万元和港口的190万元，岛上须出{}。", "280万元", "380万元"),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", NAMED_PARTS)
def test_a_whole_less_all_the_parts_that_the_answer_takes_off_is_what_is_left(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[wrong].status != "supported"


KNOWN = [
    ("en", "Revenue was $52.4 million and cost of sales was $31.9 million.", "Gross profit was {}.", "$20.5 million", "$21.5 million"),
    ("en", "Pretax profit was EUR 9.4 million; income tax was EUR 2.1 million.", "Net profit was {}.", "EUR 7.3 million", "EUR 7.8 million"),
    ("en", "Borrowings were GBP 84.0 million and cash GBP 12.5 million.", "Net debt was {}.", "GBP 71.5 million", "GBP 72.5 million"),
    ("en", "Revenue was $410,000. Costs were $455,000.", "The theatre made a loss of {}.", "$45,000", "$54,000"),
    ("en", " | 2022 | 2023\nRevenue | 840 | 912\nCost of sales | 515 | 548", "Gross profit was {} in 2023.", "364", "325"),
    ("he", "סך הנכסים 812 מיליון ש\"ח וסך ההתחייבויות 505 מיליון ש\"ח.", "ההון העצמי הוא {}.", "307 מיליון ש\"ח", "317 מיליון ש\"ח"),
    ("zh", "经营现金流为9.8亿元,资本支出为6.1亿元。", "自由现金流量为{}。", "3.7亿元", "3.2亿元"),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", KNOWN)
def test_a_figure_that_is_a_known_difference_follows_from_both_others(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[wrong].status != "supported"


def test_a_known_difference_is_of_two_figures_of_one_period() -> None:
    source = "2022年收入18.2亿元,销售成本12.6亿元。2023年收入20.1亿元,销售成本13.8亿元。"
    found = judged("毛利由5.6亿元提高到6.3亿元。", source, language="zh")
    assert [found[one].code for one in ("5.6亿元", "6.3亿元")] == ["derived", "derived"]
    assert judged("毛利为7.5亿元。", source, language="zh")["7.5亿元"].status != "supported"


MARGINS = [
    ("en", "Revenue was $8.5 million against a plan of $9.0 million.", "Revenue {} the plan by $0.5 million.", "$0.5 million", "fell short of", "beat"),
    ("en", "The bank requires minimum liquidity of USD 12.0 million; cash was USD 19.4 million.", "Liquidity {} the bank minimum by $7.4 million.", "$7.4 million", "exceeds", "is below"),
    ("en", "Budgeted repairs: $480,000. Actual repairs: $512,000.", "Repairs {} the budget by $32,000.", "$32,000", "overran", "came in under"),
    ("en", "Debt is capped at $250 million. Debt was $231 million.", "Debt is $19 million {} the cap.", "$19 million", "under", "over"),
    ("en", "Occupancy was 93%. The lender requires at least 85%.", "Occupancy is 8 points {} the requirement.", "8", "above", "below"),
    ("en", "Waiting time was 31 days against a target of 18 days.", "Waiting time {} the target by 13 days.", "13", "missed", "beat"),
    ("he", "התחזית להכנסות הייתה 62 מיליון ש\"ח. ההכנסות בפועל היו 58 מיליון ש\"ח.", "ההכנסות היו {} ב-4 מיליון ש\"ח מהתחזית.", "4 מיליון ש\"ח", "נמוכות", "גבוהות"),
    ("zh", "贷款契约规定现金不得低于10亿元。现金为13亿元。", "现金比契约下限{}3亿元。", "3亿元", "高出", "低"),
]  # fmt: skip


@each_case("language, source, answer, number, right, wrong", MARGINS)
def test_a_margin_lies_on_the_side_that_is_said_or_is_refuted(
    language: str, source: str, answer: str, number: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[number].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[number].status in (
        "contradicted",
        "unsupported",
    )


def test_a_margin_of_few_is_refuted_by_the_one_that_is_told() -> None:
    source = "The scheme set out to collect 100 tons and collected 94 tons."
    assert judged("The scheme missed its target by six tons.", source)["six"].code == "derived"
    assert judged("The scheme missed its target by eight tons.", source)["eight"].status == "contradicted"


FLOWS = [
    ("en", "The club began the year with $84,000 in cash, received $39,000 and paid out $51,000.", "The club closed the year with {} in cash.", "$72,000", "$96,000"),
    ("en", "The choir opened with 46 members; 12 joined and 9 left.", "The choir ended the season with {} members.", "49", "43"),
    ("he", "יתרת הפתיחה הייתה 410,000 ש\"ח. התקבלו 220,000 ש\"ח ושולמו 305,000 ש\"ח.", "יתרת הסגירה הייתה {}.", "325,000 ש\"ח", "495,000 ש\"ח"),
    ("zh", "年初现金为8.2亿元。全年收到4.5亿元,支付5.9亿元。", "年末现金为{}。", "6.8亿元", "9.6亿元"),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", FLOWS)
def test_what_there_was_in_the_end_follows_from_what_came_and_went(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[wrong].status != "supported"


def test_several_together_are_those_that_the_words_name() -> None:
    source = "租金收入3.2亿元,物业管理费收入0.9亿元。"
    assert judged("两项收入合计4.1亿元。", source, language="zh")["4.1亿元"].code == "derived"
    assert judged("两项收入合计4.6亿元。", source, language="zh")["4.6亿元"].status != "supported"


@each_case(
    "answer, right, wrong",
    [
        ("The orchard gave 3,150 tonnes of apples, or {} tonnes a hectare.", "42", "47"),
        ("Apples came to 3,150 tonnes in 2024. That beat 2023 by {} tonnes.", "270", "290"),
    ],
)
def test_an_amount_by_the_unit_and_how_far_that_lies_from_the_year_before_follow_from_prose(
    answer: str, right: str, wrong: str
) -> None:
    source = (
        "We picked 3,150 tonnes of apples in 2024 from 75 hectares. In the year before, we had 2,880 tonnes. "
        "The price of apples fell from £640 to £590 a tonne."
    )
    assert judged(answer.format(right), source)[right].code == "derived"
    assert judged(answer.format(wrong), source)[wrong].status != "supported"


@each_case("said, code", [("beat", "holds"), ("fell short of", "contradicted")])
def test_that_is_judged_by_the_number_of_the_sentence_before_and_by_no_price(said: str, code: str) -> None:
    source = (
        "We picked 3,150 tonnes of apples in 2024. In the year before, we had 2,880 tonnes of apples. "
        "The price of apples fell from £640 to £590 a tonne."
    )
    answer = f"Apples came to 3,150 tonnes in 2024. That {said} 2023 by 270 tonnes."
    assert told(Case(answer, sources=(Source("S0", source),)))[said] == code


@each_case("total, status", [("10,400", "supported"), ("10,600", "contradicted")])
def test_rows_that_words_name_as_a_whole_are_added(total: str, status: str) -> None:
    table = "visits,2024\nGuided tours – adults,6700\nGuided tours – schools,3700\nTalks,900"
    assert judged(f"Guided tours as a whole came to {total}.", table)[total].status == status


RESULTS = [
    ("en", "The ferry line had revenue of $71 million and total costs of $78 million.", "It made a {} of $7 million.", "$7 million", "loss", "profit"),
    ("he", 'לעמותה היו הכנסות של 21 מיליון ש"ח והוצאות של 17 מיליון ש"ח.', 'העמותה רשמה {} של 4 מיליון ש"ח.', '4 מיליון ש"ח', "רווח", "הפסד"),
    ("zh", "剧院去年收入3,200万元,总成本3,700万元。", "剧院去年{}500万元。", "500万元", "亏损", "盈利"),
]  # fmt: skip


@each_case("language, source, answer, claimed, right, wrong", RESULTS)
def test_what_comes_in_less_what_goes_out_is_a_profit_only_above_nothing(
    language: str, source: str, answer: str, claimed: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[claimed].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[claimed].status != "supported"


MORE_THAN = [
    ("en", "Fees came to $84 million in 2023 and to $86 million in 2024.",
     "Fees were $86 million in 2024, an increase of more than {} compared with 2023.", "$1.6 million", "$2.4 million"),
    ("he", 'האגרות הסתכמו ב-84 מיליון ש"ח בשנת 2023 וב-86 מיליון ש"ח בשנת 2024.',
     "האגרות ב-2024 הסתכמו ב-86 מיליון ש\"ח, גידול של למעלה מ-{} לעומת 2023.", "2%", "3%"),
    ("zh", "租金收入2023年为8,400万元,2024年为8,600万元。", "2024年租金收入比2023年增加超过{}。", "150万元", "250万元"),
    ("zh", "租金收入2023年为8,400万元,2024年为8,600万元。", "2024年租金收入比2023年增长超过{}。", "2%", "3%"),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", MORE_THAN)
def test_a_bound_of_how_far_something_went_is_kept_by_no_level(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    assert judged(answer.format(wrong), source, language=language)[wrong].status != "supported"


@each_case("said, status", [("比2023年增加了", "supported"), ("比2023年减少了", "unsupported")])
def test_a_half_width_comma_parts_chinese_clauses(said: str, status: str) -> None:
    source = "租金收入2023年为8,400万元,2024年为8,600万元。"
    answer = f"2024年租金收入{said}200万元。"
    assert judged(answer, source, language="zh")["200万元"].status == status


REQUIRED = [
    ("en", "A security deposit of $2,500 is required.", "The security deposit does not exceed {}.", "$3,000", "$2,000"),
    ("he", 'נדרש פיקדון של 2,500 ש"ח לדירה.', "הפיקדון אינו עולה על {}.", '3,000 ש"ח', '2,000 ש"ח'),
    ("he", 'נדרש פיקדון של 2,500 ש"ח לדירה.', "הפיקדון הוא לפחות {}.", '2,000 ש"ח', '3,000 ש"ח'),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", REQUIRED)
def test_what_is_required_keeps_a_bound_that_names_no_limit(
    language: str, source: str, answer: str, right: str, wrong: str
) -> None:
    assert judged(answer.format(right), source, language=language)[right].status == "supported"
    assert judged(answer.format(wrong), source, language=language)[wrong].status == "contradicted"


@each_case("said, code", [("גדל", "holds"), ("קטן", "contradicted")])
def test_a_hebrew_word_that_ends_like_a_denial_denies_nothing(said: str, code: str) -> None:
    source = 'המלאי עמד על 14.7 מיליון ש"ח בתחילת השנה ועל 18.5 מיליון ש"ח בסוף השנה.'
    case = Case(f"המלאי {said} במהלך השנה.", sources=(Source("S0", source),), language="he")
    assert told(case)[said] == code


@each_case("bound, status", [("65%", "supported"), ("80%", "unsupported")])
def test_a_bound_of_a_share_is_kept_by_no_share_of_something_else(bound: str, status: str) -> None:
    source = "We shipped 41 million parcels, 96% of them on time. Revenue was $4.6 million, of which $3.1 million came from retailers."
    assert judged(f"Retailers brought in more than {bound} of revenue.", source)[bound].status == status


NETTED = [
    ("en", "The orchard fund gained 8.3% before fees. Fees took 1.1 percentage points.", "Net of fees, the orchard fund gained {}.",
     "7.2%", ("8.3%", "9.4%", "7.9%")),
    ("en", "The bakery's profit before tax was $42 million. Its tax bill was $9 million. It paid $4 million of interest.",
     "The bakery's profit after tax was {}.", "$33 million", ("$42 million", "$51 million", "$38 million")),
    ("en", "The kiln costs €726 including 21% VAT.", "Without VAT the kiln costs {}.", "€600", ("€726", "€573.54", "€847")),
    ("en", "The kiln costs €600 excluding VAT. VAT stands at 21%.", "Including VAT the kiln costs {}.", "€726", ("€600", "€474", "€621")),
    ("en", "The harp lists at £16,000 before discount. A discount of 15% is given.", "Net of the discount, the harp costs {}.",
     "£13,600", ("£16,000", "£18,400", "£15,985")),
    ("en", "The presses were worth $6.4 million gross of depreciation. Accumulated depreciation was $1.7 million.",
     "Net of depreciation, the presses stood at {}.", "$4.7 million", ("$6.4 million", "$8.1 million", "$4.1 million")),
    ("en", "| Item | 2021 | 2020 |\n|---|---|---|\n| Profit before tax | $31m | $27m |\n| Tax | $8m | $6m |\n| Interest | $3m | $2m |",
     "Profit after tax was {} in 2021.", "$23 million", ("$31 million", "$39 million", "$25 million", "$28 million")),
    ("he", "הרווח של המאפייה לפני מס היה 42 מיליון ש\"ח. המס הסתכם ב-9 מיליון ש\"ח.", "הרווח של המאפייה אחרי מס היה {}.",
     "33 מיליון ש\"ח", ("42 מיליון ש\"ח", "51 מיליון ש\"ח", "38 מיליון ש\"ח")),
    ("he", "התנור עולה 702 ש\"ח כולל מע\"מ בשיעור 17%.", "ללא מע\"מ התנור עולה {}.", "600 ש\"ח", ("702 ש\"ח", "583 ש\"ח")),
    ("zh", "面包房税前利润为4200万元。税费为900万元。", "面包房税后利润为{}。", "3300万元", ("4200万元", "5100万元", "3800万元")),
    ("zh", "窑炉含税价为678元，增值税率为13%。", "窑炉不含税价为{}。", "600元", ("678元", "590元", "766元")),
]  # fmt: skip


@each_case("language, source, answer, right, wrong", NETTED)
def test_an_amount_on_the_other_side_of_a_deduction_follows_from_it(
    language: str, source: str, answer: str, right: str, wrong: tuple[str, ...]
) -> None:
    assert judged(answer.format(right), source, language=language)[right].code == "derived"
    for other in wrong:
        assert judged(answer.format(other), source, language=language)[other].status != "supported"
