// Reads strictly and names the first thing that is wrong.
#include "server/transport/fields.h"

#include <array>

#include "base/text.h"

namespace tollgate::server {
namespace {

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) table[c] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kToken = make_token_table();

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_value(std::string_view text) {
  bool ascii = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f) return false;
    ascii = ascii && byte < 0x80;
  }
  return ascii || is_valid_utf8(text);
}

std::optional<std::uint64_t> length_in(std::string_view text) {
  // LIMIT: 15 digits are a petabyte, and no number of them overflows.
  if (text.empty() || text.size() > 15) return {};
  std::uint64_t length = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    length = length * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return length;
}

std::optional<std::string> read_one(std::string_view name, std::string_view value, Framing& out) {
  if (name == "content-length") {
    if (out.length) return "`Content-Length` stands twice";
    out.length = length_in(value);
    if (!out.length) return "`Content-Length` is no number";
  } else if (name == "transfer-encoding") {
    if (out.chunked) return "`Transfer-Encoding` stands twice";
    if (lower(value) != "chunked") return "only the transfer encoding `chunked` is known";
    out.chunked = true;
  } else if (name == "connection") {
    out.close = out.close || lists(value, "close");
    out.keep_alive = out.keep_alive || lists(value, "keep-alive");
    out.upgrade = out.upgrade || lists(value, "upgrade");
  }
  return {};
}

}  // namespace

bool is_token(std::string_view text) {
  for (const char c : text)
    if (!kToken[static_cast<unsigned char>(c)]) return false;
  return !text.empty();
}

std::optional<std::string> read_fields(std::string_view lines, Fields& out) {
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    if (end == lines.npos) return "a header line has no end";
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 2);
    if (line.starts_with(' ') || line.starts_with('\t')) return "a header line is folded";
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return "a header line has no colon";
    if (!is_token(line.substr(0, colon))) return "the name of a header is malformed";
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (!is_value(value)) return "the value of a header has characters that are not allowed";
    if (out.size() == kMostFields) return "there are too many headers";
    out.emplace_back(lower(line.substr(0, colon)), value);
  }
  return {};
}

std::optional<std::string> read_framing(const Fields& fields, Framing& out) {
  for (const auto& [name, value] : fields)
    if (std::optional<std::string> wrong = read_one(name, value, out)) return wrong;
  if (out.chunked && out.length)
    return "`Content-Length` and `Transfer-Encoding` exclude each other";
  return {};
}

bool lists(std::string_view value, std::string_view lower_word) {
  for (const std::string_view part : split(value, ','))
    if (lower(without_blanks(part)) == lower_word) return true;
  return false;
}

HeadEnd find_head_end(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('\n', from); at != text.npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return {.broken = true};
    if (at >= 3 && text[at - 2] == '\n') return {.end = at + 1};
  }
  return {};
}

}  // namespace tollgate::server
