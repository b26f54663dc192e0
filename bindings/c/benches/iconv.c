/* Compares the time of a library's iconv with the C library's: long text, short calls, short
 * calls with open and close, and calls that fail at their first byte.
 *
 * Usage: iconv LIBRARY [SECONDS]
 *
 * Both run by turns in one process, in slices of a few milliseconds of thread CPU time; SECONDS, 0.3 by default, is the
 * time for each number. A ratio is the C library's time by that of LIBRARY; the spread is that of the ratios of the
 * slices, from the first to the third quartile. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <iconv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct functions {
    iconv_t (*open)(const char *, const char *);
    size_t (*convert)(iconv_t, char **, size_t *, char **, size_t *);
    int (*close)(iconv_t);
};

static struct functions load(const char *name) {
    struct functions functions;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&functions.open = dlsym(library, "iconv_open");
    *(void **)&functions.convert = dlsym(library, "iconv");
    *(void **)&functions.close = dlsym(library, "iconv_close");
    return functions;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

enum kind { LONG, SHORT, OPEN, REFUSED };

static char *text, *output;
static size_t text_length, output_length;

static void work(const struct functions *f, iconv_t cd, const char *to, const char *from, enum kind kind) {
    char *in = text, *out = output;
    size_t left = text_length, space = output_length;
    if (kind == OPEN) cd = f->open(to, from);
    if ((f->convert(cd, &in, &left, &out, &space) == (size_t)-1 || left != 0) != (kind == REFUSED)) {
        fprintf(stderr, "%s to %s: not converted\n", from, to);
        exit(2);
    }
    if (kind == OPEN) f->close(cd);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints nanoseconds of both for one call, and returns the median of the ratios. */
static double compare(const struct functions *ours, const struct functions *theirs, const char *to, const char *from, enum kind kind, double seconds) {
    static double ratios[4096];
    iconv_t cds[2];
    double best[2] = {1e9, 1e9}, end = now() + seconds;
    size_t n = 0, count = 1, i;
    cds[0] = ours->open(to, from), cds[1] = theirs->open(to, from);
    if (cds[0] == (iconv_t)-1 || cds[1] == (iconv_t)-1) return 0;
    for (;;) {
        double start = now();
        for (i = 0; i < count; i++) work(ours, cds[0], to, from, kind);
        if (now() - start > 1e-3) break;
        count *= 2;
    }
    while (n < 4096 && (now() < end || n < 5)) {
        double a = now(), b, c;
        for (i = 0; i < count; i++) work(ours, cds[0], to, from, kind);
        b = now();
        for (i = 0; i < count; i++) work(theirs, cds[1], to, from, kind);
        c = now();
        ratios[n++] = (c - b) / (b - a);
        if ((b - a) / (double)count < best[0]) best[0] = (b - a) / (double)count;
        if ((c - b) / (double)count < best[1]) best[1] = (c - b) / (double)count;
    }
    ours->close(cds[0]), theirs->close(cds[1]);
    qsort(ratios, n, sizeof *ratios, by_value);
    if (kind == LONG)
        printf("| %s | %s | %.0f | %.0f | %.1f | %.1f to %.1f |\n", from, to, (double)text_length / best[0] / 1e6, (double)text_length / best[1] / 1e6,
               ratios[n / 2], ratios[n / 4], ratios[3 * n / 4]);
    else
        printf("| %s | %s | %s | %.0f | %.0f | %.2f | %.2f to %.2f |\n", from, to, kind == OPEN ? "yes" : "no", 1e9 * best[0], 1e9 * best[1], ratios[n / 2],
               ratios[n / 4], ratios[3 * n / 4]);
    return ratios[n / 2];
}

static uint32_t seed = 7;

static uint32_t below(uint32_t bound) {
    seed = seed * 1664525U + 1013904223U;
    return (uint32_t)((uint64_t)seed * bound >> 32);
}

/* The leads of the common characters, level 1 of each standard. */
static const struct { const char *name; int first, last; } LEADS[] = {
    {"SHIFT_JIS", 0x89, 0x97}, {"EUC-JP", 0xB0, 0xCE}, {"EUC-KR", 0xB0, 0xC8}, {"GBK", 0xB0, 0xD6}, {"GB18030", 0xB0, 0xD6}, {"BIG5", 0xA4, 0xC5},
};

/* A common character of a double-byte encoding, as UTF-32; 0 for other encodings. */
static uint32_t common(const struct functions *c, const char *name) {
    size_t i;
    for (i = 0; i < sizeof LEADS / sizeof *LEADS; i++) {
        iconv_t cd;
        uint32_t c32 = 0;
        if (strcmp(LEADS[i].name, name) != 0) continue;
        cd = c->open("UTF-32LE", name);
        while (c32 == 0) {
            unsigned char pair[2];
            char *in = (char *)pair, *out = (char *)&c32;
            size_t left = 2, space = 4;
            pair[0] = (unsigned char)(LEADS[i].first + (int)below((uint32_t)(LEADS[i].last - LEADS[i].first + 1)));
            pair[1] = (unsigned char)(0x40 + below(0xBF));
            if (c->convert(cd, &in, &left, &out, &space) == (size_t)-1) c32 = 0, c->convert(cd, NULL, NULL, NULL, NULL);
        }
        c->close(cd);
        return c32;
    }
    return 0;
}

/* Words of a script with spaces and some ASCII, in `name`: about `length` bytes of UTF-8. */
static size_t make(const struct functions *c, const char *name, uint32_t first, uint32_t count, size_t length) {
    iconv_t cd = c->open(name, "UTF-32LE");
    char *out = text;
    size_t space = 2 * length + 64, made = 0;
    while (made < length) {
        uint32_t word = 2 + below(8), kind = below(12), i;
        for (i = 0; i <= word; i++) {
            uint32_t c32 = i == word ? ' ' : kind == 0 || (count < 80 && below(6)) ? 'a' + below(26) : first + below(count), other = c32 == ' ' || c32 - 'a' < 26 ? 0 : common(c, name);
            char *in = (char *)&c32;
            size_t left = 4;
            if (other != 0) c32 = other;
            if (c->convert(cd, &in, &left, &out, &space) != (size_t)-1) made += c32 < 0x80 ? 1 : c32 < 0x800 ? 2 : 3;
        }
        if (length <= 32 && made >= length) break;
    }
    c->close(cd);
    text_length = (size_t)(out - text);
    return text_length;
}

/* Converts the text to UTF-8. */
static void to_utf8(const struct functions *c, const char *name) {
    char *in = text, *out = output;
    size_t left = text_length, space = output_length;
    iconv_t cd = c->open("UTF-8", name);
    c->convert(cd, &in, &left, &out, &space);
    c->close(cd);
    text_length = (size_t)(out - output);
    memcpy(text, output, text_length);
}

int main(int argc, char **argv) {
    static const struct { const char *name; uint32_t first, count; } PAGES[] = {
        {"UTF-8", 0x410, 64}, {"UTF-16LE", 0x410, 64}, {"UTF-16LE", 0x4E00, 5000}, {"UTF-32LE", 0x4E00, 5000}, {"ISO-8859-1", 0xC0, 60}, {"ISO-8859-2", 0xC0, 190},
        {"ISO-8859-15", 0xC0, 60}, {"CP1252", 0xC0, 60}, {"CP1251", 0x410, 64}, {"KOI8-R", 0x410, 64}, {"ISO-8859-7", 0x3B1, 24}, {"CP874", 0xE01, 46},
        {"SHIFT_JIS", 0x4E00, 5000}, {"EUC-JP", 0x4E00, 5000}, {"EUC-KR", 0xAC00, 11000}, {"GBK", 0x4E00, 5000}, {"GB18030", 0x4E00, 5000}, {"BIG5", 0x4E00, 5000},
    };
    /* Malformed bytes and characters that the target lacks. */
    static const struct { const char *from, *to, *bytes; } REFUSALS[] = {
        {"UTF-8", "UTF-16LE", "\xFF"}, {"UTF-8", "CP1252", "\xE9"}, {"UTF-8", "UTF-32LE", "\xE6\x96"}, {"SHIFT_JIS", "UTF-8", "\xFF"},
        {"SHIFT_JIS", "UTF-8", "\x81\xFF"}, {"EUC-JP", "UTF-8", "\xFF"}, {"GBK", "UTF-8", "\xFF"}, {"CP1252", "UTF-8", "\x81"},
        {"UTF-8", "CP1251", "\xC3\xA9"}, {"UTF-8", "SHIFT_JIS", "\xC3\xA9"}, {"UTF-8", "ISO-8859-1", "\xE6\x96\x87"},
    };
    struct functions ours, theirs = load("libc.so.6");
    double seconds = argc > 2 ? atof(argv[2]) : 0.3, sum = 0, least = 1e9;
    size_t i, n = 0;
    int kind;
    if (argc < 2) return 2;
    ours = load(argv[1]);
    text = malloc(4 << 20), output = malloc(output_length = 8 << 20);
    printf("| from | to | mojika, MB/s | glibc, MB/s | times | spread |\n|---|---|---|---|---|---|\n");
    for (i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
        int direction;
        for (direction = 0; direction < 2; direction++) {
            double ratio;
            make(&theirs, direction ? "UTF-8" : PAGES[i].name, PAGES[i].first, PAGES[i].count, 1 << 18);
            if (direction) {
                /* Text that the encoding has: by way of it. */
                make(&theirs, PAGES[i].name, PAGES[i].first, PAGES[i].count, 1 << 18);
                to_utf8(&theirs, PAGES[i].name);
            }
            ratio = compare(&ours, &theirs, direction ? PAGES[i].name : "UTF-8", direction ? "UTF-8" : PAGES[i].name, LONG, seconds);
            if (ratio > 0) sum += log(ratio), n++, least = ratio < least ? ratio : least;
        }
    }
    printf("\nLong text: geometric mean %.1f, least %.1f.\n\n", exp(sum / (double)n), least);
    printf("| from | to | open and close | mojika, ns | glibc, ns | times | spread |\n|---|---|---|---|---|---|---|\n");
    for (kind = SHORT; kind <= OPEN; kind++) {
        int direction;
        for (direction = 0; direction < 2; direction++) {
            sum = 0, n = 0, least = 1e9;
            for (i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
                double ratio;
                make(&theirs, PAGES[i].name, PAGES[i].first, PAGES[i].count, 20);
                if (direction) to_utf8(&theirs, PAGES[i].name);
                ratio = compare(&ours, &theirs, direction ? PAGES[i].name : "UTF-8", direction ? "UTF-8" : PAGES[i].name, (enum kind)kind, seconds);
                if (ratio > 0) sum += log(ratio), n++, least = ratio < least ? ratio : least;
            }
            printf("\n20 bytes %s%s: geometric mean %.2f, least %.2f.\n\n", direction ? "of UTF-8" : "to UTF-8", kind == OPEN ? ", with open and close" : "",
                   exp(sum / (double)n), least);
        }
    }
    printf("| from | to | open and close | mojika, ns | glibc, ns | times | spread |\n|---|---|---|---|---|---|---|\n");
    sum = 0, n = 0, least = 1e9;
    for (i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++) {
        double ratio;
        text_length = (size_t)sprintf(text, "%s text", REFUSALS[i].bytes);
        ratio = compare(&ours, &theirs, REFUSALS[i].to, REFUSALS[i].from, REFUSED, seconds);
        if (ratio > 0) sum += log(ratio), n++, least = ratio < least ? ratio : least;
    }
    printf("\nRefused at once: geometric mean %.2f, least %.2f.\n", exp(sum / (double)n), least);
    return 0;
}
