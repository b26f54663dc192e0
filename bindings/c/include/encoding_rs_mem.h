/*
 * encoding_rs::mem for C and C++, as encoding_c_mem declares it, on mojika: link with -lmojika_encoding_c.
 *
 * Pointers, lengths and threads are as in encoding_rs.h. `str` is UTF-8 that must be valid, `utf8` any bytes; malformed
 * sequences and lone surrogates become U+FFFD. Lengths that output must have at least: to UTF-16, that of the input, and one
 * more for `utf8`; from UTF-16 to UTF-8, three times that of the input; from Latin-1 to UTF-8, twice; to Latin-1 and from
 * ASCII, that of the input. Conversions return the units written, and those named `_partial` stop where the output ends.
 *
 * SPDX-License-Identifier: (MIT OR Apache-2.0) AND BSD-3-Clause
 */
#ifndef encoding_rs_mem_h_
#define encoding_rs_mem_h_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    /* Every character is below U+0100. */
    Latin1 = 0,
    /* There are others, none of them right-to-left. */
    LeftToRight = 1,
    /* Some are right-to-left, or have text written so. */
    Bidi = 2,
} Latin1Bidi;

Latin1Bidi encoding_mem_check_str_for_latin1_and_bidi(const char *buffer, size_t len);
Latin1Bidi encoding_mem_check_utf8_for_latin1_and_bidi(const char *buffer, size_t len);
Latin1Bidi encoding_mem_check_utf16_for_latin1_and_bidi(const char16_t *buffer, size_t len);
bool encoding_mem_is_ascii(const char *buffer, size_t len);
bool encoding_mem_is_basic_latin(const char16_t *buffer, size_t len);
bool encoding_mem_is_str_latin1(const char *buffer, size_t len);
bool encoding_mem_is_utf8_latin1(const char *buffer, size_t len);
bool encoding_mem_is_utf16_latin1(const char16_t *buffer, size_t len);
bool encoding_mem_is_str_bidi(const char *buffer, size_t len);
bool encoding_mem_is_utf8_bidi(const char *buffer, size_t len);
bool encoding_mem_is_utf16_bidi(const char16_t *buffer, size_t len);
size_t encoding_mem_utf16_valid_up_to(const char16_t *buffer, size_t len);
size_t encoding_mem_utf8_latin1_up_to(const char *buffer, size_t len);
size_t encoding_mem_str_latin1_up_to(const char *buffer, size_t len);
bool encoding_mem_is_char_bidi(char32_t c);
bool encoding_mem_is_utf16_code_unit_bidi(char16_t u);
void encoding_mem_ensure_utf16_validity(char16_t *buffer, size_t len);

void encoding_mem_convert_latin1_to_utf16(const char *src, size_t src_len, char16_t *dst, size_t dst_len);
size_t encoding_mem_convert_latin1_to_utf8(const char *src, size_t src_len, char *dst, size_t dst_len);
size_t encoding_mem_convert_str_to_utf16(const char *src, size_t src_len, char16_t *dst, size_t dst_len);
void encoding_mem_convert_utf16_to_latin1_lossy(const char16_t *src, size_t src_len, char *dst, size_t dst_len);
size_t encoding_mem_convert_utf16_to_utf8(const char16_t *src, size_t src_len, char *dst, size_t dst_len);
size_t encoding_mem_convert_utf8_to_latin1_lossy(const char *src, size_t src_len, char *dst, size_t dst_len);
size_t encoding_mem_convert_utf8_to_utf16(const char *src, size_t src_len, char16_t *dst, size_t dst_len);
size_t encoding_mem_convert_utf8_to_utf16_without_replacement(const char *src, size_t src_len, char16_t *dst, size_t dst_len);
size_t encoding_mem_copy_ascii_to_ascii(const char *src, size_t src_len, char *dst, size_t dst_len);
size_t encoding_mem_copy_ascii_to_basic_latin(const char *src, size_t src_len, char16_t *dst, size_t dst_len);
size_t encoding_mem_copy_basic_latin_to_ascii(const char16_t *src, size_t src_len, char *dst, size_t dst_len);
void encoding_mem_convert_latin1_to_utf8_partial(const char *src, size_t *src_len, char *dst, size_t *dst_len);
void encoding_mem_convert_utf16_to_utf8_partial(const char16_t *src, size_t *src_len, char *dst, size_t *dst_len);

#ifdef __cplusplus
}
#endif

#endif
