# ruff: noqa: RUF001, SIM905 - letters of many scripts, and words as one reads them
"""In which charset a file's name is written: UTF-8, or one that Windows uses in some country.

RFC 7578 (5.1) leaves it open, and curl on Windows sends what the country uses. A reading costs
what its signs cost, in powers of ten (a sign that is one of a hundred in its language costs 2),
and more where no word of the language looks so. The cheapest one counts where it is cheaper by
far than the next; a name in a wrong script is worse than none, so otherwise nothing is told.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

import regex

_KANA: Final = frozenset(map(chr, (*range(0x3041, 0x3097), *range(0x30A1, 0x30FD))))
_JAPANESE: Final = frozenset(
    "日本人年月大写真画像動新商品店料理春夏秋冬花海山旅行京東田中小学校会社仕事案内"
    "広告宣伝表紙資集合出発表示用途前後上下左右内外第一二三四五六七八九十回目版最終修正済確認"
    "記念誕生結婚式家族友食朝昼夜今明毎週曜時間分自動車電話番号室公園祭々無題未名称設定"
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

_FAR: Final = 1.7
"""Another script than the next: fifty times as likely."""
_NEAR: Final = 0.7
"""Other letters of the same script."""
_DEAREST: Final = 2.0
_ANYWAY: Final = 2.5
"""A reading that costs more than this, and so much for each byte beyond ASCII, is not told."""
_ODD: Final = 3.0
"""What no word of the language has: a break of its spelling, or letters of the West beside it."""
_KNOWN: Final = 3.0
"""What a word saves that many files are called by."""
_LONGEST: Final = 512
_BROKEN_CASE: Final = r"(?<=\p{Ll})\p{Lu}|(?<=\p{Lu}{2})\p{Ll}"
_VOWELS: Final = (
    "aeiouyáéíóúýàèìòùâêîôûãõäöüåæøëïœąęěůőűăıāēīūėųįAEIOUYÁÉÍÓÚÀÈÂÊÎÔÄÖÜÅÆØŐŰĄĘĚŮĂİĀĒĪŪ"
)
_NO_VOWEL: Final = rf"\b(?=\w*[^\W\x00-\x7f])[^\W\d_{_VOWELS}]{{3,}}\b"
_PUNCTUATION: Final = dict.fromkeys("–—’‘“”„«»№…·°", 2.5) | dict.fromkeys(
    "，。、・（）【】「」～ー　", 2.8
)
_CONTROLS: Final = regex.compile(r"\p{C}")
_LETTERS: Final = regex.compile(r"[\p{L}\p{M}]+")
_UNREAD: Final = regex.compile(r"[^\x00-\x7f]+")
_UNUSED: Final = regex.compile(
    "[\u0180-\u019f\u01a2-\u01ae\u01b1-\u01cc\u0250-\u02af\u0370-\u037d]"
)
"""Letters that nobody writes into names: \u56fe\u7247 (picture) in GBK is two of them in UTF-8."""


class _Reading(NamedTuple):
    cost: float
    text: str


def read_name(name: bytes) -> str:
    """Return a name as UTF-8, else in the charset that is surely its own.

    Where none is, a low line stands for what cannot be read.
    """
    try:
        plain = name.decode()
    except UnicodeDecodeError:
        plain = ""
    if plain and not _UNUSED.search(plain):
        return plain
    return _surest(name) or plain or _UNREAD.sub("_", name.decode("latin-1"))


def _surest(name: bytes) -> str | None:
    readings = sorted(_readings(name)) if len(name) <= _LONGEST else []
    foreign = len(name) - len(name.decode("ascii", "ignore"))
    if not readings or readings[0].cost > _ANYWAY + _DEAREST * foreign:
        return None
    first = readings[0]
    for other in readings[1:]:
        near = _is_latin(first.text) and _is_latin(other.text)
        if other.text != first.text and other.cost < first.cost + (_NEAR if near else _FAR):
            return None
    return first.text


def _readings(name: bytes) -> Iterator[_Reading]:
    for charset, cost in _LANGUAGES:
        try:
            text = name.decode(charset)
        except UnicodeDecodeError:
            continue
        if _CONTROLS.search(text):
            continue
        known = any(word in _WORDS for word in _LETTERS.findall(text.lower()))
        yield _Reading(cost(text.rpartition(".")[0] or text) - _KNOWN * known, text)


def _is_latin(text: str) -> bool:
    return not regex.search(r"[^\p{Latin}\p{Common}\p{Inherited}]", text)


def _by_rank(letters: str, first: float = 1.0, last: float = 2.5) -> dict[str, float]:
    """Return what letters cost that are given in the order of their frequency."""
    step = (last - first) / len(letters)
    return {letter: first + step * rank for rank, letter in enumerate(letters)}


def _alphabet(signs: dict[str, float], odd: str, rare: str, start: float, text: str) -> float:
    cost = start + _ODD * _count(f"{_BROKEN_CASE}|{odd}", text) + 1.5 * _count(rare, text)
    cost += _ODD * _count(r"[a-zA-Z][^\W\x00-\x7f]|[^\W\x00-\x7f][a-zA-Z]", text)
    cost += bool(regex.search("[a-zA-Z]{2}", text))
    return cost + sum(_letter(sign, signs) for sign in text if not sign.isascii())


def _latin(letters: str, unused: str, odd: str, start: float, text: str) -> float:
    cost = start + _ODD * _count(f"{_BROKEN_CASE}|{_NO_VOWEL}{odd}", text)
    cost += 1.2 * _count(r"[^\W\x00-\x7f]{2}", text)
    cost += 0.9 * sum(sign in unused for sign in text.lower())
    signs = _by_rank(letters, 0.5, 2)
    return cost + sum(_letter(sign, signs) for sign in text if not sign.isascii())


def _count(pattern: str, text: str) -> int:
    return len(regex.findall(pattern, text, overlapped=True))


def _letter(sign: str, signs: dict[str, float]) -> float:
    if sign in signs:
        return signs[sign]
    return signs.get(sign.lower(), 5.0) + 0.7


def _east_asian(
    common: dict[str, float], charset: str, level_1: tuple[int, int], start: float, text: str
) -> float:
    """Take for common also what stands in the rows of a charset's commoner signs."""
    rows = range(level_1[0], level_1[1] + 1)

    def cost(sign: str) -> float:
        if sign in common:
            return common[sign]
        try:
            encoded = sign.encode(charset)
        except UnicodeEncodeError:
            return 6.5
        return 3.7 if encoded[0] in rows else 6.0

    start += 2 * _count(r"[a-z][^\x00-\x7f]+[a-z]", text)
    return start + sum(cost(sign) for sign in text if not sign.isascii())


_CYRILLIC: Final = _by_rank("оаиеінтрслвкпмдузбягійїчьєжшхюцыщёфэъґў") | dict.fromkeys(
    "ђѓѕјљњћќџ", 3.0
)
_NO_RUSSIAN: Final = (
    r"\b[ьъыЬЪЫ]|\bяю|(?i:[бвгджзйклмнпрстфхцчшщ]{5}|[аеёиоуыэюяіїє]{4}|[аеёиоуыэюяіїєьъ][ьъ]|й[ыьъйё]"
    r"|[жшчщ][ыэюя]|[гкх]ы|э[аеиоуыэ]|ы[ыэ]|\b[бвгджзйклмнпрстфхцчшщ]{3,}\b)"
)
_GREEK: Final = _by_rank("αοιετσνηυρπκλμςίωόάδθγέφχβήύξζώψϊϋΐΰ")
_NO_GREEK: Final = (
    r"ς\B|σ\b|[άέήίόύώΐΰ]\w*[άέήίόύώΐΰ]|\b[βγδζθκλμνξπρσςτφχψ]{3,}\b|\b[βγδζθκλμνξπρστφχψ]{4}"
)
_HEBREW: Final = _by_rank("יוהלאמרתבשנםקדחטפכעגסצןזךףץ") | {"׳": 2.5, "״": 2.5}
_NO_HEBREW: Final = r"[ךםןףץ]\B"
_ARABIC: Final = _by_rank("اليمنرةبتسدوعفكحقهصجشطخأىضزئثذإآءغظؤپچگژک")
_NO_ARABIC: Final = r"[ةى]\B"
_THAI: Final = _by_rank(
    "รานกเงอมยลวดทสตะปบคไแพขจหใชโซถผศษธฟณญภำฉฝฐฆฎฏฬฮฤฑ", last=3.3
) | dict.fromkeys("ัิีึืฺุู็่้๊๋์ํ", 1.6)
_NO_THAI: Final = r"(?<![ก-ฮัิีึืุู็่้๊๋])[ัิีึืฺุู็่้๊๋์ะาำ]|[เแโใไ](?![ก-ฮ])|[ัิีึืุู]{2}|[่้๊๋์]{2}"
_JAPANESE_SIGNS: Final = (
    _PUNCTUATION
    | dict.fromkeys(map(chr, range(0xFF61, 0xFFA0)), 4.5)
    | dict.fromkeys(_JAPANESE, 2.3)
    | dict.fromkeys(_KANA, 1.9)
)
_SIMPLIFIED_SIGNS: Final = _PUNCTUATION | dict.fromkeys(_SIMPLIFIED, 2.4)
_TRADITIONAL_SIGNS: Final = _PUNCTUATION | dict.fromkeys(_TRADITIONAL, 2.4)
_KOREAN_SIGNS: Final = dict.fromkeys(_KOREAN, 2.3)

_LANGUAGES: Final[tuple[tuple[str, Callable[[str], float]], ...]] = (
    ("cp1252", partial(_latin, "äüöß", "", "", -0.7)),
    (
        "cp1252",
        partial(
            _latin,
            "éèàêçîâôûïùëœ",
            "kwz",
            r"|è(?![b-df-hj-np-tv-xz])|[âîûêô](?![bcglmnpqst])|ç(?![aoué])",
            -1.1,
        ),
    ),
    ("cp1252", partial(_latin, "óáíñéúü", "kw", r"|ñ(?![aeiouáéíóú])", -0.9)),
    (
        "cp1252",
        partial(
            _latin, "ãçáéíóâêõúàô", "kwy", r"|ã(?![oe]|\b)|[^çhmlr]ã\b|õ(?!e)|ç(?![aouãõ])", -0.7
        ),
    ),
    ("cp1252", partial(_latin, "öäåé", "qwxz", "", -0.5)),
    ("cp1252", partial(_latin, "øåæé", "qwxz", "", -0.6)),
    ("cp1252", partial(_latin, "ëéïóü", "qxy", "", -0.3)),
    ("cp1252", partial(_latin, "áíóðþúýæéö", "cqwz", "", 0.4)),
    ("cp1252", partial(_latin, "àèùòéì", "kwyjx", r"|[àùòì]\B", -0.2)),
    ("cp1252", partial(_latin, "€", "", "", 0.5)),
    ("cp1250", partial(_latin, "íáěéčřžšýůúťďňó", "qwx", "", -0.3)),
    (
        "cp1250",
        partial(_latin, "łąęóśżćńź", "qvx", r"|\b[ąęń]|[ąę](?![bcdgjkłlmprstwzżźćńś]|\b)", -0.3),
    ),
    ("cp1250", partial(_latin, "áéöóőíüúű", "qwx", "", -0.3)),
    ("cp1250", partial(_latin, "áíčéžšýúľôťňäďóŕĺ", "qwx", "", 0)),
    ("cp1250", partial(_latin, "čšžćđ", "qwxy", "", -0.2)),
    ("cp1250", partial(_latin, "ăşţîâ", "kwyq", "|ăo", 0)),
    ("iso8859_2", partial(_latin, "íáěéčřžšýůúťďňó", "qwx", "", 0.4)),
    (
        "iso8859_2",
        partial(_latin, "łąęóśżćńź", "qvx", r"|\b[ąęń]|[ąę](?![bcdgjkłlmprstwzżźćńś]|\b)", 0.4),
    ),
    ("iso8859_2", partial(_latin, "áéöóőíüúű", "qwx", "", 0.4)),
    ("iso8859_2", partial(_latin, "čšžćđ", "qwxy", "", 0.5)),
    ("cp1254", partial(_latin, "ıüşğçöİâ", "qwx", "", -0.2)),
    ("cp1257", partial(_latin, "ėšžųūįąčę", "qwx", "", 0.3)),
    ("cp1257", partial(_latin, "āīēšķļņūžģč", "qwxy", "", 0.3)),
    ("cp1257", partial(_latin, "äõüöšž", "qwxyc", "", 0.3)),
    ("cp1251", partial(_alphabet, _CYRILLIC, _NO_RUSSIAN, r"\b\p{Lu}{2,}\b", -0.3)),
    ("koi8_r", partial(_alphabet, _CYRILLIC, _NO_RUSSIAN, r"\b\p{Lu}{2,}\b", 0.6)),
    ("cp1253", partial(_alphabet, _GREEK, _NO_GREEK, r"\b[α-ω]{4,}\b|\b\p{Lu}{2,}\b", 0.3)),
    ("cp1255", partial(_alphabet, _HEBREW, _NO_HEBREW, r"[כמנפצ]\b(?!׳)", -0.3)),
    ("cp1256", partial(_alphabet, _ARABIC, _NO_ARABIC, r"[اوده]{4}", 0)),
    ("cp874", partial(_alphabet, _THAI, _NO_THAI, r"\b[ก-ฮ]{3,}\b", 0)),
    ("cp932", partial(_east_asian, _JAPANESE_SIGNS, "cp932", (0x88, 0x97), -0.3)),
    ("euc_jp", partial(_east_asian, _JAPANESE_SIGNS, "cp932", (0x88, 0x97), 0.8)),
    ("gb18030", partial(_east_asian, _SIMPLIFIED_SIGNS, "gb2312", (0xB0, 0xD7), -0.3)),
    ("big5hkscs", partial(_east_asian, _TRADITIONAL_SIGNS, "big5", (0xA4, 0xC6), 0)),
    ("cp949", partial(_east_asian, _KOREAN_SIGNS, "euc_kr", (0xB0, 0xC8), -0.3)),
)

_WORDS: Final = frozenset(
    "фото фотография изображение картинка рисунок видео снимок экрана обложка афиша без имени "
    "зображення відео знімок обкладинка снимка изображения меню торт хлеб новый новинка "
    "φωτογραφία φωτο φωτό εικόνα βίντεο στιγμιότυπο οθόνης εξώφυλλο αφίσα χωρίς τίτλο "
    "תמונה תמונות צילום מסך סרטון וידאו כריכה פוסטר שם ללא תפריט עוגה "
    "صورة صور لقطة شاشة فيديو غلاف ملصق بدون عنوان عکس تصویر ویدیو "
    "รูปภาพ ภาพ รูป ภาพถ่าย วิดีโอ ภาพหน้าจอ ปก โปสเตอร์ "
    "写真 画像 動画 表紙 無題 名称未設定 图片 照片 视频 封面 海报 截图 未命名 圖片 影片 "
    "螢幕截圖 海報 我 "
    "사진 이미지 동영상 스크린샷 표지 포스터 제목없음 "
    "snímek obrázek obrazovky fotka příspěvek zdjęcie zdjęcia obrazek zrzut ekranu okładka "
    "książka fénykép kép képernyőkép borító fotoğraf resim görüntüsü görüntü afiş "
    "größe übersicht präsentation été présentation photographie año niño promoção maçã "
    "äöü åäö æøå".split()
)
"""What pictures are commonly called, and the letters that people try a form with."""
