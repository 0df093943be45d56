// What goes on, as it happens: web sockets of people's screens and of applications.
// A person's socket sees every question; an application's sees its own session and nothing else.
// SAFETY: only a socket that logged in as a person may answer; a session's never.
#pragma once

#include <memory>
#include <string>

#include "approvals/desk.h"
#include "json/value.h"
#include "server/exchange.h"

namespace tollgate::server {

struct Daemon;

class Live {
 public:
  Live();
  ~Live();

  // REQUIRES: before the first socket.
  void serve(Daemon& daemon);
  // Who may open one: nothing lets it in.
  std::optional<Response> may_enter(const Request& request);
  void enter(std::shared_ptr<Socket> socket);

  void question_changed(approvals::Notice notice, const store::Question& question);
  void session_changed(const json::Value& session);
  void sessions_changed();  // many at once: who shows them asks for the list
  void policy_changed(const json::Value& status);
  // Its credential was revoked: whoever watches with it sees no more.
  void drop(const std::string& credential);
  // Closes the screens of those whose login has ended since: by leaving, or by its time.
  void look_again();
  std::size_t watching() const;  // people's screens that are open
  void close();

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace tollgate::server
