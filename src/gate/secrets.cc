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

void add_keys(std::string_view text, std::vector<SecretPiece>& out) {
  constexpr std::string_view kKeyEnds = "-----END ", kDashes = "-----";
  for (std::size_t at = text.find(kKeyBegins); at != text.npos;) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    std::size_t end = line;
    if (text.substr(at, line - at).find(kKeyNamed) != text.npos) {
      // A key that is cut off goes to the end of the text.
      const std::size_t ends = text.find(kKeyEnds, at);
      const std::size_t dashes =
          ends == text.npos ? ends : text.find(kDashes, ends + kKeyEnds.size());
      end = dashes == text.npos ? text.size() : dashes + kDashes.size();
      out.push_back({at, end - at, "a private key"});
    }
    at = text.find(kKeyBegins, end);
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
