// One link of the audit's chain: a row's digest goes over the digest before it and over all that is
// kept of the row, texts and not the numbers by which a store knows them.
// A text that stands in many rows goes in by its own digest, so that a link costs no more than what
// is the row's own; which texts those are is part of the link. A row's number is its place.
// INVARIANT: every piece goes in with its length, so that no two rows write the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/digest.h"

namespace tollgate {

// What is named in a row, in the order in which it goes in: kind, session, agent, tool, verdict,
// rule, question, by, origin.
inline constexpr std::size_t kLinkNames = 9;
inline constexpr std::array<std::string_view, kLinkNames> kLinkNameNames = {
    "kind", "session", "agent", "tool", "verdict", "rule", "question", "by", "origin"};

// What the first row follows: it belongs to one store alone.
std::optional<Digest> genesis_of(std::string_view store);

// Gathers a link piece by piece, in its order: begin(), every name, then the record's text.
class LinkText {
 public:
  void begin(const Digest& before, std::int64_t at);
  void name(std::string_view text);
  void own(std::string_view text);  // of the record: what is this row's alone
  void shared(const Digest& text);  // and what others have too

  std::optional<Digest> digest() const { return sha256(bytes_); }

 private:
  void sized(std::string_view text);

  std::string bytes_;
};

// A text that stands in many rows, with its digest.
struct SharedPiece {
  std::string text;
  Digest digest;
};

// A row as it was kept: offline, from a store or from an export.
struct LoggedRow {
  struct Piece {
    std::string own;
    std::shared_ptr<const SharedPiece> shared;  // in place of `own`, where it is there
  };

  std::int64_t number = 0;
  std::int64_t at = 0;
  std::array<std::string, kLinkNames> names;
  std::vector<Piece> pieces;
  Digest digest;        // as it was kept with it
  std::string problem;  // why it cannot be read, "" for nothing; then the rest may be missing

  const std::string& kind() const& { return names[0]; }
  std::string record() const;  // the whole text
};

// What the digest of the row would have to be. Nothing where the library fails.
std::optional<Digest> link_of(const Digest& before, const LoggedRow& row);

}  // namespace tollgate
