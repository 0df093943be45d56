// The running daemon as commands reach it: over the socket in the data directory.
// SAFETY: the credential is typed at the terminal for each command; no file, variable or argument
// ever holds one, because an agent of the same user could read it there.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "json/value.h"
#include "server/client.h"

namespace tollgate::cli {

inline constexpr Option kDataOption = {"data", "DIR", "where the daemon keeps its things"};
inline constexpr Option kJsonOption = {"json", "", "as JSON"};

class GateClient {
 public:
  // Error: no-daemon where none listens there.
  static Result<GateClient> open(const Arguments& arguments, Context& context);

  // Sends one request with the person's credential, which is asked for at the first; after that any
  // thread may. Errors: what the daemon says, bad-credential where there is no terminal, no-daemon.
  Result<json::Value> call(std::string_view method, const std::string& target,
                           const json::Value& body = {});

  // A request that carries the credential, for whoever sends it by other means. Errors as call().
  Result<server::ClientRequest> request(std::string_view method, const std::string& target);

 private:
  explicit GateClient(std::string socket) : socket_(std::move(socket)) {}
  Result<std::string> credential();
  server::ClientRequest to(std::string_view method, const std::string& target) const;
  // The credential, or the cookie and key that a login link was exchanged for.
  Result<void> log_in(const std::string& typed);

  std::string socket_;
  std::string header_;  // its name
  std::string secret_;
  std::string key_;  // goes with the cookie
};

// A member of what the daemon said, as it may be shown; "" and null where there is none.
std::string text_in(const json::Value& value, std::string_view name);
const json::Value& member_of(const json::Value& value, std::string_view name);

// A text as one segment of a path or one value of a query.
std::string escaped(std::string_view text);

}  // namespace tollgate::cli
