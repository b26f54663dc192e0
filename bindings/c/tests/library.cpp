// Tests of mojika.hpp, compiled as C++17 and C++20 without exceptions.
#include "mojika.hpp"
#include "check.h"

#include <cstring>
#include <string>
#include <vector>

int main() {
    using namespace mojika;
    const Encoding sjis = Encoding::for_label("sjis");
    CHECK(sjis && sjis == Encoding(mojika_shift_jis) && sjis.name() == "Shift_JIS" && sjis.codepage() == 932);
    CHECK(!Encoding::for_name("nothing") && Encoding::for_codepage(1251).is_single_byte());
    CHECK(Encoding().name().empty() && !Encoding().has_encoder());

    const std::vector<std::uint8_t> source = {0x95, 0xB6, 0x8E, 0x9A};
    const WholeResult asked = sjis.decode(source, span<char>());
    CHECK(asked.status == Status::OutputFull && asked.length == 6);
    std::string text(asked.length, '\0');
    CHECK(sjis.decode(source, text) && text == "\xE6\x96\x87\xE5\xAD\x97");
    std::vector<std::uint8_t> bytes(16);
    const WholeResult encoded = sjis.encode(std::string_view(text), bytes);
    CHECK(encoded && encoded.length == 4 && std::memcmp(bytes.data(), source.data(), 4) == 0);
    CHECK(sjis.encode(u"\u6587", bytes).length == 2);

    Decoder decoder(sjis);
    std::u16string units(8, u'\0');
    Result result = decoder.decode(Bytes(source.data(), 3), units, MOJIKA_LEAVE_INCOMPLETE);
    CHECK(result.status == Status::Incomplete && result.progress.read == 2 && units[0] == 0x6587);
    Decoder copy = decoder;
    CHECK(copy.decode(Bytes(source.data() + 2, 2), units, MOJIKA_LAST) && units[0] == 0x5B57);
    std::u32string scalars(8, U'\0');
    CHECK(decoder.decode(Bytes(source.data() + 2, 2), scalars, MOJIKA_LAST) && scalars[0] == 0x5B57);
    CHECK(Decoder(Encoding()).decode(source, text, 0).status == Status::InvalidArgument);
    CHECK(decoder.max_utf8_length(2) >= 3 && decoder.encoding() == sjis);

    Encoder encoder(Encoding::for_label("koi8-r"));
    CHECK(encoder.encode("\xE2\x86\x92", bytes, MOJIKA_LAST).status == Status::Unmappable);
    CHECK(encoder.encode(U"\x0434", bytes, MOJIKA_LAST) && bytes[0] == 0xC4 && encoder.is_complete());
    CHECK(Encoder(Encoding(mojika_replacement)).encode("a", bytes, 0).status == Status::InvalidArgument);
    CHECK(std::strlen(mojika::text(Status::Malformed)) > 0);
    CHECK(encoder.encoding() == Encoding::for_label("koi8-r") && encoder.max_length_from_utf16(2) >= 2);
    CHECK(encoder.max_length_from_utf8_replacing(3) >= 7 && encoder.max_length_from_utf16_replacing(1) >= 7);

    CHECK(Encoding::at(0) && !Encoding::at(Encoding::count()) && sjis.label_at(0) == "csshiftjis" && sjis.label_at(99).empty());
    CHECK(Encoding(mojika_utf_16le).bom().size() == 2 && sjis.bom().size() == 0);
    CHECK(Encoding(mojika_utf_16le).output_encoding() == Encoding(mojika_utf_8));
    CHECK(sjis.decode(source, scalars).length == 2 && scalars[1] == 0x5B57 && sjis.encode(U"\x6587", bytes).length == 2);
    CHECK(sjis.count_malformed(Bytes(source.data(), 3)) == 1);
    CHECK(decoder.decode(Bytes(source.data(), 3), text, 0) && decoder.position() == 3 && decoder.incomplete_length() == 1);

    const std::vector<std::uint8_t> page = {0xEF, 0xBB, 0xBF, 'a'}, cyrillic = {0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, ',', ' ', 0xEC, 0xE8, 0xF0};
    const Sniffed sniffed = sniff(page);
    CHECK(sniffed && sniffed.encoding() == Encoding(mojika_utf_8) && sniffed.decision.bom_length == 3);
    mojika_hints hints = {};
    hints.context = 77;
    CHECK(sniff(page, hints).status == Status::InvalidArgument);
    CHECK(detect(cyrillic).encoding() == Encoding(mojika_windows_1251) && !detect(Bytes()).encoding());
    Detector detector;
    CHECK(detector.feed(cyrillic) == Status::Ok && !detector.is_decided());
    Detector moved(std::move(detector));
    CHECK(moved.finish().encoding() == Encoding(mojika_windows_1251) && detector.feed(cyrillic) == Status::InvalidArgument);
    detector = std::move(moved);
    detector.reset();
    CHECK(!detector.finish().encoding());
    return finish("mojika.hpp");
}
