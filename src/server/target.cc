// Splits first and decodes then, so that an encoded separator never separates.
// A blank in the query may be written `+`, as forms do; in a path a plus is a plus.
#include "server/target.h"

#include <algorithm>

#include "base/text.h"

namespace tollgate::server {
namespace {

int digit_of(char c) {
  const char low = lower(c);
  if (low >= '0' && low <= '9') return low - '0';
  if (low >= 'a' && low <= 'f') return low - 'a' + 10;
  return -1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

enum class Plus { kItself, kBlank };

std::optional<std::string> decoded(std::string_view text, Plus plus) {
  // Most have nothing to decode.
  if (text.find(plus == Plus::kBlank ? '+' : '%') == text.npos && text.find('%') == text.npos)
    return std::string(text);
  std::string out;
  out.reserve(text.size());
  bool encoded = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == Plus::kBlank) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (text.size() - i < 3) return {};
      const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return {};
      out += static_cast<char>(high * 16 + low);
      encoded = true;
      i += 2;
    }
  }
  if (encoded && !is_valid_utf8(out)) return {};
  return out;
}

bool is_plain_segment(std::string_view segment) {
  if (segment.empty() || segment == "." || segment == "..") return false;
  return std::none_of(segment.begin(), segment.end(),
                      [](char c) { return is_control(c) || c == '/' || c == '\\'; });
}

bool read_path(std::string_view path, std::vector<std::string>& out) {
  path.remove_prefix(1);
  if (path.empty()) return true;
  if (path.ends_with('/')) path.remove_suffix(1);
  const std::vector<std::string_view> parts = split(path, '/');
  out.reserve(std::min(parts.size(), kMostSegments));
  for (const std::string_view part : parts) {
    std::optional<std::string> segment = decoded(part, Plus::kItself);
    if (!segment || !is_plain_segment(*segment) || out.size() == kMostSegments) return false;
    out.push_back(std::move(*segment));
  }
  return true;
}

bool read_query(std::string_view query, std::vector<std::pair<std::string, std::string>>& out) {
  for (const std::string_view part : split(query, '&')) {
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    std::optional<std::string> name = decoded(part.substr(0, equals), Plus::kBlank);
    std::optional<std::string> value =
        decoded(part.substr(std::min(equals + 1, part.size())), Plus::kBlank);
    if (!name || !value) return false;
    if (name->find('\0') != name->npos || value->find('\0') != value->npos) return false;
    out.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

}  // namespace

std::optional<Target> target_of(std::string_view text) {
  if (!text.starts_with('/') || text.size() > kMostTargetBytes) return {};
  for (const char c : text)
    if (is_control(c) || c == ' ' || c == '#' || static_cast<unsigned char>(c) >= 0x80) return {};
  const std::size_t mark = std::min(text.find('?'), text.size());
  Target target;
  if (!read_path(text.substr(0, mark), target.segments)) return {};
  if (mark < text.size() && !read_query(text.substr(mark + 1), target.query)) return {};
  return target;
}

}  // namespace tollgate::server
