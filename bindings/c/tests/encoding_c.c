/* Tests of the functions of encoding_c and encoding_c_mem, as a C program sees them. */
#include "encoding_rs.h"
#include "encoding_rs_mem.h"
#include "check.h"

#include <string.h>

static const uint8_t *bytes(const char *text) { return (const uint8_t *)text; }

int main(void) {
    uint8_t name[ENCODING_NAME_MAX_LENGTH], out[64];
    char16_t units[64];
    char text[64];
    size_t read, written;
    bool replaced;
    Decoder *decoder;
    Encoder *encoder;
    CHECK(encoding_for_label(bytes(" sjis "), 6) == SHIFT_JIS_ENCODING);
    CHECK(encoding_for_label(bytes("hz-gb-2312"), 10) == REPLACEMENT_ENCODING);
    CHECK(encoding_for_label_no_replacement(bytes("hz-gb-2312"), 10) == NULL);
    read = 3;
    CHECK(encoding_for_bom(bytes("\xEF\xBB\xBF"), &read) == UTF_8_ENCODING && read == 3);
    read = 1;
    CHECK(encoding_for_bom(bytes("a"), &read) == NULL && read == 0);
    CHECK(encoding_name(X_USER_DEFINED_ENCODING, name) == 14 && memcmp(name, "x-user-defined", 14) == 0);
    CHECK(encoding_output_encoding(UTF_16LE_ENCODING) == UTF_8_ENCODING && encoding_can_encode_everything(UTF_16LE_ENCODING));
    CHECK(encoding_is_single_byte(KOI8_U_ENCODING) && !encoding_is_ascii_compatible(ISO_2022_JP_ENCODING));

    decoder = encoding_new_decoder(SHIFT_JIS_ENCODING);
    CHECK(decoder_encoding(decoder) == SHIFT_JIS_ENCODING && decoder_max_utf8_buffer_length(decoder, 3) >= 9);
    read = 4, written = sizeof out;
    CHECK(decoder_decode_to_utf8(decoder, bytes("\x95\xB6\xFF" "a"), &read, out, &written, true, &replaced) == INPUT_EMPTY);
    CHECK(read == 4 && written == 7 && replaced && memcmp(out, "\xE6\x96\x87\xEF\xBF\xBD" "a", 7) == 0);
    encoding_new_decoder_without_bom_handling_into(EUC_KR_ENCODING, decoder);
    read = 5, written = 64;
    /* The length of the sequence is in the lowest 8 bits. */
    CHECK(decoder_decode_to_utf16_without_replacement(decoder, bytes("ab\xFF" "cd"), &read, units, &written, true) == 1);
    CHECK(read == 3 && written == 2 && units[1] == 'b');
    read = 2, written = 1;
    CHECK(decoder_decode_to_utf16_without_replacement(decoder, bytes("cd"), &read, units, &written, true) == OUTPUT_FULL);
    CHECK(decoder_latin1_byte_compatible_up_to(decoder, bytes("ab\xFF"), 3) == 2);
    decoder_free(decoder);

    encoder = encoding_new_encoder(ISO_2022_JP_ENCODING);
    read = 3, written = sizeof out;
    CHECK(encoder_encode_from_utf8(encoder, bytes("\xE6\x96\x87"), &read, out, &written, false, &replaced) == INPUT_EMPTY);
    CHECK(encoder_has_pending_state(encoder) && !replaced && encoder_encoding(encoder) == ISO_2022_JP_ENCODING);
    encoding_new_encoder_into(WINDOWS_1252_ENCODING, encoder);
    units[0] = 0xE9, units[1] = 0x2192;
    read = 2, written = sizeof out;
    CHECK(encoder_encode_from_utf16_without_replacement(encoder, units, &read, out, &written, true) == 0x2192);
    CHECK(read == 2 && written == 1 && out[0] == 0xE9);
    encoder_free(encoder);

    CHECK(encoding_utf8_valid_up_to(bytes("a\xFF"), 2) == 1 && encoding_ascii_valid_up_to(bytes("a\xC3"), 2) == 1);
    CHECK(encoding_iso_2022_jp_ascii_valid_up_to(bytes("a\x1B"), 2) == 1);
    CHECK(encoding_mem_is_ascii("abc", 3) && encoding_mem_is_utf8_latin1("\xC3\xA9", 2) && !encoding_mem_is_str_latin1("\xE2\x82\xAC", 3));
    CHECK(encoding_mem_check_utf8_for_latin1_and_bidi("\xD7\x90", 2) == Bidi);
    CHECK(encoding_mem_check_str_for_latin1_and_bidi("\xE2\x82\xAC", 3) == LeftToRight);
    CHECK(encoding_mem_convert_utf8_to_utf16("a\xC3\xA9", 3, units, 4) == 2 && units[1] == 0xE9);
    CHECK(encoding_mem_convert_utf8_to_utf16_without_replacement("a\xFF", 2, units, 3) == SIZE_MAX);
    units[0] = 0xD800;
    encoding_mem_ensure_utf16_validity(units, 1);
    CHECK(units[0] == 0xFFFD && encoding_mem_convert_utf16_to_utf8(units, 1, text, 3) == 3);
    read = 2, written = 2;
    encoding_mem_convert_latin1_to_utf8_partial("\xE9\xE9", &read, text, &written);
    CHECK(read == 1 && written == 2);
    CHECK(encoding_mem_is_char_bidi(0x5D0) && !encoding_mem_is_char_bidi(0xD800));
    return finish("encoding_c");
}
