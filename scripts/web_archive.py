"""Web archives for the scripts beside this file: WARC 1.1, a gzip member for each record. Not for running by itself."""
import gzip
import hashlib
import base64
import uuid
import zlib

# A fixed date, so that an archive that is made again is the same.
DATE = "2026-01-01T00:00:00Z"


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


def record(kind, url, content_type, block, fields=()):
    """One record as bytes, without compression. Its identity follows from its content."""
    lines = [("WARC-Type", kind)]
    if url:
        lines.append(("WARC-Target-URI", url))
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{kind} {url} {digest(block)}")
    lines += [("WARC-Date", DATE), ("WARC-Record-ID", f"<urn:uuid:{identity}>"), ("Content-Type", content_type), *fields,
              ("WARC-Block-Digest", digest(block)), ("Content-Length", len(block))]
    head = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines)
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"


def response(url, content_type, body, coding=None):
    """The record of an HTTP response with this body; `coding` is "gzip", "chunked" or "gzip and chunks"."""
    fields = [f"Content-Type: {content_type}"] if content_type else []
    sent = body
    is_chunked = coding in ("chunked", "gzip and chunks")
    if coding in ("gzip", "gzip and chunks"):
        fields.append("Content-Encoding: gzip")
        sent = gzip.compress(body, mtime=0)
    if is_chunked:
        fields.append("Transfer-Encoding: chunked")
        parts = [sent[at:at + 4096] for at in range(0, len(sent), 4096)]
        sent = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    if not is_chunked:
        fields.append(f"Content-Length: {len(sent)}")
    head = "HTTP/1.1 200 OK\r\n" + "".join(field + "\r\n" for field in fields)
    essence = (content_type or "text/html").partition(";")[0]
    return record("response", url, "application/http; msgtype=response", head.encode() + b"\r\n" + sent,
                  [("WARC-Identified-Payload-Type", essence), ("WARC-Payload-Digest", digest(sent))])


def info():
    return record("warcinfo", None, "application/warc-fields", b"software: scripts/web_archive.py\r\n")


def compressed(records, level=6):
    """An archive: a gzip member for each record."""
    for one in records:
        member = zlib.compressobj(level, wbits=31)
        yield member.compress(one) + member.flush()


def sample(folder):
    """The records of samples/pages.warc.gz, from the texts in `folder`."""
    def text(language):
        return (folder / f"{language}.txt").read_text(encoding="utf-8")

    def page(language, meta=""):
        return f"<!DOCTYPE html>\n<html lang={language}><head>{meta}<title>{language}</title></head><body>\n<p>" \
            f"{text(language)}</p>\n</body></html>\n"

    yield info()
    # Declared rightly: by the header, by the document, by both.
    yield response("http://ja.example/", "text/html; charset=Shift_JIS", page("ja").encode("cp932"))
    yield response("http://ru.example/", "text/html", page("ru", "<meta charset=windows-1251>").encode("cp1251"), "gzip")
    yield response("http://zh.example/", "text/html; charset=gbk", page("zh-hans", "<meta charset=gb2312>").encode("gbk"))
    # Not declared.
    yield response("http://site.example/ko", "text/html", page("ko").encode("cp949"), "chunked")
    yield response("http://site.example/el", None, page("el").encode("cp1253"))
    # Declared wrongly: the header contradicts the bytes, or the document.
    yield response("http://site.example/fr", "text/html; charset=iso-8859-1", page("fr").encode())
    yield response("http://site.example/ru", "text/html; charset=koi8-r",
                   page("ru", "<meta charset=windows-1251>").encode("koi8-r"))
    # One malformed byte.
    yield response("http://site.example/de", "text/html; charset=utf-8", page("de").encode() + b"\xFC")
    yield record("resource", "file:///notes.txt", "text/plain; charset=ibm866", text("ru").encode("cp866"))
    # No documents.
    yield record("request", "http://ja.example/", "application/http; msgtype=request", b"GET / HTTP/1.1\r\nHost: ja.example\r\n\r\n")
    yield response("http://site.example/logo.png", "image/png", b"\x89PNG\r\n\x1A\n" + bytes(32))
    yield record("revisit", "http://ja.example/", "application/http; msgtype=response", b"HTTP/1.1 304 Not Modified\r\n\r\n")
