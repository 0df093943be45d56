// Lexical path arithmetic: the file system is never asked.
// `..` above the root stays at the root, as the kernel has it.
// A NUL cannot be part of a path, so a text that holds one is not placed at all.
#include "effects/paths.h"

#include <utility>
#include <vector>

namespace tollgate {
namespace {

std::optional<unsigned> hex(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto high = hex(text[i + 1]), low = hex(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return out;
}

}  // namespace

std::optional<Located> locate(std::string_view written, const PathContext& context) {
  if (written.empty() || written.find('\0') != std::string_view::npos) return std::nullopt;
  std::string spelled;
  if (written[0] == '/') {
    spelled = written;
  } else if (written[0] == '~' && context.tilde == Tilde::kHome) {
    const bool own = written.size() == 1 || written[1] == '/';
    if (!own || !context.home.starts_with('/')) return std::nullopt;
    spelled = std::string(context.home) + std::string(written.substr(1));
  } else {
    if (!context.cwd.starts_with('/')) return std::nullopt;
    spelled = std::string(context.cwd) + "/" + std::string(written);
  }
  std::string cleaned = clean(spelled);
  if (cleaned == spelled) spelled.clear();
  return Located{std::move(cleaned), std::move(spelled)};
}

std::optional<std::string> path_of_file_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  std::string_view rest = uri.substr(kScheme.size());
  if (rest.starts_with("localhost/")) rest.remove_prefix(std::string_view("localhost").size());
  if (!rest.starts_with('/')) return std::nullopt;
  if (rest.find_first_of("?#\\") != std::string_view::npos) return std::nullopt;
  return percent_decoded(rest);
}

std::string clean(std::string_view absolute) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < absolute.size();) {
    const std::size_t slash = std::min(absolute.find('/', at), absolute.size());
    const std::string_view part = absolute.substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    out += '/';
    out += part;
  }
  return out.empty() ? "/" : out;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

Effect path_effect(EffectKind kind, Located located, Span span) {
  Effect effect;
  effect.kind = kind;
  effect.span = span;
  effect.path = std::move(located.path);
  effect.spelled = std::move(located.spelled);
  return effect;
}

}  // namespace tollgate
