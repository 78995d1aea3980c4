# ruff: noqa: RUF001 - names of files as people write them
"""A file's name in the charset of its sender's country was refused (422), or could not be read.

curl on Windows sends what the country's Windows uses: curl/curl#10261 and #3020,
pluosi/app-host#100, Gargron/fileupload#63. Servers name downloads so, too: electron/electron#25628,
reqable/reqable-app#2405, jstedfast/MimeKit#812. Such a name became a video's title on YouTube.
Names in UTF-8 were taken for Latin: paperclipai/paperclip#4706, huridocs/uwazi#4888; a Hebrew one
was lost: google/gdata-java-client#299.
"""

import re

import pytest

from chalicelib.http.upload_form import UploadForm
from chalicelib.kit.file_names import name_at, name_in
from chalicelib.kit.name_charsets import read_name

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
    "עברית.png ǎ-pinyin.png łódź.png 한글파일.pdf García-Rodríguez.pdf",
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


OTHERS = {
    "cp1250": "žluťoučký-kůň.jpg snímek-obrazovky.png večeře.jpg růže.jpg zdjęcie.jpg łódź.png "
    "zażółć-gęślą-jaźń.jpg książka.png fénykép.jpg képernyőkép.png őszi-akció.jpg košice.jpg",
    "cp1253": "φωτογραφία.jpg φωτο.png εικόνα.jpg βίντεο.mp4 Αθήνα.jpg ψωμί.jpg Χωρίς-τίτλο.png",
    "cp1254": "fotoğraf.jpg ekran-görüntüsü.png doğum-günü.jpg",
    "cp1255": "תמונה.jpg צילום-מסך.png עוגה.jpg ירושלים.jpg ללא-שם.png בדיקה.doc",
    "cp1256": "صورة.jpg لقطة-شاشة.png فيديو.mp4 كعكة.jpg القاهرة.jpg بدون-عنوان.png عکس.jpg",
    "cp874": "รูปภาพ.jpg วิดีโอ.mp4 กรุงเทพ.jpg ขนมปัง.jpg ภาพหน้าจอ.png เค้ก.jpg",
    "euc_jp": "写真.jpg 旅行の写真.jpg スクリーンショット.png 画像.png ケーキ.jpg 動画.mp4",
    "koi8_r": "фото.jpg Снимок-экрана.png хлеб.jpg Москва.jpg видео.mp4 меню.png",
    "iso8859_2": "žluťoučký-kůň.jpg večeře.jpg łódź.png zażółć-gęślą-jaźń.jpg fénykép.jpg",
}
DOUBTFUL = {
    "gbk": "北京.jpg 李明.jpg",
    "big5": "台北.jpg",
    "cp949": "부산.jpg",
    "cp1251": "Київ.jpg ФОТО.JPG",
    "cp1250": "tűz.jpg",
    "cp1254": "şeker.png İstanbul.jpg",
    "cp1255": "סרטון.mp4 שלום.jpg",
    "cp1257": "šokoladas.jpg žiema.png ēdiens.jpg",
    "euc_jp": "桜.jpg",
    "koi8_r": "ФОТО.jpg кот.jpg",
    "cp866": "Москва.jpg хлеб.jpg Снимок-экрана.png",
    "cp850": "café.png Größe.png",
}


@pytest.mark.parametrize(
    ("charset", "name"), [(charset, name) for charset in OTHERS for name in OTHERS[charset].split()]
)
def test_a_name_in_a_rarer_charset_is_the_same_too(charset: str, name: str) -> None:
    """They were shown in another script: a Hebrew photo as Russian, a Thai one as Chinese."""
    assert name == read_name(name.encode(charset))


@pytest.mark.parametrize(
    ("charset", "name"),
    [(charset, name) for charset in DOUBTFUL for name in DOUBTFUL[charset].split()],
)
def test_what_two_charsets_read_is_told_right_or_not_at_all(charset: str, name: str) -> None:
    """A name in a wrong script is worse than one with a line where its letters were."""
    sent = name.encode(charset)

    assert read_name(sent) in {name, re.sub(rb"[\x80-\xff]+", b"_", sent).decode()}


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (b"\xff\xfe.png", "_.png"),
        (b"\x81.png", "_.png"),
        (b"\x82", "_"),
        ("Москва.jpg".encode("cp866"), "_.jpg"),
        ("桜.jpg".encode("euc_jp"), "_.jpg"),
        (b"2026 \xe1\xe1\xe1\xe1 final.png", "2026 _ final.png"),
        (b"\xe9" * 4000 + b".png", "_.png"),
    ],
)
def test_a_file_whose_name_cannot_be_told_is_taken(sent: bytes, shown: str) -> None:
    """What no rule reads is told by nobody: the file is as good as ever, its name has a line."""
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + sent + b'"\r\n\r\n'

    form = UploadForm("multipart/form-data; boundary=b")

    assert b"bytes" == form.read(body + b"bytes\r\n--b--\r\n")
    assert shown == form.filename


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        # as sent by browsers and curl -F, python-requests (urllib3 1, then 2), .NET and Node
        ('form-data; name="file"; filename="тест.png"', "тест.png"),
        ("form-data; name=\"file\"; filename*=utf-8''%D1%82%D0%B5%D1%81%D1%82.png", "тест.png"),
        ('form-data; name="file"; filename="a%22b.png"', 'a"b.png'),
        ('form-data; name="file"; filename="a\\"b.png"', 'a"b.png'),
        ("form-data; name=file; filename=bun.png; filename*=utf-8''br%C3%B6t.png", "bröt.png"),
        ('form-data; name="file"; filename="100%25.png"', "100%25.png"),
        ('form-data; name="file"; filename="100%20%.png"', "100%20%.png"),
        ('form-data; name="file"; filename="gr%FC%DFe.png"', "gr%FC%DFe.png"),
        # aiohttp 3.14.5, needle 3 and Apache HttpClient 5.3.1 (EXTENDED)
        (
            'form-data; name="file"; filename="my%20photo%20%281%29%20%C3%A9%20%22x%22.jpg"',
            'my photo (1) é "x".jpg',
        ),
        ('form-data; name="file"; filename="my%20photo.jpg"', "my photo.jpg"),
        ('form-data; name="file"; filename="gr%C3%BC%C3%9Fe%20%22x%22.jpg"', 'grüße "x".jpg'),
        ('form-data; name="file"; filename="gr%C3%BC%C3%9Fe(1).jpg"', "grüße(1).jpg"),
        ("form-data; name=\"file\"; filename*=windows-1255''%FA%EE%E5%F0%E4.jpg", "תמונה.jpg"),
    ],
)
def test_each_form_that_programs_send_names_the_file(disposition: str, name: str) -> None:
    """RFC 7578 (4.2, 5.1), RFC 8187 and HTML's "Multipart form data"; a percent sign is itself.

    RFC 7578, 2: some libraries escape the whole name.
    """
    form = UploadForm("multipart/form-data; boundary=b")
    head = f"--b\r\nContent-Disposition: {disposition}\r\n\r\n".encode()

    assert b"bytes" == form.read(head + b"bytes\r\n--b--\r\n")
    assert name == form.filename


def test_a_server_may_name_a_charset_or_just_send_it() -> None:
    """RFC 8187 for the first; its names mean what encoding.spec.whatwg.org says."""
    named = "attachment; filename*=SHIFT-JIS''%FA%4E%2E%8A%4A%94%AD.doc"
    silent = b'attachment; filename="' + "华泰证券.pdf".encode("gbk") + b'"'

    assert "Ⅴ.開発.doc" == name_in(named)
    assert "华泰证券.pdf" == name_in(silent.decode("latin-1"))
    assert "/照片.jpg" == name_at("/%B7%D3%A4%F9.jpg")
