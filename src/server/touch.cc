#include "server/touch.h"

#include <array>

#include "base/base64.h"
#include "base/text.h"
#include "json/json.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: of the header, with all four parts.
constexpr std::size_t kMaxTouchBytes = 12'000;

// scheme://authority of a URL, with a name in place of a loopback address.
std::string origin_in(const std::string& url) {
  const std::size_t begin = url.find("://");
  if (begin == url.npos) return "";
  std::string origin = lower(url.substr(0, url.find('/', begin + 3)));
  for (const std::string_view address : {"://127.0.0.1", "://[::1]"})
    if (const std::size_t at = origin.find(address); at != origin.npos)
      origin.replace(at, address.size(), "://localhost");
  return origin;
}

// "" for an address of numbers.
std::string name_in(const std::string& origin) {
  std::string name = origin.substr(origin.find("://") + 3);
  name = name.substr(0, name.find(':'));
  const bool numbers = name.find_first_not_of("0123456789.") == name.npos;
  return numbers || name.starts_with('[') ? "" : name;
}

Result<Value> proof_in(const std::string& header) {
  const std::optional<std::string> bytes =
      header.size() > kMaxTouchBytes ? std::nullopt : bytes_of_base64url(header);
  Result<Value> proof = bytes ? json::parse(*bytes) : Value();
  if (!proof || !proof->is_object())
    return Fail({.code = "presence-refused",
                 .message = "`X-Tollgate-Touch` is no proof of a touch",
                 .hint = "send base64url of {credentialId, clientDataJSON, authenticatorData, "
                         "signature}",
                 .where = {}});
  return proof;
}

}  // namespace

std::optional<KeyPlace> key_place(const Daemon& daemon, const Request& request) {
  const std::string host = lower(request.header("host").value_or(""));
  const std::array<std::string, 2> known = {origin_in(daemon.parts.policies.settings().public_url),
                                            origin_in(daemon.status.url)};
  for (const std::string& origin : known) {
    const std::string name = origin.empty() ? "" : name_in(origin);
    if (!name.empty() && origin.substr(origin.find("://") + 3) == host)
      return KeyPlace{.origin = origin, .rp_id = name};
  }
  return std::nullopt;
}

std::string act_of(const Daemon& daemon, const std::string& method, const std::string& path,
                   const Value& body) {
  std::string act = method + " " + path + "\n" + json::canonical(body) + "\n";
  constexpr std::string_view kQuestions = "/api/permissions/";
  if (!path.starts_with(kQuestions)) return act;
  const std::string id =
      path.substr(kQuestions.size(), path.find('/', kQuestions.size()) - kQuestions.size());
  const std::optional<store::Question> question = daemon.parts.desk.find(id);
  return act + (question ? question->id + " " + question->digest : "");
}

Result<std::string> touch_of(Daemon& daemon, const Request& request, const std::string& person) {
  const std::optional<std::string> header = request.header(kTouchHeader);
  if (!header || daemon.keys == nullptr) return std::string();
  const std::optional<KeyPlace> place = key_place(daemon, request);
  if (!place) return Fail(presence_unavailable());
  const Result<Value> proof = proof_in(*header);
  if (!proof) return Fail(proof.error());
  const Result<Value> body = request.body.empty() ? Value() : json::parse(request.body);
  if (!body) return Fail(body.error());
  const std::string path = request.target.substr(0, request.target.find('?'));
  const Result<SecurityKey> key = daemon.keys->touched(
      person, act_of(daemon, request.method, path, *body), *proof, *place, daemon.parts.loop.now());
  if (!key) return Fail(key.error());
  return key->name;
}

Error presence_unavailable() {
  return {.code = "presence-unavailable",
          .message = "browsers bind no security key to this address",
          .hint =
              "open the page as http://localhost:PORT, or under the name of "
              "`settings.publicUrl`",
          .where = {}};
}

Error touch_required(const std::string& person) {
  return {.code = "presence-required",
          .message = "`" + person + "` has a security key, and this needs its touch",
          .hint = "do it on the page, at an address where the key is registered",
          .where = {}};
}

}  // namespace tollgate::server
