// Checks specifiers. The errors here are the ones that people meet most, so each says what was
// read, why it cannot work, and what to write instead.
#include "policy/specifier.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/host.h"
#include "base/text.h"
#include "policy/glob.h"

namespace tollgate {
namespace {

std::unexpected<SpecifierError> never(std::size_t offset, std::size_t size, std::string message,
                                      std::string hint) {
  return std::unexpected(
      SpecifierError{offset, size, "rule-never-matches", std::move(message), std::move(hint)});
}

std::unexpected<SpecifierError> bad(std::size_t offset, std::size_t size, std::string message,
                                    std::string hint) {
  return std::unexpected(
      SpecifierError{offset, size, "bad-specifier", std::move(message), std::move(hint)});
}

constexpr std::string_view kEscapable = " *\\\"'();|&<>$`{}[]?~!#=:,\n\t";

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::ranges::all_of(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

// Characters that stand for themselves, so that a run of them is taken as it is. One that is
// missing here is only looked at more closely.
constexpr auto kOrdinary = [] {
  std::array<bool, 256> ordinary{};
  for (const char c : std::string_view("-_./*:=@,+%"))
    ordinary[static_cast<unsigned char>(c)] = true;
  for (unsigned char c = '0'; c <= '9'; ++c) ordinary[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) ordinary[c] = ordinary[c - 'a' + 'A'] = true;
  return ordinary;
}();

std::size_t ordinary_end(std::string_view text, std::size_t at) {
  while (at < text.size() && kOrdinary[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// Why an unescaped character of a shell pattern can never be met in a word, or nothing.
std::expected<void, SpecifierError> check_shell_character(std::string_view text, std::size_t i) {
  const std::string shown(text.substr(i, 1));
  switch (text[i]) {
    case '"':
    case '\'':
      return never(i, 1, "the quote `" + shown + "` is gone before a rule is matched",
                   "write the word without quotes, a blank inside a word as `\\ `, and a real "
                   "quote as `\\" +
                       shown + "`");
    case ';':
    case '|':
    case '&':
    case '<':
    case '>':
    case '(':
    case ')':
      return never(i, 1, "`" + shown + "` is an operator, and a rule sees one simple command",
                   "write one rule for each command; a real `" + shown + "` inside a word is `\\" +
                       shown + "`");
    case '$':
    case '`':
      return never(i, 1, "`" + shown + "` is expanded before a rule is matched",
                   "write the value or a `*`; a real `" + shown + "` is `\\" + shown + "`");
    case '\n':
      return never(i, 1, "a new line ends a simple command", "write one rule for each command");
    default:
      return {};
  }
}

}  // namespace

SpecifierResult<std::string> normal_shell(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos)
    return bad(0, 1, "the specifier is empty", "leave the parentheses out to mean any command");
  std::string out;
  out.reserve(text.size() - begin);
  for (std::size_t i = begin; i < text.size(); ++i) {
    const std::size_t end = ordinary_end(text, i);
    out.append(text, i, end - i);
    i = end;
    if (i == text.size()) break;
    if (text[i] == '\\') {
      if (i + 1 == text.size())
        return bad(i, 1, "the backslash at the end escapes nothing",
                   "write `\\\\` for a backslash");
      if (kEscapable.find(text[i + 1]) == kEscapable.npos)
        return bad(i, 2, "unknown escape `" + std::string(text.substr(i, 2)) + "`",
                   "write the character alone, or `\\\\` for a backslash");
      out += text[i];
      out += text[++i];
    } else if (text[i] == ' ' || text[i] == '\t') {
      if (!out.ends_with(' ') || out.ends_with("\\ ")) out += ' ';
    } else {
      if (auto fine = check_shell_character(text, i); !fine) return std::unexpected(fine.error());
      out += text[i];
    }
  }
  if (out.ends_with(' ') && !out.ends_with("\\ ")) out.pop_back();
  if (out.ends_with(":*") && !out.ends_with("\\:*")) {
    if (out.size() == 2)
      return bad(begin, 2, "`:*` stands behind a prefix, and there is none",
                 "leave the parentheses out to mean any command");
    out.replace(out.size() - 2, 2, out.ends_with(" :*") && !out.ends_with("\\ :*") ? "*" : " *");
  }
  if (out.starts_with("domain:"))
    return bad(begin, out.size(), "`" + out + "` is a host and not a command",
               "host rules are written WebFetch(domain:x)");
  const std::string_view first = std::string_view(out).substr(0, out.find(' '));
  if (const std::size_t equals = first.find('=');
      equals != first.npos && is_name(first.substr(0, equals)))
    return never(
        begin, first.size(),
        "`" + std::string(first) + "` is an assignment, and a rule sees the words after it",
        "leave the assignment out: a rule for the command covers it with harmless ones");
  return out;
}

SpecifierResult<std::string> normal_path(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const std::size_t begin = static_cast<std::size_t>(trimmed.data() - text.data());
  if (trimmed.empty())
    return bad(0, 1, "the specifier is empty", "leave the parentheses out to mean any path");
  if (trimmed[0] == '!')
    return bad(begin, 1, "a path rule cannot be negated",
               "put the exception into another list: the strictest match wins");
  if (trimmed.starts_with("domain:") || trimmed.find("://") != trimmed.npos)
    return bad(begin, trimmed.size(), "`" + std::string(trimmed) + "` is a host and not a path",
               "host rules are written WebFetch(domain:x)");
  if (trimmed[0] == '~' && trimmed != "~" && !trimmed.starts_with("~/"))
    return bad(begin, trimmed.size(), "only `~/` is known, not another user's home",
               "write the path from the root: `//home/name/…`");
  std::size_t offset = trimmed.starts_with("//") ? 2 : trimmed.starts_with("/") ? 1 : 0;
  if (trimmed.starts_with("./")) offset = 2;
  const std::string_view rest = trimmed.substr(offset);
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t slash = std::min(rest.find('/', at), rest.size());
    const std::string_view part = rest.substr(at, slash - at);
    const std::size_t place = begin + offset + at;
    if (part.empty())
      return never(place, 1, "paths are cleaned before they are matched, so `//` is never met here",
                   "write a single slash");
    if ((part == ".." || part == ".") && trimmed != ".")
      return never(
          place, part.size(),
          "paths are cleaned before they are matched, so `" + std::string(part) + "` is never met",
          "write the path it leads to");
    if (part.find("**") != part.npos && part != "**")
      return bad(place, part.size(), "`**` stands only for whole components",
                 "write `**/` before the name, or a single `*` within it");
    at = slash + 1;
  }
  if (trimmed.find('\0') != trimmed.npos)
    return never(begin, trimmed.size(), "a path cannot hold a NUL", "remove it");
  if (trimmed.ends_with('\\') && !trimmed.ends_with("\\\\"))
    return bad(begin + trimmed.size() - 1, 1, "the backslash at the end escapes nothing",
               "write `\\\\` for a backslash");
  return std::string(trimmed);
}

UrlParts url_parts(std::string_view url) {
  UrlParts parts;
  const std::size_t colon = url.find("://");
  if (colon != url.npos) {
    parts.scheme = url.substr(0, colon);
    url.remove_prefix(colon + 3);
  }
  const std::size_t end = std::min(url.find_first_of("/?#"), url.size());
  std::string_view authority = url.substr(0, end);
  parts.rest = url.substr(end);
  const std::size_t bracket = authority.rfind(']');
  const std::size_t port = authority.find(':', bracket == authority.npos ? 0 : bracket);
  parts.host = authority.substr(0, port);
  if (parts.host.starts_with('[') && parts.host.ends_with(']') && parts.host.find(':') != url.npos)
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  if (port != authority.npos) parts.port = authority.substr(port + 1);
  return parts;
}

namespace {

// A host in the one spelling that effects give it, `*.` kept in front.
SpecifierResult<std::string> normal_name(std::string_view host, std::size_t begin) {
  const bool starred = host.starts_with("*.");
  const std::string_view below = host.substr(starred ? 2 : 0);
  const std::string shown = "`" + std::string(host) + "`";
  if (below.empty() || below == "*" || below == ".")
    return bad(begin, std::max<std::size_t>(host.size(), 1), "`domain:` needs the name of a host",
               "write domain:example.com, or domain:*.example.com for all below it");
  for (const char c : below) {
    if (static_cast<unsigned char>(c) >= 0x80)
      return never(begin, host.size(), shown + " has letters beyond ASCII, and no host is met so",
                   "write its xn-- form: domain:xn--bcher-kva.example is bücher.example");
    if (!(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.' || c == '_' ||
          c == ':' || c == '[' || c == ']'))
      return never(begin, host.size(), shown + " is no host name: `" + c + "` cannot stand in one",
                   "write the host alone: domain:example.com, or domain:*.example.com");
  }
  if (below.find("]:") != below.npos || (below[0] != '[' && std::ranges::count(below, ':') == 1))
    return never(begin, host.size(), "a host rule has no port",
                 "write domain:example.com, or a URL pattern such as https://example.com:8443/*");
  const std::string name = canonical_host(below);
  if (name.empty() || name.starts_with('-'))
    return never(begin, host.size(), shown + " is no host name", "write domain:example.com");
  if (starred && is_address(name))
    return never(begin, host.size(), "nothing lies below the address `" + name + "`",
                 "write domain:" + name);
  return (starred ? "*." : "") + name;
}

// `:port`, its number without zeros in front.
SpecifierResult<std::string> normal_port(std::string_view port, std::size_t begin) {
  unsigned number = 0;
  for (const char c : port) {
    number = c >= '0' && c <= '9' ? number * 10 + static_cast<unsigned>(c - '0') : 65536;
    if (number > 65535)
      return never(begin, port.size(), "`" + std::string(port) + "` is no port",
                   "write a number up to 65535; *://example.com/ without a port is every port");
  }
  return ":" + std::to_string(number);
}

// The path and query of a URL pattern. What needs no encoding is decoded, as it is mostly met so.
SpecifierResult<std::string> normal_rest(std::string_view rest, std::size_t begin) {
  if (const std::size_t hash = rest.find('#'); hash != rest.npos)
    return never(begin + hash, rest.size() - hash, "no server sees the part from `#` on",
                 "leave it out");
  std::string out(rest.starts_with('?') ? "/" : "");
  for (std::size_t i = 0; i < rest.size(); ++i) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const bool triple = rest[i] == '%' && i + 2 < rest.size();
    const std::size_t high = triple ? kHex.find(lower(rest[i + 1])) : kHex.npos;
    const std::size_t low = triple ? kHex.find(lower(rest[i + 2])) : kHex.npos;
    const auto c = static_cast<unsigned char>(high * 16 + low);
    const bool decodes = high != kHex.npos && low != kHex.npos && c < 0x80 &&
                         (std::isalnum(c) || c == '-' || c == '_' || c == '~');
    out += decodes ? static_cast<char>(c) : rest[i];
    if (decodes) i += 2;
  }
  return out;
}

}  // namespace

SpecifierResult<std::string> normal_host(std::string_view text) {
  const std::string_view trimmed = trim(text);
  const auto place = [&](std::string_view part) {
    return static_cast<std::size_t>(part.data() - text.data());
  };
  if (trimmed.empty())
    return bad(0, 1, "the specifier is empty", "leave the parentheses out to mean any host");
  if (trimmed.starts_with("domain:")) {
    const std::string_view name = trim(trimmed.substr(7));
    const SpecifierResult<std::string> normal = normal_name(name, place(name));
    return normal ? "domain:" + *normal : normal;
  }
  if (trimmed.find("://") == trimmed.npos)
    return bad(place(trimmed), trimmed.size(),
               "`" + std::string(trimmed) + "` is no host specifier",
               "write domain:example.com or a URL pattern such as https://example.com/*");
  const UrlParts parts = url_parts(trimmed);
  const std::string scheme = lower(parts.scheme);
  if (scheme != "http" && scheme != "https" && scheme != "*")
    return never(place(trimmed), parts.scheme.size(), "no fetch uses the scheme `" + scheme + "`",
                 "write https://, http:// or *://");
  if (parts.host.find('@') != parts.host.npos)
    return never(place(trimmed), trimmed.size(), "a URL with a user name in it never matches",
                 "leave `user@` out");
  SpecifierResult<std::string> host =
      parts.host == "*" ? "*" : normal_name(parts.host, place(parts.host));
  if (!host) return host;
  if (host->find(':') != host->npos) host = "[" + *host + "]";
  const SpecifierResult<std::string> port =
      parts.port.empty() ? "" : normal_port(parts.port, place(parts.port));
  if (!port) return port;
  const SpecifierResult<std::string> rest = normal_rest(parts.rest, place(parts.rest));
  if (!rest) return rest;
  return scheme + "://" + *host + *port + *rest;
}

}  // namespace tollgate
