/* For the tests in C and C++: CHECK, which reports a condition that is false with its line, and the end of a test. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
            failures++;                                                           \
        }                                                                         \
    } while (0)

/* The exit status: 0 if no check failed; then prints that `name` passed. */
static int finish(const char *name) {
    if (failures == 0) printf("%s: passed\n", name);
    return failures != 0;
}

#endif
