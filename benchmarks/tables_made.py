"""Generated tables with sentences that compute from them, in English, Hebrew and Chinese, the same for every run."""

import random
from collections.abc import Iterator

import regex

_ROWS = {
    "en": ("Rental income", "Parking income", "Repairs and maintenance", "Property taxes", "Insurance", "Utilities"),
    "he": ("הכנסות משכירות", "הכנסות מחניה", "תחזוקה", "ארנונה", "ביטוח", "חשמל ומים"),
    "zh": ("租金收入", "停车收入", "维修费", "房产税", "保险费", "水电费"),
}  # fmt: skip
_TOTAL = {"en": "Total", "he": 'סה"כ', "zh": "合计"}
_SENTENCES = {
    "en": {
        "growth": "The percentage change in {a} from 2022 to 2023 was {value:.2f}%.",
        "difference": "The change in {a} between 2022 and 2023 was {value:,.0f}.",
        "sum": "The sum of {a} and {b} in 2023 was {value:,.0f}.",
        "average": "The average {a} for 2022 and 2023 was {value:,.1f}.",
        "share": "In 2023 {a} as a percentage of {b} was {value:.2f}%.",
        "ratio": "The ratio of {a} to {b} in 2023 was {value:.2f}.",
        "growth, coarse": "The percentage change in {a} from 2022 to 2023 was {value:.0f}%.",
        "share, coarse": "In 2023 {a} as a percentage of {b} was {value:.0f}%.",
    },
    "he": {
        "growth": "השינוי באחוזים של {a} בין 2022 ל-2023 היה {value:.2f}%.",
        "difference": "השינוי של {a} בין 2022 ל-2023 היה {value:,.0f}.",
        "sum": "סכום {a} ו{b} בשנת 2023 היה {value:,.0f}.",
        "average": "הממוצע של {a} בשנים 2022 ו-2023 היה {value:,.1f}.",
        "share": "בשנת 2023 {a} כאחוז מ{b} היה {value:.2f}%.",
        "ratio": "היחס של {a} ל{b} בשנת 2023 היה {value:.2f}.",
    },
    "zh": {
        "growth": "2023年{a}同比2022年增长{value:.2f}%。",
        "difference": "2022年至2023年{a}的变化为{value:,.0f}。",
        "sum": "2023年{a}和{b}合计{value:,.0f}。",
        "average": "2022年和2023年{a}平均为{value:,.1f}。",
        "share": "2023年{a}占{b}的{value:.2f}%。",
        "ratio": "2023年{a}与{b}的比率为{value:.2f}。",
    },
}
_VALUES = {
    "growth": lambda now, before, other: (now - before) / before * 100,
    "difference": lambda now, before, other: now - before,
    "sum": lambda now, before, other: now + other,
    "average": lambda now, before, other: (now + before) / 2,
    "share": lambda now, before, other: now / other * 100,
    "ratio": lambda now, before, other: now / other,
}

_STATED = regex.compile(r"\{value[^}]*\}%?")
Made = tuple[str, str, str, str, str]


def made(tables: int) -> Iterator[Made]:
    """Document, group, sentence, the number as it stands in it, and the table; ``tables`` for each language."""
    for language, rows in _ROWS.items():
        chance = random.Random(language)
        for number in range(tables):
            values = {row: [chance.randint(100, 99_999) for _ in range(3)] for row in rows}
            table = _table(language, values)
            for group, pattern in _SENTENCES[language].items():
                a, b = chance.sample(rows, 2)
                value = _VALUES[group.partition(",")[0]](values[a][0], values[a][1], values[b][0])
                said = (a.lower(), b.lower())
                sentence = pattern.format(a=said[0], b=said[1], value=value)
                surface = _STATED.findall(pattern)[0].format(value=value)
                yield f"{language} {number}", f"{language} {group}", sentence, surface, table


def _table(language: str, values: dict[str, list[int]]) -> str:
    lines = [" | 2023 | 2022 | 2021"]
    lines += [f"{row} | " + " | ".join(f"{value:,}" for value in inside) for row, inside in values.items()]
    totals = [sum(inside[column] for inside in values.values()) for column in range(3)]
    return "\n".join([*lines, f"{_TOTAL[language]} | " + " | ".join(f"{total:,}" for total in totals)])
