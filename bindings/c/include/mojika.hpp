// mojika for C++17 and later: spans for pointers with lengths, no exceptions and no RTTI. Only Detector allocates. mojika.h
// documents the functions; its functions for text in memory have no counterparts here.
//
// SPDX-License-Identifier: (MIT OR Apache-2.0) AND BSD-3-Clause
#ifndef MOJIKA_HPP
#define MOJIKA_HPP

#include "mojika.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

namespace mojika {

#if defined(__cpp_lib_span)
template <typename T>
using span = std::span<T>;
#else
// The part of std::span that is needed here, for C++17.
template <typename T>
class span {
    // Containers of T, or of T without const.
    template <typename Container>
    using fits = std::enable_if_t<std::is_convertible_v<
        std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[], T (*)[]>>;

public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <typename Container, typename = fits<Container>>
    constexpr span(Container &container) noexcept : data_(container.data()), size_(container.size()) {}
    template <typename Container, typename = fits<const Container>>
    constexpr span(const Container &container) noexcept : data_(container.data()), size_(container.size()) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr span subspan(std::size_t from) const noexcept { return {data_ + from, size_ - from}; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

using Bytes = span<const std::uint8_t>;

enum class Status : int {
    Ok = MOJIKA_OK,
    OutputFull = MOJIKA_OUTPUT_FULL,
    Malformed = MOJIKA_MALFORMED,
    Unmappable = MOJIKA_UNMAPPABLE,
    Incomplete = MOJIKA_INCOMPLETE,
    InvalidArgument = MOJIKA_INVALID_ARGUMENT,
    NoEncoder = MOJIKA_NO_ENCODER,
    BadMemory = MOJIKA_BAD_MEMORY,
    Contradiction = MOJIKA_CONTRADICTION,
    LeftOut = MOJIKA_LEFT_OUT,
};

inline const char *text(Status status) noexcept { return mojika_status_text(static_cast<int>(status)); }

enum class Bom : int {
    Sniff = MOJIKA_BOM_SNIFF,
    Remove = MOJIKA_BOM_REMOVE,
    Keep = MOJIKA_BOM_KEEP,
};

// The report of a call: `progress.read`, `progress.written` and the place of an error.
struct Result {
    Status status;
    mojika_progress progress;
    explicit operator bool() const noexcept { return status == Status::Ok; }
};

// The report of a call on whole input; `length` is the length of the whole output.
struct WholeResult {
    Status status;
    std::size_t length;
    mojika_progress progress;
    explicit operator bool() const noexcept { return status == Status::Ok; }
};

namespace detail {
inline const std::uint8_t *bytes(std::string_view text) noexcept {
    return reinterpret_cast<const std::uint8_t *>(text.data());
}
// UTF-16 and UTF-32 of C++ have the size and the alignment of C's, and reach the library as pointers only.
static_assert(sizeof(char16_t) == sizeof(std::uint16_t) && alignof(char16_t) == alignof(std::uint16_t));
static_assert(sizeof(char32_t) == sizeof(std::uint32_t) && alignof(char32_t) == alignof(std::uint32_t));
inline const std::uint16_t *units(std::u16string_view text) noexcept {
    return reinterpret_cast<const std::uint16_t *>(text.data());
}
inline const std::uint32_t *units(std::u32string_view text) noexcept {
    return reinterpret_cast<const std::uint32_t *>(text.data());
}
inline std::uint16_t *units(span<char16_t> text) noexcept { return reinterpret_cast<std::uint16_t *>(text.data()); }
inline std::uint32_t *units(span<char32_t> text) noexcept { return reinterpret_cast<std::uint32_t *>(text.data()); }
inline std::uint8_t *units(span<char> text) noexcept { return reinterpret_cast<std::uint8_t *>(text.data()); }
}  // namespace detail

// An encoding, or none: as cheap to copy as a pointer.
class Encoding {
public:
    constexpr Encoding() noexcept = default;
    constexpr Encoding(const mojika_encoding *encoding) noexcept : encoding_(encoding) {}

    static Encoding for_label(std::string_view label) noexcept {
        return mojika_for_label(label.data(), label.size());
    }
    static Encoding for_name(std::string_view name) noexcept { return mojika_for_name(name.data(), name.size()); }
    static Encoding for_codepage(std::uint32_t number) noexcept { return mojika_for_codepage(number); }
    static Encoding for_bom(Bytes bytes, std::size_t *length = nullptr) noexcept {
        return mojika_for_bom(bytes.data(), bytes.size(), length);
    }

    // All encodings by place; none beyond the last.
    static std::size_t count() noexcept { return mojika_encoding_count(); }
    static Encoding at(std::size_t index) noexcept { return mojika_encoding_at(index); }

    constexpr const mojika_encoding *get() const noexcept { return encoding_; }
    constexpr explicit operator bool() const noexcept { return encoding_ != nullptr; }
    friend constexpr bool operator==(Encoding a, Encoding b) noexcept { return a.encoding_ == b.encoding_; }
    friend constexpr bool operator!=(Encoding a, Encoding b) noexcept { return !(a == b); }

    std::string_view name() const noexcept {
        const char *name = mojika_name(encoding_);
        return name == nullptr ? std::string_view() : std::string_view(name);
    }
    // Empty beyond the last label.
    std::string_view label_at(std::size_t index) const noexcept {
        std::size_t length = 0;
        const char *label = mojika_label_at(encoding_, index, &length);
        return std::string_view(label, length);
    }
    Bytes bom() const noexcept {
        std::size_t length = 0;
        const std::uint8_t *bom = mojika_bom(encoding_, &length);
        return Bytes(bom, length);
    }
    Encoding output_encoding() const noexcept { return mojika_output_encoding(encoding_); }
    std::uint32_t codepage() const noexcept { return mojika_codepage(encoding_); }
    std::size_t code_unit_length() const noexcept { return mojika_code_unit_length(encoding_); }
    bool is_ascii_compatible() const noexcept { return mojika_is_ascii_compatible(encoding_) != 0; }
    bool is_single_byte() const noexcept { return mojika_is_single_byte(encoding_) != 0; }
    bool is_stateful() const noexcept { return mojika_is_stateful(encoding_) != 0; }
    bool has_encoder() const noexcept { return mojika_has_encoder(encoding_) != 0; }

    // Whole input; with no output, a question for the length.
    WholeResult decode(Bytes src, span<char> dst, unsigned flags = 0, Bom bom = Bom::Sniff) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_to_utf8(encoding_, static_cast<int>(bom), src.data(), src.size(), detail::units(dst),
                                  dst.size(), flags, length, progress);
        });
    }
    WholeResult decode(Bytes src, span<char16_t> dst, unsigned flags = 0, Bom bom = Bom::Sniff) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_to_utf16(encoding_, static_cast<int>(bom), src.data(), src.size(), detail::units(dst),
                                   dst.size(), flags, length, progress);
        });
    }
    WholeResult decode(Bytes src, span<char32_t> dst, unsigned flags = 0, Bom bom = Bom::Sniff) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_to_utf32(encoding_, static_cast<int>(bom), src.data(), src.size(), detail::units(dst),
                                   dst.size(), flags, length, progress);
        });
    }
    WholeResult encode(std::string_view src, span<std::uint8_t> dst, unsigned flags = 0) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_from_utf8(encoding_, detail::bytes(src), src.size(), dst.data(), dst.size(), flags, length,
                                    progress);
        });
    }
    WholeResult encode(std::u16string_view src, span<std::uint8_t> dst, unsigned flags = 0) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_from_utf16(encoding_, detail::units(src), src.size(), dst.data(), dst.size(), flags, length,
                                     progress);
        });
    }
    WholeResult encode(std::u32string_view src, span<std::uint8_t> dst, unsigned flags = 0) const noexcept {
        return whole([&](std::size_t *length, mojika_progress *progress) {
            return mojika_from_utf32(encoding_, detail::units(src), src.size(), dst.data(), dst.size(), flags, length,
                                     progress);
        });
    }
    std::uint64_t count_malformed(Bytes src, Bom bom = Bom::Sniff) const noexcept {
        return mojika_count_malformed(encoding_, static_cast<int>(bom), src.data(), src.size());
    }

private:
    template <typename Call>
    static WholeResult whole(Call call) noexcept {
        WholeResult result = {};
        result.status = static_cast<Status>(call(&result.length, &result.progress));
        return result;
    }

    const mojika_encoding *encoding_ = nullptr;
};

// A streaming decoder. Copies are decoders of their own.
class Decoder {
public:
    // A decoder without an encoding reports Status::InvalidArgument.
    explicit Decoder(Encoding encoding, Bom bom = Bom::Sniff) noexcept {
        is_made_ = mojika_decoder_init(&decoder_, sizeof decoder_, encoding.get(), static_cast<int>(bom)) == MOJIKA_OK;
    }

    Result decode(Bytes src, span<char> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_decode_utf8(get(), src.data(), src.size(), detail::units(dst),
                                                               dst.size(), flags, &result.progress));
        return result;
    }
    Result decode(Bytes src, span<char16_t> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_decode_utf16(get(), src.data(), src.size(), detail::units(dst),
                                                                dst.size(), flags, &result.progress));
        return result;
    }
    Result decode(Bytes src, span<char32_t> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_decode_utf32(get(), src.data(), src.size(), detail::units(dst),
                                                                dst.size(), flags, &result.progress));
        return result;
    }
    void reset() noexcept { mojika_decoder_reset(get()); }
    Encoding encoding() const noexcept { return mojika_decoder_encoding(get()); }
    std::uint64_t position() const noexcept { return mojika_decoder_position(get()); }
    std::size_t incomplete_length() const noexcept { return mojika_decoder_incomplete_length(get()); }
    std::size_t max_utf8_length(std::size_t length) const noexcept {
        return mojika_decoder_max_utf8_length(get(), length);
    }
    std::size_t max_utf16_length(std::size_t length) const noexcept {
        return mojika_decoder_max_utf16_length(get(), length);
    }

private:
    mojika_decoder *get() noexcept { return is_made_ ? &decoder_ : nullptr; }
    const mojika_decoder *get() const noexcept { return is_made_ ? &decoder_ : nullptr; }

    mojika_decoder decoder_;
    bool is_made_ = false;
};

// A streaming encoder. Copies are encoders of their own.
class Encoder {
public:
    // An encoder to an encoding that has none reports Status::InvalidArgument.
    explicit Encoder(Encoding encoding) noexcept {
        is_made_ = mojika_encoder_init(&encoder_, sizeof encoder_, encoding.get()) == MOJIKA_OK;
    }

    Result encode(std::string_view src, span<std::uint8_t> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_encode_utf8(get(), detail::bytes(src), src.size(), dst.data(),
                                                               dst.size(), flags, &result.progress));
        return result;
    }
    Result encode(std::u16string_view src, span<std::uint8_t> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_encode_utf16(get(), detail::units(src), src.size(), dst.data(),
                                                                dst.size(), flags, &result.progress));
        return result;
    }
    Result encode(std::u32string_view src, span<std::uint8_t> dst, unsigned flags) noexcept {
        Result result = {};
        result.status = static_cast<Status>(mojika_encode_utf32(get(), detail::units(src), src.size(), dst.data(),
                                                                dst.size(), flags, &result.progress));
        return result;
    }
    void reset() noexcept { mojika_encoder_reset(get()); }
    Encoding encoding() const noexcept { return mojika_encoder_encoding(get()); }
    bool is_complete() const noexcept { return mojika_encoder_is_complete(get()) != 0; }
    std::size_t max_length_from_utf8(std::size_t length) const noexcept {
        return mojika_encoder_max_length_from_utf8(get(), length);
    }
    std::size_t max_length_from_utf16(std::size_t length) const noexcept {
        return mojika_encoder_max_length_from_utf16(get(), length);
    }
    std::size_t max_length_from_utf8_replacing(std::size_t length) const noexcept {
        return mojika_encoder_max_length_from_utf8_replacing(get(), length);
    }
    std::size_t max_length_from_utf16_replacing(std::size_t length) const noexcept {
        return mojika_encoder_max_length_from_utf16_replacing(get(), length);
    }

private:
    mojika_encoder *get() noexcept { return is_made_ ? &encoder_ : nullptr; }
    const mojika_encoder *get() const noexcept { return is_made_ ? &encoder_ : nullptr; }

    mojika_encoder encoder_;
    bool is_made_ = false;
};

// A decision on a document's encoding.
struct Sniffed {
    Status status;
    mojika_decision decision;
    Encoding encoding() const noexcept { return decision.encoding; }
    explicit operator bool() const noexcept { return status == Status::Ok; }
};

inline Sniffed sniff(Bytes bytes, const mojika_hints &hints = {}) noexcept {
    Sniffed sniffed = {};
    sniffed.status = static_cast<Status>(mojika_sniff(bytes.data(), bytes.size(), &hints, &sniffed.decision));
    return sniffed;
}

// Guesses at the encoding of text.
struct Detected {
    Status status;
    mojika_ranking ranking;
    // The best guess, or none.
    Encoding encoding() const noexcept { return ranking.count == 0 ? Encoding() : Encoding(ranking.guesses[0].encoding); }
    explicit operator bool() const noexcept { return status == Status::Ok; }
};

inline Detected detect(Bytes bytes, const mojika_detect_hints &hints = {}) noexcept {
    Detected detected = {};
    detected.status = static_cast<Status>(mojika_detect(bytes.data(), bytes.size(), &hints, &detected.ranking));
    return detected;
}

// A detector that is fed chunks. It is on the heap, and is moved, not copied.
class Detector {
public:
    Detector() noexcept : detector_(mojika_detector_new()) {}
    Detector(Detector &&other) noexcept : detector_(std::exchange(other.detector_, nullptr)) {}
    Detector &operator=(Detector &&other) noexcept {
        std::swap(detector_, other.detector_);
        return *this;
    }
    ~Detector() { mojika_detector_free(detector_); }

    Status feed(Bytes bytes) noexcept {
        return static_cast<Status>(mojika_detector_feed(detector_, bytes.data(), bytes.size()));
    }
    void reset() noexcept { mojika_detector_reset(detector_); }
    bool is_decided() const noexcept { return mojika_detector_is_decided(detector_) != 0; }
    Detected finish(const mojika_detect_hints &hints = {}) const noexcept {
        Detected detected = {};
        detected.status = static_cast<Status>(mojika_detector_finish(detector_, &hints, &detected.ranking));
        return detected;
    }

private:
    mojika_detector *detector_;
};

}  // namespace mojika

#endif
