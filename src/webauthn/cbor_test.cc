// CBOR as authenticators write it: read back to the same bytes, or refused.
#include "webauthn/cbor.h"

#include <gtest/gtest.h>

#include <random>

namespace tollgate::webauthn {
namespace {

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

TEST(Cbor, ReadsWhatRfc8949Shows) {
  struct Case {
    std::string_view hex;
    CborKind kind;
    std::int64_t number;
    std::string_view bytes;
    std::size_t items;
  };
  constexpr Case kCases[] = {
      {"00", CborKind::kNumber, 0, "", 0},
      {"17", CborKind::kNumber, 23, "", 0},
      {"1818", CborKind::kNumber, 24, "", 0},
      {"1903e8", CborKind::kNumber, 1'000, "", 0},
      {"1a000f4240", CborKind::kNumber, 1'000'000, "", 0},
      {"1b000000e8d4a51000", CborKind::kNumber, 1'000'000'000'000, "", 0},
      {"20", CborKind::kNumber, -1, "", 0},
      {"3903e7", CborKind::kNumber, -1'000, "", 0},
      {"f4", CborKind::kSimple, 20, "", 0},
      {"f6", CborKind::kSimple, 22, "", 0},
      {"4401020304", CborKind::kBytes, 0, "\1\2\3\4", 0},
      {"6449455446", CborKind::kText, 0, "IETF", 0},
      {"83010203", CborKind::kList, 0, "", 3},
      {"a201020304", CborKind::kMap, 0, "", 4},
      {"a26161016162820203", CborKind::kMap, 0, "", 4},
  };
  for (const Case& each : kCases) {
    const std::string text = bytes_of(each.hex);
    const auto read = read_cbor(text + "rest");
    ASSERT_TRUE(read) << each.hex;
    EXPECT_EQ(read->second, text.size()) << each.hex;
    EXPECT_EQ(read->first.kind, each.kind) << each.hex;
    EXPECT_EQ(read->first.number, each.number) << each.hex;
    EXPECT_EQ(read->first.bytes, each.bytes) << each.hex;
    EXPECT_EQ(read->first.items.size(), each.items) << each.hex;
    EXPECT_EQ(write_cbor(read->first), text) << each.hex;
    for (std::size_t size = 0; size < text.size(); ++size)
      EXPECT_FALSE(read_cbor(text.substr(0, size))) << each.hex << " cut at " << size;
  }
}

TEST(Cbor, RefusesWhatIsNotOfItsPart) {
  struct Case {
    std::string_view name, hex;
  };
  constexpr Case kCases[] = {
      {"nothing", ""},
      {"a small number in two bytes", "1817"},
      {"a number in three bytes that fits two", "1900ff"},
      {"a number in five bytes that fits three", "1a0000ffff"},
      {"a number in nine bytes that fits five", "1b00000000ffffffff"},
      {"a number beyond 63 bits", "1bffffffffffffffff"},
      {"bytes without an end", "5f42010243030405ff"},
      {"a list without an end", "9fff"},
      {"a map without an end", "bfff"},
      {"a length that was never given", "5c"},
      {"a tag", "c074"},
      {"a half number", "f90000"},
      {"undefined", "f7"},
      {"a simple value in two bytes", "f8ff"},
      {"the sign of an end", "ff"},
      {"bytes that go beyond the end", "4401"},
      {"bytes of 2^63", "5b8000000000000000"},
      {"a list of 2^60", "9b1000000000000000"},
      {"a map of 2^63", "bb8000000000000000"},
      {"a text that is no UTF-8", "62c328"},
      {"a key that stands twice", "a201000100"},
      {"a text for a key that stands twice", "a2616100616100"},
      {"a list for a key", "a18000"},
      {"bytes for a key", "a14000"},
      {"too deep", "8181818180"},
  };
  for (const Case& each : kCases) {
    const auto read = read_cbor(bytes_of(each.hex));
    ASSERT_FALSE(read) << each.name;
    EXPECT_EQ(read.error().code, "presence-refused") << each.name;
  }
  EXPECT_FALSE(read_cbor(std::string(kMaxCborBytes + 1, '\0'))) << "too long";
  EXPECT_FALSE(read_cbor("\x99\x02\x58" + std::string(600, '\0'))) << "too many values";
}

TEST(Cbor, ChangedBytesAreRefusedOrReadBack) {
  std::mt19937 random(7);
  const std::string whole = bytes_of(
      "a3636174744863666d74646e6f6e6568617574684461746143010203"
      "20820102");
  for (int i = 0; i < 20'000; ++i) {
    std::string text = whole;
    for (int n = 0; n < 3; ++n) text[random() % text.size()] = static_cast<char>(random());
    const auto read = read_cbor(text);
    if (read) {
      EXPECT_EQ(write_cbor(read->first), text.substr(0, read->second));
    }
  }
}

}  // namespace
}  // namespace tollgate::webauthn
