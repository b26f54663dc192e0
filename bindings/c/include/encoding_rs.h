/*
 * encoding_rs for C and C++, as encoding_c declares it, on mojika: link with -lmojika_encoding_c.
 *
 * Pointers must not be null, except to memory of length 0. A pointer to a length has the length of the memory before a call,
 * and the units read or written after it. Input and output must not overlap. UTF-8 to be encoded must be valid. The
 * result of a new_ function without _into is freed with decoder_free or encoder_free. A decoder or an encoder is used by
 * one thread at a time, and everything else by any. SIZE_MAX stands for a length that does not fit into size_t.
 *
 * SPDX-License-Identifier: (MIT OR Apache-2.0) AND BSD-3-Clause
 */
#ifndef mojika_encoding_rs_h
#define mojika_encoding_rs_h

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#include "encoding_rs_statics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "Get an encoding": of a label, or null. The second leaves replacement out. */
ENCODING_RS_ENCODING const *encoding_for_label(uint8_t const *label, size_t label_len);
ENCODING_RS_ENCODING const *encoding_for_label_no_replacement(uint8_t const *label, size_t label_len);

/* The encoding of a byte order mark, or null; `*buffer_len` becomes the length of the mark. */
ENCODING_RS_ENCODING const *encoding_for_bom(uint8_t const *buffer, size_t *buffer_len);

/* Writes the name, without a zero byte, to memory for ENCODING_NAME_MAX_LENGTH bytes; returns its length. */
size_t encoding_name(ENCODING_RS_ENCODING const *encoding, uint8_t *name_out);

/* Properties, as in mojika.h; the first is of the output encoding. */
bool encoding_can_encode_everything(ENCODING_RS_ENCODING const *encoding);
bool encoding_is_ascii_compatible(ENCODING_RS_ENCODING const *encoding);
bool encoding_is_single_byte(ENCODING_RS_ENCODING const *encoding);
ENCODING_RS_ENCODING const *encoding_output_encoding(ENCODING_RS_ENCODING const *encoding);

/* Decoders that sniff for a byte order mark, remove the mark of their encoding, or treat it as text. Encoders are to the
 * output encoding. Functions named `_into` replace a decoder or encoder that the function without `_into` has returned. */
ENCODING_RS_DECODER *encoding_new_decoder(ENCODING_RS_ENCODING const *encoding);
ENCODING_RS_DECODER *encoding_new_decoder_with_bom_removal(ENCODING_RS_ENCODING const *encoding);
ENCODING_RS_DECODER *encoding_new_decoder_without_bom_handling(ENCODING_RS_ENCODING const *encoding);
void encoding_new_decoder_into(ENCODING_RS_ENCODING const *encoding, ENCODING_RS_DECODER *decoder);
void encoding_new_decoder_with_bom_removal_into(ENCODING_RS_ENCODING const *encoding, ENCODING_RS_DECODER *decoder);
void encoding_new_decoder_without_bom_handling_into(ENCODING_RS_ENCODING const *encoding, ENCODING_RS_DECODER *decoder);
ENCODING_RS_ENCODER *encoding_new_encoder(ENCODING_RS_ENCODING const *encoding);
void encoding_new_encoder_into(ENCODING_RS_ENCODING const *encoding, ENCODING_RS_ENCODER *encoder);
void decoder_free(ENCODING_RS_DECODER *decoder);
void encoder_free(ENCODING_RS_ENCODER *encoder);

/* Lengths of prefixes: valid UTF-8, ASCII, and bytes that ISO-2022-JP decodes as ASCII. */
size_t encoding_utf8_valid_up_to(uint8_t const *buffer, size_t buffer_len);
size_t encoding_ascii_valid_up_to(uint8_t const *buffer, size_t buffer_len);
size_t encoding_iso_2022_jp_ascii_valid_up_to(uint8_t const *buffer, size_t buffer_len);

/* The encoding of a stream; true if ISO-2022-JP must return to ASCII. */
ENCODING_RS_ENCODING const *decoder_encoding(ENCODING_RS_DECODER const *decoder);
ENCODING_RS_ENCODING const *encoder_encoding(ENCODING_RS_ENCODER const *encoder);
bool encoder_has_pending_state(ENCODING_RS_ENCODER const *encoder);

/* A length of output that suffices for `byte_length` bytes, or `u16_length` code units, of further input. */
size_t decoder_max_utf8_buffer_length(ENCODING_RS_DECODER const *decoder, size_t byte_length);
size_t decoder_max_utf8_buffer_length_without_replacement(ENCODING_RS_DECODER const *decoder, size_t byte_length);
size_t decoder_max_utf16_buffer_length(ENCODING_RS_DECODER const *decoder, size_t byte_length);
size_t encoder_max_buffer_length_from_utf8_if_no_unmappables(ENCODING_RS_ENCODER const *encoder, size_t byte_length);
size_t encoder_max_buffer_length_from_utf8_without_replacement(ENCODING_RS_ENCODER const *encoder, size_t byte_length);
size_t encoder_max_buffer_length_from_utf16_if_no_unmappables(ENCODING_RS_ENCODER const *encoder, size_t u16_length);
size_t encoder_max_buffer_length_from_utf16_without_replacement(ENCODING_RS_ENCODER const *encoder, size_t u16_length);

/* Convert the next part of a stream. An output has space for 4 bytes, or 2 code units, at least; numeric character
 * references need 14 bytes. */
uint32_t decoder_decode_to_utf8(ENCODING_RS_DECODER *decoder, uint8_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last, bool *had_replacements);
uint32_t decoder_decode_to_utf8_without_replacement(ENCODING_RS_DECODER *decoder, uint8_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last);
uint32_t decoder_decode_to_utf16(ENCODING_RS_DECODER *decoder, uint8_t const *src, size_t *src_len,
    char16_t *dst, size_t *dst_len, bool last, bool *had_replacements);
uint32_t decoder_decode_to_utf16_without_replacement(ENCODING_RS_DECODER *decoder, uint8_t const *src, size_t *src_len,
    char16_t *dst, size_t *dst_len, bool last);
uint32_t encoder_encode_from_utf8(ENCODING_RS_ENCODER *encoder, uint8_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last, bool *had_replacements);
uint32_t encoder_encode_from_utf8_without_replacement(ENCODING_RS_ENCODER *encoder, uint8_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last);
uint32_t encoder_encode_from_utf16(ENCODING_RS_ENCODER *encoder, char16_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last, bool *had_replacements);
uint32_t encoder_encode_from_utf16_without_replacement(ENCODING_RS_ENCODER *encoder, char16_t const *src, size_t *src_len,
    uint8_t *dst, size_t *dst_len, bool last);

/* Length of the prefix in which each byte decodes to the code point of the same value, in this state of the decoder. */
size_t decoder_latin1_byte_compatible_up_to(ENCODING_RS_DECODER const *decoder, uint8_t const *buffer, size_t buffer_len);

#ifdef __cplusplus
}
#endif

#endif
