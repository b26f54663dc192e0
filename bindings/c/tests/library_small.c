/* Tests of libmojika_small: its encodings convert, and the others fail with a clear error. */
#include "mojika.h"
#include "check.h"

#include <string.h>

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

/* The Standard's encodings of several bytes. Those outside it are left out if they have no encoder. */
static const char *const names[] = {"GBK", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP", "Shift_JIS", "EUC-KR"};

static int is_left_out(size_t place, const mojika_encoding *encoding) {
    size_t i;
    if (place >= 40) return !mojika_has_encoder(encoding);
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(mojika_name(encoding), names[i]) == 0) return 1;
    }
    return 0;
}

static void every_encoding(void) {
    size_t i, left_out = 0;
    for (i = 0; i < mojika_encoding_count(); i++) {
        const mojika_encoding *encoding = mojika_encoding_at(i);
        mojika_decoder decoder;
        mojika_encoder encoder;
        uint8_t coded[64], text[64];
        uint16_t units[64];
        size_t coded_length = 7, length = 7;
        mojika_progress progress;
        const char *name = mojika_name(encoding);
        CHECK(i >= 40 || mojika_for_label(name, strlen(name)) == encoding);
        if (is_left_out(i, encoding)) {
            CHECK(!mojika_is_single_byte(encoding) && mojika_bom(encoding, NULL) == NULL);
            left_out++;
            CHECK(!mojika_has_encoder(encoding));
            CHECK(mojika_decoder_init(&decoder, sizeof decoder, encoding, MOJIKA_BOM_KEEP) == MOJIKA_LEFT_OUT);
            CHECK(mojika_encoder_init(&encoder, sizeof encoder, encoding) == MOJIKA_LEFT_OUT);
            CHECK(mojika_to_utf8(encoding, 0, bytes("a"), 1, text, 64, MOJIKA_REPLACE, &length, &progress) == MOJIKA_LEFT_OUT);
            CHECK(length == 0 && progress.read == 0 && progress.written == 0);
            CHECK(mojika_to_utf16(encoding, 0, bytes("a"), 1, units, 64, 0, &length, NULL) == MOJIKA_LEFT_OUT);
            CHECK(mojika_from_utf8(encoding, bytes("a"), 1, coded, 64, 0, &length, NULL) == MOJIKA_LEFT_OUT);
            CHECK(mojika_count_malformed(encoding, 0, bytes("a"), 1) == UINT64_MAX);
            continue;
        }
        CHECK(mojika_decoder_init(&decoder, sizeof decoder, encoding, MOJIKA_BOM_KEEP) == MOJIKA_OK);
        if (encoding == mojika_replacement) {
            CHECK(mojika_encoder_init(&encoder, sizeof encoder, encoding) == MOJIKA_NO_ENCODER);
            continue;
        }
        CHECK(mojika_encoder_init(&encoder, sizeof encoder, encoding) == MOJIKA_OK);
        CHECK(mojika_from_utf8(encoding, bytes("A short"), 7, coded, 64, 0, &coded_length, NULL) == MOJIKA_OK);
        CHECK(mojika_to_utf8(encoding, MOJIKA_BOM_KEEP, coded, coded_length, text, 64, 0, &length, NULL) == MOJIKA_OK);
        CHECK(length == 7 && memcmp(text, "A short", 7) == 0);
    }
    CHECK(left_out > sizeof names / sizeof *names && left_out < mojika_encoding_count() / 4);
}

static void what_it_has(void) {
    uint8_t text[16];
    size_t length;
    CHECK(mojika_to_utf8(mojika_koi8_r, 0, bytes("\xF0\xD2"), 2, text, sizeof text, 0, &length, NULL) == MOJIKA_OK);
    CHECK(length == 4 && memcmp(text, "\xD0\x9F\xD1\x80", 4) == 0);
    CHECK(mojika_for_name("cp932", 5) == mojika_shift_jis && mojika_for_codepage(932) == mojika_shift_jis);
    CHECK(mojika_is_ascii_compatible(mojika_shift_jis) && mojika_is_stateful(mojika_iso_2022_jp));
    CHECK(strstr(mojika_status_text(MOJIKA_LEFT_OUT), "libmojika_small") != NULL);
}

static void functions_left_out(void) {
    mojika_ranking ranking;
    mojika_decision decision;
    CHECK(mojika_detect(bytes("a"), 1, NULL, &ranking) == MOJIKA_LEFT_OUT);
    CHECK(mojika_detector_new() == NULL && mojika_detector_feed(NULL, bytes("a"), 1) == MOJIKA_LEFT_OUT);
    CHECK(mojika_detector_finish(NULL, NULL, &ranking) == MOJIKA_LEFT_OUT && !mojika_detector_is_decided(NULL));
    mojika_detector_reset(NULL);
    mojika_detector_free(NULL);
    CHECK(mojika_sniff(bytes("a"), 1, NULL, &decision) == MOJIKA_LEFT_OUT && mojika_sniff_length(NULL) == 0);
    CHECK(strcmp(mojika_source_text(0), "unknown") == 0);
}

int main(void) {
    every_encoding();
    what_it_has();
    functions_left_out();
    return finish("libmojika_small");
}
