// Private keys and access tokens in text that is about to be written.
// Shapes only: a prefix that its issuer reserves, and enough of the right characters behind it.
#include <algorithm>
#include <cctype>

#include "gate/places.h"

namespace tollgate {
namespace {

struct Shape {
  std::string_view prefix;
  std::size_t least;       // characters behind the prefix
  std::string_view extra;  // allowed besides letters and digits
  std::string_view name;
};

constexpr Shape kShapes[] = {
    {"AKIA", 16, "", "a cloud access key"},
    {"ASIA", 16, "", "a cloud access key"},
    {"ghp_", 36, "", "a GitHub token"},
    {"gho_", 36, "", "a GitHub token"},
    {"ghu_", 36, "", "a GitHub token"},
    {"ghs_", 36, "", "a GitHub token"},
    {"ghr_", 36, "", "a GitHub token"},
    {"github_pat_", 40, "_", "a GitHub token"},
    {"glpat-", 20, "-_", "a GitLab token"},
    {"sk-ant-", 40, "-_", "a model provider's key"},
    {"sk-proj-", 40, "-_", "a model provider's key"},
    {"sk-", 48, "", "a model provider's key"},
    {"sk_live_", 24, "", "a payment key"},
    {"xoxb-", 20, "-", "a Slack token"},
    {"xoxp-", 20, "-", "a Slack token"},
    {"xoxa-", 20, "-", "a Slack token"},
    {"xoxr-", 20, "-", "a Slack token"},
    {"xoxs-", 20, "-", "a Slack token"},
    {"npm_", 36, "", "a registry token"},
    {"AIza", 35, "-_", "a cloud API key"},
};

constexpr std::string_view kKeyBegins = "-----BEGIN ", kKeyNamed = "PRIVATE KEY";

// No secret is shorter than this.
constexpr std::size_t kShortest = [] {
  std::size_t size = kKeyBegins.size() + kKeyNamed.size();
  for (const Shape& shape : kShapes) size = std::min(size, shape.prefix.size() + shape.least);
  return size;
}();

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool may_stand_in(char c, const Shape& shape) {
  return std::isalnum(static_cast<unsigned char>(c)) || shape.extra.find(c) != shape.extra.npos;
}

void add_pieces(std::string_view text, const Shape& shape, std::vector<SecretPiece>& out) {
  for (std::size_t at = text.find(shape.prefix); at != text.npos;
       at = text.find(shape.prefix, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    std::size_t end = at + shape.prefix.size();
    while (end < text.size() && may_stand_in(text[end], shape)) ++end;
    if (end - at >= shape.prefix.size() + shape.least) out.push_back({at, end - at, shape.name});
  }
}

constexpr std::string_view kKeyEnds = "-----END ";

// LIMIT: a shorter run of letters is a word; lines of a key are 64 long or so.
constexpr std::size_t kKeyLine = 24;

bool is_base64(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '/' || c == '=';
}

bool is_line_of_key(std::string_view run) {
  const auto has = [&](int (*is)(int)) {
    return std::ranges::any_of(run, [&](char c) { return is(static_cast<unsigned char>(c)) != 0; });
  };
  return run.size() >= kKeyLine && has(std::isupper) && has(std::islower);
}

// The next run of base64 from `at` on, "" at the end; the n of an escaped line end is none of it.
std::string_view run_at(std::string_view text, std::size_t& at, std::size_t end) {
  for (;;) {
    while (at < end && !is_base64(text[at])) ++at;
    if (at > 0 && at < end && text[at - 1] == '\\' && (text[at] == 'n' || text[at] == 'r')) ++at;
    std::size_t stop = at;
    while (stop < end && is_base64(text[stop])) ++stop;
    if (stop > at || at >= end) return text.substr(at, stop - at);
  }
}

// What stands between two lines of one key: its end, also escaped, and quotes.
bool is_between_lines(std::string_view text) {
  return !text.empty() && text.find_first_not_of(" \t\r\n\\\"'+,") == text.npos;
}

// SAFETY: of what stands between the marks only lines of a key: whoever writes a command around
// them must not hide it.
void add_lines_of_key(std::string_view text, std::size_t at, std::size_t end, bool whole,
                      std::vector<SecretPiece>& out) {
  std::size_t line_end = 0;  // of the run before, where it was a line; else 0
  for (;;) {
    const std::string_view run = run_at(text, at, end);
    if (run.empty()) return;
    std::string_view gap = line_end == 0 ? "" : text.substr(line_end, at - line_end);
    if (gap.ends_with('n') || gap.ends_with('r')) gap.remove_suffix(1);  // of an escaped line end
    std::size_t next = at + run.size();
    const bool is_line = is_line_of_key(run);
    const bool is_last =
        !is_line && whole && is_between_lines(gap) && run_at(text, next, end).empty();
    // The last line of a key is as long as what is left.
    if (is_line || is_last) out.push_back({at, run.size(), "a private key"});
    line_end = is_line ? at + run.size() : 0;
    at += run.size();
  }
}

void add_keys(std::string_view text, std::vector<SecretPiece>& out) {
  std::size_t ends = 0;
  for (std::size_t at = text.find(kKeyBegins); at != text.npos;) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    const std::size_t named = text.substr(at, line - at).find(kKeyNamed);
    if (named == text.npos) {
      at = text.find(kKeyBegins, line);
      continue;
    }
    const std::size_t body = at + named + kKeyNamed.size();
    if (ends < body) ends = std::min(text.find(kKeyEnds, body), text.size());
    at = text.find(kKeyBegins, body);
    const std::size_t end = std::min(ends, at);
    add_lines_of_key(text, body, end, end == ends && ends < text.size(), out);
  }
}

bool holds(std::string_view text, const Shape& shape) {
  if (text.size() < shape.prefix.size() + shape.least) return false;
  for (std::size_t at = text.find(shape.prefix); at != text.npos;
       at = text.find(shape.prefix, at + 1)) {
    if (at > 0 && is_word(text[at - 1])) continue;
    std::size_t size = 0;
    for (const char c : text.substr(at + shape.prefix.size())) {
      if (!std::isalnum(static_cast<unsigned char>(c)) && shape.extra.find(c) == shape.extra.npos)
        break;
      if (++size == shape.least) return true;
    }
  }
  return false;
}

}  // namespace

std::string_view secret_in(std::string_view text) {
  if (text.size() < kShortest) return {};
  // Each line is looked at once, from its first mark on: what a later one has, the first has too.
  for (std::size_t at = text.find(kKeyBegins); at != text.npos;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (text.substr(at, end - at).find(kKeyNamed) != text.npos) return "a private key";
    at = text.find(kKeyBegins, end);
  }
  for (const Shape& shape : kShapes)
    if (holds(text, shape)) return shape.name;
  return {};
}

std::vector<SecretPiece> secrets_in(std::string_view text) {
  std::vector<SecretPiece> out;
  if (text.size() < kShortest) return out;
  add_keys(text, out);
  for (const Shape& shape : kShapes) add_pieces(text, shape, out);
  return out;
}

}  // namespace tollgate
