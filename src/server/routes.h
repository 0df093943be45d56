// Every route of the daemon: who may take it and what it does. routes.cc is the table.
// A handler gets an exchange whose sender is known to be allowed; it answers it once.
// SAFETY: a route that names no access needs a credential; nothing is open by omission.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "approvals/people.h"
#include "base/moment_text.h"
#include "certificates/facts.h"
#include "server/exchange.h"
#include "server/gate.h"
#include "server/live.h"

namespace tollgate::server {

struct Status {
  std::string version;
  std::string url;
  Millis started = 0;
  std::function<std::size_t()> connections;
  std::uint64_t open_files = 0;
  Millis patience = 50'000;  // a client that takes no stream is told by then to try again
  std::function<std::vector<certificates::Facts>()> certificates = {};  // as Server has them
};

// Counts for /metrics; on the daemon's own thread.
struct Counters {
  std::map<std::string, std::uint64_t> decisions;  // by verdict
  std::map<std::string, std::uint64_t> refused;    // by error code
  std::uint64_t requests = 0;
};

// The file that tells hooks what is frozen: who waits until it says so.
struct FreezeFile {
  bool writing = false;
  std::vector<std::function<void(Result<void>)>> waiting;
};

// The last insight, so that looking at it often costs no more than once a while. One at a time is
// made; whoever asks meanwhile waits for it.
struct InsightShelf {
  std::int64_t days = 0;  // that `kept` is about
  Millis made = 0;
  std::shared_ptr<const json::Value> kept;
  bool making = false;
  std::vector<std::function<void()>> waiting;
};

class Notices;
class RecordKeeper;
class SecurityKeys;

struct Daemon {
  GateParts parts;
  Gate& gate;
  approvals::People& people;
  Live& live;
  Status status;
  Counters counters;
  // How a call that waits is taken back, by session and the request's id.
  std::map<std::string, std::function<void(const std::string& why)>> mcp_calls = {};
  FreezeFile freeze_file = {};
  InsightShelf insight = {};
  Notices* notices = nullptr;  // nothing: nobody is told
  RecordKeeper* keeper = nullptr;
  SecurityKeys* keys = nullptr;  // nothing: nobody has one
};

enum class Access : std::uint8_t {
  kApprover,
  kOperator,
  kPerson,       // either of them
  kEveryone,     // checks for itself, or tells nothing that matters
  kLocalSocket,  // only over the socket in the data directory
};

// What people with a security key touch it for, whatever the request says besides.
enum class Touch : std::uint8_t { kNever, kIfRegistered };

struct Visit {
  std::shared_ptr<Exchange> exchange;
  std::vector<std::string> arguments;  // what stands for {…} in the pattern
  approvals::Who who;                  // of kApprover, kOperator and kPerson

  const Request& request() const& { return exchange->request(); }
  void reply(int status, const json::Value& body) const;
  void fail(int status, const Error& error) const;
  void fail(const Error& error) const;  // with the status that belongs to its code
};

using Handler = void (*)(Daemon&, Visit);

struct Route {
  std::string_view method;
  std::string_view pattern;  // /api/sessions/{id}
  Access access;
  Handler handler;
  Touch touch = Touch::kNever;
};

// Finds the route, checks the sender, runs the handler.
void handle(Daemon& daemon, std::shared_ptr<Exchange> exchange);

// The credential of a request: a bearer's secret, or a page's cookie together with the key of that
// login. For acts these must come from our own page. Errors: bad-credential, too-many-guesses,
// not-allowed-here.
Result<approvals::Who> who_sends(Daemon& daemon, const Request& request);

// The two secrets of a login. A browser sends the cookie to every port of the host, so its page
// keeps the key apart; a program that is no browser has both in its cookie, joined by a dot.
struct LoginSecrets {
  std::string cookie;
  std::string key;  // "" where none was sent
};
std::optional<LoginSecrets> login_of(const Request& request);

// By what every browser says of itself. SAFETY: whoever is taken for one only gets less.
bool is_browser(const Request& request);

// Whether a request with a cookie was made by our own page, or by a program that is no browser.
bool comes_from_our_page(const Request& request);

// The status that goes with an error code.
int status_of(std::string_view code);

// --- reading bodies and queries ------------------------------------------------------------------

// The members of a JSON object that a request sent; what is not known is an error.
class Body {
 public:
  // Error: malformed-request.
  static Result<Body> read(const Request& request);

  std::string text(std::string_view name);
  std::optional<bool> flag(std::string_view name);
  std::optional<json::Value> value(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  bool has(std::string_view name);  // null counts
  // Error: malformed-request, where a member had another type or is not known.
  Result<void> done();

 private:
  const json::Value* member(std::string_view name);
  void wrong(std::string_view name, std::string_view want);

  json::Value value_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

Error malformed_request(std::string message);
// The text of a member, "" where it is none.
std::string text_in(const json::Value& value, std::string_view name);
json::Value text_value(std::string_view text);
json::Value moment_value(Millis at);  // null for 0
// {"address"} or {"socket", "uid", "pid"}.
json::Value peer_value(const Peer& peer);
// How a person's answer came: "page", "http", or "socket" with the process that sent it.
std::string way_of(const Request& request, const approvals::Who& who);

// Answers with a file of the page, for anybody; false where the path is none of them.
bool serve_page(const Visit& visit);

// --- the handlers, a file a noun -----------------------------------------------------------------

void list_sessions(Daemon& daemon, Visit visit);
void make_session(Daemon& daemon, Visit visit);
void change_session(Daemon& daemon, Visit visit);
void end_session(Daemon& daemon, Visit visit);
void freeze(Daemon& daemon, Visit visit);

void list_permissions(Daemon& daemon, Visit visit);
void show_permission(Daemon& daemon, Visit visit);
void approve_permission(Daemon& daemon, Visit visit);
void deny_permission(Daemon& daemon, Visit visit);
void preview_rule(Daemon& daemon, Visit visit);
void mark_seen(Daemon& daemon, Visit visit);
void answer_together(Daemon& daemon, Visit visit);

void decide_call(Daemon& daemon, Visit visit);
void serve_mcp(Daemon& daemon, Visit visit);
void serve_hook(Daemon& daemon, Visit visit);
void serve_ask(Daemon& daemon, Visit visit);

void log_in_by_link(Daemon& daemon, Visit visit);
void log_in(Daemon& daemon, Visit visit);
void log_out(Daemon& daemon, Visit visit);
void who_am_i(Daemon& daemon, Visit visit);
void make_link(Daemon& daemon, Visit visit);
void list_approvers(Daemon& daemon, Visit visit);
void add_approver(Daemon& daemon, Visit visit);
void revoke_approver(Daemon& daemon, Visit visit);

void list_keys(Daemon& daemon, Visit visit);
void offer_key(Daemon& daemon, Visit visit);
void add_key(Daemon& daemon, Visit visit);
void remove_key(Daemon& daemon, Visit visit);
void challenge_touch(Daemon& daemon, Visit visit);

void pair_device(Daemon& daemon, Visit visit);
void list_devices(Daemon& daemon, Visit visit);
void revoke_device(Daemon& daemon, Visit visit);

void show_certificate(Daemon& daemon, Visit visit);
void serve_authority(Daemon& daemon, Visit visit);
void show_push_key(Daemon& daemon, Visit visit);
void add_subscription(Daemon& daemon, Visit visit);
void remove_subscription(Daemon& daemon, Visit visit);
void list_notices(Daemon& daemon, Visit visit);
void try_notice(Daemon& daemon, Visit visit);
void show_ticket(Daemon& daemon, Visit visit);
void answer_by_ticket(Daemon& daemon, Visit visit);
void serve_slack(Daemon& daemon, Visit visit);

void search_audit(Daemon& daemon, Visit visit);
void show_audit_row(Daemon& daemon, Visit visit);
void replay_audit_row(Daemon& daemon, Visit visit);
void show_record(Daemon& daemon, Visit visit);
void list_grants(Daemon& daemon, Visit visit);
void revoke_grant(Daemon& daemon, Visit visit);
void list_agents(Daemon& daemon, Visit visit);
void show_policy(Daemon& daemon, Visit visit);
void list_roles(Daemon& daemon, Visit visit);
void check_rule(Daemon& daemon, Visit visit);
void edit_policy(Daemon& daemon, Visit visit);
void try_call(Daemon& daemon, Visit visit);
void show_insight(Daemon& daemon, Visit visit);
void show_settings(Daemon& daemon, Visit visit);
void show_health(Daemon& daemon, Visit visit);
void show_metrics(Daemon& daemon, Visit visit);

}  // namespace tollgate::server
