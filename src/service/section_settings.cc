// One line at a time: a header, a remark, or a setting of the section above it.
// No line that opens a section goes by unseen, so a value over several lines cannot hide one.
#include "service/section_settings.h"

#include <algorithm>
#include <span>

#include "base/text.h"

namespace tollgate {
namespace {

// `section`, or `section.key` where only some of its settings are harmless.
constexpr std::string_view kOfMercurial[] = {"paths",    "phases",      "diff",
                                             "color",    "ui.username", "ui.verbose",
                                             "ui.quiet", "ui.debug",    "ui.tweakdefaults"};
constexpr std::string_view kOfJujutsu[] = {"user",      "revset-aliases",   "revsets", "snapshot",
                                           "templates", "template-aliases", "colors"};

bool is_in(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

bool is_remark(std::string_view line) {
  return line.empty() || line.starts_with('#') || line.starts_with(';');
}

// The name between the brackets; "" where the line is no plain header.
std::string_view header_of(std::string_view line) {
  const bool whole = line.starts_with('[') && line.ends_with(']') && line.size() > 2;
  return whole ? line.substr(1, line.size() - 2) : std::string_view();
}

}  // namespace

std::string suspect_line_of_hgrc(std::string_view text) {
  std::string section;
  bool began = false;  // a setting that a line with a blank in front goes on with
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trim(raw);
    if (is_remark(line)) continue;
    if (began && (raw.starts_with(' ') || raw.starts_with('\t'))) continue;
    if (line.starts_with('[')) {
      began = false;
      section = header_of(line);
      if (section.empty()) return std::string(line);
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string key(trim(line.substr(0, std::min(equals, line.size()))));
    const bool listed = is_in(kOfMercurial, section) || is_in(kOfMercurial, section + "." + key);
    if (equals == line.npos || line.starts_with('%') || !listed) return std::string(line);
    began = true;
  }
  return {};
}

std::string suspect_line_of_jj(std::string_view text) {
  for (const std::string_view quote : {"\"\"\"", "'''"})
    if (text.find(quote) != text.npos) return std::string(quote);
  bool inside = false;
  for (const std::string_view raw : split(text, '\n')) {
    const std::string_view line = trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with('[')) inside = is_in(kOfJujutsu, header_of(line));
    if (!inside) return std::string(line);
  }
  return {};
}

}  // namespace tollgate
