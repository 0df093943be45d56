// SHA-256 and HMAC-SHA-256 as the record uses them: 32 bytes, written as hexadecimal digits.
// OpenSSL does the work; nothing else of this room knows it.
// SAFETY: where the library fails there is no digest, and whoever wanted one keeps nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tollgate {

struct Digest {
  std::array<std::uint8_t, 32> bytes{};

  // The bytes as a text, as long as this lives.
  std::string_view view() const& {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string_view view() const&& = delete;

  bool operator==(const Digest&) const = default;
};

std::optional<Digest> sha256(std::string_view bytes);
std::optional<Digest> hmac_sha256(std::string_view key, std::string_view bytes);

std::string text_of(const Digest& digest);  // 64 digits
// Nothing where it is not 64 digits, not 32 bytes.
std::optional<Digest> digest_from(std::string_view digits);
std::optional<Digest> digest_of_bytes(std::string_view bytes);

}  // namespace tollgate
