"""A date is that of what its row, its column or the words on either side of it call it, and of nothing else."""

import pytest

from tests.core.document_cases import judged
from tests.tables import each_case

pytestmark = pytest.mark.requirement("NUM-05")

PATENTS = (
    "| Invention | Applied | Granted | Expires | Fee |\n|---|---|---|---|---|\n"
    "| Pump seal | 4 May 2011 | 17 July 2014 | 3 May 2031 | 4 % |\n| Rotor | 9 June 2013 | 2 March 2016 | 8 June 2033 | 5 % |\n"
    "| Valve | 1 April 2015 | 12 May 2018 | 31 March 2035 | 3 % |"
)
LOANS = (
    "Bank;Drawn;Drawdown date;Maturity\nHarkness;22,400;14 Feb 2020;13 Feb 2025\nOlden;9,800;3 Oct 2021;2 Oct 2028\n"
    "Prewitt;15,250;21 May 2022;20 May 2032"
)
WORKS = "Milestone | Planned | Actual\nTender | 3 March 2023 | 17 March 2023\nCompletion | 30 June 2025 | 12 August 2025\nHandover | 15 July 2025 | 1 September 2025"
BRIEF = (
    "Item | Date\nNotice of award | 6 June 2023\nCompletion | 30 April 2025\nEnd of warranty | 29 April 2027"
)
LETTER = (
    "The lease of the studio was signed on 3 March 2020. Its fixed term runs out on 30 September 2028. You may extend once; "
    "the option has to be exercised by 31 March 2028."
)
FACILITY = "The Opening Date is 4 May 2026 and the Maturity Date 18 May 2031. The margin is 3.2 %."
VESSEL = "The Teal was delivered on 6 June 2023 and entered a three-year charter on 14 June 2023, which expires on 13 June 2026."
BRIDGE = (
    "The bridge was closed to traffic on 3 March 2024. Works began on 11 March 2024 and were finished on 20 October 2024. "
    "The contractor's warranty ends on 20 October 2029. The contract can be terminated until 30 June 2024."
)
HESKEM = 'ההסכם נחתם ביום 4.5.2022. תקופת ההסכם מתחילה ביום 1.7.2022 ומסתיימת ביום 30.6.2027. דמי השימוש הם 12,000 ש"ח.'
HETONG = "合同于2023年5月8日签订，自2023年6月1日起生效，有效期至2026年5月31日。保修期为交货后24个月。"
XIANGMU = "项目 | 申报日期 | 批准日期 | 到期日期\n东区 | 2019年3月4日 | 2020年6月9日 | 2030年6月8日\n西区 | 2018年7月2日 | 2019年9月3日 | 2029年9月2日\n北区 | 2017年1月5日 | 2018年2月6日 | 2028年2月5日"
TOCHNIT = "תוכנית | הוגשה | אושרה | פוקעת\nמערב | 3.4.2019 | 8.9.2020 | 7.9.2030\nמזרח | 5.6.2018 | 2.2.2020 | 1.2.2030\nצפון | 9.1.2017 | 4.3.2018 | 3.3.2028"


@each_case(
    ("answer", "source", "date"),
    [
        ("The patent on the pump seal was granted on 17 July 2014.", PATENTS, "17 July 2014"),
        ("The patent on the pump seal was applied for on 4 May 2011.", PATENTS, "4 May 2011"),
        ("The patent on the rotor expires on 8 June 2033.", PATENTS, "8 June 2033"),
        ("The Harkness loan matures on 13 February 2025.", LOANS, "13 February 2025"),
        ("The Harkness loan was drawn on 14 February 2020.", LOANS, "14 February 2020"),
        ("Completion came on 12 August 2025.", WORKS, "12 August 2025"),
        ("The end of the warranty is 29 April 2027.", BRIEF, "29 April 2027"),
        ("30 September 2028 is the end of the fixed term.", LETTER, "30 September 2028"),
        ("31 March 2028 is the last day to exercise the option.", LETTER, "31 March 2028"),
        ("The Maturity Date is 18 May 2031.", FACILITY, "18 May 2031"),
        (
            "The charter of the Teal began on 14 June 2023 and runs until 13 June 2026.",
            VESSEL,
            "14 June 2023",
        ),
        ("ההסכם נחתם ב-4.5.2022.", HESKEM, "4.5.2022"),
        ("30.6.2027 הוא מועד הסיום של ההסכם.", HESKEM, "30.6.2027"),
        ("合同到期日为2026年5月31日。", HETONG, "2026年5月31日"),
        ("20 October 2029 is the end of the warranty.", BRIDGE, "20 October 2029"),
        ("The last day for terminating the contract was 30 June 2024.", BRIDGE, "30 June 2024"),
        ("Work on the bridge ended on 20 October 2024.", BRIDGE, "20 October 2024"),
        ("2023年6月1日为合同生效日期。", HETONG, "2023年6月1日"),
        ("东区项目于2020年6月9日获批准。", XIANGMU, "2020年6月9日"),
        ("תוכנית מערב אושרה ב-8.9.2020.", TOCHNIT, "8.9.2020"),
    ],
)
def test_a_date_in_its_own_role_is_supported(answer: str, source: str, date: str) -> None:
    assert judged(answer, source, number=date).status == "supported"


@each_case(
    ("answer", "source", "date"),
    [
        ("The patent on the pump seal was applied for on 17 July 2014.", PATENTS, "17 July 2014"),
        ("The patent on the pump seal was granted on 4 May 2011.", PATENTS, "4 May 2011"),
        ("The patent on the rotor expires on 2 March 2016.", PATENTS, "2 March 2016"),
        ("The Harkness loan matures on 14 February 2020.", LOANS, "14 February 2020"),
        ("The Harkness loan was drawn on 13 February 2025.", LOANS, "13 February 2025"),
        ("Handover came on 12 August 2025.", WORKS, "12 August 2025"),
        ("The end of the warranty is 30 April 2025.", BRIEF, "30 April 2025"),
        ("31 March 2028 is the end of the fixed term.", LETTER, "31 March 2028"),
        ("The Maturity Date is 4 May 2026.", FACILITY, "4 May 2026"),
        ("4.5.2022 הוא מועד הסיום של ההסכם.", HESKEM, "4.5.2022"),
        ("合同到期日为2023年6月1日。", HETONG, "2023年6月1日"),
        ("保修截止日为2026年5月31日。", HETONG, "2026年5月31日"),
        ("30 June 2024 is the end of the warranty.", BRIDGE, "30 June 2024"),
        ("Works began on 3 March 2024.", BRIDGE, "3 March 2024"),
        ("东区项目于2020年6月9日申报。", XIANGMU, "2020年6月9日"),
        ("תוכנית מערב הוגשה ב-8.9.2020.", TOCHNIT, "8.9.2020"),
    ],
)
def test_a_date_in_the_role_of_another_is_refuted(answer: str, source: str, date: str) -> None:
    assert judged(answer, source, number=date).status == "contradicted"


@each_case(
    ("answer", "source", "date"),
    [
        ("The pump seal: 17 July 2014.", PATENTS, "17 July 2014"),
        ("The studio matters again on 31 March 2028.", LETTER, "31 March 2028"),
        ("The last payment for the pump seal fell in May 2031.", PATENTS, "May 2031"),
        ("保修条款见2023年5月8日的合同。", HETONG, "2023年5月8日"),
    ],
)
def test_a_date_whose_role_nothing_tells_is_left(answer: str, source: str, date: str) -> None:
    assert judged(answer, source, number=date).status == "supported"
