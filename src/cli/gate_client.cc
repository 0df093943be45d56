#include "cli/gate_client.h"

#include <utility>

#include "base/text.h"
#include "cli/registration.h"
#include "explain/layout.h"
#include "hook/daemon.h"
#include "json/json.h"
#include "os/local_socket.h"
#include "os/terminal.h"

namespace tollgate::cli {
namespace {

constexpr std::size_t kMostAnswer = 64u << 20;

Error no_daemon(const std::string& socket) {
  return error_of("no-daemon", "no daemon listens at " + socket,
                  "start one with `tollgate serve`, or name its directory with --data");
}

Result<json::Value> value_of(const server::Response& answer) {
  Result<json::Value> body = json::parse(answer.body, {.max_bytes = kMostAnswer, .max_depth = 96});
  if (!body)
    return Fail(error_of("bad-answer", "the daemon's answer is no JSON", "is it of this version?"));
  if (answer.status < 400) return body;
  const json::Value& error = member_of(*body, "error");
  const std::string code = member_of(error, "code").as_string();
  if (code.empty())
    return Fail(error_of("bad-answer",
                         "the daemon refused with status " + std::to_string(answer.status),
                         "see the daemon's log"));
  return Fail(error_of(code, member_of(error, "message").as_string(),
                       member_of(error, "hint").as_string()));
}

// The value of a cookie that an answer sets.
std::string cookie_in(const server::Response& answer, const std::string& name) {
  for (const auto& [key, value] : answer.headers)
    if (key == "set-cookie" && value.starts_with(name + "="))
      return value.substr(name.size() + 1, value.find(';') - name.size() - 1);
  return "";
}

}  // namespace

std::string text_in(const json::Value& value, std::string_view name) {
  return visible(member_of(value, name).as_string());
}

const json::Value& member_of(const json::Value& value, std::string_view name) {
  static const json::Value kNothing;
  const json::Value* member = value.find(name);
  return member == nullptr ? kNothing : *member;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return out;
}

Result<GateClient> GateClient::open(const Arguments& arguments, Context& context) {
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return Fail(data.error());
  const std::string socket = hook::socket_in(*data);
  if (!os::LocalStream::open(socket)) return Fail(no_daemon(socket));
  return GateClient(socket);
}

Result<void> GateClient::log_in(const std::string& typed) {
  if (typed.find("tgl_") == typed.npos) {
    header_ = "Authorization";
    secret_ = "Bearer " + typed;
    return {};
  }
  server::ClientRequest request = to("POST", "/api/login");
  request.body = json::write(json::Value::object({{"link", json::Value::string(typed)}}));
  const Result<server::Response> answer = server::fetch(request);
  if (!answer) return Fail(answer.error());
  const Result<json::Value> value = value_of(*answer);
  if (!value) return Fail(value.error());
  header_ = "Cookie";
  key_ = member_of(*value, "key").as_string();
  secret_ = "tollgate=" + cookie_in(*answer, "tollgate");
  return {};
}

server::ClientRequest GateClient::to(std::string_view method, const std::string& target) const {
  server::ClientRequest request;
  request.local_socket = socket_;
  request.method = std::string(method);
  request.target = target;
  request.headers = {{"Content-Type", "application/json"}};
  request.most_bytes = kMostAnswer;
  return request;
}

Result<std::string> GateClient::credential() {
  if (!secret_.empty()) return secret_;
  const std::optional<std::string> typed = os::ask_secret("credential or login link: ");
  if (!typed || trim(*typed).empty())
    return Fail(error_of("bad-credential", "this needs a credential, typed at a terminal",
                         "run it in a terminal; `tollgate serve` prints a login link"));
  const std::string word(trim(*typed));
  if (word.find_first_of("\r\n") != word.npos)
    return Fail(
        error_of("bad-credential", "the credential has a line break in it", "type it again"));
  if (Result<void> done = log_in(word); !done) return Fail(done.error());
  return secret_;
}

Result<server::ClientRequest> GateClient::request(std::string_view method,
                                                  const std::string& target) {
  const Result<std::string> secret = credential();
  if (!secret) return Fail(secret.error());
  server::ClientRequest out = to(method, target);
  out.headers.emplace_back(header_, *secret);
  if (!key_.empty()) out.headers.emplace_back("X-Tollgate-Key", key_);
  return out;
}

Result<json::Value> GateClient::call(std::string_view method, const std::string& target,
                                     const json::Value& body) {
  Result<server::ClientRequest> request = this->request(method, target);
  if (!request) return Fail(request.error());
  if (!body.is_null()) request->body = json::write(body);
  const Result<server::Response> answer = server::fetch(*request);
  if (!answer) return Fail(answer.error());
  return value_of(*answer);
}

}  // namespace tollgate::cli
