// Lexical path arithmetic: the file system is never asked.
// `..` above the root stays at the root, as the kernel has it.
// A NUL cannot be part of a path, so a text that holds one is not placed at all.
#include "effects/paths.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"

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

constexpr std::string_view kFileScheme = "file:";

bool is_file_uri(std::string_view written) {
  return lower(written.substr(0, kFileScheme.size())) == kFileScheme;
}

bool is_scheme_character(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
         c == '.';
}

// Whether cleaning would leave the absolute path as it is; may say no where it would.
bool is_clean(std::string_view path) {
  if (path.ends_with('/')) return false;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', at + 1))
    if (path[at + 1] == '/' || path[at + 1] == '.') return false;
  return true;
}

}  // namespace

std::string cannot_place(std::string_view written) {
  return "the path `" + std::string(written) + "` cannot be placed";
}

std::expected<Located, std::string> locate(std::string_view written, const PathContext& context) {
  if (written.size() >= kMaxPathBytes) return std::unexpected("the path is too long");
  if (written.empty() || written.find('\0') != std::string_view::npos)
    return std::unexpected(cannot_place(written));
  std::string spelled;
  if (written[0] == '/') {
    spelled = written;
  } else if (written[0] == '~' && context.tilde == Tilde::kHome) {
    const bool own = written.size() == 1 || written[1] == '/';
    if (!own || !context.home.starts_with('/')) return std::unexpected(cannot_place(written));
    spelled = std::string(context.home) + std::string(written.substr(1));
  } else {
    if (!context.cwd.starts_with('/')) return std::unexpected(cannot_place(written));
    spelled.reserve(context.cwd.size() + 1 + written.size());
    spelled.append(context.cwd).append("/").append(written);
  }
  if (spelled.size() >= kMaxPathBytes) return std::unexpected("the path is too long");
  if (is_clean(spelled)) return Located{std::move(spelled), {}};
  std::string cleaned = absolute_path(spelled, "/");
  if (cleaned == spelled) spelled.clear();
  return Located{std::move(cleaned), std::move(spelled)};
}

bool is_uri(std::string_view written) {
  if (is_file_uri(written)) return true;
  const std::size_t end = written.find("://");
  return end != std::string_view::npos && end > 0 &&
         std::ranges::all_of(written.substr(0, end), is_scheme_character);
}

std::optional<std::string> path_of_file_uri(std::string_view uri) {
  constexpr std::string_view kHost = "localhost";
  if (!is_file_uri(uri)) return std::nullopt;
  std::string_view rest = uri.substr(kFileScheme.size());
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    if (lower(rest.substr(0, kHost.size())) == kHost) rest.remove_prefix(kHost.size());
  }
  if (!rest.starts_with('/')) return std::nullopt;
  if (rest.find_first_of("?#\\") != std::string_view::npos) return std::nullopt;
  return percent_decoded(rest);
}

Effect path_effect(EffectKind kind, Located located, Span span) {
  Effect effect;
  effect.kind = kind;
  effect.span = span;
  effect.path = std::move(located.path);
  effect.spelled = std::move(located.spelled);
  return effect;
}

}  // namespace tollgate
