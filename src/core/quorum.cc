// A rule's thresholds as one line and back, and lists of several rules'.
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

  bool threshold(Quorum& into) {
    bool good = take("{");
    if (good && take("name: ")) good = role(into.name) && take(", ");
    good = good && take("any: ") && number(into.any, 1);
    if (good && take(", of: [")) good = roles(into.of);
    good = good && take(", deny: ") && number(into.deny, 1);
    if (good && take(", after: ")) good = time(into.after_ms);
    if (good && take(", within: ")) good = time(into.within_ms);
    if (good && take(", expires: ")) good = time(into.expires_ms);
    return good && take("}");
  }

  bool take(std::string_view words) {
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool time(std::int64_t& into) { return number(into, std::int64_t{1}) && take("ms"); }
  bool role(std::string& into) { return take("\"") ? quoted(into) : plain(into); }
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
      if (!this->role(role)) return false;
      into.push_back(std::move(role));
    } while (take(", "));
    return take("]");
  }
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
  std::string text;
  if (!quorum.name.empty()) text = "name: " + role_text(quorum.name) + ", ";
  text += "any: " + std::to_string(quorum.any);
  if (!quorum.of.empty()) {
    text += ", of: [";
    for (std::size_t i = 0; i < quorum.of.size(); ++i)
      text += (i ? ", " : "") + role_text(quorum.of[i]);
    text += "]";
  }
  text += ", deny: " + std::to_string(quorum.deny);
  if (quorum.after_ms) text += ", after: " + std::to_string(quorum.after_ms) + "ms";
  if (quorum.within_ms) text += ", within: " + std::to_string(quorum.within_ms) + "ms";
  if (quorum.expires_ms) text += ", expires: " + std::to_string(quorum.expires_ms) + "ms";
  return "{" + text + "}";
}

std::string format_quorums(Thresholds thresholds) {
  if (thresholds.size() == 1) return format_quorum(thresholds.front());
  std::string text;
  for (const Quorum& each : thresholds) text += (text.empty() ? "" : ", ") + format_quorum(each);
  return text.empty() ? text : "[" + text + "]";
}

std::optional<std::vector<Quorum>> parse_quorums(std::string_view text) {
  QuorumReader in(text);
  std::vector<Quorum> out;
  const bool several = in.take("[");
  do {
    Quorum one;
    one.or_else = !out.empty();
    if (!in.threshold(one) || out.size() == kMaxThresholds) return std::nullopt;
    out.push_back(std::move(one));
  } while (several && in.take(", "));
  if (several && (out.size() < 2 || !in.take("]"))) return std::nullopt;
  if (!in.at_end()) return std::nullopt;
  return out;
}

std::vector<Thresholds> by_rule(std::span<const Quorum> quorums) {
  std::vector<Thresholds> rules;
  for (std::size_t i = 0, begin = 0; i < quorums.size(); ++i) {
    if (i + 1 < quorums.size() && quorums[i + 1].or_else) continue;
    rules.push_back(quorums.subspan(begin, i + 1 - begin));
    begin = i + 1;
  }
  return rules;
}

void add_rule(std::vector<Quorum>& quorums, Thresholds thresholds) {
  if (thresholds.empty()) return;
  std::vector<Quorum> added(thresholds.begin(), thresholds.end());
  // SAFETY: a decision may come from a hook; its first threshold would stand beside our last.
  added.front().or_else = false;
  for (const Thresholds known : by_rule(quorums))
    if (std::ranges::equal(known, added)) return;
  quorums.insert(quorums.end(), added.begin(), added.end());
}

std::int64_t longest_within(Thresholds thresholds) {
  std::int64_t longest = 0;
  for (const Quorum& each : thresholds) longest = std::max(longest, each.within_ms);
  return longest;
}

}  // namespace tollgate
