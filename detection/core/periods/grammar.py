"""The forms in which periods are named, as one pattern over the signs of tokens (``tokens.py``, ``words.py``).

Signs: Y year, W year of two years, ↔ two years, T date in digits, I month in digits, M month (m may be a verb), D small
number, N count word, O ordinal, w Hebrew "two, second", q quarter or half with its number (Q fiscal, × with its year), U unit, u Hebrew
unit with article, κ Chinese unit, A 年, K 月, J 日, g 第, F fiscal, C calendar, E ended, R prior, L last, l latest, X next,
V this, G ago, ð pointing at one, Γ before it, » later, ← onwards, S same, s 同期, r/Z "last year" in one word, % year on year, τ trailing twelve months, y year to date, d
date, t the, o of, & and, z to, φ from, e end, b begin, f early/mid/late, i each, j both, c consecutive, k quarterly, v
average, p as of, a as, @ at, B compared with, θ than, β 相比, h rose or fell, # counted noun, ! label, 0 other number,
n break, x anything else.
"""

import re

_FULL = r"(?:YA?DKDJ?|[Mm]\.?[ot]?[DO],?o?Y|[DO]J?[/-]?o?-?t?[Mm][.,]?[/-]?o?Y|D-[Mm]-D|T)"
_YEARLESS = r"(?:DKDJ?|[Mm]\.?t?[DO](?![#%])|[DO]o?-?t?[Mm]\.?)"
YEAR = r"(?:V?[FC]?-?[Uu]?[FC]?[Aж]?[YW](?:-?[FC]U?|[Aж]?Ω?)|FU?'?D|Dж)"
_RELATIVE = r"(?:t?[RLXV]F?U|[Uu]F?[RVX]|rΩ?|Ω|Z|u(?![OwDR]))"
_OF = r"(?:[,/(-]|,?o{0,2}-?t?)"
_DATE = rf"(?:{_FULL}|YA?DK|[Mm]\.?,?o?Y|I|[Mm]-D(?![,-]?[YD])|{_YEARLESS}|[Mm]|{YEAR})"
_UNIT = r"(?:[Uuκ])"
_PART = rf"(?:[FC]?[qQ]κ?|F?O-?[FC]?U|[Uu]F?(?:O|w|D(?![#%UK0]))|gD个?[Uκ]|Dκ|前D个?[UκK]|F?O[ND]-?F?U|[NDw][Uu]O|(?:t?L[ND]?U|[NDw]Ul)(?=ot?{YEAR})|(?<=[YAΩr])LD个?[Uκ]|(?<=[YAж])ç)"
_YEARS = rf"(?:{YEAR}|{_RELATIVE})"
_AFTER = rf"(?:{YEAR}|{_RELATIVE}|tF?U(?![E#]))"
_AHEAD = rf"(?:{YEAR}[-,/]?o?|(?:t?[RLXV]F?U|r|Z)o?)"
_BACK = r"(?:[tā]?U-?G|t?[ND]-?UG|ΓU|Γ[NDw]U|D[AU]前|κ前|D[UA]G)"
_FORTH = r"(?:[tā]?U»|t?[ND]-?U(?:»|o(?=[,.n]|$))|D个?[UAκ]»)"
_COUNT = r"(?:[ND]-?|w)"
_SOME = r"[NDw]"
_TO = rf"(?:{_DATE}|[qQ](?:{_OF}{YEAR})?|O-?U(?:{_OF}{YEAR})?|{YEAR})"

_ENDED = rf"t?(?:l-?)?(?:O?{_COUNT})?V?[FC]?(?:[Uu]-?P?F?[Ez]|7P?[Ez])[o@pa-]{{0,3}}t?(?:e-?o?)?{_DATE}"

_FORMS: tuple[tuple[str, str], ...] = (
    ("ended", _ENDED),
    ("ended_too", rf"t?[ND]-?(?=,?&{_ENDED})"),
    ("ended_han", rf"p?{_FULL}(?:Eo?|o)(?:[Aж]|D?[UκK])|p{_FULL}DU|p{_YEARLESS}(?:Eo?|o)(?:A|D个?[UκK])"),
    ("trailing_to", rf"τ-?x{{0,2}}(?:[Eozpa@,]{{0,3}}t?-?){_TO}"),
    ("trailing", r"τ"),
    ("trailing", rf"t?l-?(?:F?{_COUNT})U"),
    ("trailing", rf"{_COUNT}[Uu]l"),
    ("trailing", r"lD[UAκ]"),
    ("to_date", rf"{YEAR}-?y|{YEAR}U-z-d|y-?(?:x{{0,2}}[zpa@E]o?t?e?o?|[ozpa@E]{{0,2}}t?){_TO}|t?U-?z-?d(?:[ozpa@E]{{0,2}}t?{_TO})?|y"),
    ("days", r"D(?:-|t?zt?)[DO]o?-?t?[Mm][.,]?o?Y|[Mm]\.?D(?:-|z)D,?o?Y|YA?DKDJ?[-z]DJ"),
    ("day", _FULL),
    ("months_han", r"(?:YA|r)?DK?[-z]DK(?!D?J)"),
    ("same", rf"t?Sot?[Uu](?:{_OF}{_YEARS})?|t?S-?(?:U|P)(?:{_OF}(?:{_YEARS}|{_BACK}))?|[UuP]o?S(?:{_OF}(?:{_YEARS}|{_BACK}))?|(?:r|YA)o?s|s"),
    ("same", rf"t?S{_COUNT}U-?P?(?:{_OF}(?:{_YEARS}|{_BACK}))|t?SY(?:P|U)|tY(?:P|U)|t?V†{_RELATIVE}|t?S†{_OF}(?:{_YEARS}|{_BACK})"),
    ("same", rf"{_COUNT}[UuP]S(?:{_OF}(?:{_YEARS}|{_BACK}))?"),
    ("year_back", r"[tā]?U-G(?:U|P)|[tā]?UG(?:U|P)|t?S?[RL]-?U-?(?:P|U)|[UuP]-?Z|UGU"),
    ("streak", r"[tā]?OcF?U|[tā]?OF?Uc|[Uu]Oc|cgD个?[Uκ]"),
    ("each", rf"(?:jt?|t)?{_SOME}c?F?[Uu](?!P)(?:{_OF}(?:{_YEARS}))(?![OD])"),
    ("each", rf"i(?:No?t?)?(?:F?U|κ|个)(?:{_OF}{_AFTER})"),
    ("each_of", rf"i(?:No?|o|(?:F?U|κ)o)t?{_PART}(?:{_OF}{_AFTER})?"),
    ("each", rf"(?:{_YEARS})o?(?:t|j)?{_SOME}U(?!P)|(?:{_YEARS})o?i个?[UκAK]"),
    ("each", rf"(?:jt?|t){_SOME}c?F?[Uu]|{_SOME}cU|c{_SOME}[UA]|j{_SOME}[Uκ]|(?:j|i(?:No?t?)?)t?F?[UuκAKP](?:{_OF}{_YEARS})?|{_SOME}Uc|{_SOME}k(?=x)|kv|vk|[Uκ]v|vU"),
    ("quick", r"×"),
    ("numbers", rf"[Uu]D[-z]D(?:{_OF}{_AFTER})|{_AHEAD}?D[-z]Dκ"),
    ("part", rf"{_AHEAD}{_PART}"),
    ("part", rf"{_PART}(?:{_OF}{_AFTER})?"),
    ("pointed", r"(?:ð|t[ðG»])F?[UP](?!-)|t[ðG»]N(?=[,.;)&n]|$)"),
    ("ordinal", rf"(?:{_AHEAD})?(?:F?O(?=(?:(?:,?F?O){{0,3}},?&|z)t?F?[OL]-?F?U)|g?D(?=(?:[&z]g?D){{0,3}}[&z]g?Dκ|&DK))|(?:(?<=[Uu][Ow])|(?<=[Uu][Ow],)|(?<=[Uu][Ow],[Ow])|(?<=[Uu][Ow],[Ow],)|(?<=[Uu]Oz))&?-?[Ow](?:{_OF}{_AFTER})?|(?<=[Uu]D)&-?D(?![%#0])(?:{_OF}{_AFTER})?"),
    ("bare_ordinal", rf"(?:tF?O|[Ow]|gD个)(?:o{YEAR})?(?![OUuκKP#])"),
    ("ago", _BACK),
    ("later", _FORTH),
    ("yoy", r"%"),
    ("year_end", r"Et?F?[UY](?=@)"),
    ("year_end", rf"P-?e(?!o)|eo{{0,2}}t?P|F?U-?e(?:{_OF}{YEAR})?|{YEAR}U-?e|(?:Y?A|r)?[AκK]e|YA?Af|[AκK]f|ε"),
    ("numbered", r"[Uu]-?I"),
    ("quarter_of", r"(?:[Mm]\.?(?:-|t?zt?))?[Mm]\.?(?:,?Y)?U(?:oY)?(?!E)"),
    ("month", rf"(?:YA?|r)DK|I|[Mm]-D(?![,-]?[YD])|[Mm]\.?[-,/]?o?-?{YEAR}|[Mm]\.?{_OF}{_RELATIVE}|[RLX][Mm]"),
    ("span_last", rf"t?L{_COUNT}F?U"),
    ("relative", rf"{_COUNT}[Uu]F?[RX]|t?{_COUNT}[RX]F?U|t?[RXVL]-?(?:F?{_COUNT})?F?U(?![YW])|[Uu]F?[RXV]|t?l-?F?[Uκ]|[Uu]l|XD[UAκ]|rΩ?|Ω|Z|t?[RV]-?P|P[RV]"),
    ("each", rf"{_SOME}[Uu](?!-)"),
    ("yearless_day", _YEARLESS),
    ("years", r"↔"),
    ("year", YEAR),
    ("month_bare", r"M\.?|m"),
    ("han_month", r"DK"),
    ("the_unit", r"u(?![qQ×])|(?:(?<=[on.])|^)tF?U(?![E#YzφMT↔RX]|o[Mm])|(?<=f-)U|(?:(?<=[on.])|^)tP(?![EφMDT↔])"),
)  # fmt: skip

FORMS = [name for name, _ in _FORMS]
_BEGINS = "ð»7eElNDwOFCUuPYWMmTIAжVRLXSsrZΩ%τyijckvqQ×çg前κKΓGpε↔"
PATTERN = re.compile(
    rf"(?=[{_BEGINS}]|[tā][{_BEGINS}])(?:" + "|".join(f"({form})" for _, form in _FORMS) + ")"
)
ENDED = re.compile(_ENDED)
