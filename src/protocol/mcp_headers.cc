// Headers of MCP over HTTP.
#include "protocol/mcp_headers.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "base/text.h"
#include "json/json.h"

namespace tollgate {
namespace {

constexpr std::string_view kOpens = "=?base64?";
constexpr std::string_view kCloses = "?=";
// LIMIT: how deep annotated properties of a schema are looked for.
constexpr int kMaxSchemaDepth = 8;

// The first of a list, trimmed and taken off it.
std::string_view first_of(std::string_view& list, char separator) {
  const std::size_t end = std::min(list.find(separator), list.size());
  const std::string_view first = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return trim(first);
}

// True where the media range is refused by `q=0`; `parts` stand behind its type.
bool is_refused(std::string_view parts) {
  while (!parts.empty()) {
    const std::string_view part = first_of(parts, ';');
    if (part.size() < 3 || lower(part[0]) != 'q' || part[1] != '=') continue;
    return part.substr(2).find_first_not_of("0.") == std::string_view::npos;
  }
  return false;
}

// In either case of letters.
bool is_type(std::string_view text, std::string_view lower_type) {
  return std::ranges::equal(text, lower_type, {}, [](char c) { return lower(c); });
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

// Whole groups of four with their padding, and no bits that nobody reads.
std::optional<std::string> base64_text(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
  if (padding > 2) return std::nullopt;
  std::string out;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool padded = i >= text.size() - padding;
    const int digit = padded ? 0 : base64_digit(text[i]);
    if (digit < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) out += static_cast<char>(bits >> shift & 0xFF);
    bits = 0;
  }
  for (std::size_t i = 0; i < padding; ++i) {
    if (out.back() != '\0') return std::nullopt;
    out.pop_back();
  }
  return out;
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

// Whether a header's text is the value: numbers are compared as numbers.
bool says_value(std::string_view text, const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::kString:
      return text == value.as_string();
    case json::Kind::kBool:
      return text == (value.as_bool() ? "true" : "false");
    case json::Kind::kNumber: {
      const Result<json::Value> number = json::parse(text);
      return number && number->kind() == json::Kind::kNumber && *number == value;
    }
    default:
      return false;
  }
}

std::string mismatch_below(const HttpIn& in, const json::Value& schema, const json::Value* value,
                           int depth) {
  const json::Value* properties = schema.find("properties");
  if (properties == nullptr || depth == 0) return {};
  for (const auto& [name, property] : properties->members()) {
    const json::Value* inner = value == nullptr ? nullptr : value->find(name);
    const json::Value* header = property.find("x-mcp-header");
    if (header == nullptr) {
      std::string below = mismatch_below(in, property, inner, depth - 1);
      if (!below.empty()) return below;
      continue;
    }
    const std::string full = "mcp-param-" + lower(header->as_string());
    const HeaderValue sent = header_of(in, full);
    const bool expected = inner != nullptr && !inner->is_null();
    if (!expected && sent.missing()) continue;
    const std::optional<std::string> text =
        sent.count == HeaderValue::Count::kOne ? decoded_header(sent.text) : std::nullopt;
    if (!expected || !text || !says_value(*text, *inner)) return full;
  }
  return {};
}

}  // namespace

HeaderValue header_of(const HttpIn& in, std::string_view lower_name) {
  HeaderValue out;
  for (const auto& [name, value] : in.headers) {
    if (name != lower_name) continue;
    if (!out.missing()) return {.count = HeaderValue::Count::kMore, .text = {}};
    out = {.count = HeaderValue::Count::kOne, .text = std::string(trim(value))};
  }
  return out;
}

Accepted accepted_by(const HttpIn& in) {
  Accepted out;
  bool said = false;
  for (const auto& [name, value] : in.headers) {
    if (name != "accept") continue;
    said = true;
    std::string_view ranges = value;
    while (!ranges.empty()) {
      std::string_view range = first_of(ranges, ',');
      const std::string_view type = first_of(range, ';');
      if (is_refused(range)) continue;
      const bool any = type == "*/*";
      out.json =
          out.json || any || is_type(type, "application/json") || is_type(type, "application/*");
      out.events =
          out.events || any || is_type(type, "text/event-stream") || is_type(type, "text/*");
    }
  }
  return said ? out : Accepted{.json = true, .events = true};
}

bool is_json_body(const HttpIn& in) {
  const HeaderValue type = header_of(in, "content-type");
  std::string_view text = type.text;
  return type.count == HeaderValue::Count::kOne && is_type(first_of(text, ';'), "application/json");
}

std::optional<std::string> decoded_header(std::string_view text) {
  if (!is_plain(text)) return std::nullopt;
  const bool encoded = text.size() >= kOpens.size() + kCloses.size() && text.starts_with(kOpens) &&
                       text.ends_with(kCloses);
  if (!encoded) return std::string(text);
  text.remove_prefix(kOpens.size());
  text.remove_suffix(kCloses.size());
  std::optional<std::string> out = base64_text(text);
  return out && is_valid_utf8(*out) ? out : std::nullopt;
}

std::string mismatched_parameter(const HttpIn& in, const json::Value& schema,
                                 const json::Value& arguments) {
  return mismatch_below(in, schema, &arguments, kMaxSchemaDepth);
}

}  // namespace tollgate
