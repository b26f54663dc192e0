#!/usr/bin/env python3
"""Compares `mojika detect` with headless Chromium on generated pages, wherever an encoding is declared.

    scripts/check-chromium.py [--list] [--keep FOLDER]

Serves each page with its header to Chromium and asks `document.characterSet`; style sheets are compared by the text that
Chromium reads in them. `mojika detect --json` gets the same bytes and the same header. Deviations that the HTML Standard
explains are printed with the reason; any other fails. Where no Chromium is installed (Debian's package chromium), the script
says so and succeeds.

--list  print every page with both answers      --keep  leave the pages in this folder
"""
import argparse
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import built

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECONDS = 120


class Page:
    """A document: its bytes, its header, and what mojika reads it as."""

    def __init__(self, name, body, header="text/html", context="html"):
        self.name, self.body, self.header, self.context = name, body, header, context


def padded(length, body):
    """The body behind a comment, at this offset."""
    return b"<!--" + b"x" * (length - 7) + b"-->" + body


ONCE = "of attributes with the same name the prescan takes the first one, Chromium the last one"
TEXT = "the prescan knows no elements whose content is text; Chromium runs its tokenizer instead"
ZERO = "the command takes a file with a zero byte for no text"
# Where Chromium does otherwise than the prescan of the HTML Standard (section 13.2.3.2): its answer, and why.
EXPLAINED = {
    "meta quoted '&#103;bk'": ("GBK", "the prescan knows no character references"),
    "charset twice": ("Big5", ONCE),
    "charset twice, first unknown": ("Big5", ONCE),
    "comment --!>": ("Big5", "in the prescan only --> ends a comment"),
    "meta in a title": ("GBK", TEXT),
    "meta in a style": ("GBK", TEXT),
    "meta in a script": ("GBK", TEXT),
    "meta in a textarea": ("GBK", TEXT),
    "meta quoted 'g\\x00bk'": ("KOI8-R", ZERO),
    "nul before": ("GBK", ZERO),
    "a long body before the meta": ("UTF-8", "the Standard's parser changes the encoding there, Chromium's reads no meta so late"),
    "bom of UTF-32LE": ("UTF-16LE", "the command knows UTF-32, which the Standard does not have"),
}


def html_pages():
    labels = [
        "gbk", "GB2312", "gb18030", "big5", "Big5-HKSCS", "shift_jis", "sjis", "x-sjis", "windows-31j", "euc-jp",
        "x-euc-jp", "iso-2022-jp", "euc-kr", "ks_c_5601-1987", "koi8-r", "koi8-u", "ibm866", "cp866", "macintosh",
        "x-mac-cyrillic", "windows-874", "tis-620", "windows-1250", "windows-1251", "cp1251", "latin1", "iso-8859-1",
        "us-ascii", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
        "iso-8859-8-i", "logical", "iso-8859-9", "latin5", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15",
        "iso-8859-16", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258",
        "utf-8", "unicode-1-1-utf-8",
    ]
    for label in labels:
        yield Page(f"meta {label}", f"<meta charset={label}><p>x".encode())
    for label in ["utf-16", "utf-16le", "utf-16be", "unicodefffe", "csunicode", "x-user-defined", "iso-2022-kr", "hz-gb-2312"]:
        yield Page(f"meta {label}", f"<meta charset={label}><p>x".encode())
    for label in ["  gbk\t", "&#103;bk", "g\x00bk", "gbk,big5", "gbk;", "'gbk", "GbK"]:
        yield Page(f"meta quoted {label!r}", f'<meta charset="{label}"><meta charset=koi8-r>'.encode())
    bodies = {
        "no quotes and a solidus": b"<meta charset=gbk/>",
        "a solidus behind a space": b"<meta charset=gbk />",
        "solidus before the attribute": b"<meta/charset='gbk'/>",
        "upper case": b"<META CHARSET='GBK'>",
        "form feed and tab": b"<meta\x0Ccharset=\tgbk\n>",
        "carriage return": b"<meta\rcharset\r=\rgbk\r>",
        "spaces around =": b'<meta charset  =  "gbk">',
        "other attributes": b"<meta name=a content=b data-charset=big5 charset=gbk id=c>",
        "charset twice": b"<meta charset=gbk charset=big5>",
        "charset twice, first unknown": b"<meta charset=klingon charset=big5>",
        "unknown, then known": b"<meta charset=klingon><meta charset=gbk>",
        "two metas": b"<meta charset=gbk><meta charset=big5>",
        "empty label": b"<meta charset=''><meta charset=gbk>",
        "no value": b"<meta charset><meta charset=gbk>",
        "quote within the value": b"<meta charset=g'b'k><meta charset=gbk>",
        "> in an attribute": b"<meta name='>' charset=gbk>",
        "= at the start of a name": b"<meta =a=b charset=gbk>",
        "not meta": b"<metacharset=big5><meta charset=gbk>",
        "metal": b"<metal charset=big5><meta charset=gbk>",
        "end tag": b"</meta charset=big5><meta charset=gbk>",
        "comment": b"<!-- <meta charset=big5> --><meta charset=gbk>",
        "comment <!-->": b"<!--><meta charset=gbk>",
        "comment <!--->": b"<!---><meta charset=gbk>",
        "comment --!>": b"<!-- --!><meta charset=big5> --><meta charset=gbk>",
        "comment of dashes": b"<!----------><meta charset=gbk>",
        "bogus comment <!": b"<!x <meta charset=big5><meta charset=gbk>",
        "bogus comment <?": b"<?x <meta charset=big5><meta charset=gbk>",
        "bogus comment </": b"</ <meta charset=big5><meta charset=gbk>",
        "doctype": b"<!doctype html><html lang=zh><head><title>x</title><meta charset=gbk>",
        "doctype with a public identifier": b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/a">'
                                           b"<html><head><meta charset=gbk>",
        "meta in a title": b"<title><meta charset=big5></title><meta charset=gbk>",
        "meta in a style": b"<style><meta charset=big5></style><meta charset=gbk>",
        "meta in a script": b"<script>'<meta charset=big5>'</script><meta charset=gbk>",
        "meta in a textarea": b"<body><textarea><meta charset=big5></textarea><meta charset=gbk>",
        "meta in noscript": b"<noscript><meta charset=gbk></noscript>",
        "meta in a template": b"<template><meta charset=gbk></template>",
        "meta in an attribute": b"<p title='<meta charset=big5>'><meta charset=gbk>",
        "meta in an open attribute": b"<p title=\"<meta charset=big5>'><meta charset=gbk>",
        "meta in the body": b"<body><p>x</p><meta charset=gbk>",
        "meta behind text": b"text <meta charset=gbk>",
        "less than": b"a < b <3 <meta charset=gbk>",
        "doubled <": b"<<meta charset=gbk>",
        "nul before": b"\0<meta charset=gbk>",
        "high bytes before": b"\xE9\xFF<meta charset=gbk>",
        "unclosed meta": b"<meta charset=gbk",
        "unclosed quote": b"<meta charset='gbk><p>",
        "svg": b"<svg><meta charset=gbk></svg>",
        "refresh": b"<meta http-equiv=refreshed content='text/html; charset=big5'><meta charset=gbk>",
        "content alone": b"<meta content='text/html; charset=big5'><meta charset=gbk>",
        "http-equiv": b"<meta http-equiv=Content-Type content='text/html; charset=gbk'>",
        "http-equiv, content first": b"<meta content='text/html; charset=gbk' http-equiv=content-type>",
        "http-equiv with quotes": b"<meta http-equiv=content-type content='text/html; charset=\"gbk\"'>",
        "http-equiv with spaces": b"<meta http-equiv=content-type content='text/html; charset =  gbk ; a=b'>",
        "http-equiv, charset alone": b"<meta http-equiv=content-type content='charset=gbk'>",
        "http-equiv, charset twice": b"<meta http-equiv=content-type content='charset charset=gbk;charset=big5'>",
        "http-equiv, open quote": b"<meta http-equiv=content-type content='charset=\"big5'><meta charset=gbk>",
        "http-equiv, unknown": b"<meta http-equiv=content-type content='text/html; charset=x-klingon'><meta charset=gbk>",
        "http-equiv, utf-16": b"<meta http-equiv=content-type content='text/html; charset=utf-16'>",
        "http-equiv and charset": b"<meta http-equiv=content-type content='charset=big5' charset=gbk>",
        "http-equiv and unknown charset": b"<meta http-equiv=content-type content='charset=big5' charset=klingon>"
                                          b"<meta charset=gbk>",
        "http-equiv with a space": b"<meta http-equiv=' content-type' content='charset=big5'><meta charset=gbk>",
        "http-equiv of its own": b"<meta http-equiv=content-type><meta content='charset=big5'><meta charset=gbk>",
        "xml declaration": b"<?xml version='1.0' encoding='gbk'?><p>",
        "xml declaration, double quotes": b'<?xml version="1.0" encoding = "gbk" standalone="no"?><p>',
        "xml declaration and meta": b"<?xml version='1.0' encoding='big5'?><meta charset=gbk>",
        "xml declaration, utf-16": b"<?xml version='1.0' encoding='utf-16'?><p>",
        "xml declaration, unknown, and meta": b"<?xml version='1.0' encoding='klingon'?><meta charset=gbk>",
        "xml declaration behind a space, and meta": b" <?xml version='1.0' encoding='big5'?><meta charset=gbk>",
        "xml declaration in upper case, and meta": b"<?XML version='1.0' encoding='big5'?><meta charset=gbk>",
        "xml declaration behind >, and meta": b"<?xml > encoding='big5'?><meta charset=gbk>",
        "xml declaration, encoding alone": b"<?xml encoding='gbk'><p>",
    }
    for name, body in bodies.items():
        yield Page(name, body)
    for offset in [900, 1000, 1024 - 18, 1024 - 17, 1023, 1024, 1025, 2000, 5000]:
        yield Page(f"meta at offset {offset}", padded(offset, b"<meta charset=gbk>") + b"<p>x")
    yield Page("a long title before the meta", b"<title>" + b"t" * 3000 + b"</title><meta charset=gbk>")
    yield Page("a long body before the meta", b"<body>" + b"<p>x</p>" * 600 + b"<meta charset=gbk>")


def html_headers():
    body = b"<meta charset=big5><p>x"
    for header in [
        "text/html; charset=gbk", "text/html;charset=GBK", "text/html; charset=\"gbk\"", "text/html; a=b; charset=gbk",
        "text/html; charset=gbk; charset=koi8-r", "text/html; charset=klingon", "text/html; charset=", "text/html; charset=utf-16",
        "text/html; charset=utf-16be", "text/html; charset=x-user-defined", "text/html; charset=iso-2022-jp",
        "text/html; charset=\"g\\bk\"", "text/html; charset='gbk'", "text/html; charset =gbk", "text/html; charset= gbk",
        "text/html ; charset=gbk", "text/html;charset=gbk ", "text/html;;charset=gbk", "text/html;charset=utf8",
        "text/html;charset=\"gbk", "text/html;charset;charset=gbk", "text/html;charset=\"\";charset=gbk",
    ]:
        yield Page(f"header {header}", body, header)
    marks = [("utf-8", b"\xEF\xBB\xBF", "utf-8"), ("utf-16le", b"\xFF\xFE", "utf-16-le"), ("utf-16be", b"\xFE\xFF", "utf-16-be")]
    for name, mark, codec in marks:
        page = mark + "<meta charset=gbk><p>文字".encode(codec)
        yield Page(f"bom {name}", page)
        yield Page(f"bom {name} and header", page, "text/html; charset=koi8-r")
        yield Page(f"bom {name} alone", mark)
    yield Page("bom of UTF-32LE", b"\xFF\xFE\0\0" + "<p>".encode("utf-32-le"))
    yield Page("bom of UTF-8 behind a space", b" \xEF\xBB\xBF<meta charset=gbk>")
    yield Page("bom cut short", b"\xEF\xBB<meta charset=gbk>")
    yield Page("utf-16le, <?x, no bom", "<?xml version='1.0'?><p>x".encode("utf-16-le"))
    yield Page("utf-16be, <?x, no bom", "<?xml version='1.0'?><p>x".encode("utf-16-be"))
    yield Page("utf-16le by header", "<p>x".encode("utf-16-le"), "text/html; charset=utf-16")


def xml_pages():
    for kind, root in [("application/xhtml+xml", "<html xmlns='http://www.w3.org/1999/xhtml'><body/></html>"),
                       ("text/xml", "<a/>"), ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>")]:
        for declared in ["gbk", "Shift_JIS", "EUC-JP", "ISO-8859-1", "windows-1251", "UTF-8", "koi8-r"]:
            yield Page(f"{kind} {declared}", f"<?xml version='1.0' encoding='{declared}'?>{root}".encode(), kind, "xml")
    kind, root = "application/xml", "<a/>"
    rows = [
        ("none", root.encode()),
        ("version alone", f"<?xml version='1.0'?>{root}".encode()),
        ("double quotes", f'<?xml version="1.0" encoding="gbk"?>{root}'.encode()),
        ("space around =", f"<?xml version='1.0' encoding = 'gbk' ?>{root}".encode()),
        ("standalone", f"<?xml version='1.0' encoding='gbk' standalone='yes'?>{root}".encode()),
        ("bom of UTF-8", f"\ufeff<?xml version='1.0' encoding='utf-8'?>{root}".encode()),
        ("bom of UTF-8 alone", f"\ufeff{root}".encode()),
        ("bom of UTF-16LE", f"\ufeff<?xml version='1.0' encoding='utf-16'?>{root}".encode("utf-16-le")),
        ("bom of UTF-16BE", f"\ufeff<?xml version='1.0' encoding='utf-16'?>{root}".encode("utf-16-be")),
        ("bom of UTF-16LE alone", f"\ufeff{root}".encode("utf-16-le")),
        ("UTF-16LE without a bom", f"<?xml version='1.0' encoding='utf-16'?>{root}".encode("utf-16-le")),
        ("UTF-16BE without a bom", f"<?xml version='1.0' encoding='utf-16'?>{root}".encode("utf-16-be")),
    ]
    for name, body in rows:
        yield Page(f"xml {name}", body, kind, "xml")
    # What is fatal in XML 1.0, and read all the same by browsers: the context of the XHR text response.
    for name, body in [
        ("declares UTF-16", f"<?xml version='1.0' encoding='utf-16'?>{root}".encode()),
        ("declares an unknown label", f"<?xml version='1.0' encoding='klingon'?>{root}".encode()),
        ("bom of UTF-8, declares gbk", f"\ufeff<?xml version='1.0' encoding='gbk'?>{root}".encode()),
    ]:
        yield Page(f"xml {name}", body, kind, "xhr-text-xml")
    for header in ["application/xml; charset=gbk", "text/xml; charset=koi8-r", "text/xml; charset=klingon", "text/xml;charset=utf-16le"]:
        body = f"<?xml version='1.0' encoding='big5'?>{root}"
        codec = "utf-16-le" if "16" in header else "ascii"
        yield Page(f"xml header {header}", body.encode(codec), header, "xml")


def text_pages():
    for header in ["text/plain; charset=gbk", "text/plain; charset=koi8-r", "text/plain; charset=shift_jis", "application/json; charset=gbk"]:
        context = "text" if "plain" in header else "text-document"
        yield Page(f"text {header}", b"text", header, context)
    yield Page("text bom of UTF-8", b"\xEF\xBB\xBFtext", "text/plain; charset=gbk", "text-document")
    yield Page("text bom of UTF-16LE", b"\xFF\xFEt\0", "text/plain", "text-document")
    yield Page("text bom of UTF-16BE", b"\xFE\xFF\0t", "text/plain; charset=gbk", "text-document")


class Sheet(Page):
    """A style sheet, compared by its text."""

    def __init__(self, name, start, encoding, header="text/css", environment=None):
        rule = "a::before{content:'Привет'}"
        super().__init__(f"css {name}", start + rule.encode(encoding), header, "css-from-document")
        self.environment = environment


def sheets():
    for label, encoding in [("windows-1251", "cp1251"), ("koi8-r", "koi8-r"), ("iso-8859-5", "iso8859-5"), ("gbk", "gbk"),
                            ("shift_jis", "cp932"), ("utf-16", "utf-8"), ("klingon", "utf-8")]:
        yield Sheet(f"@charset {label}", f'@charset "{label}";'.encode(), encoding)
    exact = {"in upper case": b'@CHARSET "koi8-r";', "with '": b"@charset 'koi8-r';", "with two spaces": b'@charset  "koi8-r";',
             "behind a space": b' @charset "koi8-r";', "with a space before ;": b'@charset "koi8-r" ;'}
    for name, start in exact.items():
        yield Sheet(f"@charset {name}", start, "utf-8")
    yield Sheet("header", b'@charset "koi8-r";', "cp1251", "text/css; charset=windows-1251")
    yield Sheet("header, unknown", b'@charset "koi8-r";', "koi8-r", "text/css; charset=klingon")
    yield Sheet("bom", b'\xEF\xBB\xBF@charset "koi8-r";', "utf-8", "text/css; charset=windows-1251")
    yield Sheet("from a page in windows-1251", b"", "cp1251", environment="windows-1251")
    yield Sheet("@charset, from a page in windows-1251", b'@charset "koi8-r";', "koi8-r", environment="windows-1251")


# A page in UTF-8 loads everything one after the other: documents that declare nothing would inherit UTF-8.
DRIVER = """<!doctype html><meta charset=utf-8><script>
async function inFrame(url) {
  const frame = document.createElement('iframe');
  frame.src = url;
  const loaded = new Promise(done => frame.onload = done);
  document.body.append(frame);
  await Promise.race([loaded, new Promise(done => setTimeout(done, 5000))]);
  return frame;
}
async function ask({url, sheet}) {
  const frame = await inFrame(url);
  let answer = null;
  try {
    const inner = frame.contentDocument;
    answer = sheet ? inner.styleSheets[0].cssRules[0].style.content : inner.characterSet;
  } catch (error) { answer = String(error); }
  frame.remove();
  return answer;
}
onload = async () => {
  const jobs = await (await fetch('/jobs')).json(), answers = [];
  for (const job of jobs) answers.push(await ask(job));
  await fetch('/answers', {method: 'POST', body: JSON.stringify(answers)});
};
</script><body>"""


def answers_of(chromium, pages, folder):
    """What Chromium says of each page."""
    done, result = threading.Event(), []

    class Handler(http.server.BaseHTTPRequestHandler):
        def reply(self, body, header):
            self.send_response(200)
            self.send_header("Content-Type", header)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            _, kind, *number = self.path.split("/")
            if kind == "driver":
                self.reply(DRIVER.encode(), "text/html; charset=utf-8")
            elif kind == "jobs":
                jobs = []
                for number, page in enumerate(pages):
                    is_sheet = isinstance(page, Sheet)
                    jobs.append({"url": f"/{'host' if is_sheet else 'page'}/{number}", "sheet": is_sheet})
                self.reply(json.dumps(jobs).encode(), "application/json")
            elif kind == "page":
                page = pages[int(number[0])]
                self.reply(page.body, page.header)
            elif kind == "host":
                # A page that loads a style sheet.
                encoding = pages[int(number[0])].environment or "utf-8"
                html = f"<!doctype html><link rel=stylesheet href=/page/{number[0]}><p>x"
                self.reply(html.encode(), f"text/html; charset={encoding}")
            else:
                self.send_error(404)

        def do_POST(self):
            result.extend(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.reply(b"", "text/plain")
            done.set()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    arguments = [
        chromium, "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", f"--user-data-dir={folder}/profile", "--remote-debugging-port=0",
        f"http://127.0.0.1:{server.server_port}/driver",
    ]
    if os.geteuid() == 0:
        arguments.insert(1, "--no-sandbox")
    log = open(f"{folder}/chromium.log", "w")
    # A group of its own, so that its children end with it.
    browser = subprocess.Popen(arguments, stdout=log, stderr=log, start_new_session=True)
    try:
        if not done.wait(SECONDS):
            sys.exit(f"error: Chromium did not answer within {SECONDS} s:\n{pathlib.Path(log.name).read_text()[-2000:]}")
    finally:
        try:
            os.killpg(browser.pid, 15)
        except ProcessLookupError:
            pass
        try:
            browser.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(browser.pid, 9)
            browser.wait()
        server.shutdown()
    return result


def decide(mojika, page, file):
    options = ["--context", page.context, "--transport", page.header]
    if getattr(page, "environment", None):
        options += ["--environment", page.environment]
    run = subprocess.run([mojika, "detect", "--json", *options, file], capture_output=True)
    return json.loads(run.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        print("skipped: no Chromium is installed (apt-get install chromium)")
        return
    pages = [*html_pages(), *html_headers(), *xml_pages(), *text_pages(), *sheets()]
    mojika = built.command()
    with tempfile.TemporaryDirectory() as folder:
        answers = answers_of(chromium, pages, folder)
        if len(answers) != len(pages):
            sys.exit(f"error: {len(answers)} answers for {len(pages)} pages")
        kept = arguments.keep or pathlib.Path(folder) / "pages"
        kept.mkdir(parents=True, exist_ok=True)
        same, explained, wrong, undeclared = 0, [], [], 0
        for number, (page, answer) in enumerate(zip(pages, answers)):
            file = kept / f"{number:03}"
            file.write_bytes(page.body)
            decision = decide(mojika, page, file)
            said = decision["encoding"]
            if isinstance(page, Sheet):
                convert = [mojika, "convert", "--from", said, file]
                text = subprocess.run(convert, check=True, capture_output=True).stdout.decode()
                is_same = answer.strip('"') == text.split("content:'")[1].split("'")[0]
            else:
                is_same = answer == said
            line = f"{page.name}: {said} by {decision['source']}, Chromium {answer}"
            if arguments.list:
                print(f"{number:03} {line}")
            if decision["source"] in ("default", "detection", "locale") and answer == "UTF-8":
                undeclared += 1
            elif is_same:
                same += 1
            elif EXPLAINED.get(page.name, (None,))[0] == answer:
                explained.append(f"{line}: {EXPLAINED[page.name][1]}")
            else:
                wrong.append(line)
    version = subprocess.run([chromium, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{version}: {len(pages)} pages, {same} as expected, {undeclared} that declare nothing for either, "
          f"{len(explained)} deviations explained, {len(wrong)} wrong")
    for line in explained:
        print(f"  explained: {line}")
    for line in wrong:
        print(f"  WRONG: {line}")
    sys.exit(1 if wrong else 0)


main()
