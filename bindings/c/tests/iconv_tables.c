/* Compares the tables of the encodings that iconv and mojika both have, and writes bindings/c/src/iconv/differences.txt: the
 * sequences that mojika decodes, or that it encodes to, and that the C library's iconv treats differently. */
#include "mojika.h"

#include <iconv.h>
#include <stdio.h>
#include <string.h>

struct page {
    const char *iconv, *mojika;
};

static const struct page PAGES[] = {
    {"CP1250", "windows-1250"},
    {"CP1251", "windows-1251"},
    {"CP1252", "windows-1252"},
    {"CP1253", "windows-1253"},
    {"CP1254", "windows-1254"},
    {"CP1257", "windows-1257"},
    {"CP874", "windows-874"},
    {"TIS-620", "windows-874"},
    {"KOI8-U", "koi8-u"},
    {"MACINTOSH", "macintosh"},
    {"MAC-CYRILLIC", "x-mac-cyrillic"},
    {"IBM864", "ibm864"},
    {"SJIS", "shift_jis"},
    {"CP932", "shift_jis"},
    {"EUC-JP", "euc-jp"},
    {"EUC-KR", "euc-kr"},
    {"GBK", "gbk"},
    {"EUC-CN", "gbk"},
    {"BIG5", "big5"},
    {"GB18030", "gb18030"},
};

static int by_iconv(iconv_t cd, const void *src, size_t length, void *dst, size_t space) {
    char *in = (char *)(size_t)src, *out = dst;
    size_t left = length, rest = space;
    iconv(cd, NULL, NULL, NULL, NULL);
    return iconv(cd, &in, &left, &out, &rest) == (size_t)-1 || left != 0 ? -1 : (int)(space - rest);
}

static int by_mojika(const mojika_encoding *encoding, const uint8_t *src, size_t length, uint32_t *dst) {
    mojika_decoder decoder;
    mojika_progress p;
    int status;
    mojika_decoder_init(&decoder, sizeof decoder, encoding, MOJIKA_BOM_KEEP);
    status = mojika_decode_utf32(&decoder, src, length, dst, 8, MOJIKA_LEAVE_INCOMPLETE, &p);
    return status == MOJIKA_OK ? (int)(4 * p.written) : status == MOJIKA_INCOMPLETE ? -2 : -1;
}

/* Writes ranges of the sequences that `differs` has as 1. 0 ends a range; -1, for a sequence that was not compared, does not. */
static void ranges(const char *page, const char *what, const signed char *differs, unsigned long count) {
    unsigned long i, first = 0, last = 0, n = 0;
    int open = 0;
    for (i = 0; i <= count; i++) {
        if (i < count && differs[i] == 1) {
            if (!open) first = i;
            open = 1;
            last = i;
        } else if (open && (i == count || differs[i] == 0)) {
            if (n++ == 0) printf("%s %s", page, what);
            printf(" %lX", first);
            if (last > first) printf("-%lX", last);
            open = 0;
        }
    }
    if (n > 0) putchar('\n');
}

static signed char singles[256], pairs[65536], encoded[65536], fours[126 * 10 * 126 * 10];

/* The pointer of a four-byte sequence of gb18030: its place among all of them. */
static unsigned long linear(const uint8_t *x) {
    return (((x[0] - 0x81UL) * 10 + (x[1] - 0x30UL)) * 126 + (x[2] - 0x81UL)) * 10 + (x[3] - 0x30UL);
}

int main(void) {
    size_t k;
    printf("# Written by bindings/c/tests/iconv_tables.c: the sequences that mojika and glibc's iconv convert differently, by glibc's name of\n"
           "# the encoding, as ranges. \"singles\" are single bytes, and \"pairs\" pairs of bytes. \"encoded\" are further pairs that only the\n"
           "# encoders convert differently. \"fours\" are pointers of four-byte sequences of gb18030.\n");
    for (k = 0; k < sizeof PAGES / sizeof *PAGES; k++) {
        const struct page *page = &PAGES[k];
        const mojika_encoding *encoding = mojika_for_name(page->mojika, strlen(page->mojika));
        iconv_t decode = iconv_open("UTF-32LE", page->iconv), encode = iconv_open(page->iconv, "UTF-32LE");
        uint32_t a[8], b[8], c;
        int lead, trail, ours, theirs;
        if (decode == (iconv_t)-1 || encode == (iconv_t)-1 || encoding == NULL) {
            fprintf(stderr, "no %s\n", page->iconv);
            return 1;
        }
        memset(singles, -1, sizeof singles), memset(pairs, -1, sizeof pairs);
        memset(encoded, -1, sizeof encoded), memset(fours, -1, sizeof fours);
        for (lead = 0; lead < 256; lead++) {
            uint8_t src[2];
            src[0] = (uint8_t)lead;
            ours = by_mojika(encoding, src, 1, a);
            if (ours >= 0) {
                theirs = by_iconv(decode, src, 1, b, sizeof b);
                singles[lead] = theirs != ours || memcmp(a, b, (size_t)ours) != 0;
            } else if (ours == -2) {
                for (trail = 0; trail < 256; trail++) {
                    src[1] = (uint8_t)trail;
                    ours = by_mojika(encoding, src, 2, a);
                    if (ours < 0) continue;
                    theirs = by_iconv(decode, src, 2, b, sizeof b);
                    pairs[lead << 8 | trail] = theirs != ours || memcmp(a, b, (size_t)ours) != 0;
                }
            }
        }
        if (encoding == mojika_gb18030) {
            unsigned long i;
            for (i = 0; i < sizeof fours; i++) {
                uint8_t x[4];
                x[0] = (uint8_t)(0x81 + i / 12600), x[1] = (uint8_t)(0x30 + i / 1260 % 10);
                x[2] = (uint8_t)(0x81 + i / 10 % 126), x[3] = (uint8_t)(0x30 + i % 10);
                ours = by_mojika(encoding, x, 4, a);
                theirs = ours < 0 ? ours : by_iconv(decode, x, 4, b, sizeof b);
                if (ours >= 0) fours[i] = theirs != ours || a[0] != b[0];
            }
        }
        for (c = 0; c < 0x110000; c++) {
            uint8_t x[8], y[8];
            mojika_encoder encoder;
            mojika_progress p;
            if (c - 0xD800 < 0x800) continue;
            mojika_encoder_init(&encoder, sizeof encoder, encoding);
            if (mojika_encode_utf32(&encoder, &c, 1, x, 8, MOJIKA_LAST, &p) != MOJIKA_OK) continue;
            theirs = by_iconv(encode, &c, 4, y, 8);
            ours = theirs == (int)p.written && memcmp(x, y, p.written) == 0;
            if (p.written == 1 && !ours) singles[x[0]] = 1;
            if (p.written == 2 && encoded[x[0] << 8 | x[1]] != 1) encoded[x[0] << 8 | x[1]] = !ours;
            if (p.written == 4 && !ours) fours[linear(x)] = 1;
        }
        /* A pair on which the decoders differ counts in both directions, and is listed once. */
        for (c = 0; c < sizeof pairs; c++)
            if (pairs[c] == 1) encoded[c] = -1;
        ranges(page->iconv, "singles", singles, 256);
        ranges(page->iconv, "pairs", pairs, 65536);
        ranges(page->iconv, "encoded", encoded, 65536);
        ranges(page->iconv, "fours", fours, sizeof fours);
        iconv_close(decode), iconv_close(encode);
    }
    return 0;
}
