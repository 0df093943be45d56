// The compiled policy's layout: fixed-size records, offsets into one pool of text.
// Everything is little-endian and 8-byte aligned, and is read in place, from memory or a map.
// INVARIANT: Policy::open checks every offset, count and enumerator before anyone reads by them.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace tollgate::flat {

inline constexpr std::uint64_t kMagic = 0x3130544154454754;  // "TGETAT01"
// Raised whenever the layout or the meaning of a field changes.
inline constexpr std::uint32_t kVersion = 6;
inline constexpr std::uint32_t kNil = 0xffffffff;

struct Text {
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
};

// A run of records: where it begins in the block, and how many there are.
struct Section {
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

struct RuleRecord {
  Text text;  // as written
  Text specifier;
  Text tool_name;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t extra = kNil;  // index of an ExtraRecord
  std::uint16_t file = 0;      // index into the files
  std::uint16_t kinds = 0;
  std::uint16_t agent = 0;  // 0: every agent; else index of the agent plus one
  std::uint8_t verdict = 0;
  std::uint8_t tool_kind = 0;
  std::uint8_t specifier_kind = 0;
  std::uint8_t source = 0;
  std::uint16_t reserved = 0;
};

// What few rules have.
struct ExtraRecord {
  Text reason;
  Text approve;  // format_quorums() has its form
  std::int64_t expires = 0;
  std::uint32_t zone = kNil;  // index of a ZoneRecord when the rule has hours
  std::uint16_t from = 0;
  std::uint16_t to = 0;
  std::uint8_t days = 0;
  std::uint8_t answer = 0xff;
  std::uint8_t on_timeout = 0xff;
  std::uint8_t reserved = 0;
  std::uint32_t padding = 0;
};

struct ZoneRecord {
  std::uint32_t first = 0;  // in the offsets section
  std::uint32_t count = 0;
};

struct OffsetRecord {
  std::int64_t from = 0;
  std::int32_t seconds = 0;
  std::int32_t reserved = 0;
};

// One entry of a key's list. `next` always points forward, so a list cannot loop.
struct Posting {
  std::uint32_t rule = 0;
  std::uint32_t next = kNil;
};

struct Slot {
  std::uint32_t key = 0;
  std::uint32_t first = kNil;  // kNil: empty
};

// Rules that deny or ask stand first, ordered by kind of specifier; allow rules after them.
inline constexpr std::size_t kSpecifierKinds = 8;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t size = 0;  // of the whole block
  Section text;            // bytes
  Section rules;
  Section extras;
  Section zones;
  Section offsets;
  Section files;  // Text records
  Section postings;
  Section slots;  // a power of two, at least one empty
  Section meta;   // bytes: agents, declared tools, breakage
  std::array<std::uint32_t, kSpecifierKinds + 1> tight = {};  // ends of the runs of deny/ask rules
  std::array<std::uint32_t, 4> path_depths =
      {};  // per anchor: bit k when a prefix of k components is a key
  // Per anchor, a bit for each letter that a prefix begins with: of those that are keys, and of
  // every deny or ask about paths, where an empty prefix has all of them.
  std::array<std::uint32_t, 4> key_starts = {};
  std::array<std::uint32_t, 4> tight_starts = {};
  std::uint32_t features = 0;  // Feature bits: which sorts of key exist at all
  std::uint32_t walks = 0;     // 1 when a deny or ask needs to look below directories
  std::uint32_t floats = 0;    // 1 when a deny or ask is about a name at any depth
};

static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) % 8 == 0);
static_assert(sizeof(RuleRecord) % 4 == 0 && sizeof(ExtraRecord) % 8 == 0);

}  // namespace tollgate::flat
