/* For the tests of iconv, after <iconv.h>: one call, and its result. */
#ifndef CALL_H
#define CALL_H

#include "check.h"

#include <errno.h>

static char out[64];
static size_t in_left, out_left;

/* One call with `space` bytes; `errno` if it fails, else the negated result. */
static int call(iconv_t cd, const char *text, size_t length, size_t space) {
    char *in = (char *)(size_t)text, *to = out;
    size_t result;
    in_left = length, out_left = space;
    errno = 0;
    result = iconv(cd, &in, &in_left, &to, &out_left);
    CHECK(in == text + (length - in_left) && to == out + (space - out_left));
    return result == (size_t)-1 ? errno : -(int)result;
}

#endif
