/* mojika's libiconv.so.2: the functions of GNU libiconv 1.17, under its names.
 *
 * Programs that were compiled with GNU libiconv's own header run with this library unchanged. Put this folder before the
 * system's headers (-I.../include/libiconv, -liconv): `iconv_open` is then `libiconv_open`, and so on.
 *
 * A descriptor is used by one thread at a time; different descriptors are independent. */
#ifndef MOJIKA_LIBICONV_H
#define MOJIKA_LIBICONV_H

#include <errno.h>
#include <stddef.h>
#include <wchar.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version whose contract this is, as major * 256 + minor. */
#define _LIBICONV_VERSION 0x0111
extern int _libiconv_version;

#undef iconv_t
#define iconv_t libiconv_t
typedef void *iconv_t;

#define iconv_open libiconv_open
#define iconv libiconv
#define iconv_close libiconv_close
#define iconv_open_into libiconv_open_into
#define iconvctl libiconvctl
#define iconvlist libiconvlist

/* Opens a conversion from `fromcode` to `tocode`, which may end in //TRANSLIT, //IGNORE and //NON_IDENTICAL_DISCARD, in any
 * order: the second leaves out malformed bytes and characters that the encoding lacks, the third those characters alone.
 * Returns (iconv_t)-1 with EINVAL if an encoding is unknown, and for the third without the second in a conversion that the C
 * library does. The descriptor is freed by iconv_close. */
iconv_t iconv_open(const char *tocode, const char *fromcode);

/* Converts, advances the pointers, and lowers the numbers of bytes left by the bytes read and written. Returns the number of
 * irreversible conversions, or (size_t)-1 with EILSEQ if input is malformed or has no counterpart, EINVAL if it ends within
 * a character, E2BIG if the output is full. The input that stopped it is not read. If `inbuf` or the pointer at it is null,
 * the descriptor returns to its initial state. */
size_t iconv(iconv_t cd, char **inbuf, size_t *inbytesleft, char **outbuf, size_t *outbytesleft);

/* Frees a descriptor. Returns 0, or -1 with EBADF for (iconv_t)-1 and null. */
int iconv_close(iconv_t cd);

/* Memory for a descriptor. A pointer to it is the descriptor, which is not closed. */
typedef struct {
    void *dummy1[28];
    mbstate_t dummy2;
} iconv_allocation_t;

/* iconv_open into this memory. Returns 0, or -1 with EINVAL, also for encodings that the C library converts, which needs a
 * descriptor of its own. */
int iconv_open_into(const char *tocode, const char *fromcode, iconv_allocation_t *resultp);

/* Called after each character that is converted; the second never, as wchar_t is Unicode. */
typedef void (*iconv_unicode_char_hook)(unsigned int uc, void *data);
typedef void (*iconv_wide_char_hook)(wchar_t wc, void *data);
struct iconv_hooks {
    iconv_unicode_char_hook uc_hook;
    iconv_wide_char_hook wc_hook;
    void *data;
};

/* Called for malformed bytes, and for a character that the encoding lacks: they call `write_replacement` with a substitute,
 * in any number of parts. Those for wchar_t are never called. */
typedef void (*iconv_unicode_mb_to_uc_fallback)(const char *inbuf, size_t inbufsize,
                                                void (*write_replacement)(const unsigned int *buf, size_t buflen, void *callback_arg),
                                                void *callback_arg, void *data);
typedef void (*iconv_unicode_uc_to_mb_fallback)(unsigned int code,
                                                void (*write_replacement)(const char *buf, size_t buflen, void *callback_arg),
                                                void *callback_arg, void *data);
typedef void (*iconv_wchar_mb_to_wc_fallback)(const char *inbuf, size_t inbufsize,
                                              void (*write_replacement)(const wchar_t *buf, size_t buflen, void *callback_arg),
                                              void *callback_arg, void *data);
typedef void (*iconv_wchar_wc_to_mb_fallback)(wchar_t code, void (*write_replacement)(const char *buf, size_t buflen, void *callback_arg),
                                              void *callback_arg, void *data);
struct iconv_fallbacks {
    iconv_unicode_mb_to_uc_fallback mb_to_uc_fallback;
    iconv_unicode_uc_to_mb_fallback uc_to_mb_fallback;
    iconv_wchar_mb_to_wc_fallback mb_to_wc_fallback;
    iconv_wchar_wc_to_mb_fallback wc_to_mb_fallback;
    void *data;
};

/* Requests of iconvctl, and the target of `argument`. */
#define ICONV_TRIVIALP 0          /* int: whether nothing is changed */
#define ICONV_GET_TRANSLITERATE 1 /* int */
#define ICONV_SET_TRANSLITERATE 2 /* const int */
#define ICONV_GET_DISCARD_ILSEQ 3 /* int */
#define ICONV_SET_DISCARD_ILSEQ 4 /* const int */
#define ICONV_SET_HOOKS 5         /* const struct iconv_hooks, or null for none; copied */
#define ICONV_SET_FALLBACKS 6     /* const struct iconv_fallbacks, or null for none; copied */
/* The two parts of ILSEQ, in libiconv from 1.18 on. */
#define ICONV_GET_DISCARD_INVALID 11       /* int: malformed bytes */
#define ICONV_SET_DISCARD_INVALID 12       /* const int */
#define ICONV_GET_DISCARD_NON_IDENTICAL 13 /* int: characters that the encoding lacks */
#define ICONV_SET_DISCARD_NON_IDENTICAL 14 /* const int */

/* Asks for a property, or changes it. Returns 0, or -1 with EINVAL: for an unknown request, and for a change to a conversion
 * that the C library does. */
int iconvctl(iconv_t cd, int request, void *argument);

/* Calls `do_one` with the names of each encoding, until it returns another value than 0. The list of names is valid during
 * the call, the names always. */
void iconvlist(int (*do_one)(unsigned int namescount, const char *const *names, void *data), void *data);

/* The canonical name of an encoding, which is always valid; `name` itself if it is unknown. */
const char *iconv_canonicalize(const char *name);

#ifdef __cplusplus
}
#endif

#endif
