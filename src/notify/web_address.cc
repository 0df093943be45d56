#include "notify/web_address.h"

#include <algorithm>
#include <charconv>

#include "base/host.h"
#include "base/text.h"

namespace tollgate::notify {
namespace {

constexpr std::string_view kPushServices[] = {
    "fcm.googleapis.com",           // Chrome, Edge on Android, Brave
    "*.push.services.mozilla.com",  // Firefox
    "updates.push.services.mozilla.com",
    "*.notify.windows.com",  // Edge
    "web.push.apple.com",    // Safari
    "*.push.apple.com",
};

bool covers(std::string_view pattern, std::string_view host) {
  if (!pattern.starts_with("*.")) return pattern == host;
  pattern.remove_prefix(1);
  return host.size() > pattern.size() && host.ends_with(pattern);
}

bool is_printable(std::string_view text) {
  for (const char c : text)
    if (c <= ' ' || c >= 127 || c == '"' || c == '<' || c == '>' || c == '\\') return false;
  return true;
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > 65535)
    return std::nullopt;
  return static_cast<std::uint16_t>(number);
}

}  // namespace

std::string WebAddress::host_header() const {
  const std::string name = host.find(':') == host.npos ? host : "[" + host + "]";
  return port == (tls ? 443 : 80) ? name : name + ":" + std::to_string(port);
}

std::string WebAddress::origin() const { return (tls ? "https://" : "http://") + host_header(); }

bool WebAddress::is_loopback() const {
  if (host == "localhost" || host == "::1") return true;
  return host.starts_with("127.") && is_address(host);
}

std::optional<WebAddress> web_address(std::string_view text) {
  WebAddress out;
  if (text.starts_with("https://")) {
    text.remove_prefix(8);
  } else if (text.starts_with("http://")) {
    out.tls = false;
    out.port = 80;
    text.remove_prefix(7);
  } else {
    return std::nullopt;
  }
  if (!is_printable(text) || text.find('#') != text.npos) return std::nullopt;
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  std::string_view authority = text.substr(0, end);
  if (end < text.size()) out.target = (text[end] == '/' ? "" : "/") + std::string(text.substr(end));
  if (authority.find('@') != authority.npos) return std::nullopt;
  std::size_t colon = authority.rfind(':');
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == authority.npos || (close + 1 < authority.size() && authority[close + 1] != ':'))
      return std::nullopt;
    colon = close + 1 < authority.size() ? close + 1 : authority.npos;
  }
  if (colon != authority.npos) {
    const std::optional<std::uint16_t> port = port_of(authority.substr(colon + 1));
    if (!port) return std::nullopt;
    out.port = *port;
    authority = authority.substr(0, colon);
  }
  out.host = canonical_host(authority);
  if (out.host.empty()) return std::nullopt;
  return out;
}

bool is_push_service(const std::string& host, const std::vector<std::string>& more) {
  for (const std::string_view known : kPushServices)
    if (covers(known, host)) return true;
  for (const std::string& each : more)
    if (covers(each, host)) return true;
  return false;
}

}  // namespace tollgate::notify
