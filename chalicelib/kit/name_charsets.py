"""In which charset a file's name is written: UTF-8, or one of Windows', by country.

RFC 7578 (5.1) leaves it open, and curl on Windows sends what the country uses.
A name is too short for statistics of a language, but not for its commonest signs: a reading counts
in which enough of them stand, and the one with most of them wins. Without any it is Western.
"""

import re
from collections.abc import Callable
from typing import Final

_KANA: Final = "".join(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FD))))
_JAPANESE: Final = frozenset(
    _KANA + "日本人年月大写真画像動新商品店料理春夏秋冬花海山旅行京東田中小学校会社仕事案内"
    "広告宣伝表紙資集合出発表示用途前後上下左右内外第一二三四五六七八九十回目版最終修正済確認"
    "記念誕生結婚式家族友食朝昼夜今明毎週曜時間分自動車電話番号室公園祭々"
)
_SIMPLIFIED: Final = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之"
    "年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样"
    "理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将"
    "两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信"
    "表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔"
    "更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统"
    "区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品"
    "住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运"
    "图片照视频微截屏幕海报封面春节广告宣活动店包烤蛋糕新品首发优惠广测试项素材音乐旅游婚礼红"
    "花夏秋冬早晚餐厅菜单店铺详情主图横竖版最终修改稿副份拍摄影"
)
_TRADITIONAL: Final = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之"
    "年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣"
    "理心她本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩"
    "高間由問很最重並物手應戰向頭文體美相見被利什二等產或新己制身果加西月話合回特代內信表化"
    "圖片照視頻截螢幕海報封廣告宣傳活店麵包烤蛋糕首優惠測試項素材音樂旅遊婚禮紅花春夏秋冬節早"
    "晚餐廳菜單鋪詳版終修改稿副份拍攝影"
)
_KOREAN: Final = frozenset(
    "가각간감강개거건검것게겨결경계고곡공과관광교구국군권그근글금기길김나남내너년노뉴는능니다단달담"
    "당대더도독동두드들등디라람랑래러레려력련로록료루르른를름리린마만말매메면명모목무문물미민바박반"
    "발방배번법벨변별보복본봄부북분비빵사산상새색생서선설성세션소속손송수숙순술스습승시식신실심아안"
    "알앙애야약양어언업에여역연열영예오온올와완왕외요용우운울원월위유육은을음의이인일임입자작장재저"
    "적전점정제조족존종주준중즈증지직진집차참창책처천첫청체초최추축출치친카케크클타터테토통트특티파"
    "판패페편평포표품프피하학한할함합해행향현형호홍화확환활회획후휴흥희"
)
_MOSTLY: Final = 0.34
_LEAST: Final = 0.1
_LEVEL_1: Final = re.compile(rb"(?:[\xb0-\xd7][\xa1-\xfe]){3,}")
"""The 3,755 commoner signs of GB 2312."""
_VOWELS: Final = frozenset("аеёиоуыэюяіїєАЕЁИОУЫЭЮЯІЇЄ")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff\u00ab\u00bb\u2013\u2014\u2116]+")
_FEWEST_VOWELS: Final = 0.25
_IN_A_ROW: Final = re.compile(rb"[\xe0-\xff]{3}|[\xb8-\xff]{4}")
"""Names of the West do not have so many accented letters on end."""
_UNUSED: Final = re.compile("[\u0180-\u019f\u01a2-\u01ae\u01b1-\u01cc\u0250-\u02af\u0370-\u037d]")
"""Letters that nobody writes into names: \u56fe\u7247 (picture) in GBK is two of them in UTF-8."""


def read_name(name: bytes) -> str:
    """Return a name as UTF-8, else in the charset whose commonest signs it has most of."""
    if name.isascii():
        return name.decode()
    share, text = max((read(name) for read in _READINGS), key=lambda reading: reading[0])
    try:
        plain = name.decode()
    except UnicodeDecodeError:
        return text if share else name.decode("cp1252", "replace")
    return text if share == 1 and _UNUSED.search(plain) else plain


def _east_asian(charset: str, common: frozenset[str]) -> Callable[[bytes], tuple[float, str]]:
    def read(name: bytes) -> tuple[float, str]:
        text, signs = _foreign(name, charset)
        share = sum(sign in common for sign in signs) / max(1, len(signs))
        return (share if share >= _MOSTLY else 0.0), text

    return read


def _any_simplified(name: bytes) -> tuple[float, str]:
    """Take names of surnames, companies and places for Chinese where nothing else speaks."""
    text, signs = _foreign(name, "gbk")
    return (_LEAST if _LEVEL_1.fullmatch(signs.encode("gbk")) else 0.0), text


def _russian(name: bytes) -> tuple[float, str]:
    text, signs = _foreign(name, "cp1251")
    if not _IN_A_ROW.search(name) or not _CYRILLIC.fullmatch(signs):
        return 0.0, text
    share = sum(sign in _VOWELS for sign in signs) / len(signs)
    return (share if share >= _FEWEST_VOWELS else 0.0), text


def _foreign(name: bytes, charset: str) -> tuple[str, str]:
    """Return a name and the signs of it that are not ASCII; nothing where it cannot be read."""
    try:
        text = name.decode(charset)
    except UnicodeDecodeError:
        return "", ""
    return text, "".join(sign for sign in text if not sign.isascii())


_READINGS: Final = (
    _east_asian("cp932", _JAPANESE),
    _east_asian("gb18030", _SIMPLIFIED),
    _east_asian("big5hkscs", _TRADITIONAL),
    _east_asian("cp949", _KOREAN),
    _any_simplified,
    _russian,
)
