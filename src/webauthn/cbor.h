// A part of CBOR (RFC 8949), as authenticators write it (CTAP2's canonical form): whole numbers,
// bytes, texts, lists, maps and true/false/null. Nothing else is read.
// A value is a copy and holds no view of what it was read from.
// SAFETY: every length is checked against what is left before anything is taken or kept; one text
// has one reading: shortest forms alone, no key twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tollgate::webauthn {

// LIMIT: of a text, of how deep values lie in each other, and of all values in it.
inline constexpr std::size_t kMaxCborBytes = 16u << 10;
inline constexpr int kMaxCborDepth = 4;
inline constexpr std::size_t kMaxCborValues = 512;

enum class CborKind : std::uint8_t { kNumber, kBytes, kText, kList, kMap, kSimple };

struct Cbor {
  CborKind kind = CborKind::kSimple;
  std::int64_t number = 0;  // kSimple: 20 false, 21 true, 22 null
  std::string bytes;        // kBytes, kText
  std::vector<Cbor> items;  // kList; kMap: a key and its value by turns

  // The value of a key in a map, or null.
  const Cbor* find(std::int64_t key) const&;
  const Cbor* find(std::string_view key) const&;
  const Cbor* find(std::int64_t key) const&& = delete;
  const Cbor* find(std::string_view key) const&& = delete;
};

// One value at the beginning of a text, and how many bytes it took. Error: presence-refused.
Result<std::pair<Cbor, std::size_t>> read_cbor(std::string_view text);

// What writes to the same bytes again: for tests, and for whoever makes up an authenticator.
std::string write_cbor(const Cbor& value);

Cbor cbor_number(std::int64_t number);
Cbor cbor_bytes(std::string bytes);
Cbor cbor_text(std::string text);
Cbor cbor_map(std::vector<Cbor> keys_and_values);

}  // namespace tollgate::webauthn
