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

constexpr unsigned kNoPort = 65536;

// Ports compare as numbers: `:0443` is `:443`.
unsigned port_of(const UrlParts& parts, std::string_view scheme) {
  if (parts.port.empty()) return scheme == "http" || scheme == "ws" ? 80 : 443;
  unsigned number = 0;
  for (const char c : parts.port) {
    if (c < '0' || c > '9' || number >= kNoPort) return kNoPort;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number;
}

bool same_door(const UrlParts& want, const UrlParts& url) {
  const std::string scheme = lower(url.scheme);
  if (want.scheme == "*") return want.port.empty() || port_of(want, scheme) == port_of(url, scheme);
  return want.scheme == scheme && port_of(want, scheme) == port_of(url, scheme);
}

// For deny and ask the scheme says how a host is reached, not which one: whoever refuses https://x
// does not mean that http://x may be had. A pattern without a port speaks of both usual ones.
bool same_house(const UrlParts& want, const UrlParts& url) {
  if (want.scheme == "*") return same_door(want, url);
  const unsigned port = port_of(url, lower(url.scheme));
  return want.port.empty() ? port == 80 || port == 443 : port == port_of(want, want.scheme);
}

bool is_any_path(std::string_view pattern) {
  if (pattern.empty()) return true;
  return pattern.starts_with("/*") && pattern.find_first_not_of('*', 1) == pattern.npos;
}

// What a server is asked for: without the fragment, and never without the first slash.
class Resource {
 public:
  explicit Resource(std::string_view rest) : whole_(rest.substr(0, rest.find('#'))) {
    if (!whole_.starts_with('/')) whole_ = slashed_ = "/" + std::string(whole_);
    path_ = whole_.substr(0, whole_.find('?'));
  }
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  std::string_view whole() const& { return whole_; }
  std::string_view path() const& { return path_; }
  std::string_view query() const& { return whole_.substr(path_.size()); }  // with its `?`

  // A server could read the path as another one.
  bool is_odd() const {
    return path_.find("/.") != path_.npos || path_.find("//") != path_.npos ||
           path_.find_first_of("%\\") != path_.npos;
  }

 private:
  std::string_view whole_, path_;
  std::string slashed_;
};

// Whether more than the path decides about a pattern: it spells a query, or a star that is not
// its end may run into one.
bool reaches_query(std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  return pattern.find('?') != pattern.npos || (star != pattern.npos && star + 1 < pattern.size());
}

// Without a query of its own, a pattern speaks of its path with any query.
Match resource_hits(std::string_view pattern, const Resource& resource) {
  if (plain_glob(pattern, resource.whole())) return Match::kYes;
  if (pattern.find('?') == pattern.npos && plain_glob(pattern, resource.path())) return Match::kYes;
  const bool odd_query =
      reaches_query(pattern) && resource.query().find('%') != std::string_view::npos;
  return resource.is_odd() || odd_query ? Match::kMaybe : Match::kNo;
}

// A star in the path stays in the path: `/*/open` does not cover `/secret?/open`.
bool resource_covered(std::string_view pattern, const Resource& resource) {
  if (resource.is_odd()) return false;
  const std::size_t query = pattern.find('?');
  if (!plain_glob(pattern.substr(0, query), resource.path())) return false;
  if (query != pattern.npos) return plain_glob(pattern.substr(query), resource.query());
  return resource.query().empty() || plain_glob(pattern, resource.whole());
}

}  // namespace

Match host_hits(const RuleView& rule, const Effect& effect) {
  if (is_configured_home(effect)) return Match::kNo;
  if (effect.host.empty()) return Match::kMaybe;
  if (rule.specifier_kind == SpecifierKind::kHost)
    return name_matches(effect.host, rule.specifier.substr(7), true) ? Match::kYes : Match::kNo;
  const UrlParts want = url_parts(rule.specifier);
  if (!name_matches(effect.host, want.host, true)) return Match::kNo;
  if (effect.url.empty()) return is_any_path(want.rest) ? Match::kYes : Match::kMaybe;
  const UrlParts url = url_parts(effect.url);
  if (!same_house(want, url)) return Match::kNo;
  return is_any_path(want.rest) ? Match::kYes : resource_hits(want.rest, Resource(url.rest));
}

bool host_covers(const RuleView& rule, const Effect& effect) {
  if (effect.host.empty()) return false;
  if (rule.specifier_kind == SpecifierKind::kHost)
    return name_matches(effect.host, rule.specifier.substr(7), false);
  if (effect.url.empty()) return false;
  const UrlParts want = url_parts(rule.specifier);
  const UrlParts url = url_parts(effect.url);
  return name_matches(effect.host, want.host, false) && same_door(want, url) &&
         (is_any_path(want.rest) || resource_covered(want.rest, Resource(url.rest)));
}

bool host_in(std::string_view host, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name_matches(host, name, false)) return true;
  return false;
}

}  // namespace tollgate
