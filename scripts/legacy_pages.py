"""Pages in legacy encodings, for the scripts beside this file: declared, undeclared and lying. Not for running by itself."""
import codecs
import random
import re
import unicodedata

# Encoding (the Standard's name), CPython's codec that writes it, the language of its pages, and how many of a hundred legacy
# pages are in it. The weights are a choice of this script, in the order in which such pages are frequent on the Web.
ENCODINGS = [
    ("windows-1252", "cp1252", "de", 14), ("windows-1252", "cp1252", "fr", 12), ("windows-1251", "cp1251", "ru", 18),
    ("Shift_JIS", "cp932", "ja", 11), ("GBK", "gbk", "zh_cn", 8), ("EUC-JP", "euc_jp", "ja", 5), ("ISO-8859-2", "iso8859-2", "pl", 4),
    ("windows-1250", "cp1250", "cs", 4), ("EUC-KR", "cp949", "ko", 4), ("windows-1254", "cp1254", "tr", 4),
    ("Big5", "big5", "zh_tw", 3), ("windows-1256", "cp1256", "ar", 3), ("gb18030", "gb18030", "zh_cn", 2), ("KOI8-R", "koi8-r", "ru", 2),
    ("windows-874", "cp874", "th", 2), ("ISO-8859-7", "iso8859-7", "el", 1), ("windows-1253", "cp1253", "el", 1),
    ("windows-1255", "cp1255", "he", 1), ("windows-1258", "cp1258", "vi", 1), ("ISO-2022-JP", "iso2022_jp", "ja", 1),
]

# Text for languages of which there is no corpus beside the project; a page is made of its sentences in any order.
MADE = {
    "pl": "Wczoraj wieczorem poszliśmy nad rzekę, żeby obejrzeć zachód słońca. Święta spędzamy zwykle u babci na wsi. Gdzie można "
          "kupić świeże pieczywo? Zażółć gęślą jaźń. Rząd ogłosił zmianę przepisów o podatkach. Książka leży na stole obok okna. "
          "Jutro będzie padał deszcz i wiał silny wiatr. Dziękujemy za zamówienie, wyślemy je jak najszybciej. Łódź płynęła powoli.",
    "cs": "Včera večer jsme šli k řece, abychom viděli západ slunce. Svátky trávíme obvykle u babičky na venkově. Kde se dá koupit "
          "čerstvý chléb? Příliš žluťoučký kůň úpěl ďábelské ódy. Vláda oznámila změnu předpisů o daních. Kniha leží na stole vedle "
          "okna. Zítra bude pršet a foukat silný vítr. Děkujeme za objednávku, zašleme ji co nejdříve. Loď plula pomalu kolem břehu.",
    "tr": "Dün akşam güneşin batışını görmek için ırmağa gittik. Bayramları genellikle köyde büyükannemizin yanında geçiriyoruz. "
          "Taze ekmek nereden alınır? Hükümet vergi kurallarının değişeceğini açıkladı. Kitap pencerenin yanındaki masada duruyor. "
          "Yarın yağmur yağacak ve güçlü rüzgâr esecek. Siparişiniz için teşekkürler, en kısa sürede göndereceğiz. Çocuklar şarkı "
          "söyledi. Işıklar söndü, şehir sessizliğe gömüldü.",
    "he": "אתמול בערב הלכנו אל הנהר כדי לראות את השקיעה. את החגים אנחנו מבלים בדרך כלל אצל סבתא בכפר. איפה אפשר לקנות לחם טרי? הממשלה "
          "הודיעה על שינוי בכללי המס. הספר מונח על השולחן ליד החלון. מחר ירד גשם ותנשב רוח חזקה. תודה על ההזמנה, נשלח אותה בהקדם. "
          "הילדים שרו שירים. האורות כבו והעיר שקעה בדממה.",
}
KINDS = ["header", "meta", "both", "undeclared", "header lies", "meta lies"]
# How many of twenty pages are of a kind.
SHARES = [3, 7, 4, 3, 2, 1]


class Page:
    """A page: `truth` is its text, `browser` what the Standards make of it."""

    def __init__(self, url, kind, encoding, content_type, body, truth, browser):
        self.url, self.kind, self.encoding, self.content_type = url, kind, encoding, content_type
        self.body, self.truth, self.browser = body, truth, browser

    def is_lying(self):
        return self.kind.endswith("lies")


def texts(corpora, samples):
    """Text of each language: from the folder of corpora, else from the samples, else made."""
    found = {}
    for language in {language for _, _, language, _ in ENCODINGS} | {"en"}:
        html, plain = corpora / f"{language}.html", corpora / f"{language}.txt"
        sample = samples / f"{ {'zh_cn': 'zh-hans', 'zh_tw': 'zh-hant'}.get(language, language)}.txt"
        if html.exists():
            page = re.sub(r"(?s)<(script|style).*?</\1>", "", html.read_text(encoding="utf-8"))
            paragraphs = re.findall(r"(?s)<p>.*?</p>|<li>.*?</li>|<td>.*?</td>", page)
        elif plain.exists():
            paragraphs = [f"<p>{line}</p>" for line in plain.read_text(encoding="utf-8").splitlines() if line.strip()]
        elif language in MADE:
            paragraphs = [f"<p>{one.strip()}.</p>" for one in MADE[language].split(".") if one.strip()]
        elif sample.exists():
            paragraphs = [f"<p>{line}</p>" for line in sample.read_text(encoding="utf-8").splitlines() if line.strip()]
        else:
            continue
        found[language] = paragraphs
    return found


def windows_1252(data):
    """As the Standard has it: five bytes that CPython's codec refuses are C1 controls."""
    return "".join(chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes([byte]).decode("cp1252") for byte in data)


def page_text(paragraphs, language, meta, size, dice):
    """A page of about `size` characters, from a random place of its language's text on."""
    parts, length, at = [], 0, dice.randrange(len(paragraphs))
    while length < size:
        parts.append(paragraphs[at % len(paragraphs)] if len(paragraphs) > 20 else dice.choice(paragraphs))
        length += len(parts[-1])
        at += 1
    declared = f'<meta http-equiv="Content-Type" content="text/html; charset={meta}">\n' if meta else ""
    if language == "ja":
        # CPython's codecs and the Standard map these differently.
        parts = [re.sub("[〜‖−¢£¬]", "", part) for part in parts]
    return f"<!DOCTYPE html>\n<html lang=\"{language[:2]}\">\n<head>\n{declared}<title>{dice.randrange(10**6)}</title>\n</head>\n<body>\n" \
        + "\n".join(parts) + "\n</body>\n</html>\n"


def pages(paragraphs, count, seed=31):
    """About `count` pages in the legacy encodings, in the shares of ENCODINGS and SHARES."""
    dice = random.Random(seed)
    number = 0
    for encoding, codec, language, weight in ENCODINGS:
        if language not in paragraphs:
            continue
        for _ in range(max(len(KINDS), round(count * weight / 100))):
            kind = KINDS[number % len(KINDS)] if number < len(KINDS) else dice.choices(KINDS, SHARES)[0]
            yield page(f"http://p{number}.example/", kind, encoding, codec, language, paragraphs[language], dice)
            number += 1


def with_tones_apart(text):
    """Vietnamese as windows-1258 has it: tone marks follow their letters as characters of their own."""
    tones = "\u0300\u0301\u0303\u0309\u0323"
    def apart(letter):
        marks = unicodedata.normalize("NFD", letter)
        tone = "".join(one for one in marks if one in tones)
        return unicodedata.normalize("NFC", "".join(one for one in marks if one not in tones)) + tone
    return "".join(one if one < "\u0100" and one not in "ÃÌÒÕÝãìòõý" else apart(one) for one in text)


def page(url, kind, encoding, codec, language, paragraphs, dice):
    header = encoding if kind in ("header", "both") else None
    meta = encoding if kind in ("meta", "both") else None
    lie = None
    if kind == "header lies":
        # A server's default, and the document is right. ISO-8859-1 is windows-1252 on the Web.
        lie = "utf-8" if encoding == "windows-1252" else dice.choice(["utf-8", "iso-8859-1"])
        header, meta = lie, encoding
    elif kind == "meta lies":
        lie = meta = "utf-8"
    size = int(dice.lognormvariate(8.3, 0.8))
    while True:
        text = page_text(paragraphs, language, meta, min(size, 100_000), dice)
        body = (with_tones_apart(text) if codec == "cp1258" else text).encode(codec, "xmlcharrefreplace")
        if max(body) > 0x7F or b"\x1B" in body:
            break
        size += 500
    truth = body.decode(codec)
    content_type = f"text/html; charset={header}" if header else "text/html"
    if encoding == "ISO-2022-JP" and lie:
        # ASCII, as far as the label says.
        browser = body.decode("ascii")
    elif lie == "utf-8":
        browser = codecs.decode(body, "utf-8", "replace")
    elif lie:
        browser = windows_1252(body)
    else:
        browser = truth
    return Page(url, kind, encoding, content_type, body, truth, browser)


def modern(paragraphs, bytes_wanted, seed=32):
    """Pages in UTF-8, rightly declared or not at all: (url, content type, body)."""
    dice = random.Random(seed)
    made, number = 0, 0
    # The samples have no English.
    languages = sorted(paragraphs) + ["en"] * (8 if "en" in paragraphs else 0)
    while made < bytes_wanted:
        language = dice.choice(languages)
        meta = "utf-8" if dice.random() < 0.8 else None
        size = min(int(dice.lognormvariate(10.2, 0.9)), 400_000)
        body = page_text(paragraphs[language], language, meta, size, dice).encode()
        yield f"http://u{number}.example/", "text/html; charset=utf-8" if dice.random() < 0.9 else "text/html", body
        made += len(body)
        number += 1
