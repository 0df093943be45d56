// What a request says about itself, and the responses that everybody gives alike.
// No wire and no library: routes and the transport both use it.
// SAFETY: a header, query member or cookie that stands twice is as if it were missing.
#include "server/exchange.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/append.h"

namespace tollgate::server {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::optional<std::string> only_one(const Pairs& pairs, std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& [key, value] : pairs) {
    if (key != name) continue;
    if (found != nullptr) return {};
    found = &value;
  }
  return found == nullptr ? std::optional<std::string>() : *found;
}

// One household has a whole /64 of addresses, so a single one of them counts for nothing.
std::string counted_address(const std::string& address) {
  in6_addr bytes = {};
  if (::inet_pton(AF_INET6, address.c_str(), &bytes) != 1 || IN6_IS_ADDR_LOOPBACK(&bytes))
    return address;
  std::fill(std::begin(bytes.s6_addr) + 8, std::end(bytes.s6_addr), std::uint8_t{0});
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET6, &bytes, text, sizeof text);
  return std::string(text) + "/64";
}

}  // namespace

std::string Peer::name() const {
  return local_socket ? "uid " + std::to_string(uid) : counted_address(address);
}

std::optional<std::string> Request::header(std::string_view lower_name) const {
  return only_one(headers, lower_name);
}

std::optional<std::string> Request::query_value(std::string_view name) const {
  return only_one(query, name);
}

std::optional<std::string> Request::cookie(std::string_view name) const {
  const std::optional<std::string> all = header("cookie");
  if (!all) return {};
  std::optional<std::string> found;
  for (const std::string_view part : split(*all, ';')) {
    const std::string_view one = trim(part);
    const std::size_t equals = one.find('=');
    if (equals == one.npos || one.substr(0, equals) != name) continue;
    if (found) return {};
    found = std::string(one.substr(equals + 1));
  }
  return found;
}

Request Request::take() {
  Request taken = std::exchange(*this, {});
  peer = taken.peer;
  return taken;
}

Response json_response(int status, std::string body) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json"},
                      {"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = std::move(body);
  return response;
}

Response error_response(int status, std::string_view code, std::string_view message,
                        std::string_view hint) {
  std::string body = R"({"error":{"code":)";
  json::append_quoted(body, code);
  body += R"(,"message":)";
  json::append_quoted(body, message);
  body += R"(,"hint":)";
  json::append_quoted(body, hint);
  body += "}}";
  return json_response(status, std::move(body));
}

}  // namespace tollgate::server
