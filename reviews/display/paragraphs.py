"""A text as paragraphs, each with its own direction and language (review-queue §7.5).

Both follow from the text alone, so they are worked out where they are shown. Put together, the paragraphs
are the text: a line end belongs to the paragraph that it ends.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

import regex

from detection.core.text import detect_language, direction

_END = regex.compile(r"[\n\r\x1c-\x1e\x85\u2028\u2029]+")
"""What begins a new paragraph for the bidirectional algorithm; no embedding reaches beyond it."""
_LETTER = regex.compile(r"\p{L}")
LATIN = ("en", "de", "fr", "es", "it", "pt", "nl")
READ = 2_000
"""Code points from which the language of a text is told."""


class Sliced(Protocol):
    """A slice of a text."""

    @property
    def text(self) -> str:
        """Its characters."""


Slice = TypeVar("Slice", bound=Sliced)


@dataclass(frozen=True, slots=True)
class Paragraph(Generic[Slice]):
    """A line of text in slices with its direction and BCP 47 language; ``number`` counts from 0."""

    pieces: tuple[Slice, ...]
    direction: str
    language: str
    number: int


def ends(text: str) -> list[int]:
    """Where the paragraphs of ``text`` end, in code points."""
    return [found.end() for found in _END.finditer(text)]


def paragraphs(pieces: Iterable[Slice], usual_direction: str, usual_language: str) -> list[Paragraph[Slice]]:
    """The paragraphs of a text that is given in slices, none of which goes on beyond a line end."""
    return [
        Paragraph(tuple(line), direction_of(text, usual_direction), language_of(text, usual_language), number)
        for number, line in enumerate(_lines(pieces))
        for text in ["".join(piece.text for piece in line)]
    ]


def _lines(pieces: Iterable[Slice]) -> Sequence[list[Slice]]:
    done: list[list[Slice]] = [[]]
    for piece in pieces:
        done[-1].append(piece)
        if _END.match(piece.text[-1:]):
            done.append([])
    return [line for line in done if line]


@lru_cache(maxsize=1024)
def direction_of(text: str, usual: str = "ltr") -> str:
    """The direction of ``text`` by the majority of its strong characters, ``usual`` where it has none."""
    return direction(text) if _LETTER.search(text) else usual


@lru_cache(maxsize=1024)
def language_of(text: str, usual: str = "") -> str:
    """The BCP 47 tag of ``text``: ``usual`` (the language that was stated) unless its script says otherwise;
    Chinese with the script in which it is written."""
    part = text[:READ]
    found = detect_language(part) if _LETTER.search(part) else ""
    stated = usual.split("-")[0].lower()
    same = found in ("", stated) or (found == "en" and stated in LATIN)
    return tagged(usual if usual and same else found, part)


_SIMPLIFIED = frozenset(
    "个们这为来说时会国对发经过动进间实现资产业务营净额总计収数据报财货币银贷债偿还购卖价费亏损润变减长达"
    "较与从无关开东车门问题应该认证评论设许记录项预领须顺颗马龙区广场厂单双楼机构权树样标档检条极术划则华"
    "协压历厅县参响嘱园围图团声处备复够头夹奖妇孙学宁宝审宽宾层届岁师帐带庄庆库废张弹强归当彻径忆态怀战户"
    "执扩扫担择挥换摄敌显晓暂杂杨枪栏桥欢残毕气汉没沟济浅测浓涨温湾满滚热爱牵状独环电画疗监盖盘矿码确离种"
    "称稳窃竞笔签简类粮紧红纪约级纯纳纸线练组细终绍结给络统继绩续维综绿编缓缩网罗职联聪肃脑脚艺节范荐获蓝"
    "虑虚虽补装规视觉览觀订讨让训议讯讲访词译试话询详语误请诸课调谁谈谢负贡责败质贮贴贵贸贺赁赔赖赚赛赞赢"
    "跃转轮软轻输边运远连迟适选递逻遗邮释钟钢钱铁铺销锁错键镇闭闻阅队阳阶际陆陈险随隐难静页顶频颜风飞饭饮"
    "馆驗"
)
"""Common characters that only the simplified script writes so; below, the same in the traditional one."""
_TRADITIONAL = frozenset(
    "個們這為來說時會國對發經過動進間實現資產業務營淨額總計收數據報財貨幣銀貸債償還購賣價費虧損潤變減長達"
    "較與從無關開東車門問題應該認證評論設許記錄項預領須順顆馬龍區廣場廠單雙樓機構權樹樣標檔檢條極術劃則華"
    "協壓歷廳縣參響囑園圍圖團聲處備復夠頭夾獎婦孫學寧寶審寬賓層屆歲師帳帶莊慶庫廢張彈強歸當徹徑憶態懷戰戶"
    "執擴掃擔擇揮換攝敵顯曉暫雜楊槍欄橋歡殘畢氣漢沒溝濟淺測濃漲溫灣滿滾熱愛牽狀獨環電畫療監蓋盤礦碼確離種"
    "稱穩竊競筆簽簡類糧緊紅紀約級純納紙線練組細終紹結給絡統繼績續維綜綠編緩縮網羅職聯聰肅腦腳藝節範薦獲藍"
    "慮虛雖補裝規視覺覽观訂討讓訓議訊講訪詞譯試話詢詳語誤請諸課調誰談謝負貢責敗質貯貼貴貿賀賃賠賴賺賽贊贏"
    "躍轉輪軟輕輸邊運遠連遲適選遞邏遺郵釋鐘鋼錢鐵鋪銷鎖錯鍵鎮閉聞閱隊陽階際陸陳險隨隱難靜頁頂頻顏風飛飯飲"
    "館验"
)


def tagged(language: str, text: str) -> str:
    """``language`` as BCP 47 has it; Chinese without a script gets the one that most characters of ``text``
    belong to, the simplified one when nothing tells."""
    if language.lower() in ("zh-tw", "zh-hk", "zh-mo"):
        return "zh-Hant"
    if language.lower() not in ("zh", "zh-cn", "zh-sg", "chinese"):
        return language
    traditional = sum(sign in _TRADITIONAL for sign in text)
    return "zh-Hant" if traditional > sum(sign in _SIMPLIFIED for sign in text) else "zh-Hans"
