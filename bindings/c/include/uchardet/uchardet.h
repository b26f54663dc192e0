/*
 * uchardet's functions on mojika's detector. Nothing that a function returns is the caller's to free, but uchardet_new's.
 * One uchardet_t is used by one thread at a time.
 *
 * SPDX-License-Identifier: (MIT OR Apache-2.0) AND BSD-3-Clause
 */
#ifndef UCHARDET_H___
#define UCHARDET_H___

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct uchardet *uchardet_t;

/* A detector, freed by uchardet_delete, which takes null as well. */
uchardet_t uchardet_new(void);
void uchardet_delete(uchardet_t ud);

/* Reads `len` bytes more: 0, or 1 for null pointers. */
int uchardet_handle_data(uchardet_t ud, const char *data, size_t len);

/* Says that the input ends. There are no answers before. */
void uchardet_data_end(uchardet_t ud);

/* Resets the detector. */
void uchardet_reset(uchardet_t ud);

/* iconv's name of the likeliest encoding, with a zero byte at its end; "" if none is likely, or if the bytes are not text.
 * It is constant. */
const char *uchardet_get_charset(uchardet_t ud);

/* All likely encodings, the likeliest first: names, probabilities from 0 to 1, and languages as ISO 639-1 codes, null if
 * statistics have not decided. */
size_t uchardet_get_n_candidates(uchardet_t ud);
const char *uchardet_get_encoding(uchardet_t ud, size_t candidate);
float uchardet_get_confidence(uchardet_t ud, size_t candidate);
const char *uchardet_get_language(uchardet_t ud, size_t candidate);

/* Without effect. */
void uchardet_weigh_language(uchardet_t ud, const char *language, float weight);
void uchardet_set_default_weight(uchardet_t ud, float weight);

#ifdef __cplusplus
}
#endif

#endif
