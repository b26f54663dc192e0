/* Compares a library's iconv with the C library's, or with GNU libiconv's, call by call, on valid and damaged text in random
 * chunks and buffers.
 *
 * Usage: iconv_differential LIBRARY [ROUNDS [PREFIX [REFERENCE]]]
 *   LIBRARY    a shared library with iconv_open, iconv and iconv_close
 *   ROUNDS     runs for each encoding, 300 by default
 *   PREFIX     compares only the encodings whose names start with it; may be empty
 *   REFERENCE  GNU's libiconv.so.2: it and LIBRARY have libiconv_open, libiconv and libiconv_close. Its transliteration is
 *              left out, and //IGNORE compared instead
 *
 * Every call gets the same input and the same space in both. The return value, errno, the bytes read and the bytes written
 * must be the same. Input is text in the encoding, of characters that it has; damaged, bytes of it are changed,
 * inserted and removed. After EILSEQ one byte is skipped; the rest of an incomplete sequence is passed again. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef iconv_t open_function(const char *, const char *);
typedef size_t convert_function(iconv_t, char **, size_t *, char **, size_t *);
typedef int close_function(iconv_t);

static open_function *their_open;
static convert_function *their_iconv;
static close_function *their_close;

static uint64_t state = 0x9E3779B97F4A7C15U;

static uint32_t random_below(uint32_t bound) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)((state >> 32) * bound >> 32);
}

static const char *const NAMES[] = {
    "UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE", "UCS-4", "UCS-4LE", "WCHAR_T",
    "ISO-8859-1", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
    "ISO-8859-9", "ISO-8859-10", "ISO-8859-11", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15", "ISO-8859-16", "US-ASCII",
    "CP1250", "CP1251", "CP1252", "CP1253", "CP1254", "CP1255", "CP1256", "CP1257", "CP1258", "CP874", "TIS-620",
    "KOI8-R", "KOI8-U", "MACINTOSH", "MAC-CYRILLIC", "IBM866", "IBM437", "IBM850", "IBM852", "IBM864", "IBM037", "IBM1047",
    "SHIFT_JIS", "CP932", "EUC-JP", "EUC-KR", "CP949", "GBK", "GB2312", "GB18030", "BIG5", "CP950",
    "BIG5-HKSCS", "EUC-TW", "ISO-2022-JP", "ISO-2022-KR", "UTF-7", "UCS-2", "JOHAB", NULL,
};

/* A character: of ASCII, of Latin, of the alphabets, of CJK, of any. */
static uint32_t character(void) {
    for (;;) {
        uint32_t c;
        switch (random_below(10)) {
            case 0: case 1: case 2: c = 0x20 + random_below(0x5F); break;
            case 3: c = random_below(0x100); break;
            case 4: c = 0xA0 + random_below(0x600); break;
            case 5: c = 0x2000 + random_below(0x700); break;
            case 6: case 7: c = 0x3000 + random_below(0x6FFF); break;
            case 8: c = 0xAC00 + random_below(0x2BA4); break;
            default: c = random_below(8) ? 0xF900 + random_below(0x6FF) : random_below(0x110000); break;
        }
        if (c - 0xD800 >= 0x800) return c;
    }
}

/* Text of about `length` bytes in an encoding. */
static size_t make_text(iconv_t cd, unsigned char *text, size_t length) {
    char *out = (char *)text;
    size_t space = length;
    int tries;
    their_iconv(cd, NULL, NULL, NULL, NULL);
    for (tries = 0; tries < 12000 && space > 16; tries++) {
        uint32_t c = character();
        char *in = (char *)&c, *before = out;
        size_t left = 4, space_before = space;
        size_t run = random_below(4) == 0 ? random_below(20) : 0;
        if (their_iconv(cd, &in, &left, &out, &space) == (size_t)-1) out = before, space = space_before;
        while (run-- && space > 16) {
            c = 'a' + random_below(26), in = (char *)&c, left = 4;
            if (their_iconv(cd, &in, &left, &out, &space) == (size_t)-1) break;
        }
    }
    their_iconv(cd, NULL, NULL, &out, &space);
    return length - space;
}

#define TEXT 21000

/* Mostly short; long text goes other ways. */
static size_t some_length(void) {
    return random_below(24) == 0 ? 5000 + random_below(15000) : 40 + random_below(random_below(4) ? 200 : 1100);
}

static size_t damage(unsigned char *text, size_t length, size_t space) {
    uint32_t i, n = 1 + random_below(1 + (uint32_t)length / (length > 2000 ? 900 : 12));
    for (i = 0; i < n && length > 0; i++) {
        size_t at = random_below((uint32_t)length);
        switch (random_below(3)) {
            case 0: text[at] = (unsigned char)random_below(256); break;
            case 1: memmove(text + at, text + at + 1, length - at - 1), length--; break;
            default:
                if (length < space) memmove(text + at + 1, text + at, length - at), length++, text[at] = (unsigned char)random_below(256);
        }
    }
    return length;
}

#define OUTPUT 90000

static unsigned long calls, differences;

static void run(open_function *our_open, convert_function *our_iconv, close_function *our_close, const char *to, const char *from,
                const unsigned char *text, size_t length) {
    iconv_t ours = our_open(to, from), theirs = their_open(to, from);
    size_t done = 0, guard;
    int last = 0;
    if ((ours == (iconv_t)-1) != (theirs == (iconv_t)-1)) {
        differences++;
        printf("%s -> %s: opened by one alone\n", from, to);
        return;
    }
    if (ours == (iconv_t)-1) return;
    for (guard = 0; done < length && guard < 20000; guard++) {
        static char a_out[OUTPUT], b_out[OUTPUT];
        char *a_in = (char *)(size_t)(text + done), *b_in = a_in, *a_to = a_out, *b_to = b_out;
        size_t chunk = random_below(length < 2000 ? 4 : 2) ? 1 + random_below(60) : length - done, space = random_below(3) ? 8 + random_below(100) : random_below(12);
        size_t a_left, b_left, a_space = space, b_space = space, a, b;
        int a_error, b_error;
        if (random_below(8) == 0) space = a_space = b_space = 512;
        if (length > 2000 && random_below(2)) space = a_space = b_space = random_below(2) ? OUTPUT - 100 : random_below(OUTPUT - 100);
        if (chunk > length - done) chunk = length - done;
        a_left = b_left = chunk;
        memset(a_out, 0x55, space), memset(b_out, 0x55, space);
        errno = 0, a = our_iconv(ours, &a_in, &a_left, &a_to, &a_space), a_error = a == (size_t)-1 ? errno : 0;
        errno = 0, b = their_iconv(theirs, &b_in, &b_left, &b_to, &b_space), b_error = b == (size_t)-1 ? errno : 0;
        calls++;
        if (a != b || a_error != b_error || a_left != b_left || a_space != b_space || memcmp(a_out, b_out, space - b_space) != 0 ||
            (size_t)(a_in - (char *)(size_t)(text + done)) != chunk - a_left || a_to != a_out + (space - a_space)) {
            size_t i;
            differences++;
            if (differences < 40) {
                printf("%s -> %s: chunk %lu, space %lu: returned %ld/%ld, errno %d/%d, read %lu/%lu, written %lu/%lu; input", from, to,
                       (unsigned long)chunk, (unsigned long)space, (long)a, (long)b, a_error, b_error, (unsigned long)(chunk - a_left),
                       (unsigned long)(chunk - b_left), (unsigned long)(space - a_space), (unsigned long)(space - b_space));
                for (i = chunk - a_left > 8 ? chunk - a_left - 8 : 0; i < chunk && i < chunk - a_left + 24; i++) printf(" %02X", text[done + i]);
                printf(" (from 8 bytes before the stop; %lu bytes of the stream before; the call before returned errno %d)\n", (unsigned long)done, last);
            }
            break;
        }
        done += chunk - b_left;
        last = b_error;
        if (b_error == EILSEQ && done < length) done++;
        if (b_error == EINVAL && done + chunk >= length && b_left == chunk) done++;
        if (random_below(40) == 0) our_iconv(ours, NULL, NULL, NULL, NULL), their_iconv(theirs, NULL, NULL, NULL, NULL);
    }
    our_close(ours), their_close(theirs);
}

/* Streams of three units, some of them marks, cut after each byte, with little space in the first call, and then again after a
 * reset. */
static void marks(open_function *our_open, convert_function *our_iconv, close_function *our_close) {
    static const char *const FROM[] = {"UTF-16", "UTF-32"};
    static const char *const TO[] = {"UTF-8", "UTF-16LE", "UTF-32", "ISO-8859-1", "UTF-16", "UTF-8//IGNORE", "ISO-8859-1//TRANSLIT"};
    static const unsigned char UNITS[2][6][4] = {
        {{0xFF, 0xFE}, {0xFE, 0xFF}, {0x41, 0}, {0, 0xD8}, {3, 0x4E}, {0, 0xDC}},
        {{0xFF, 0xFE, 0, 0}, {0, 0, 0xFE, 0xFF}, {0x41, 0, 0, 0}, {0, 0xD8, 0, 0}, {3, 0x4E, 0, 0}, {0, 0, 0, 0x41}},
    };
    unsigned i;
    unsigned long before = differences, calls_before = calls;
    for (i = 0; i < 2 * 7 * 216; i++) {
        const char *from = FROM[i % 2], *to = TO[i / 2 % 7];
        size_t unit = i % 2 ? 4 : 2, length = 3 * unit, k, cut, first;
        unsigned rest = i / 14;
        char text[12];
        for (k = 0; k < 3; k++, rest /= 6) memcpy(text + k * unit, UNITS[i % 2][rest % 6], unit);
        for (cut = 0; cut <= length; cut++) {
            for (first = 0; first < 9; first++) {
                iconv_t ours = our_open(to, from), theirs = their_open(to, from);
                size_t done = 0;
                int call;
                for (call = 0; call < 3; call++) {
                    char a_out[64], b_out[64], *a_in = text + done, *b_in = a_in, *a_to = a_out, *b_to = b_out;
                    size_t a_left = (call == 0 ? cut : length) - done, b_left = a_left, space = call == 0 ? first : 64, a, b;
                    size_t a_space = space, b_space = space;
                    int a_error, b_error;
                    errno = 0, a = our_iconv(ours, &a_in, &a_left, &a_to, &a_space), a_error = a == (size_t)-1 ? errno : 0;
                    errno = 0, b = their_iconv(theirs, &b_in, &b_left, &b_to, &b_space), b_error = b == (size_t)-1 ? errno : 0;
                    calls++;
                    if (a != b || a_error != b_error || a_left != b_left || a_space != b_space || memcmp(a_out, b_out, space - b_space) != 0) {
                        differences++;
                        break;
                    }
                    done = (size_t)(b_in - text);
                    if (b_error == EILSEQ) done = done + unit < length ? done + unit : length;
                    if (call == 1) our_iconv(ours, NULL, NULL, NULL, NULL), their_iconv(theirs, NULL, NULL, NULL, NULL), done = 0;
                }
                our_close(ours), their_close(theirs);
            }
        }
    }
    printf("marks: %lu calls, %lu streams with a difference\n", calls - calls_before, differences - before);
}

int main(int argc, char **argv) {
    const int is_gnu = argc > 4;
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void *c = dlopen(is_gnu ? argv[4] : "libc.so.6", RTLD_NOW | RTLD_LOCAL);
    open_function *our_open;
    convert_function *our_iconv;
    close_function *our_close;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 300, round;
    size_t i;
    if (library == NULL || c == NULL) {
        fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "which library?");
        return 2;
    }
    *(void **)&our_open = dlsym(library, is_gnu ? "libiconv_open" : "iconv_open");
    *(void **)&our_iconv = dlsym(library, is_gnu ? "libiconv" : "iconv");
    *(void **)&our_close = dlsym(library, is_gnu ? "libiconv_close" : "iconv_close");
    *(void **)&their_open = dlsym(c, is_gnu ? "libiconv_open" : "iconv_open");
    *(void **)&their_iconv = dlsym(c, is_gnu ? "libiconv" : "iconv");
    *(void **)&their_close = dlsym(c, is_gnu ? "libiconv_close" : "iconv_close");
    for (i = 0; NAMES[i] != NULL; i++) {
        iconv_t make = their_open(NAMES[i], "UTF-32LE");
        unsigned long before = differences, calls_before = calls;
        if (argc > 3 && strncmp(NAMES[i], argv[3], strlen(argv[3])) != 0) continue;
        if (make == (iconv_t)-1) {
            printf("%s: not in the other library\n", NAMES[i]);
            continue;
        }
        for (round = 0; round < rounds; round++) {
            static const char *const TARGETS[] = {"UTF-8", "UTF-16LE", "UTF-16", "UTF-32", "WCHAR_T", "ISO-8859-1", "CP1252", "GB18030", "SHIFT_JIS", "GBK", "BIG5", "EUC-CN"};
            static const char *const SUFFIXES[2][8] = {
                {"", "", "", "//", "//TRANSLIT", "//IGNORE", "//ignore,translit", "//TRANSLIT//IGNORE"},
                {"", "", "", "", "", "", "//IGNORE", "//ignore"},
            };
            static unsigned char text[TEXT];
            char name[64];
            size_t length = make_text(make, text, some_length());
            const char *to = random_below(3) ? "UTF-8" : TARGETS[random_below(sizeof TARGETS / sizeof *TARGETS)];
            if (random_below(2)) length = damage(text, length, sizeof text);
            snprintf(name, sizeof name, "%s%s", to, SUFFIXES[is_gnu][random_below(8)]);
            run(our_open, our_iconv, our_close, name, NAMES[i], text, length);
            /* From UTF-8, of any characters. */
            {
                iconv_t utf8 = their_open("UTF-8", random_below(2) ? "UTF-32LE" : NAMES[i]);
                static unsigned char source[TEXT], other[TEXT];
                size_t n;
                if (random_below(2)) {
                    their_close(utf8);
                    utf8 = their_open("UTF-8", "UTF-32LE");
                    n = make_text(utf8, source, some_length());
                } else {
                    char *in = (char *)other, *out = (char *)source;
                    size_t left = make_text(make, other, some_length() / 2), space = sizeof source;
                    their_close(utf8);
                    utf8 = their_open("UTF-8", NAMES[i]);
                    their_iconv(utf8, &in, &left, &out, &space);
                    n = sizeof source - space;
                }
                their_close(utf8);
                if (random_below(2)) n = damage(source, n, sizeof source);
                snprintf(name, sizeof name, "%s%s", NAMES[i], SUFFIXES[is_gnu][random_below(8)]);
                run(our_open, our_iconv, our_close, name, "UTF-8", source, n);
            }
        }
        their_close(make);
        printf("%-12s %lu calls, %lu runs with a difference\n", NAMES[i], calls - calls_before, differences - before);
    }
    if (!is_gnu) marks(our_open, our_iconv, our_close);
    printf("%lu calls, %lu runs with a difference\n", calls, differences);
    return differences != 0;
}
