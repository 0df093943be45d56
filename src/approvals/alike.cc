// Plain bytes and runs in turn, each with its length in front; lengths are in groups of seven bits.
#include "approvals/alike.h"

#include <cstring>
#include <utility>

namespace tollgate::approvals {
namespace {

constexpr std::size_t kRun = 8;  // a shorter one is not worth its numbers
// LIMIT: of a text that others go by; a place in it has 16 bits.
constexpr std::size_t kMostLike = 32u << 10;
// LIMIT: a longer text is held as it is: it would be walked over while everybody waits.
constexpr std::size_t kMostText = 64u << 10;

std::size_t slot_of(const char* run) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, run, kRun);
  return static_cast<std::size_t>((bytes * 0x9E3779B97F4A7C15u) >> 52);  // 12 bits
}

void append_number(std::string& out, std::size_t number) {
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(0x80 | (number & 0x7F));
  out += static_cast<char>(number);
}

std::optional<std::size_t> take_number(std::string_view& in) {
  std::size_t number = 0;
  for (unsigned shift = 0; shift < 35 && !in.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    number |= static_cast<std::size_t>(byte & 0x7Fu) << shift;
    if (byte < 0x80) return number;
  }
  return std::nullopt;
}

std::size_t alike_bytes(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  while (count < a.size() && count < b.size() && a[count] == b[count]) ++count;
  return count;
}

}  // namespace

std::optional<std::string> HeldText::whole() const {
  if (like == nullptr) return own;
  std::string out;
  std::string_view in = own;
  while (!in.empty()) {
    const std::optional<std::size_t> plain = take_number(in);
    if (!plain || *plain > in.size()) return std::nullopt;
    out += in.substr(0, *plain);
    in.remove_prefix(*plain);
    if (in.empty()) break;
    const std::optional<std::size_t> at = take_number(in);
    const std::optional<std::size_t> run = take_number(in);
    if (!at || !run || *at > like->size() || *run > like->size() - *at) return std::nullopt;
    out.append(*like, *at, *run);
  }
  return out;
}

HeldText Alike::hold(std::string text) {
  if (text.size() > kMostText) return {std::move(text), nullptr};
  for (const bool again : {false, true}) {
    HeldText held{told_by(text), like_};
    const bool is_short = like_ != nullptr && held.own.size() <= text.size() / 2;
    if (is_short && held.whole() == text) {
      held.own.shrink_to_fit();
      return held;
    }
    if (again || text.size() > kMostLike) break;
    go_by(text);
  }
  text.shrink_to_fit();
  return {std::move(text), nullptr};
}

void Alike::go_by(std::string text) {
  places_.fill(0);
  for (std::size_t i = kRun; i <= text.size(); ++i)
    places_[slot_of(text.data() + i - kRun)] = static_cast<std::uint16_t>(i);
  text.shrink_to_fit();
  like_ = std::make_shared<const std::string>(std::move(text));
}

std::string Alike::told_by(std::string_view text) const {
  std::string out;
  if (like_ == nullptr) return out;
  const std::string_view like = *like_;
  std::size_t plain = 0;  // where bytes begin that were not written yet
  for (std::size_t i = 0; i + kRun <= text.size();) {
    const std::size_t place = places_[slot_of(text.data() + i)];
    const std::size_t run = place == 0 ? 0 : alike_bytes(like.substr(place - kRun), text.substr(i));
    if (run < kRun) {
      ++i;
      continue;
    }
    append_number(out, i - plain);
    out += text.substr(plain, i - plain);
    append_number(out, place - kRun);
    append_number(out, run);
    i += run;
    plain = i;
  }
  append_number(out, text.size() - plain);
  out += text.substr(plain);
  return out;
}

}  // namespace tollgate::approvals
