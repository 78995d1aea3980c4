# ruff: noqa: RUF001 - names of files as people write them
"""A file's name in the charset of its sender's country was refused (422), or could not be read.

curl on Windows sends what the country's Windows uses: curl/curl#10261 and #3020,
pluosi/app-host#100, Gargron/fileupload#63. Servers name downloads so, too: electron/electron#25628,
reqable/reqable-app#2405, jstedfast/MimeKit#812. Such a name became a video's title on YouTube.
"""

import pytest

from chalicelib.http.upload_form import UploadForm
from chalicelib.kit.file_names import name_at, name_in

NAMES = {
    "gbk": "图片.png 测试中文-0.1.3-win.exe QQ截图20170927092431.zip 我.txt 微信图片_2026.jpg "
    "春节海报-最终版.png 华泰证券-2026年游戏行业发展展望.pdf 产品主图.jpg 新建文件夹.jpg",
    "cp932": "日本.png 写真.jpg 旅行の写真.jpg スクリーンショット.png Ⅴ.開発ガイドライン.doc "
    "パン屋.jpg 使用曲など（ネタバレあり）.txt ソーシャル.mp4 表紙.png",
    "big5": "照片.jpg 傳說對決.png 新產品海報.png 螢幕截圖.png 旅遊.mp4",
    "cp949": "사진.png 스크린샷.png 가을-신상품.jpg 빵집-광고.mp4 서울-여행.mp4",
    "cp1251": "фото.jpg Отпуск-2026.mp4 Снимок-экрана.png хлеб.jpg ржаной-хлеб.jpg",
    "cp1252": "café.png €uro.png Größe.png São-João.jpg naïve-résumé.png Übersicht-Öl.png øl.jpg "
    "ÆØÅ.jpg ÄÖÜ.png Crème-brûlée-à-l’été.jpg Þórður.jpg Köln–März.jpg Île.jpg coração.png",
    "utf-8": "café.png パン.png 图片.png фото.jpg Việt-Nam-ơ-ư.png Țară.jpg şeker.png Ελλάδα.jpg "
    "עברית.png ǎ-pinyin.png łódź.png",
}


@pytest.mark.parametrize(
    ("charset", "name"), [(charset, name) for charset in NAMES for name in NAMES[charset].split()]
)
def test_a_file_has_the_name_that_it_has_with_its_sender(charset: str, name: str) -> None:
    """RFC 7578, 5.1: a sender may use another charset."""
    sent = name.encode(charset)
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + sent + b'"\r\n\r\n'

    form = UploadForm("multipart/form-data; boundary=b")
    data = form.read(body + b"bytes\r\n--b--\r\n")

    assert (b"bytes", name) == (data, form.filename)


@pytest.mark.parametrize(
    "sent", [b"\xff\xfe.png", b"\x81.png", "φωτο.png".encode("cp1253"), b"\x80"]
)
def test_a_file_whose_name_cannot_be_told_is_taken(sent: bytes) -> None:
    """What no rule reads stays as Western letters: the file is as good as ever."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + sent + b'"\r\n\r\n'

    form = UploadForm("multipart/form-data; boundary=b")

    assert b"bytes" == form.read(body + b"bytes\r\n--b--\r\n")
    assert form.filename


def test_a_server_may_name_a_charset_or_just_send_it() -> None:
    """RFC 8187 for the first; its names mean what encoding.spec.whatwg.org says."""
    named = "attachment; filename*=SHIFT-JIS''%FA%4E%2E%8A%4A%94%AD.doc"
    silent = b'attachment; filename="' + "华泰证券.pdf".encode("gbk") + b'"'

    assert "Ⅴ.開発.doc" == name_in(named)
    assert "华泰证券.pdf" == name_in(silent.decode("latin-1"))
    assert "/照片.jpg" == name_at("/%B7%D3%A4%F9.jpg")
