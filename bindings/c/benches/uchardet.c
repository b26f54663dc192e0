/* Compares the time of uchardet_handle_data and uchardet_data_end in two libraries.
 *
 * Usage: uchardet LIBRARY OTHER FILE...
 *
 * Both read each file by turns, in one process, by thread CPU time. A ratio is OTHER's time divided by LIBRARY's: the median of
 * 11, and the spread from the first to the third quartile. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct functions {
    void *(*new)(void);
    int (*handle_data)(void *, const char *, size_t);
    void (*data_end)(void *);
    const char *(*get_charset)(void *);
    void (*delete)(void *);
};

static struct functions load(const char *name) {
    struct functions f;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&f.new = dlsym(library, "uchardet_new");
    *(void **)&f.handle_data = dlsym(library, "uchardet_handle_data");
    *(void **)&f.data_end = dlsym(library, "uchardet_data_end");
    *(void **)&f.get_charset = dlsym(library, "uchardet_get_charset");
    *(void **)&f.delete = dlsym(library, "uchardet_delete");
    return f;
}

static char answers[2][64];

static double time_of(const struct functions *f, const char *text, size_t length, char *answer) {
    struct timespec a, b;
    int i, count = 4;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    for (i = 0; i < count; i++) {
        void *ud = f->new();
        f->handle_data(ud, text, length);
        f->data_end(ud);
        snprintf(answer, 64, "%s", f->get_charset(ud));
        f->delete(ud);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    return ((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec)) / count;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    struct functions ours, theirs;
    double sum = 0;
    int i, k;
    if (argc < 4) return 2;
    ours = load(argv[1]), theirs = load(argv[2]);
    printf("| file | bytes | mojika | uchardet | mojika, us | uchardet, us | times | spread |\n|---|---|---|---|---|---|---|---|\n");
    for (i = 3; i < argc; i++) {
        static char text[1 << 22];
        double ratios[11], best[2] = {1e9, 1e9};
        FILE *file = fopen(argv[i], "rb");
        size_t length = file == NULL ? 0 : fread(text, 1, sizeof text, file);
        if (file == NULL) return 2;
        fclose(file);
        for (k = 0; k < 11; k++) {
            double a = time_of(&ours, text, length, answers[0]), b = time_of(&theirs, text, length, answers[1]);
            ratios[k] = b / a;
            best[0] = a < best[0] ? a : best[0], best[1] = b < best[1] ? b : best[1];
        }
        qsort(ratios, 11, sizeof *ratios, by_value);
        printf("| %s | %lu | %s | %s | %.0f | %.0f | %.1f | %.1f to %.1f |\n", strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i],
               (unsigned long)length, answers[0], answers[1], 1e6 * best[0], 1e6 * best[1], ratios[5], ratios[2], ratios[8]);
        sum += log(ratios[5]);
    }
    printf("\nGeometric mean %.1f.\n", exp(sum / (argc - 3)));
    return 0;
}
