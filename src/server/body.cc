// Reading what requests send, and how errors look.
#include <algorithm>

#include "base/edit_distance.h"
#include "base/text.h"
#include "json/json.h"
#include "server/routes.h"

namespace tollgate::server {

Error malformed_request(std::string message) {
  return {.code = "malformed-request",
          .message = std::move(message),
          .hint = "docs/http.md has the shapes",
          .where = {}};
}

Result<Body> Body::read(const Request& request) {
  Body body;
  if (request.body.empty()) {
    body.value_ = json::Value::object();
    return body;
  }
  Result<json::Value> value = json::parse(request.body);
  if (!value) return Fail(malformed_request("the body is not JSON: " + value.error().message));
  if (!value->is_object()) return Fail(malformed_request("the body is no JSON object"));
  body.value_ = std::move(*value);
  return body;
}

const json::Value* Body::member(std::string_view name) {
  known_.emplace_back(name);
  return value_.find(name);
}

void Body::wrong(std::string_view name, std::string_view want) {
  if (error_) return;
  error_ = malformed_request("`" + std::string(name) + "` must be " + std::string(want));
}

bool Body::has(std::string_view name) { return member(name) != nullptr; }

std::string Body::text(std::string_view name) {
  const json::Value* found = member(name);
  if (found == nullptr || found->is_null()) return "";
  if (!found->is_string()) wrong(name, "a string");
  return found->as_string();
}

std::optional<bool> Body::flag(std::string_view name) {
  const json::Value* found = member(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  if (found->kind() != json::Kind::kBool) wrong(name, "true or false");
  return found->as_bool();
}

std::optional<json::Value> Body::value(std::string_view name) {
  const json::Value* found = member(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  return *found;
}

std::vector<std::string> Body::texts(std::string_view name) {
  std::vector<std::string> out;
  const json::Value* found = member(name);
  if (found == nullptr || found->is_null()) return out;
  if (!found->is_array()) wrong(name, "a list of strings");
  for (const json::Value& item : found->items()) {
    if (!item.is_string()) wrong(name, "a list of strings");
    out.push_back(item.as_string());
  }
  return out;
}

Result<void> Body::done() {
  if (error_) return Fail(*error_);
  for (const auto& [key, value] : value_.members()) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    std::vector<std::string_view> names(known_.begin(), known_.end());
    Error error = malformed_request("unknown member `" + shortened(key) + "`");
    error.hint = did_you_mean(key, "members", names);
    return Fail(std::move(error));
  }
  return {};
}

std::string text_in(const json::Value& value, std::string_view name) {
  const json::Value* member = value.find(name);
  return member == nullptr ? std::string() : member->as_string();
}

json::Value text_value(std::string_view text) { return json::Value::string(std::string(text)); }

json::Value moment_value(Millis at) {
  return at == 0 ? json::Value() : text_value(moment_text(at));
}

json::Value peer_value(const Peer& peer) {
  if (!peer.local_socket) return json::Value::object({{"address", text_value(peer.address)}});
  return json::Value::object({{"socket", json::Value::boolean(true)},
                              {"uid", json::Value::integer(peer.uid)},
                              {"pid", json::Value::integer(peer.pid)}});
}

std::string way_of(const Request& request, const approvals::Who& who) {
  if (request.peer.local_socket)
    return "socket uid " + std::to_string(request.peer.uid) + " pid " +
           std::to_string(request.peer.pid);
  return who.by_cookie ? "page" : "http";
}

}  // namespace tollgate::server
