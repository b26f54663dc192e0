/*
 * mojika: text in every encoding of the WHATWG Encoding Standard, and in others, to UTF-8, UTF-16, UTF-32 and back.
 *
 * Units.     Lengths of bytes and of UTF-8 are in bytes, those of UTF-16 and UTF-32 in code units. No string needs a zero
 *            byte at its end, unless a comment says so, and none is written.
 * Memory.    Only mojika_detector_new allocates; so do mojika_repair and mojika_find_mojibake during the call. Returned pointers are to constants (encodings, names, labels, texts of a
 *            status) that live as long as the program and are never freed.
 * Pointers.  A null pointer with length 0 is an empty string. A null pointer with another length is
 *            MOJIKA_INVALID_ARGUMENT. Input and output must not overlap. Output beyond the units reported as written is
 *            undefined after a call; memory beyond the given length is never touched. Arrays of uint16_t and uint32_t
 *            must be aligned. A pointer to a result may be null: the result is then not written.
 * Threads.   Every function may be called from every thread. Encodings may be shared. One decoder, encoder or detector
 *            must not be used by two threads at a time.
 * Errors.    Functions that can fail return an int: MOJIKA_OK, or another code of enum mojika_status. No function panics,
 *            throws, prints, or reads errno or the locale.
 *
 * SPDX-License-Identifier: (MIT OR Apache-2.0) AND BSD-3-Clause
 */
#ifndef MOJIKA_H
#define MOJIKA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. From 1.0 on, a minor version only adds functions, and changes come with a major one. */
#define MOJIKA_VERSION_MAJOR 0
#define MOJIKA_VERSION_MINOR 1
#define MOJIKA_VERSION_PATCH 0

/* The version of the library in use, such as "0.1.0". */
const char *mojika_version(void);

/* ---- Status ---- */

enum mojika_status {
    /* All input has been read. With MOJIKA_LAST, the stream is complete. */
    MOJIKA_OK = 0,
    /* The next character does not fit into the rest of the output: call again with the rest of the input. */
    MOJIKA_OUTPUT_FULL = 1,
    /* A malformed sequence has been read, and everything before it is written. The rest of the input can be converted. */
    MOJIKA_MALFORMED = 2,
    /* An unmappable character has been read, and everything before it is written. */
    MOJIKA_UNMAPPABLE = 3,
    /* All input has been read, except an incomplete sequence at its end: pass that again, before the next input. */
    MOJIKA_INCOMPLETE = 4,
    /* A null pointer, a length beyond the address space, an unknown flag, or flags that exclude each other. */
    MOJIKA_INVALID_ARGUMENT = 5,
    /* The encoding has no encoder: replacement. */
    MOJIKA_NO_ENCODER = 6,
    /* The memory for a decoder or an encoder is too small or not aligned. */
    MOJIKA_BAD_MEMORY = 7,
    /* An XML document has contradictory encoding declarations. */
    MOJIKA_CONTRADICTION = 8,
    /* The library is libmojika_small and lacks the encoding or the function. It has single-byte encodings and UTF only,
     * without detection and sniffing. No result is written. Functions that return no status return null or 0 in its
     * place; mojika_count_malformed returns UINT64_MAX. */
    MOJIKA_LEFT_OUT = 9
};

/* Returns an English sentence for a status, with a zero byte at its end, never null. */
const char *mojika_status_text(int status);

/* ---- Encodings ---- */

/* An encoding: constant, compared by its address. */
typedef struct mojika_encoding mojika_encoding;

/* The encodings of the Encoding Standard. */
extern const mojika_encoding *const mojika_utf_8;
extern const mojika_encoding *const mojika_ibm866;
extern const mojika_encoding *const mojika_iso_8859_2;
extern const mojika_encoding *const mojika_iso_8859_3;
extern const mojika_encoding *const mojika_iso_8859_4;
extern const mojika_encoding *const mojika_iso_8859_5;
extern const mojika_encoding *const mojika_iso_8859_6;
extern const mojika_encoding *const mojika_iso_8859_7;
extern const mojika_encoding *const mojika_iso_8859_8;
extern const mojika_encoding *const mojika_iso_8859_8_i;
extern const mojika_encoding *const mojika_iso_8859_10;
extern const mojika_encoding *const mojika_iso_8859_13;
extern const mojika_encoding *const mojika_iso_8859_14;
extern const mojika_encoding *const mojika_iso_8859_15;
extern const mojika_encoding *const mojika_iso_8859_16;
extern const mojika_encoding *const mojika_koi8_r;
extern const mojika_encoding *const mojika_koi8_u;
extern const mojika_encoding *const mojika_macintosh;
extern const mojika_encoding *const mojika_windows_874;
extern const mojika_encoding *const mojika_windows_1250;
extern const mojika_encoding *const mojika_windows_1251;
extern const mojika_encoding *const mojika_windows_1252;
extern const mojika_encoding *const mojika_windows_1253;
extern const mojika_encoding *const mojika_windows_1254;
extern const mojika_encoding *const mojika_windows_1255;
extern const mojika_encoding *const mojika_windows_1256;
extern const mojika_encoding *const mojika_windows_1257;
extern const mojika_encoding *const mojika_windows_1258;
extern const mojika_encoding *const mojika_x_mac_cyrillic;
extern const mojika_encoding *const mojika_gbk;
extern const mojika_encoding *const mojika_gb18030;
extern const mojika_encoding *const mojika_big5;
extern const mojika_encoding *const mojika_euc_jp;
extern const mojika_encoding *const mojika_iso_2022_jp;
extern const mojika_encoding *const mojika_shift_jis;
extern const mojika_encoding *const mojika_euc_kr;
extern const mojika_encoding *const mojika_replacement;
extern const mojika_encoding *const mojika_utf_16be;
extern const mojika_encoding *const mojika_utf_16le;
extern const mojika_encoding *const mojika_x_user_defined;

/* Some of the encodings without a label in the Standard. mojika_for_name finds all of them. */
extern const mojika_encoding *const mojika_utf_32be;
extern const mojika_encoding *const mojika_utf_32le;
extern const mojika_encoding *const mojika_iso_8859_1;
extern const mojika_encoding *const mojika_iso_8859_9;
extern const mojika_encoding *const mojika_iso_8859_11;
extern const mojika_encoding *const mojika_us_ascii;

/* Returns the encoding of a label of the Standard, of `length` bytes ("get an encoding", section 4.2), or null. Case and
 * white space around the label do not matter; "latin1" is windows-1252, as on the Web. */
const mojika_encoding *mojika_for_label(const char *label, size_t length);

/* Returns the encoding that a user names, or null: a label of the Standard, an everyday name such as "cp932", or a name
 * of another encoding, such as "IBM037". After "extended:", "latin1" is ISO-8859-1 itself. */
const mojika_encoding *mojika_for_name(const char *name, size_t length);

/* Returns the encoding with this Windows code page number, or null. */
const mojika_encoding *mojika_for_codepage(uint32_t number);

/* Returns the encoding of the byte order mark at the start of `bytes` ("BOM sniff", section 6.1), or null. Its length
 * goes to `*bom_length`: 0, 2 or 3. */
const mojika_encoding *mojika_for_bom(const uint8_t *bytes, size_t length, size_t *bom_length);

/* Returns the number of encodings. */
size_t mojika_encoding_count(void);

/* Returns the encoding at this index of the list of all, the Standard's 40 first; null beyond its end. */
const mojika_encoding *mojika_encoding_at(size_t index);

/* Returns the name, as the Standard writes it, with a zero byte at its end; null for null. */
const char *mojika_name(const mojika_encoding *encoding);

/* Returns the label at this index of the Standard's table, without a zero byte at its end, and its length; null beyond
 * the last. */
const char *mojika_label_at(const mojika_encoding *encoding, size_t index, size_t *length);

/* Returns the Windows code page number, or 0. */
uint32_t mojika_codepage(const mojika_encoding *encoding);

/* Returns the encoding that the Web encodes to in its place ("get an output encoding", section 4.3). */
const mojika_encoding *mojika_output_encoding(const mojika_encoding *encoding);

/* Returns the byte order mark, U+FEFF in UTF-8, UTF-16 and UTF-32, and its length; null for the other encodings. */
const uint8_t *mojika_bom(const mojika_encoding *encoding, size_t *length);

/* Returns the length of a code unit in bytes: 1, 2 or 4. 0 for null. */
size_t mojika_code_unit_length(const mojika_encoding *encoding);

/* True if bytes below 0x80 are ASCII at the start of a character: 1 or 0, as in the next three. 0 for null. */
int mojika_is_ascii_compatible(const mojika_encoding *encoding);

/* True if each byte is a character. */
int mojika_is_single_byte(const mojika_encoding *encoding);

/* True if bytes change meaning after an escape sequence (ISO-2022-JP) or a shift (some encodings without a label in the
 * Standard). */
int mojika_is_stateful(const mojika_encoding *encoding);

/* True if the encoding has an encoder, as all but replacement have. */
int mojika_has_encoder(const mojika_encoding *encoding);

/* ---- Streams ---- */

enum mojika_flags {
    /* The input is the last of the stream. After it has been read, the decoder or the encoder starts another stream. */
    MOJIKA_LAST = 1,
    /* Malformed sequences become U+FFFD; unmappable characters become numeric character references ("&#8594;"). */
    MOJIKA_REPLACE = 2,
    /* Decoders: an incomplete sequence at the end is not read, and the status is MOJIKA_INCOMPLETE. Not with
     * MOJIKA_LAST. Without this flag, the decoder keeps the sequence and continues with it in the next call. It also
     * keeps a sequence that an earlier call has begun to read, and the status is MOJIKA_OK. Such a call was without this
     * flag, or ended with MOJIKA_MALFORMED. */
    MOJIKA_LEAVE_INCOMPLETE = 4
};

/* The handling of a byte order mark at the start of the stream. */
enum mojika_bom_handling {
    /* A mark of UTF-8 or UTF-16 overrides the encoding and is removed, as on the Web. */
    MOJIKA_BOM_SNIFF = 0,
    /* The encoding's own mark is removed. */
    MOJIKA_BOM_REMOVE = 1,
    /* A mark is text: U+FEFF. */
    MOJIKA_BOM_KEEP = 2
};

/* The result of a call. */
typedef struct mojika_progress {
    /* Units read from the input, up to the end of the error if the status is one. */
    size_t read;
    /* Units written, up to the error if the status is one. */
    size_t written;
    /* MOJIKA_MALFORMED, MOJIKA_UNMAPPABLE: the offset of the sequence or the character, in units of the input, from the
     * start of the stream. */
    uint64_t offset;
    /* MOJIKA_UNMAPPABLE: the character. It is U+FFFD for a lone surrogate of UTF-16, and for U+000E, U+000F and U+001B in
     * ISO-2022-JP. */
    uint32_t scalar;
    /* MOJIKA_MALFORMED: the length of the sequence in units. */
    uint8_t malformed_length;
    /* MOJIKA_MALFORMED, decoders: the number of bytes read after the sequence. The decoder keeps them. */
    uint8_t malformed_after;
    /* True if anything was replaced, in a call with MOJIKA_REPLACE. */
    uint8_t had_errors;
    uint8_t reserved;
} mojika_progress;

/* A decoder or an encoder, in the caller's memory: on the stack, in a struct, on the heap. They own nothing, and need
 * not be freed. A copy (by memcpy or assignment) is an independent decoder in the same state. */
typedef struct mojika_decoder { uint64_t reserved[24]; } mojika_decoder;
typedef struct mojika_encoder { uint64_t reserved[24]; } mojika_encoder;

/* Size and alignment in bytes, for callers without these structs: at most those of the structs. */
size_t mojika_decoder_size(void);
size_t mojika_decoder_align(void);
size_t mojika_encoder_size(void);
size_t mojika_encoder_align(void);

/* Creates a decoder in `size` bytes at `memory`. MOJIKA_BAD_MEMORY, or MOJIKA_INVALID_ARGUMENT for a null encoding or an
 * unknown handling. */
int mojika_decoder_init(void *memory, size_t size, const mojika_encoding *encoding, int bom_handling);

/* Resets the decoder for a new stream. */
void mojika_decoder_reset(mojika_decoder *decoder);

/* Returns the encoding being decoded: the requested one, or the one that a byte order mark has named since. */
const mojika_encoding *mojika_decoder_encoding(const mojika_decoder *decoder);

/* Returns the number of bytes read since the start of the stream. */
uint64_t mojika_decoder_position(const mojika_decoder *decoder);

/* Returns the length of an incomplete character, byte order mark or escape sequence at the end of the bytes read. */
size_t mojika_decoder_incomplete_length(const mojika_decoder *decoder);

/* Returns the maximum number of units that `length` further bytes can decode to with MOJIKA_REPLACE, over any number of
 * calls; SIZE_MAX if it does not fit into size_t. The maximum for UTF-16 is enough for UTF-32. */
size_t mojika_decoder_max_utf8_length(const mojika_decoder *decoder, size_t length);
size_t mojika_decoder_max_utf16_length(const mojika_decoder *decoder, size_t length);

/* Decodes the next `src_length` bytes of the stream. Input may be cut anywhere, and output may have any length from one
 * character on (4 bytes of UTF-8, 2 units of UTF-16 and, for the pairs of Big5, of UTF-32): text and errors are the
 * same. MOJIKA_OK, MOJIKA_OUTPUT_FULL, MOJIKA_MALFORMED without MOJIKA_REPLACE, MOJIKA_INCOMPLETE with
 * MOJIKA_LEAVE_INCOMPLETE, MOJIKA_INVALID_ARGUMENT. `flags` are of enum mojika_flags. */
int mojika_decode_utf8(mojika_decoder *decoder, const uint8_t *src, size_t src_length,
                       uint8_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);
int mojika_decode_utf16(mojika_decoder *decoder, const uint8_t *src, size_t src_length,
                        uint16_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);
int mojika_decode_utf32(mojika_decoder *decoder, const uint8_t *src, size_t src_length,
                        uint32_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);

/* Creates an encoder in `size` bytes at `memory`. MOJIKA_BAD_MEMORY, MOJIKA_NO_ENCODER, or MOJIKA_INVALID_ARGUMENT for a
 * null encoding. */
int mojika_encoder_init(void *memory, size_t size, const mojika_encoding *encoding);

/* Resets the encoder for a new stream. */
void mojika_encoder_reset(mojika_encoder *encoder);

/* Returns the encoding of the output. */
const mojika_encoding *mojika_encoder_encoding(const mojika_encoder *encoder);

/* True if the stream may end here without further bytes: 1 or 0. 0 in ISO-2022-JP outside ASCII, and after a lead
 * surrogate. A call with MOJIKA_LAST and no input completes it. */
int mojika_encoder_is_complete(const mojika_encoder *encoder);

/* Return the maximum number of bytes that the last `length` units of a stream of valid text can encode to: without
 * MOJIKA_REPLACE, and with it. SIZE_MAX if it does not fit into size_t. */
size_t mojika_encoder_max_length_from_utf8(const mojika_encoder *encoder, size_t length);
size_t mojika_encoder_max_length_from_utf16(const mojika_encoder *encoder, size_t length);
size_t mojika_encoder_max_length_from_utf8_replacing(const mojika_encoder *encoder, size_t length);
size_t mojika_encoder_max_length_from_utf16_replacing(const mojika_encoder *encoder, size_t length);

/* Encodes the next `src_length` units of the stream, to an output of any length from 4 bytes on.
 *
 * Text need not be valid. Malformed UTF-8 and UTF-32 is MOJIKA_MALFORMED, or encoded as U+FFFD with
 * MOJIKA_REPLACE. A lone surrogate of UTF-16 counts as U+FFFD. UTF-8 that ends within a character, in a call without
 * MOJIKA_LAST, is MOJIKA_INCOMPLETE: that end is not read. UTF-16 may be cut between surrogates: the encoder keeps the
 * first. One stream has one form of text.
 * MOJIKA_OK, MOJIKA_OUTPUT_FULL, MOJIKA_UNMAPPABLE without MOJIKA_REPLACE, and the above. */
int mojika_encode_utf8(mojika_encoder *encoder, const uint8_t *src, size_t src_length,
                       uint8_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);
int mojika_encode_utf16(mojika_encoder *encoder, const uint16_t *src, size_t src_length,
                        uint8_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);
int mojika_encode_utf32(mojika_encoder *encoder, const uint32_t *src, size_t src_length,
                        uint8_t *dst, size_t dst_length, unsigned flags, mojika_progress *progress);

/* ---- Whole input in one call ---- */

/* Converts all of the input. `*length` becomes the length of the whole output; a null `dst` with `dst_length` 0 only
 * asks for it. `flags` are 0 or MOJIKA_REPLACE.
 * MOJIKA_OUTPUT_FULL if `dst_length` is below that length: the part that fits is written. An error in the input is
 * reported even if the output is too small; `*length` is then the length up to the error. */
int mojika_to_utf8(const mojika_encoding *encoding, int bom_handling, const uint8_t *src, size_t src_length,
                   uint8_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);
int mojika_to_utf16(const mojika_encoding *encoding, int bom_handling, const uint8_t *src, size_t src_length,
                    uint16_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);
int mojika_to_utf32(const mojika_encoding *encoding, int bom_handling, const uint8_t *src, size_t src_length,
                    uint32_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);
int mojika_from_utf8(const mojika_encoding *encoding, const uint8_t *src, size_t src_length,
                     uint8_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);
int mojika_from_utf16(const mojika_encoding *encoding, const uint16_t *src, size_t src_length,
                      uint8_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);
int mojika_from_utf32(const mojika_encoding *encoding, const uint32_t *src, size_t src_length,
                      uint8_t *dst, size_t dst_length, unsigned flags, size_t *length, mojika_progress *progress);

/* Returns the number of malformed sequences in the input; 0 for invalid arguments, UINT64_MAX if the encoding is left
 * out. */
uint64_t mojika_count_malformed(const mojika_encoding *encoding, int bom_handling, const uint8_t *src, size_t src_length);

/* ---- Text in memory ---- */

/* Return the length of the longest prefix that is ASCII, or valid. 0 for invalid arguments. */
size_t mojika_ascii_prefix_length(const uint8_t *text, size_t length);
size_t mojika_ascii_prefix_length_utf16(const uint16_t *text, size_t length);
size_t mojika_utf8_prefix_length(const uint8_t *text, size_t length);
size_t mojika_utf16_prefix_length(const uint16_t *text, size_t length);

/* Returns the length of the longest prefix that is UTF-8 of code points below U+0100; true if all of UTF-16 is such. */
size_t mojika_latin1_prefix_length_utf8(const uint8_t *text, size_t length);
int mojika_is_latin1_utf16(const uint16_t *text, size_t length);

/* Returns the number of characters of a text. SIZE_MAX for invalid arguments and malformed UTF-8; a lone surrogate
 * counts as one. */
size_t mojika_count_chars_utf8(const uint8_t *text, size_t length);
size_t mojika_count_chars_utf16(const uint16_t *text, size_t length);

/* Return the number of units of a text in another form, as the conversions below write it: a lone surrogate becomes
 * U+FFFD, 3 bytes. SIZE_MAX for invalid arguments and malformed UTF-8. */
size_t mojika_utf16_length_of_utf8(const uint8_t *text, size_t length);
size_t mojika_utf8_length_of_utf16(const uint16_t *text, size_t length);
size_t mojika_utf8_length_of_latin1(const uint8_t *text, size_t length);

/* Returns the length without the incomplete character, or the lead surrogate, at the end. 0 for invalid arguments. */
size_t mojika_whole_length_utf8(const uint8_t *text, size_t length);
size_t mojika_whole_length_utf16(const uint16_t *text, size_t length);

/* True if a character is right-to-left, or a control that makes text right-to-left. 1 for malformed UTF-8. */
int mojika_has_rtl_utf8(const uint8_t *text, size_t length);
int mojika_has_rtl_utf16(const uint16_t *text, size_t length);

/* Replaces lone surrogates with U+FFFD, in place. */
void mojika_replace_lone_surrogates(uint16_t *text, size_t length);

/* Convert whole characters while they fit: MOJIKA_OK or MOJIKA_OUTPUT_FULL. Malformed sequences become U+FFFD; the
 * function named "fatal" stops after one instead, with MOJIKA_MALFORMED, also for an incomplete sequence at the end.
 * Those named "lossy" are for text of code points below U+0100, and give meaningless bytes for other text.
 * To UTF-16 and to Latin-1, an output as long as the input is enough. From UTF-16 to UTF-8, 3 bytes for each unit are
 * enough; from Latin-1 to UTF-8, 2. */
int mojika_utf8_to_utf16(const uint8_t *src, size_t src_length, uint16_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_utf8_to_utf16_fatal(const uint8_t *src, size_t src_length, uint16_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_utf16_to_utf8(const uint16_t *src, size_t src_length, uint8_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_latin1_to_utf8(const uint8_t *src, size_t src_length, uint8_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_latin1_to_utf16(const uint8_t *src, size_t src_length, uint16_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_utf8_to_latin1_lossy(const uint8_t *src, size_t src_length, uint8_t *dst, size_t dst_length, mojika_progress *progress);
int mojika_utf16_to_latin1_lossy(const uint16_t *src, size_t src_length, uint8_t *dst, size_t dst_length, mojika_progress *progress);

/* ---- The encoding of a document ---- */

/* The context in which the document is read. */
enum mojika_context {
    MOJIKA_PLAIN_TEXT = 0,
    MOJIKA_HTML = 1,
    MOJIKA_XML = 2,
    MOJIKA_CSS = 3,
    /* Text in a browser. */
    MOJIKA_TEXT_DOCUMENT = 4
};

/* The origin of the decision. */
enum mojika_source {
    MOJIKA_SOURCE_BOM = 0,
    MOJIKA_SOURCE_OVERRIDE = 1,
    MOJIKA_SOURCE_TRANSPORT = 2,
    MOJIKA_SOURCE_META = 3,
    MOJIKA_SOURCE_XML_DECLARATION = 4,
    MOJIKA_SOURCE_XML_FAMILY = 5,
    MOJIKA_SOURCE_CSS_CHARSET = 6,
    MOJIKA_SOURCE_ENVIRONMENT = 7,
    MOJIKA_SOURCE_DETECTION = 8,
    MOJIKA_SOURCE_LOCALE = 9,
    MOJIKA_SOURCE_DEFAULT = 10,
    /* A declaration in text: a gettext header, a coding cookie, a modeline. */
    MOJIKA_SOURCE_DECLARATION = 11
};

/* Hints about a document, apart from its bytes. All zero stands for a text file without further hints. Strings end with
 * a zero byte, belong to the caller, are read during the call only, and may be null. */
typedef struct mojika_hints {
    /* Of enum mojika_context. */
    int context;
    /* Not 0: encodings are not guessed from bytes. */
    int no_detection;
    /* The user's choice, or null. */
    const mojika_encoding *user_override;
    /* The encoding that the reference states (<link charset>), and the encoding of the referring resource; or null. */
    const mojika_encoding *explicit_environment;
    const mojika_encoding *implied_environment;
    /* The Content-Type of the transport, or a bare label. */
    const char *transport;
    /* The reader's locale, as a BCP 47 tag. */
    const char *locale;
    /* The top-level domain, or the host that the document came from. */
    const char *tld;
} mojika_hints;

typedef struct mojika_decision {
    /* The encoding to decode with; null after an error. */
    const mojika_encoding *encoding;
    /* Length in bytes of the byte order mark to skip. */
    size_t bom_length;
    /* Of enum mojika_source; -1 after an error. */
    int source;
    /* 0 if a later declaration in the document may change the encoding. */
    int is_certain;
} mojika_decision;

/* Decides the encoding of a document from its bytes, or its first mojika_sniff_length bytes. Null hints are all zero.
 * MOJIKA_OK, MOJIKA_CONTRADICTION for XML, MOJIKA_INVALID_ARGUMENT. */
int mojika_sniff(const uint8_t *bytes, size_t length, const mojika_hints *hints, mojika_decision *decision);

/* Returns the maximum number of bytes from the start that mojika_sniff reads. */
size_t mojika_sniff_length(const mojika_hints *hints);

/* The word for a source ("bom", "meta", ...), with a zero byte at its end, never null. */
const char *mojika_source_text(int source);

/* The content of bytes, with regard to their encoding. */
enum mojika_content {
    /* ASCII only: there is no guess, and any encoding that is a superset of ASCII will do. */
    MOJIKA_CONTENT_ASCII = 0,
    MOJIKA_CONTENT_TEXT = 1,
    /* Not text. `name` is the format if it is known: "PNG". */
    MOJIKA_CONTENT_BINARY = 2,
    /* Text in an encoding that mojika has no decoder for; `name` is its name. */
    MOJIKA_CONTENT_UNSUPPORTED = 3
};

typedef struct mojika_guess {
    const mojika_encoding *encoding;
    /* The number of malformed sequences of the bytes in this encoding. */
    uint64_t malformed;
    /* The probability that the text is right, from 0 to 1. */
    float probability;
    /* The likeliest language, as a BCP 47 tag with a zero byte at its end; empty if statistics did not decide. */
    char language[12];
} mojika_guess;

/* Guesses, best first. */
typedef struct mojika_ranking {
    mojika_guess guesses[4];
    size_t count;
    /* The number of bytes, from the start, after which the answer could no longer change. */
    uint64_t bytes_read;
    /* Of enum mojika_content. */
    int content;
    char name[28];
} mojika_ranking;

/* Hints about bytes for detection. All zero means no hints. Strings and lists belong to the caller and are read during
 * the call only; lists must not contain null. */
typedef struct mojika_detect_hints {
    const char *tld;
    const char *locale;
    /* If not empty, only these encodings are answers. */
    const mojika_encoding *const *allowed;
    size_t allowed_count;
    /* Encodings that are not answers. */
    const mojika_encoding *const *denied;
    size_t denied_count;
    /* Not 0: encodings outside the Standard are answers, too. */
    int extended;
    /* Not 0: statistics leave out the text between < and >. */
    int strip_markup;
} mojika_detect_hints;

/* Guesses the encoding of whole input, or of its beginning, by its text. A byte order mark does not decide:
 * mojika_for_bom and mojika_sniff read that. MOJIKA_OK or MOJIKA_INVALID_ARGUMENT. */
int mojika_detect(const uint8_t *bytes, size_t length, const mojika_detect_hints *hints, mojika_ranking *ranking);

/* A detector that is fed chunks. It is on the heap, and freed by mojika_detector_free, which also accepts null. The
 * program aborts if memory runs out. */
typedef struct mojika_detector mojika_detector;
mojika_detector *mojika_detector_new(void);
void mojika_detector_free(mojika_detector *detector);

/* Resets the detector. */
void mojika_detector_reset(mojika_detector *detector);

/* Reads one more chunk. The ranking does not depend on how the bytes are split. MOJIKA_OK or MOJIKA_INVALID_ARGUMENT. */
int mojika_detector_feed(mojika_detector *detector, const uint8_t *bytes, size_t length);

/* True if more input cannot change the ranking: 1 or 0. */
int mojika_detector_is_decided(const mojika_detector *detector);

/* Writes the ranking of the input so far; more may be fed after it. MOJIKA_OK or MOJIKA_INVALID_ARGUMENT. */
int mojika_detector_finish(const mojika_detector *detector, const mojika_detect_hints *hints, mojika_ranking *ranking);

/* ---- Text that was decoded in the wrong encoding ---- */

/* A line that was decoded in the wrong encoding. */
typedef struct mojika_mojibake {
    /* The number of the line, from 1. */
    uint64_t line;
    /* The encoding of the text, and the one in which it was read by mistake, the last time. */
    const mojika_encoding *encoding;
    const mojika_encoding *read_as;
    /* The number of times that the text was read by mistake; of a line that stays, the number of encodings that explain it. */
    size_t rounds;
    /* 1, or 0 for a line that stays, as several encodings explain it. */
    int is_certain;
} mojika_mojibake;

/* Repairs text in UTF-8 whose lines were decoded in the wrong encoding, such as "caf\xC3\x83\xC2\xA9". `needed` becomes the
 * length of the repaired text, which is at most 1.5 times that of the text. MOJIKA_OUTPUT_FULL writes nothing to `dst`.
 * MOJIKA_OK, MOJIKA_OUTPUT_FULL, MOJIKA_MALFORMED or MOJIKA_INVALID_ARGUMENT. The program aborts if memory runs out. */
int mojika_repair(const uint8_t *text, size_t length, uint8_t *dst, size_t dst_length, size_t *needed);

/* Finds the lines of text in UTF-8 that were decoded in the wrong encoding. `count` becomes their number, also if it is
 * more than `capacity`: the first ones are written then. MOJIKA_OK, MOJIKA_OUTPUT_FULL, MOJIKA_MALFORMED or
 * MOJIKA_INVALID_ARGUMENT. The program aborts if memory runs out. */
int mojika_find_mojibake(const uint8_t *text, size_t length, mojika_mojibake *found, size_t capacity, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
