/* Behaviour of iconv with the library loaded before the C library: contracts, threads, foreign descriptors.
 * Links with nothing: check-c.sh runs it with LD_PRELOAD. */
#define _POSIX_C_SOURCE 200809L
#include <iconv.h>

#include "call.h"

#include <pthread.h>
#include <string.h>

static int is_out(const char *expected, size_t space) {
    return space - out_left == strlen(expected) && memcmp(out, expected, strlen(expected)) == 0;
}

static void *thread(void *result) {
    int round;
    for (round = 0; round < 3000; round++) {
        iconv_t cd = iconv_open(round % 2 ? "UTF-8" : "UTF-16LE", round % 3 ? "EUC-KR" : "GB18030");
        char text[] = "\xB0\xA1 ok \xC4\xE3", to[64], *in = text, *o = to;
        size_t left = sizeof text - 1, space = sizeof to;
        if (cd == (iconv_t)-1 || iconv(cd, &in, &left, &o, &space) != 0 || left != 0 || iconv_close(cd) != 0) *(int *)result = 1;
    }
    return NULL;
}

int main(void) {
    iconv_t cd = iconv_open("UTF-8", "SHIFT_JIS");
    pthread_t all[6];
    int results[6] = {0}, i;
    iconv_t volatile none = (iconv_t)-1;
    CHECK(cd != (iconv_t)-1);
    CHECK(call(cd, "\x95\xB6\x8E\x9A", 4, 64) == 0 && is_out("\xE6\x96\x87\xE5\xAD\x97", 64));
    CHECK(call(cd, "a\x95", 2, 64) == EINVAL && in_left == 1 && is_out("a", 64));
    CHECK(call(cd, "a\x85\x40", 3, 64) == EILSEQ && in_left == 2 && is_out("a", 64));
    CHECK(call(cd, "a\x95\xB6", 3, 3) == E2BIG && in_left == 2 && out_left == 2);
    CHECK(call(cd, "", 0, 64) == 0);
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0);
    CHECK(iconv_close(cd) == 0);
    cd = iconv_open("ISO-8859-1//TRANSLIT", "UTF-8");
    CHECK(call(cd, "1 \xE2\x82\xAC", 5, 64) == -1 && is_out("1 EUR", 64));
    CHECK(call(cd, "\xF0\x9F\x98", 3, 64) == EINVAL && in_left == 3);
    iconv_close(cd);
    cd = iconv_open("US-ASCII//IGNORE", "UTF-8");
    /* glibc converts all and reports the error at the end. */
    CHECK(call(cd, "a\xE2\x82\xAC" "b\xFF" "c", 7, 64) == EILSEQ && in_left == 0 && is_out("abc", 64));
    iconv_close(cd);
    cd = iconv_open("UTF-16", "UTF-8");
    CHECK(call(cd, "\xC3", 1, 64) == EINVAL && out_left == 64);
    CHECK(call(cd, "a", 1, 1) == E2BIG && out_left == 1 && in_left == 1);
    CHECK(call(cd, "a", 1, 3) == E2BIG && out_left == 1 && in_left == 1);
    CHECK(call(cd, "a", 1, 2) == 0 && out_left == 0);
    CHECK(iconv(cd, NULL, NULL, NULL, NULL) == 0);
    CHECK(call(cd, "a", 1, 64) == 0 && out_left == 60 && memcmp(out, "\xFF\xFE" "a", 3) == 0);
    iconv_close(cd);
    cd = iconv_open("UTF-8", "UTF-16");
    CHECK(call(cd, "\xFE", 1, 64) == EINVAL);
    CHECK(call(cd, "\xFE\xFF\0a", 4, 64) == 0 && is_out("a", 64));
    iconv_close(cd);
    /* The C library's own encodings, and errors. */
    cd = iconv_open("UTF-8", "UTF-7");
    CHECK(call(cd, "+AOk-", 5, 64) == 0 && is_out("\xC3\xA9", 64));
    iconv_close(cd);
    errno = 0;
    CHECK(iconv_open("UTF-8", "no-such-encoding") == (iconv_t)-1 && errno == EINVAL);
    errno = 0;
    CHECK(iconv_close(none) == -1 && errno == EBADF);
    CHECK(call(none, "a", 1, 1) == EBADF);
    for (i = 0; i < 6; i++) CHECK(pthread_create(&all[i], NULL, thread, &results[i]) == 0);
    for (i = 0; i < 6; i++) {
        CHECK(pthread_join(all[i], NULL) == 0);
        CHECK(results[i] == 0);
    }
    return finish("iconv");
}
