"""Names in Han, Kana and Hangul: no spaces, the surname first, an honorific behind."""

from privguard.core.patterns import lazy_pattern
from privguard.detect.found import listed

SCRIPTS = lazy_pattern("[\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
# Behind a name in Han, Kana or Hangul: the honorific and the sex that it tells.
_HONORIFICS = {
    "さん": "", "さま": "", "様": "", "氏": "", "くん": "", "君": "", "ちゃん": "", "先輩": "", "殿": "", "部長": "",
    "課長": "", "社長": "", "先生": "m", "女士": "f", "小姐": "f", "太太": "f", "老师": "", "老師": "", "教授": "",
    "医生": "", "醫生": "", "经理": "", "總": "", "总": "", "씨": "", "님": "", "선생님": "", "교수님": "",
    "팀장님": "", "부장님": "", "과장님": "", "군": "", "양": "",
}  # fmt: skip
COMPOUND_SURNAMES = listed(
    "欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 司徒 东方 皇甫 尉迟 公孙 慕容 令狐 夏侯 남궁 황보 제갈 선우 독고"
)
# The commonest Chinese surnames, in both writings: a name of two letters that begins with one is most likely whole.
_SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖萧蕭田董潘袁蔡蒋蔣余于杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鍾姜崔谭譚"
    "陆陸范汪廖石金韦韋贾賈夏付方邹鄒熊白孟秦邱侯江尹薛闫閻段雷龙龍史陶贺賀毛郝顾顧龚龔邵万萬覃武钱錢戴严嚴莫孔向常汤湯"
)
_GAP = lazy_pattern(r"[\s\u00b7\u2022\u2027\u30fb\uff65]+")  # between surname and given name
HONORIFIC = lazy_pattern("|".join(sorted(_HONORIFICS, key=lambda word: (-len(word), word))))


def without_honorific(written: str, behind: str = "") -> tuple[str, str]:
    """Return the name alone, and the sex that its honorific tells.

    Args:
        written: the mention.
        behind: the honorific right behind it, if there is one.
    """
    text = _GAP.sub("", written)
    for honorific, gender in _HONORIFICS.items():
        if len(text) > len(honorific) and text.endswith(honorific) and _is_name_before(text, honorific):
            return text[: -len(honorific)], gender
    return text, _HONORIFICS.get(behind, "")


def _is_name_before(text: str, honorific: str) -> bool:
    # A single syllable ends many given names: it is an honorific behind a whole name only.
    return len(honorific) > 1 or len(text) - 1 >= (3 if honorific in "군양총總君" else 2 if honorific in "氏殿" else 1)


def is_part(short: str, long: str) -> bool:
    """Tell whether a name is the surname or the given name of another, or the same.

    Two letters are mostly a whole name of their own, so they are neither the beginning of three nor, where the first
    of them is a surname, their end: 王芳 is not 王芳芳.
    """
    if short == long:
        return True
    if len(short) >= len(long):
        return False
    if long.startswith(short):
        if len(short) == 2 and len(long) == 3:
            return short in COMPOUND_SURNAMES
        return len(short) >= 2 or long[:2] not in COMPOUND_SURNAMES
    if len(short) < 2 or not long.endswith(short) or len(long) - len(short) > 2:
        return False
    return not (len(short) == 2 and len(long) == 3 and short[0] in _SURNAMES)
