import pytest

import mojika

# Text that each encoding has; for the others ASCII.
TEXTS = {
    "Shift_JIS": "文字化け、ソース表示能ABC\r\nｱｲｳ",
    "EUC-JP": "文字化け、ABC\n",
    "ISO-2022-JP": "文字化けABC\nかな",
    "extended:ISO-2022-KR": "한글 문자 文字 ABC\n",
    "HZ": "汉字编码 ~ ABC\n",
    "IBM930": "文字 ABC 123",
    "IBM933": "한글 ABC 123",
    "IBM300": "文字　ＡＢＣ　１２３",
    "IBM834": "한글　ＡＢＣ　１２３",
    "IBM835": "漢字　ＡＢＣ　１２３",
    "IBM837": "汉字　ＡＢＣ　１２３",
    "CESU-8": "文字 😀 é\n",
    "UTF-7-IMAP": "plain ASCII 123",
    "EUC-JIS-2004": "漢俱𠂉 ABC\n",
    "Shift_JIS-2004": "漢俱𠂉 ABC\n",
    "VISCII": "Tiếng Việt ABC\n",
    "Johab": "한글 문자 똠방각하ABC\n",
    "extended:GB2312": "汉字编码，ABC\n",
    "GB18030-2005": "汉字编码𠀀ABC\n😀",
    "extended:Big5-HKSCS": "漢字㗎編碼，ABC\n",
    "GSM-03.38": "ñandù €{}\n",
    "EUC-TW": "漢字編碼，ABC\n",
    "GBK": "汉字编码，ABC\n",
    "gb18030": "汉字编码𠀀ABC\n😀",
    "Big5": "漢字編碼，ABC\n",
    "EUC-KR": "한글 문자 똠방각하ABC\n",
    "UTF-8": "文字 😀 é\n",
    "UTF-16LE": "文字 😀 é\n",
    "UTF-16BE": "文字 😀 é\n",
    "UTF-32LE": "文字 😀 é\n",
    "windows-1251": "Съешь же ещё этих мягких булок\n",
    "KOI8-R": "Съешь же ещё этих мягких булок\n",
    "windows-1252": "naïve café €\n",
    "IBM037": "Hello, World 123",
}


def text_for(encoding):
    return TEXTS.get(encoding, "plain ASCII 123\n" if encoding != "replacement" else "")


@pytest.fixture(params=mojika.encodings())
def encoding(request):
    return request.param
