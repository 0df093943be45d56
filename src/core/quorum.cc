// A quorum as one line and back.
// Names of roles that could be taken for something else stand in quotes.
// SAFETY: the reader takes exactly what the writer writes; half a quorum is none.
#include "core/quorum.h"

#include <algorithm>
#include <charconv>

namespace tollgate {
namespace {

bool is_plain(std::string_view role) {
  return !role.empty() && std::ranges::all_of(role, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

std::string role_text(const std::string& role) {
  if (is_plain(role)) return role;
  std::string out = "\"";
  for (const char c : role) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class QuorumReader {
 public:
  explicit QuorumReader(std::string_view text) : rest_(text) {}

  bool take(std::string_view words) {
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }
  template <class N>
  bool number(N& into, N least) {
    const char* end = rest_.data() + rest_.size();
    const auto [stopped, problem] = std::from_chars(rest_.data(), end, into);
    if (problem != std::errc() || into < least) return false;
    rest_.remove_prefix(static_cast<std::size_t>(stopped - rest_.data()));
    return true;
  }
  // The roles up to and with the closing bracket.
  bool roles(std::vector<std::string>& into) {
    do {
      std::string role;
      if (!(take("\"") ? quoted(role) : plain(role))) return false;
      into.push_back(std::move(role));
    } while (take(", "));
    return take("]");
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool plain(std::string& into) {
    into = rest_.substr(0, std::min(rest_.find_first_of(",]"), rest_.size()));
    rest_.remove_prefix(into.size());
    return is_plain(into);
  }
  bool quoted(std::string& into) {
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\') ++i;
      if (i == rest_.size()) return false;
      into += rest_[i];
    }
    return false;
  }

  std::string_view rest_;
};

}  // namespace

std::string format_quorum(const Quorum& quorum) {
  std::string text = "any: " + std::to_string(quorum.any);
  if (!quorum.of.empty()) {
    text += ", of: [";
    for (std::size_t i = 0; i < quorum.of.size(); ++i)
      text += (i ? ", " : "") + role_text(quorum.of[i]);
    text += "]";
  }
  text += ", deny: " + std::to_string(quorum.deny);
  if (quorum.within_ms) text += ", within: " + std::to_string(quorum.within_ms) + "ms";
  if (quorum.expires_ms) text += ", expires: " + std::to_string(quorum.expires_ms) + "ms";
  return "{" + text + "}";
}

std::optional<Quorum> parse_quorum(std::string_view text) {
  QuorumReader in(text);
  Quorum out;
  bool good = in.take("{any: ") && in.number(out.any, 1);
  if (good && in.take(", of: [")) good = in.roles(out.of);
  good = good && in.take(", deny: ") && in.number(out.deny, 1);
  const std::int64_t least = 1;
  if (good && in.take(", within: ")) good = in.number(out.within_ms, least) && in.take("ms");
  if (good && in.take(", expires: ")) good = in.number(out.expires_ms, least) && in.take("ms");
  if (!good || !in.take("}") || !in.at_end()) return std::nullopt;
  return out;
}

}  // namespace tollgate
