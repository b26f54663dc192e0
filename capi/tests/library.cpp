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
    return finish("mojika.hpp");
}
