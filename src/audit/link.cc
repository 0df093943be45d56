// The bytes of a link: numbers are eight bytes, the lowest first.
// INVARIANT: what stands here stands in every store and export; another form is another version,
// with a genesis of its own.
#include "audit/link.h"

#include <array>

namespace tollgate {
namespace {

constexpr std::string_view kGenesis = "tollgate audit 1\n";
constexpr char kOwn = 0;
constexpr char kShared = 1;

void put_number(std::string& out, std::uint64_t number) {
  std::array<char, 8> bytes;
  for (char& byte : bytes) {
    byte = static_cast<char>(number & 0xff);
    number >>= 8;
  }
  out.append(bytes.data(), bytes.size());
}

}  // namespace

std::optional<Digest> genesis_of(std::string_view store) {
  return sha256(std::string(kGenesis) + std::string(store));
}

void LinkText::begin(const Digest& before, std::int64_t at) {
  bytes_ = before.view();
  put_number(bytes_, static_cast<std::uint64_t>(at));
}

void LinkText::name(std::string_view text) { sized(text); }

void LinkText::own(std::string_view text) {
  if (text.empty()) return;
  bytes_ += kOwn;
  sized(text);
}

void LinkText::shared(const Digest& text) {
  bytes_ += kShared;
  bytes_ += text.view();
}

void LinkText::sized(std::string_view text) {
  put_number(bytes_, text.size());
  bytes_ += text;
}

std::string LoggedRow::record() const {
  std::string text;
  for (const Piece& piece : pieces) text += piece.shared ? piece.shared->text : piece.own;
  return text;
}

std::optional<Digest> link_of(const Digest& before, const LoggedRow& row) {
  LinkText link;
  link.begin(before, row.at);
  for (const std::string& name : row.names) link.name(name);
  for (const LoggedRow::Piece& piece : row.pieces)
    piece.shared ? link.shared(piece.shared->digest) : link.own(piece.own);
  return link.digest();
}

}  // namespace tollgate
