// Host rules against hosts that a call would reach.
// Hosts arrive parsed and lower-case; one that could not be parsed is "" and matches no name.
// SAFETY: an allow by URL pattern refuses paths that a server could read as another path.
#include "base/text.h"
#include "policy/glob.h"
#include "policy/match.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

bool is_below(std::string_view host, std::string_view name) {
  return host.size() > name.size() + 1 && host.ends_with(name) &&
         host[host.size() - name.size() - 1] == '.';
}

// A name or *.name; deny and ask also take a plain name for all below it.
bool name_matches(std::string_view host, std::string_view name, bool tighten) {
  if (name == "*") return true;
  if (name.starts_with("*.")) return is_below(host, name.substr(2));
  return host == name || (tighten && is_below(host, name));
}

std::string_view port_of(const UrlParts& parts, std::string_view scheme) {
  if (!parts.port.empty()) return parts.port;
  return scheme == "http" ? "80" : "443";
}

bool has_odd_path(std::string_view rest) {
  const std::string path = lower(rest);
  return path.find("/.") != path.npos || path.find("%2e") != path.npos ||
         path.find("%2f") != path.npos || path.find('\\') != path.npos;
}

// How far a URL pattern goes with a URL; the host is compared apart.
bool rest_matches(std::string_view pattern, const UrlParts& url, std::string_view scheme) {
  const UrlParts want = url_parts(pattern);
  if (want.scheme != "*" && want.scheme != scheme) return false;
  if (want.scheme == "*" ? !want.port.empty() && want.port != port_of(url, scheme)
                         : port_of(want, want.scheme) != port_of(url, scheme))
    return false;
  return want.rest.empty() || plain_glob(want.rest, url.rest.empty() ? "/" : url.rest);
}

}  // namespace

Match host_hits(const RuleView& rule, const Effect& effect) {
  if (effect.host.empty()) return Match::kMaybe;
  if (rule.specifier_kind == SpecifierKind::kHost)
    return name_matches(effect.host, rule.specifier.substr(7), true) ? Match::kYes : Match::kNo;
  const UrlParts want = url_parts(rule.specifier);
  if (!name_matches(effect.host, want.host, true)) return Match::kNo;
  if (effect.url.empty()) return want.rest.empty() || want.rest == "/*" ? Match::kYes : Match::kMaybe;
  const UrlParts url = url_parts(effect.url);
  if (rest_matches(rule.specifier, url, lower(url.scheme))) return Match::kYes;
  return has_odd_path(url.rest) ? Match::kMaybe : Match::kNo;
}

bool host_covers(const RuleView& rule, const Effect& effect) {
  if (effect.host.empty()) return false;
  if (rule.specifier_kind == SpecifierKind::kHost)
    return name_matches(effect.host, rule.specifier.substr(7), false);
  if (effect.url.empty()) return false;
  const UrlParts url = url_parts(effect.url);
  return name_matches(effect.host, url_parts(rule.specifier).host, false) &&
         !has_odd_path(url.rest) && rest_matches(rule.specifier, url, lower(url.scheme));
}

bool host_in(std::string_view host, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name_matches(host, name, false)) return true;
  return false;
}

}  // namespace tollgate
