// Walks over a text from mark to mark.
// Numbers are decimal, so that a row can be read by eye too.
#include "store/record_text.h"

#include <algorithm>
#include <charconv>

#include "json/append.h"

namespace tollgate::store {

std::string whole_text(const AuditRow& row) {
  std::string out;
  if (row.text.empty()) {
    json::append(out, row.record);
    return out;
  }
  std::size_t written = 0;
  for (const SharedText& part : row.shared) {
    const std::size_t at = std::clamp(part.at, written, row.text.size());
    out.append(row.text, written, at - written);
    out += *part.text;
    written = at;
  }
  out.append(row.text, written);
  if (!has_marks(out)) return out;
  std::string quoted;
  json::append_quoted(quoted, out);
  return quoted;
}

bool has_marks(std::string_view text) {
  return text.find(kPartBegin) != text.npos || text.find(kPartEnd) != text.npos;
}

void append_part(std::string& out, std::int64_t part) {
  char digits[24];
  out += kPartBegin;
  out.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
  out += kPartEnd;
}

bool expand(std::string_view kept, const PartOf& part_of, std::string& out) {
  return for_pieces(
      kept, [&](std::string_view own) { out += own; },
      [&](std::int64_t number) {
        const std::optional<std::string_view> part = part_of(number);
        if (part) out += *part;
        return part.has_value();
      });
}

bool for_pieces(std::string_view kept, const std::function<void(std::string_view)>& own,
                const std::function<bool(std::int64_t)>& part) {
  for (;;) {
    const std::size_t mark = kept.find(kPartBegin);
    own(kept.substr(0, mark));
    if (mark == kept.npos) return true;
    kept.remove_prefix(mark + 1);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(kept.data(), kept.data() + kept.size(), number);
    const auto digits = static_cast<std::size_t>(end - kept.data());
    if (problem != std::errc() || digits == kept.size() || *end != kPartEnd) return false;
    if (!part(number)) return false;
    kept.remove_prefix(digits + 1);
  }
}

}  // namespace tollgate::store
