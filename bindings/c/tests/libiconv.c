/* Behaviour of libiconv.so.2: the contract of GNU libiconv where it differs from glibc's, and the functions that only it
 * has. GNU libiconv 1.17 passes this test too, except for the additions of 1.18: //NON_IDENTICAL_DISCARD and its requests. */
#define _POSIX_C_SOURCE 200809L
#include <iconv.h>

#include "call.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int is_out(const char *expected, size_t length, size_t space) {
    return space - out_left == length && memcmp(out, expected, length) == 0;
}

static void *thread(void *result) {
    int round;
    for (round = 0; round < 3000; round++) {
        iconv_t cd = iconv_open(round % 2 ? "UTF-8//IGNORE" : "UCS-4-INTERNAL", round % 3 ? "EUC-KR" : "GB18030");
        char text[] = "\xB0\xA1 ok \xC4\xE3", to[64], *in = text, *o = to;
        size_t left = sizeof text - 1, space = sizeof to;
        if (cd == (iconv_t)-1 || iconv(cd, &in, &left, &o, &space) != 0 || left != 0 || iconv_close(cd) != 0) *(int *)result = 1;
    }
    return NULL;
}

static char hooked[64];
static size_t hooked_length;

static void hook(unsigned int uc, void *data) {
    CHECK(data == hooked);
    hooked[hooked_length++] = (char)(uc < 0x80 ? uc : '?');
}

static void from_bytes(const char *in, size_t length, void (*put)(const unsigned int *, size_t, void *), void *to, void *data) {
    unsigned int text[4] = {'<', 0, '>', '!'};
    CHECK(length == 1 && data == hooked);
    text[1] = 'A' + ((unsigned char)*in & 15);
    put(text, 3, to), put(text + 3, 1, to);
}

static void from_scalar(unsigned int code, void (*put)(const char *, size_t, void *), void *to, void *data) {
    char text[16];
    (void)data;
    snprintf(text, sizeof text, "{%X}", code);
    put(text, strlen(text), to);
}

static size_t listed, names_listed;
static int last_open = 1;

static int one(unsigned int count, const char *const *names, void *data) {
    const char *canonical = iconv_canonicalize(names[0]);
    unsigned int i;
    iconv_t cd = iconv_open("UTF-8", canonical);
    for (i = 0; i < count; i++) CHECK(strcmp(iconv_canonicalize(names[i]), canonical) == 0);
    if (cd == (iconv_t)-1) {
        fprintf(stderr, "%s does not open\n", canonical);
        last_open = 0;
    } else {
        iconv_close(cd);
    }
    listed++, names_listed += count;
    return data != NULL;
}

/* Malformed bytes and characters that the encoding lacks are left out apart, by suffixes in each order and by iconvctl. */
static void discards(void) {
    static const char *const BOTH[] = {"//IGNORE", "//NON_IDENTICAL_DISCARD//IGNORE", "//ignore//non_identical_discard"};
    static const char *const TRANSLIT[] = {"//NON_IDENTICAL_DISCARD//TRANSLIT", "//TRANSLIT//NON_IDENTICAL_DISCARD"};
    static const char malformed_first[] = "3\xD4\xE2\x84\x83\xC3\x9F", unmappable_first[] = "3\xE2\x84\x83\xD4\xC3\x9F";
    char name[80];
    size_t i;
    int value;
    iconv_t cd;
    for (i = 0; i < sizeof BOTH / sizeof *BOTH; i++) {
        strcpy(name, "ISO-8859-1"), strcat(name, BOTH[i]);
        cd = iconv_open(name, "UTF-8");
        CHECK(call(cd, malformed_first, 7, 64) == -1 && in_left == 0 && is_out("3\xDF", 2, 64));
        CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 1);
        CHECK(iconvctl(cd, ICONV_GET_DISCARD_INVALID, &value) == 0 && value == 1);
        iconv_close(cd);
    }
    cd = iconv_open("ISO-8859-1//NON_IDENTICAL_DISCARD", "UTF-8");
    CHECK(call(cd, malformed_first, 7, 64) == EILSEQ && in_left == 6 && is_out("3", 1, 64));
    CHECK(call(cd, unmappable_first, 7, 64) == EILSEQ && in_left == 3 && is_out("3", 1, 64));
    CHECK(iconvctl(cd, ICONV_GET_DISCARD_NON_IDENTICAL, &value) == 0 && value == 1);
    CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
    value = 1;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_INVALID, &value) == 0);
    CHECK(call(cd, unmappable_first, 7, 64) == -1 && in_left == 0 && is_out("3\xDF", 2, 64));
    value = 0;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_NON_IDENTICAL, &value) == 0);
    CHECK(call(cd, malformed_first, 7, 64) == EILSEQ && in_left == 5 && is_out("3", 1, 64));
    iconv_close(cd);
    for (i = 0; i < sizeof TRANSLIT / sizeof *TRANSLIT; i++) {
        strcpy(name, "US-ASCII"), strcat(name, TRANSLIT[i]);
        cd = iconv_open(name, "UTF-8");
        CHECK(call(cd, "\xE2\x82\xAC\xD7\x90\xFF", 6, 64) == EILSEQ && in_left == 1 && memcmp(out, "EUR", 3) == 0);
        iconv_close(cd);
    }
    errno = 0;
    CHECK(iconv_open("ISO-2022-JP//NON_IDENTICAL_DISCARD", "UTF-8") == (iconv_t)-1 && errno == EINVAL);
}

int main(void) {
    struct iconv_hooks hooks = {hook, NULL, hooked};
    struct iconv_fallbacks fallbacks = {from_bytes, from_scalar, NULL, NULL, hooked};
    iconv_allocation_t memory;
    iconv_t cd;
    pthread_t all[6];
    int results[6] = {0}, i, value;
    CHECK(_libiconv_version == _LIBICONV_VERSION);
    /* Ignored input is not an error, and suffixes come in any order. */
    cd = iconv_open("us-ascii//ignore//TRANSLIT", "UTF-8");
    CHECK(call(cd, "a\xE2\x82\xAC" "b\xFF" "c", 7, 64) == -1 && in_left == 0 && is_out("aEURbc", 6, 64));
    iconv_close(cd);
    cd = iconv_open("US-ASCII//TRANSLIT//IGNORE", "UTF-8");
    CHECK(call(cd, "\xE2\x82\xAC\xE6\x96\x87", 6, 64) < 0 && in_left == 0 && out_left <= 61 && memcmp(out, "EUR", 3) == 0);
    iconv_close(cd);
    cd = iconv_open("ISO-8859-1", "UTF-8");
    CHECK(call(cd, "a\xE2\x82\xAC", 4, 64) == EILSEQ && in_left == 3 && is_out("a", 1, 64));
    CHECK(call(cd, "a\xE2\x82", 3, 64) == EINVAL && in_left == 2 && is_out("a", 1, 64));
    CHECK(call(cd, "ab", 2, 1) == E2BIG && in_left == 1 && is_out("a", 1, 1));
    /* Tags are left out. */
    CHECK(call(cd, "a\xF3\xA0\x81\x81" "b", 6, 64) == 0 && is_out("ab", 2, 64));
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0);
    iconv_close(cd);
    discards();
    /* UTF-16 is in big endian, with a mark that comes with the first character; marks are read anywhere. */
    cd = iconv_open("UTF-16", "UTF-8");
    CHECK(call(cd, "a", 1, 3) == E2BIG && out_left == 3 && in_left == 1);
    CHECK(call(cd, "ab", 2, 64) == 0 && is_out("\xFE\xFF\0a\0b", 6, 64));
    CHECK(call(cd, "c", 1, 64) == 0 && is_out("\0c", 2, 64));
    iconv_close(cd);
    cd = iconv_open("UTF-8", "UTF-16");
    CHECK(call(cd, "\0a\xFE\xFF\xFF\xFE" "b\0c\0", 10, 64) == 0 && is_out("abc", 3, 64));
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0);
    CHECK(call(cd, "\0a", 2, 64) == 0 && is_out("a", 1, 64));
    CHECK(call(cd, "\xD8\x3D\xFE\xFF", 4, 64) == EILSEQ && in_left == 4);
    iconv_close(cd);
    cd = iconv_open("UTF-32", "WCHAR_T");
    CHECK(call(cd, "a\0\0\0", 4, 64) == 0 && is_out("\0\0\xFE\xFF\0\0\0a", 8, 64));
    iconv_close(cd);
    cd = iconv_open("UCS-2LE", "UTF-8");
    CHECK(call(cd, "a\xF0\x9F\x98\x80" "b", 6, 64) == -1 && is_out("a\0\xFD\xFF" "b\0", 6, 64));
    iconv_close(cd);
    /* Double bytes, and encodings that the C library converts. */
    cd = iconv_open("UTF-8", "csShiftJIS");
    CHECK(call(cd, "\x95\xB6\x8E\x9A\x95", 5, 64) == EINVAL && in_left == 1 && is_out("\xE6\x96\x87\xE5\xAD\x97", 6, 64));
    iconv_close(cd);
    cd = iconv_open("UTF-8", "ISO-2022-JP");
    CHECK(call(cd, "\x1B$BJ8\x1B(B", 8, 64) == 0 && is_out("\xE6\x96\x87", 3, 64));
    iconv_close(cd);
    /* Control. */
    cd = iconv_open("US-ASCII", "UTF-8");
    CHECK(iconvctl(cd, ICONV_TRIVIALP, &value) == 0 && value == 0);
    CHECK(iconvctl(cd, ICONV_GET_DISCARD_ILSEQ, &value) == 0 && value == 0);
    CHECK(call(cd, "\xC3\xA9", 2, 64) == EILSEQ);
    value = 1;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &value) == 0);
    CHECK(call(cd, "x\xC3\xA9" "y\xFFz", 6, 64) == -1 && is_out("xyz", 3, 64));
    value = 0;
    CHECK(iconvctl(cd, ICONV_SET_DISCARD_ILSEQ, &value) == 0);
    CHECK(iconvctl(cd, ICONV_SET_FALLBACKS, &fallbacks) == 0);
    CHECK(call(cd, "x\xC3\xA9" "y\xFEz", 6, 64) == -2 && is_out("x{E9}y<O>!z", 11, 64));
    CHECK(call(cd, "\xC3\xA9", 2, 3) == E2BIG && in_left == 2 && out_left == 3);
    CHECK(iconvctl(cd, ICONV_SET_FALLBACKS, NULL) == 0 && iconvctl(cd, ICONV_SET_HOOKS, &hooks) == 0);
    CHECK(call(cd, "abc", 3, 64) == 0 && is_out("abc", 3, 64) && hooked_length == 3 && memcmp(hooked, "abc", 3) == 0);
    value = 1;
    CHECK(iconvctl(cd, ICONV_SET_HOOKS, NULL) == 0 && iconvctl(cd, ICONV_SET_TRANSLITERATE, &value) == 0);
    CHECK(call(cd, "\xE2\x82\xAC", 3, 64) == -1 && is_out("EUR", 3, 64) && hooked_length == 3);
    errno = 0;
    CHECK(iconvctl(cd, 99, &value) == -1 && errno == EINVAL);
    iconv_close(cd);
    cd = iconv_open("UTF-8", "utf-8");
    CHECK(iconvctl(cd, ICONV_TRIVIALP, &value) == 0 && value == 1);
    iconv_close(cd);
    /* A descriptor in memory of the caller, which nobody closes. */
    CHECK(iconv_open_into("UTF-8//TRANSLIT", "SJIS", &memory) == 0);
    CHECK(call(&memory, "\x95\xB6\xF0\x40", 4, 64) == EILSEQ || in_left == 0);
    CHECK(memcmp(out, "\xE6\x96\x87", 3) == 0);
    errno = 0;
    CHECK(iconv_open_into("UTF-8", "no-such-encoding", &memory) == -1 && errno == EINVAL);
    /* Names. */
    CHECK(strcmp(iconv_canonicalize("latin1//TRANSLIT"), "ISO-8859-1") == 0);
    CHECK(strcmp(iconv_canonicalize("wchar_t"), "UCS-4-INTERNAL") == 0);
    CHECK(strcmp(iconv_canonicalize("x-unknown"), "x-unknown") == 0);
    CHECK(strcmp(iconv_canonicalize(""), iconv_canonicalize("char")) == 0);
    iconvlist(one, NULL);
    CHECK(last_open && listed > 80 && names_listed > 290);
    listed = 0, iconvlist(one, &listed);
    CHECK(listed == 1);
    errno = 0;
    CHECK(iconv_open("UTF-8", "no-such-encoding") == (iconv_t)-1 && errno == EINVAL);
    for (i = 0; i < 6; i++) CHECK(pthread_create(&all[i], NULL, thread, &results[i]) == 0);
    for (i = 0; i < 6; i++) {
        CHECK(pthread_join(all[i], NULL) == 0);
        CHECK(results[i] == 0);
    }
    return finish("libiconv");
}
