/* Tests of mojika.h as a C program sees it. Every check names its line; the program ends with 1 if one fails. */
#include "mojika.h"
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

static void lookups(void) {
    size_t length, i;
    CHECK(mojika_for_label(" SJIS\n", 6) == mojika_shift_jis);
    CHECK(mojika_for_label("latin1", 6) == mojika_windows_1252);
    CHECK(mojika_for_label("cp932", 5) == NULL && mojika_for_name("cp932", 5) == mojika_shift_jis);
    CHECK(mojika_for_name("extended:latin1", 15) == mojika_iso_8859_1 && mojika_for_name(" EXTENDED:Latin1", 16) == mojika_iso_8859_1);
    CHECK(mojika_for_name("\xFF", 1) == NULL && mojika_for_label(NULL, 0) == NULL);
    CHECK(mojika_for_label(NULL, 4) == NULL && mojika_for_name("utf-8", (size_t)-1) == NULL);
    CHECK(mojika_for_codepage(1251) == mojika_windows_1251 && mojika_for_codepage(65001) == mojika_utf_8);
    CHECK(mojika_for_codepage(1) == NULL && mojika_for_codepage(0x10000 + 1251) == NULL);
    CHECK(mojika_for_bom(bytes("\xFF\xFE" "a"), 3, &length) == mojika_utf_16le && length == 2);
    CHECK(mojika_for_bom(bytes("a"), 1, &length) == NULL && length == 0);
    CHECK(mojika_for_bom(bytes("\xEF\xBB\xBF"), 3, NULL) == mojika_utf_8);
    for (i = 0; i < mojika_encoding_count(); i++) {
        const mojika_encoding *encoding = mojika_encoding_at(i);
        const char *name = mojika_name(encoding);
        CHECK(encoding != NULL && name != NULL && mojika_code_unit_length(encoding) >= 1);
        CHECK(i >= 40 || mojika_for_label(name, strlen(name)) == encoding);
        CHECK(mojika_codepage(encoding) == 0 || mojika_for_codepage(mojika_codepage(encoding)) == encoding);
        CHECK(mojika_has_encoder(encoding) == (encoding != mojika_replacement));
    }
    CHECK(mojika_encoding_at(i) == NULL && mojika_name(NULL) == NULL);
    {
        const char *label = mojika_label_at(mojika_koi8_u, 0, &length);
        CHECK(label != NULL && length == 7 && memcmp(label, "koi8-ru", 7) == 0);
        CHECK(mojika_label_at(mojika_koi8_u, 99, &length) == NULL && length == 0);
    }
    CHECK(mojika_output_encoding(mojika_utf_16le) == mojika_utf_8);
    CHECK(mojika_bom(mojika_utf_16be, &length) != NULL && length == 2 && mojika_bom(mojika_gbk, NULL) == NULL);
    CHECK(mojika_is_single_byte(mojika_koi8_r) && !mojika_is_single_byte(mojika_gbk) && !mojika_is_single_byte(NULL));
    CHECK(mojika_is_stateful(mojika_iso_2022_jp) && mojika_is_ascii_compatible(mojika_big5));
    CHECK(strcmp(mojika_version(), "0.1.0") == 0 && strlen(mojika_status_text(99)) > 0);
}

static void memory_of_the_caller(void) {
    mojika_decoder decoder;
    mojika_encoder encoder;
    uint64_t small[2];
    CHECK(mojika_decoder_size() <= sizeof decoder && mojika_decoder_align() <= sizeof(uint64_t));
    CHECK(mojika_encoder_size() <= sizeof encoder && mojika_encoder_align() <= sizeof(uint64_t));
    CHECK(mojika_decoder_init(small, sizeof small, mojika_utf_8, MOJIKA_BOM_KEEP) == MOJIKA_BAD_MEMORY);
    CHECK(mojika_decoder_init((char *)&decoder + 1, sizeof decoder - 1, mojika_utf_8, 0) == MOJIKA_BAD_MEMORY);
    CHECK(mojika_decoder_init(NULL, 500, mojika_utf_8, MOJIKA_BOM_KEEP) == MOJIKA_BAD_MEMORY);
    CHECK(mojika_decoder_init(&decoder, sizeof decoder, NULL, MOJIKA_BOM_KEEP) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decoder_init(&decoder, sizeof decoder, mojika_utf_8, 3) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_replacement) == MOJIKA_NO_ENCODER);
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, NULL) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_encoder_init(small, sizeof small, mojika_utf_8) == MOJIKA_BAD_MEMORY);
}

static void decoding(void) {
    mojika_decoder decoder, copy;
    mojika_progress p;
    uint8_t utf8[16];
    uint16_t utf16[8];
    uint32_t utf32[4];
    CHECK(mojika_decoder_init(&decoder, sizeof decoder, mojika_shift_jis, MOJIKA_BOM_SNIFF) == MOJIKA_OK);
    /* A character in two calls; the decoder keeps its first byte. */
    CHECK(mojika_decode_utf8(&decoder, bytes("\x95\xB6\x8E"), 3, utf8, sizeof utf8, 0, &p) == MOJIKA_OK);
    CHECK(p.read == 3 && p.written == 3 && mojika_decoder_incomplete_length(&decoder) == 1);
    copy = decoder;
    CHECK(mojika_decode_utf8(&decoder, bytes("\x9A"), 1, utf8 + 3, 13, MOJIKA_LAST, &p) == MOJIKA_OK);
    CHECK(p.written == 3 && memcmp(utf8, "\xE6\x96\x87\xE5\xAD\x97", 6) == 0);
    CHECK(mojika_decode_utf16(&copy, bytes("\x9A"), 1, utf16, 8, MOJIKA_LAST, &p) == MOJIKA_OK);
    CHECK(p.written == 1 && utf16[0] == 0x5B57);
    /* The caller keeps it. */
    CHECK(mojika_decode_utf16(&decoder, bytes("\x95\xB6\x8E"), 3, utf16, 8, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_INCOMPLETE);
    CHECK(p.read == 2 && p.written == 1 && mojika_decoder_position(&decoder) == 2);
    CHECK(mojika_decode_utf16(&decoder, bytes("\x8E\x9A"), 2, utf16, 8, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_OK);
    CHECK(p.read == 2 && p.written == 1 && utf16[0] == 0x5B57);
    /* Also if the output is full; but bytes read by an earlier call stay read. */
    CHECK(mojika_decode_utf8(&decoder, bytes("a\x95\xB6"), 3, utf8, 3, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_OUTPUT_FULL);
    CHECK(p.read == 1 && mojika_decoder_incomplete_length(&decoder) == 0 && mojika_decoder_position(&decoder) == 5);
    CHECK(mojika_decode_utf8(&decoder, bytes("\x95"), 1, utf8, 16, 0, &p) == MOJIKA_OK && p.read == 1);
    CHECK(mojika_decode_utf8(&decoder, NULL, 0, utf8, 16, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_OK);
    CHECK(mojika_decode_utf8(&decoder, bytes("\xB6"), 1, utf8, 16, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_OK && p.written == 3);
    {
        mojika_decoder four;
        CHECK(mojika_decoder_init(&four, sizeof four, mojika_gb18030, MOJIKA_BOM_KEEP) == MOJIKA_OK);
        CHECK(mojika_decode_utf8(&four, bytes("\x81"), 1, utf8, 16, 0, &p) == MOJIKA_OK && p.read == 1);
        CHECK(mojika_decode_utf8(&four, bytes("\x30\x81"), 2, utf8, 16, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_OK && p.read == 2);
        CHECK(mojika_decode_utf8(&four, bytes("\x30"), 1, utf8, 16, MOJIKA_LAST, &p) == MOJIKA_OK && p.written == 2);
    }
    mojika_decoder_reset(&decoder);
    CHECK(mojika_decode_utf8(&decoder, bytes("abcd"), 4, utf8, sizeof utf8, 0, &p) == MOJIKA_OK);
    /* The position of the malformed sequence. */
    CHECK(mojika_decode_utf8(&decoder, bytes("ok \x82\"!"), 6, utf8, sizeof utf8, MOJIKA_LAST, &p) == MOJIKA_MALFORMED);
    CHECK(p.read == 4 && p.written == 3 && p.offset == 7 && p.malformed_length == 1 && p.malformed_after == 0 && !p.had_errors);
    CHECK(mojika_decode_utf8(&decoder, bytes("\"!"), 2, utf8, sizeof utf8, MOJIKA_LAST, &p) == MOJIKA_OK && p.written == 2);
    CHECK(mojika_decode_utf8(&decoder, bytes("a\xFF"), 2, utf8, sizeof utf8, MOJIKA_LAST | MOJIKA_REPLACE, &p) == MOJIKA_OK);
    CHECK(p.written == 4 && p.had_errors && memcmp(utf8, "a\xEF\xBF\xBD", 4) == 0);
    /* No partial character. */
    CHECK(mojika_decode_utf8(&decoder, bytes("a\x95\xB6"), 3, utf8, 3, MOJIKA_LAST, &p) == MOJIKA_OUTPUT_FULL);
    CHECK(p.read == 1 || p.read == 2);
    mojika_decoder_reset(&decoder);
    /* A byte order mark names another encoding. */
    CHECK(mojika_decode_utf8(&decoder, bytes("\xFE\xFF\0a"), 4, utf8, sizeof utf8, MOJIKA_LAST, &p) == MOJIKA_OK);
    CHECK(p.written == 1 && utf8[0] == 'a' && mojika_decoder_encoding(&decoder) == mojika_utf_16be);
    /* UTF-32, with outputs of one scalar value, and Big5's pairs. */
    CHECK(mojika_decoder_init(&decoder, sizeof decoder, mojika_utf_8, MOJIKA_BOM_KEEP) == MOJIKA_OK);
    CHECK(mojika_decode_utf32(&decoder, bytes("\xF0\x9F\x98\x80" "a"), 5, utf32, 1, MOJIKA_LAST, &p) == MOJIKA_OUTPUT_FULL);
    CHECK(p.read == 4 && p.written == 1 && utf32[0] == 0x1F600);
    CHECK(mojika_decode_utf32(&decoder, bytes("a"), 1, utf32, 1, MOJIKA_LAST, &p) == MOJIKA_OK && utf32[0] == 'a');
    CHECK(mojika_decoder_init(&decoder, sizeof decoder, mojika_big5, MOJIKA_BOM_KEEP) == MOJIKA_OK);
    CHECK(mojika_decode_utf32(&decoder, bytes("\x88\x62"), 2, utf32, 1, MOJIKA_LAST, &p) == MOJIKA_OUTPUT_FULL && p.written == 0);
    CHECK(mojika_decode_utf32(&decoder, bytes("\x88\x62") + p.read, 2 - p.read, utf32, 2, MOJIKA_LAST, &p) == MOJIKA_OK);
    CHECK(p.written == 2 && utf32[0] == 0xCA && utf32[1] == 0x304);
    CHECK(mojika_decoder_max_utf8_length(&decoder, (size_t)-1) == (size_t)-1);
    /* Arguments. */
    CHECK(mojika_decode_utf8(&decoder, NULL, 1, utf8, 16, 0, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf8(&decoder, bytes("a"), 1, NULL, 1, 0, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf8(NULL, bytes("a"), 1, utf8, 16, 0, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf8(&decoder, bytes("a"), 1, utf8, 16, 8, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf8(&decoder, bytes("a"), 1, utf8, 16, MOJIKA_LAST | MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf16(&decoder, bytes("a"), 1, (uint16_t *)(void *)((char *)utf16 + 1), 2, 0, &p) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_decode_utf8(&decoder, NULL, 0, NULL, 0, MOJIKA_LAST, NULL) == MOJIKA_OK);
}

static void encoding(void) {
    mojika_encoder encoder;
    mojika_progress p;
    uint8_t out[64];
    const uint16_t pair[] = {0xD83D, 0xDE00};
    const uint32_t scalars[] = {'a', 0xD800, 0x1F600, 0x20AC};
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_windows_1251) == MOJIKA_OK);
    CHECK(mojika_encode_utf8(&encoder, bytes("\xD0\xB4\xE2\x86\x92" "!"), 6, out, sizeof out, 0, &p) == MOJIKA_UNMAPPABLE);
    CHECK(p.read == 5 && p.written == 1 && p.scalar == 0x2192 && p.offset == 2 && out[0] == 0xE4);
    CHECK(mojika_encode_utf8(&encoder, bytes("!\xE2\x86\x92"), 4, out, sizeof out, MOJIKA_REPLACE, &p) == MOJIKA_OK);
    CHECK(p.written == 8 && p.had_errors && memcmp(out, "!&#8594;", 8) == 0);
    /* Cut text, malformed text. */
    CHECK(mojika_encode_utf8(&encoder, bytes("a\xD0"), 2, out, sizeof out, 0, &p) == MOJIKA_INCOMPLETE && p.read == 1);
    CHECK(mojika_encode_utf8(&encoder, bytes("a\xD0"), 2, out, sizeof out, MOJIKA_LAST, &p) == MOJIKA_MALFORMED && p.read == 2);
    CHECK(p.offset == 11 && p.malformed_length == 1);
    CHECK(mojika_encode_utf8(&encoder, bytes("a\xFFz"), 3, out, sizeof out, MOJIKA_REPLACE, &p) == MOJIKA_OK && p.read == 3);
    CHECK(p.written == 10 && p.had_errors && memcmp(out, "a&#65533;z", 10) == 0);
    /* A reference in an output of 4 bytes at a time. */
    {
        const uint8_t *src = bytes("\xFFz");
        size_t left = 2, all = 0;
        int status, calls = 0;
        do {
            status = mojika_encode_utf8(&encoder, src, left, out + all, 4, MOJIKA_REPLACE, &p);
            src += p.read, left -= p.read, all += p.written;
        } while (status == MOJIKA_OUTPUT_FULL && ++calls < 20);
        CHECK(status == MOJIKA_OK && all == 9 && memcmp(out, "&#65533;z", 9) == 0);
    }
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_gb18030) == MOJIKA_OK);
    CHECK(mojika_encode_utf16(&encoder, pair, 1, out, sizeof out, 0, &p) == MOJIKA_OK && p.written == 0);
    CHECK(!mojika_encoder_is_complete(&encoder));
    CHECK(mojika_encode_utf16(&encoder, pair + 1, 1, out, sizeof out, MOJIKA_LAST, &p) == MOJIKA_OK && p.written == 4);
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_utf_8) == MOJIKA_OK);
    CHECK(mojika_encode_utf32(&encoder, scalars, 4, out, sizeof out, MOJIKA_LAST, &p) == MOJIKA_MALFORMED && p.read == 2);
    CHECK(p.offset == 1 && p.written == 1);
    CHECK(mojika_encode_utf32(&encoder, scalars + 2, 2, out, 6, MOJIKA_LAST, &p) == MOJIKA_OUTPUT_FULL && p.read == 1 && p.written == 4);
    CHECK(mojika_encode_utf32(&encoder, scalars + 3, 1, out, 6, MOJIKA_LAST, &p) == MOJIKA_OK && p.written == 3);
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_koi8_r) == MOJIKA_OK);
    CHECK(mojika_encode_utf32(&encoder, scalars + 2, 2, out, 6, 0, &p) == MOJIKA_UNMAPPABLE && p.scalar == 0x1F600 && p.offset == 0);
    /* ISO-2022-JP comes back to ASCII at the end alone. */
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_iso_2022_jp) == MOJIKA_OK);
    CHECK(mojika_encode_utf8(&encoder, bytes("\xE6\x96\x87"), 3, out, sizeof out, 0, &p) == MOJIKA_OK && p.written == 5);
    CHECK(!mojika_encoder_is_complete(&encoder));
    CHECK(mojika_encode_utf8(&encoder, NULL, 0, out, sizeof out, MOJIKA_LAST, &p) == MOJIKA_OK && p.written == 3);
    CHECK(mojika_encode_utf8(&encoder, bytes("a"), 1, out, 64, MOJIKA_LEAVE_INCOMPLETE, &p) == MOJIKA_INVALID_ARGUMENT);
}

/* Text of lengths up to 100,000 bytes and beyond a piece, in calls of any size, converts as in one call. */
static void pieces(void) {
    size_t n = 100000, i, length, done = 0, all = 0;
    uint8_t *text = malloc(n), *once = malloc(2 * n), *chunks = malloc(2 * n);
    mojika_encoder encoder;
    mojika_progress p;
    uint32_t random = 1;
    for (i = 0; i + 3 <= n; i += 3) memcpy(text + i, i % 7 < 3 ? "\xE6\x96\x87" : "abc", 3);
    n = i;
    CHECK(mojika_from_utf8(mojika_gbk, text, n, once, 2 * n, 0, &length, &p) == MOJIKA_OK);
    CHECK(mojika_encoder_init(&encoder, sizeof encoder, mojika_gbk) == MOJIKA_OK);
    while (done < n) {
        size_t chunk, space;
        int status;
        random = random * 1664525 + 1013904223;
        chunk = random >> 16 & 0x7FF;
        space = random >> 20 & 0xFF;
        if (chunk > n - done) chunk = n - done;
        status = mojika_encode_utf8(&encoder, text + done, chunk, chunks + all, space, 0, &p);
        CHECK(status == MOJIKA_OK || status == MOJIKA_OUTPUT_FULL || status == MOJIKA_INCOMPLETE);
        CHECK(p.read <= chunk && p.written <= space);
        done += p.read;
        all += p.written;
    }
    CHECK(all == length && memcmp(once, chunks, all) == 0);
    free(text), free(once), free(chunks);
}

static void whole_input(void) {
    size_t length;
    mojika_progress p;
    uint8_t out[16];
    uint16_t units[4];
    uint32_t scalars[4];
    CHECK(mojika_to_utf8(mojika_shift_jis, 0, bytes("\x95\xB6"), 2, NULL, 0, 0, &length, NULL) == MOJIKA_OUTPUT_FULL && length == 3);
    CHECK(mojika_to_utf8(mojika_shift_jis, 0, bytes("\x95\xB6"), 2, out, 3, 0, &length, &p) == MOJIKA_OK && length == 3 && p.read == 2);
    CHECK(mojika_to_utf8(mojika_shift_jis, 0, NULL, 0, NULL, 0, 0, &length, NULL) == MOJIKA_OK && length == 0);
    CHECK(mojika_to_utf16(mojika_utf_8, 0, bytes("\xF0\x9F\x98\x80"), 4, units, 4, 0, &length, NULL) == MOJIKA_OK && length == 2);
    CHECK(mojika_to_utf32(mojika_utf_8, 0, bytes("\xF0\x9F\x98\x80"), 4, scalars, 4, 0, &length, NULL) == MOJIKA_OK && length == 1);
    CHECK(mojika_to_utf8(mojika_utf_8, 0, bytes("aaa\xFF"), 4, NULL, 0, 0, &length, &p) == MOJIKA_MALFORMED && length == 3 && p.offset == 3);
    CHECK(mojika_to_utf8(mojika_utf_8, 0, bytes("aaa\xFF"), 4, NULL, 0, MOJIKA_REPLACE, &length, &p) == MOJIKA_OUTPUT_FULL && length == 6);
    CHECK(mojika_from_utf8(mojika_koi8_u, bytes("\xD1\x97"), 2, NULL, 0, 0, &length, NULL) == MOJIKA_OUTPUT_FULL && length == 1);
    CHECK(mojika_from_utf8(mojika_koi8_u, bytes("a\xE2\x86\x92"), 4, NULL, 0, 0, &length, &p) == MOJIKA_UNMAPPABLE && length == 1 && p.offset == 1);
    CHECK(mojika_from_utf16(mojika_koi8_u, units, 2, out, 16, MOJIKA_REPLACE, &length, NULL) == MOJIKA_OK && length == 9);
    CHECK(mojika_from_utf32(mojika_utf_16le, scalars, 1, out, 16, 0, &length, NULL) == MOJIKA_OK && length == 4);
    CHECK(mojika_from_utf8(mojika_replacement, bytes("a"), 1, out, 16, 0, &length, NULL) == MOJIKA_NO_ENCODER);
    CHECK(mojika_from_utf8(NULL, bytes("a"), 1, out, 16, 0, &length, NULL) == MOJIKA_INVALID_ARGUMENT);
    CHECK(mojika_count_malformed(mojika_utf_8, 0, bytes("a\xFF\xC3z\xE6\x96"), 6) == 3);
}

static void memory(void) {
    mojika_progress p;
    uint16_t units[8] = {'a', 0xD800, 'b'};
    uint8_t out[8];
    CHECK(mojika_ascii_prefix_length(bytes("ab\xC3"), 3) == 2 && mojika_utf8_prefix_length(bytes("\xC3\xA9\xC3"), 3) == 2);
    CHECK(mojika_utf16_prefix_length(units, 3) == 1 && mojika_ascii_prefix_length_utf16(units, 3) == 1);
    CHECK(mojika_latin1_prefix_length_utf8(bytes("\xC3\xA9\xE2\x86\x92"), 5) == 2 && !mojika_is_latin1_utf16(units, 3));
    CHECK(mojika_has_rtl_utf8(bytes("\xD7\x90"), 2) && !mojika_has_rtl_utf8(bytes("a"), 1) && mojika_has_rtl_utf8(bytes("\xFF"), 1));
    CHECK(mojika_count_chars_utf8(bytes("a\xC3\xA9\xF0\x9F\x98\x80"), 7) == 3 && mojika_count_chars_utf8(bytes("\xFF"), 1) == (size_t)-1);
    CHECK(mojika_utf16_length_of_utf8(bytes("a\xC3\xA9\xF0\x9F\x98\x80"), 7) == 4 && mojika_utf16_length_of_utf8(bytes("\xFF"), 1) == (size_t)-1);
    CHECK(mojika_count_chars_utf16(units, 3) == 3 && mojika_utf8_length_of_utf16(units, 3) == 5 && mojika_utf8_length_of_latin1(bytes("a\xE9"), 2) == 3);
    CHECK(mojika_whole_length_utf8(bytes("a\xE6\x96"), 3) == 1 && mojika_whole_length_utf16(units, 2) == 1);
    CHECK(mojika_count_chars_utf8(NULL, 0) == 0 && mojika_count_chars_utf16(NULL, 1) == (size_t)-1);
    mojika_replace_lone_surrogates(units, 3);
    CHECK(units[1] == 0xFFFD && !mojika_has_rtl_utf16(units, 3));
    CHECK(mojika_utf16_to_utf8(units, 3, out, 8, &p) == MOJIKA_OK && p.written == 5);
    CHECK(mojika_utf8_to_utf16(bytes("a\xFF"), 2, units, 8, &p) == MOJIKA_OK && units[1] == 0xFFFD && p.had_errors);
    CHECK(mojika_utf8_to_utf16_fatal(bytes("a\xFF"), 2, units, 8, &p) == MOJIKA_MALFORMED && p.offset == 1);
    CHECK(mojika_latin1_to_utf8(bytes("\xE9t\xE9"), 3, out, 4, &p) == MOJIKA_OUTPUT_FULL && p.read == 2 && p.written == 3);
    CHECK(mojika_latin1_to_utf16(bytes("\xE9"), 1, units, 8, &p) == MOJIKA_OK && units[0] == 0xE9);
    CHECK(mojika_utf8_to_latin1_lossy(bytes("\xC3\xA9"), 2, out, 8, &p) == MOJIKA_OK && out[0] == 0xE9);
    CHECK(mojika_utf16_to_latin1_lossy(units, 1, out, 0, &p) == MOJIKA_OUTPUT_FULL);
}

static void sniffing(void) {
    static const char page[] = "<!doctype html><meta charset=sjis>\x95\xB6\x8E\x9A";
    static const char xml[] = "<?xml version='1.0' encoding='utf-16'?><a/>";
    mojika_hints hints = {0};
    mojika_decision decision;
    mojika_ranking ranking;
    mojika_detect_hints detect = {0};
    mojika_detector *detector;
    static const char russian[] = "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xDD\xF2\xEE \xF2\xE5\xEA\xF1\xF2 \xED\xE0 \xF0\xF3\xF1\xF1\xEA\xEE\xEC.";
    const mojika_encoding *denied[1];
    size_t i;
    hints.context = MOJIKA_HTML;
    CHECK(mojika_sniff(bytes(page), sizeof page - 1, &hints, &decision) == MOJIKA_OK);
    CHECK(decision.encoding == mojika_shift_jis && decision.source == MOJIKA_SOURCE_META && !decision.is_certain);
    CHECK(strcmp(mojika_source_text(decision.source), "meta") == 0);
    hints.transport = "text/html; charset=utf-8";
    CHECK(mojika_sniff(bytes(page), sizeof page - 1, &hints, &decision) == MOJIKA_OK);
    CHECK(decision.encoding == mojika_utf_8 && decision.source == MOJIKA_SOURCE_TRANSPORT && decision.is_certain);
    hints.transport = NULL;
    hints.context = MOJIKA_XML;
    CHECK(mojika_sniff(bytes(xml), sizeof xml - 1, &hints, &decision) == MOJIKA_CONTRADICTION && decision.encoding == NULL);
    hints.context = MOJIKA_CSS;
    CHECK(mojika_sniff(bytes("@charset \"koi8-r\";"), 18, &hints, &decision) == MOJIKA_OK && decision.source == MOJIKA_SOURCE_CSS_CHARSET);
    hints.context = 77;
    CHECK(mojika_sniff(bytes("a"), 1, &hints, &decision) == MOJIKA_INVALID_ARGUMENT && decision.source == -1);
    CHECK(mojika_sniff(bytes("\xEF\xBB\xBF" "a"), 4, NULL, &decision) == MOJIKA_OK && decision.bom_length == 3);
    CHECK(mojika_sniff_length(NULL) >= 1024);
    CHECK(strcmp(mojika_source_text(MOJIKA_SOURCE_DEFAULT), "default") == 0);
    CHECK(strcmp(mojika_source_text(MOJIKA_SOURCE_DECLARATION), "declaration") == 0);
    CHECK(strcmp(mojika_source_text(-1), "unknown") == 0 && strcmp(mojika_source_text(12), "unknown") == 0);

    CHECK(mojika_detect(bytes(russian), sizeof russian - 1, NULL, &ranking) == MOJIKA_OK);
    CHECK(ranking.count > 0 && ranking.guesses[0].encoding == mojika_windows_1251 && ranking.content == MOJIKA_CONTENT_TEXT);
    CHECK(strcmp(ranking.guesses[0].language, "ru") == 0 && ranking.guesses[0].probability > 0.5F);
    denied[0] = mojika_windows_1251;
    detect.denied = denied;
    detect.denied_count = 1;
    CHECK(mojika_detect(bytes(russian), sizeof russian - 1, &detect, &ranking) == MOJIKA_OK);
    CHECK(ranking.count == 0 || ranking.guesses[0].encoding != mojika_windows_1251);
    CHECK(mojika_detect(bytes("\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), 16, NULL, &ranking) == MOJIKA_OK);
    CHECK(ranking.content == MOJIKA_CONTENT_BINARY && strcmp(ranking.name, "PNG") == 0);
    detector = mojika_detector_new();
    for (i = 0; i < sizeof russian - 1; i++) CHECK(mojika_detector_feed(detector, bytes(russian) + i, 1) == MOJIKA_OK);
    CHECK(mojika_detector_finish(detector, NULL, &ranking) == MOJIKA_OK && ranking.guesses[0].encoding == mojika_windows_1251);
    mojika_detector_reset(detector);
    CHECK(mojika_detector_feed(detector, bytes("\x1B$B$3$l$O\x1B(B"), 12) == MOJIKA_OK);
    CHECK(mojika_detector_finish(detector, NULL, &ranking) == MOJIKA_OK && ranking.guesses[0].encoding == mojika_iso_2022_jp);
    mojika_detector_free(detector);
    mojika_detector_free(NULL);
}

/* Text that was decoded in the wrong encoding. */
static void repair(void) {
    static const char twice[] = "caf\xC3\x83\xC2\xA9\nok\n\xC3\x83\xE2\x82\xAChnlich";
    uint8_t text[64];
    mojika_mojibake found[2];
    size_t needed, count;

    CHECK(mojika_repair(bytes(twice), sizeof twice - 1, text, sizeof text, &needed) == MOJIKA_OK);
    CHECK(needed == sizeof twice - 3 && memcmp(text, "caf\xC3\xA9\nok\n", 9) == 0);
    CHECK(mojika_repair(bytes(twice), sizeof twice - 1, text, needed - 1, NULL) == MOJIKA_OUTPUT_FULL);
    CHECK(mojika_repair(bytes("\xFF"), 1, text, sizeof text, NULL) == MOJIKA_MALFORMED);
    CHECK(mojika_find_mojibake(bytes(twice), sizeof twice - 1, found, 2, &count) == MOJIKA_OK && count == 2);
    CHECK(found[0].line == 1 && found[0].is_certain == 1 && found[0].read_as == mojika_windows_1252);
    CHECK(found[1].line == 3 && found[1].is_certain == 0);
    CHECK(mojika_find_mojibake(bytes(twice), sizeof twice - 1, found, 1, &count) == MOJIKA_OUTPUT_FULL && count == 2);
}

/* Encodings and tables are shared by threads; each has a decoder of its own. */
static void *thread(void *result) {
    int round;
    for (round = 0; round < 2000; round++) {
        mojika_decoder decoder;
        mojika_progress p;
        uint8_t out[16];
        if (mojika_name(mojika_encoding_at((size_t)round % mojika_encoding_count())) == NULL ||
            mojika_decoder_init(&decoder, sizeof decoder, mojika_for_label("gbk", 3), 0) != MOJIKA_OK ||
            mojika_decode_utf8(&decoder, bytes("\xCE\xC4\xD7\xD6"), 4, out, sizeof out, MOJIKA_LAST, &p) != MOJIKA_OK ||
            p.written != 6 || memcmp(out, "\xE6\x96\x87\xE5\xAD\x97", 6) != 0)
            *(int *)result = 1;
    }
    return NULL;
}

static void threads(void) {
    pthread_t all[8];
    int results[8] = {0}, i;
    for (i = 0; i < 8; i++) CHECK(pthread_create(&all[i], NULL, thread, &results[i]) == 0);
    for (i = 0; i < 8; i++) {
        CHECK(pthread_join(all[i], NULL) == 0);
        CHECK(results[i] == 0);
    }
}

int main(void) {
    lookups();
    memory_of_the_caller();
    decoding();
    encoding();
    pieces();
    whole_input();
    memory();
    sniffing();
    repair();
    threads();
    return finish("mojika.h");
}
