#include "server/serve.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "approvals/desk.h"
#include "approvals/grants.h"
#include "approvals/people.h"
#include "approvals/sessions.h"
#include "audit/place.h"
#include "audit/spool.h"
#include "hook/daemon.h"
#include "json/json.h"
#include "notify/outlet.h"
#include "os/files.h"
#include "os/random.h"
#include "os/supervisor.h"
#include "os/two_clocks.h"
#include "server/certificate_watch.h"
#include "server/clock_keeper.h"
#include "server/hook_freezes.h"
#include "server/live.h"
#include "server/makers.h"
#include "server/notices.h"
#include "server/public_address.h"
#include "server/record_keeper.h"
#include "server/redaction.h"
#include "server/routes.h"
#include "server/security_keys.h"
#include "server/session_value.h"
#include "store/spool_reader.h"
#include "store/sqlite_store.h"

namespace tollgate::server {
namespace {

constexpr Millis kTick = 250;
constexpr std::uint64_t kTicksOfMinute = 60'000 / kTick;
constexpr std::uint64_t kTicksOfStates = 3'000 / kTick;  // how late a screen learns who is idle
constexpr Millis kGrace = 2'000;  // what is on its way at the stop may take so long
constexpr std::string_view kConsole = "console";

std::string first_error(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& each : diagnostics) out += render(each);
  return out;
}

ServerOptions server_options(const ServeOptions& options, const config::Settings& settings) {
  ServerOptions out;
  out.host = settings.listen.host;
  out.port = settings.listen.port;
  out.local_socket = hook::socket_in(options.files.data_dir);
  if (settings.tls) {
    out.certificate = settings.tls->cert;
    out.key = settings.tls->key;
  }
  if (!settings.public_url.empty()) out.public_urls.push_back(settings.public_url);
  out.insecure = options.insecure;
  out.inherited = os::inherited_listener();
  // All agents of this machine come from one address; what one session may leave open has bounds of
  // its own.
  if (is_loopback(out.host)) {
    out.limits.requests_per_second = 50'000;
    out.limits.burst = 100'000;
  }
  return out;
}

// Without one there is no Web Push, and everything else goes on.
std::shared_ptr<const notify::PushKey> push_key_in(const ServeOptions& options) {
  Result<notify::PushKey> key = notify::PushKey::in_file(options.files.data_dir + "/push.pem");
  if (key) return std::make_shared<const notify::PushKey>(std::move(*key));
  if (options.log) options.log("no Web Push: " + key.error().message);
  return nullptr;
}

// All parts of a daemon that runs; the order is that of their making.
class Running {
 public:
  Running(const ServeOptions& options, Policies& policies, Redaction& redaction,
          std::unique_ptr<store::Store> store, std::unique_ptr<Server> server,
          os::TwoClocks& clocks);

  Result<void> restore();
  void run();

 private:
  // What becomes of a question after its time: its rule may have it put to people once more.
  std::optional<store::Question> next_of(const store::Question& question, Millis now) const;
  void announce();
  void tick();
  // Questions of sessions that have expired end as well.
  void end_orphans(Millis now);
  void look_at_files(Policies::Which which);
  // The address of the page as people reach it.
  std::string page_address() const;
  void tell_unusable(const std::vector<NoticeRoute>& routes) const;
  void swallow();
  void heard(int signal);
  void log(const std::string& line) const {
    if (options_.log) options_.log(line);
  }
  Loop& loop() { return server_->loop(); }

  const ServeOptions& options_;
  Policies& policies_;
  Redaction& redaction_;
  std::unique_ptr<Server> server_;
  // SAFETY: ends before the loop does: its thread posts there what it has written last.
  std::unique_ptr<store::Store> store_;
  std::function<void(std::function<void()>)> post_;
  approvals::Desk desk_;
  approvals::SessionBook sessions_;
  approvals::GrantBook grants_;
  approvals::People people_;
  SecurityKeys keys_;
  Gate gate_;
  Live live_;
  std::shared_ptr<const notify::PushKey> push_key_;
  notify::Outlet outlet_;
  Notices notices_;
  RecordKeeper keeper_;
  Daemon daemon_;
  CertificateWatch certificate_;
  ClockKeeper clock_;
  std::unique_ptr<Timer> timer_;
  std::uint64_t ticks_ = 0;
  SessionStates states_;  // as screens were told
  bool looking_ = false;
  bool swallowing_ = false;
  bool stopping_ = false;
};

Running::Running(const ServeOptions& options, Policies& policies, Redaction& redaction,
                 std::unique_ptr<store::Store> store, std::unique_ptr<Server> server,
                 os::TwoClocks& clocks)
    : options_(options),
      policies_(policies),
      redaction_(redaction),
      server_(std::move(server)),
      store_(std::make_unique<RedactingStore>(std::move(store), redaction)),
      post_([this](std::function<void()> work) { loop().post(std::move(work)); }),
      desk_(*store_, post_,
            {.keep_gone = options.keep_gone,
             .makers =
                 [this](const store::Question& question) {
                   return makers_of(question, sessions_, grants_, loop().now());
                 },
             .on_timeout = [this](const store::Question& question,
                                  Millis now) { return next_of(question, now); },
             .has_key = [this](const std::string& person) { return keys_.has(person); }}),
      sessions_(*store_, post_),
      grants_(*store_, post_),
      people_(*store_, post_,
              [](std::size_t bytes) { return os::random_bytes(bytes).value_or(""); }),
      keys_(*store_, post_, [](std::size_t bytes) { return os::random_bytes(bytes).value_or(""); }),
      gate_({loop(), *store_, policies_, desk_, sessions_, grants_, &redaction}),
      push_key_(push_key_in(options)),
      outlet_({.bus_address = notify::session_bus(options.files.environment),
               .push_key = push_key_,
               .looked =
                   [this](const std::string& question) {
                     post_([this, question] { desk_.shown(question, loop().now()); });
                   }}),
      notices_({loop(), *store_, desk_, people_, outlet_,
                push_key_ == nullptr ? "" : push_key_->public_text()}),
      keeper_({loop(), *store_, policies_, outlet_,
               [this](const std::string& name) { return notices_.route(name); },
               [this](const std::string& line) { log(line); },
               place_of_store(options.files.data_dir)}),
      daemon_{{loop(), *store_, policies_, desk_, sessions_, grants_},
              gate_,
              people_,
              live_,
              {.version = options.version,
               .url = server_->url(),
               .started = loop().now(),
               .connections = [this] { return server_->connection_count(); },
               .open_files = server_->open_files().soft,
               .patience = options.patience,
               .certificates = [this] { return server_->certificates(); }},
              {}},
      certificate_(*server_, policies.settings().tls, options.files.data_dir, options.log),
      clock_(clocks, *store_, options.log) {
  daemon_.notices = &notices_;
  daemon_.keeper = &keeper_;
  daemon_.keys = &keys_;
  live_.serve(daemon_);
  desk_.listen([this](approvals::Notice notice, const store::Question& question) {
    live_.question_changed(notice, question);
    notices_.question_changed(notice, question);
  });
  server_->set_handlers(
      {.request =
           [this](std::shared_ptr<Exchange> exchange) { handle(daemon_, std::move(exchange)); },
       .may_upgrade = [this](const Request& request) { return live_.may_enter(request); },
       .socket = [this](std::shared_ptr<Socket> socket) { live_.enter(std::move(socket)); }});
}

Result<void> Running::restore() {
  Result<store::Kept> kept = store_->load(loop().now(), approvals::DeskOptions{}.same_answer);
  if (!kept) return Fail(std::move(kept).error());
  clock_.restore(kept->settings);
  const Millis now = loop().now();
  // What was granted to a session has ended with it.
  std::erase_if(kept->grants, [&](const store::Grant& grant) {
    return grant.scope == store::Scope::kSession &&
           std::ranges::none_of(kept->sessions, [&](const store::Session& session) {
             return session.id == grant.session && session.ended == 0;
           });
  });
  sessions_.restore_freezes(kept->settings);
  sessions_.restore(kept->sessions);
  if (const Result<void> told =
          hook::write_freezes(options_.files.data_dir, hook_freezes(sessions_));
      !told)
    return told;
  grants_.restore(std::move(kept->grants));
  people_.restore(kept->credentials, std::move(kept->logins));
  keys_.restore(kept->settings);
  keeper_.restore(kept->settings, now);
  desk_.restore(std::move(kept->questions), now);
  std::vector<NoticeRoute> routes = notice_routes(policies_.settings());
  tell_unusable(routes);
  notices_.configure(std::move(routes), page_address());
  notices_.restore(kept->settings);
  return {};
}

std::string Running::page_address() const {
  const std::string url = policies_.settings().public_url;
  return url.empty() ? daemon_.status.url : url;
}

void Running::tell_unusable(const std::vector<NoticeRoute>& routes) const {
  for (const NoticeRoute& route : routes)
    if (!route.target->problem.empty())
      log("no notices to `" + route.target->name + "`: " + route.target->problem);
}

std::optional<store::Question> Running::next_of(const store::Question& question, Millis now) const {
  const Decision& decision = question.asked.decision;
  // `forward` ends it here; the call that waits judges again under its parent.
  if (decision.on_timeout != OnTimeout::kEscalate || question.context.find("escalated") != nullptr)
    return std::nullopt;
  store::Question next = question;
  next.context.set("escalated", json::Value::integer(now));
  // SAFETY: nobody but people settles what people were asked; an agent above is not one of them.
  next.expires = now + (question.expires - question.created);
  return next;
}

// The link needs a credential to stand for; whoever starts the daemon is an operator and approver.
void Running::announce() {
  const auto link = [this] {
    people_.make_link(std::string(kConsole), loop().now(), [this](Result<std::string> secret) {
      const std::string url = daemon_.status.url;
      const std::string login = secret ? public_address(daemon_).url + "/login/" + *secret : "";
      if (!secret) log("no login link could be made: " + secret.error().message);
      if (options_.started) options_.started(url, login);
      const json::Value ready =
          json::Value::object({{"url", json::Value::string(url)},
                               {"login", json::Value::string(login)},
                               {"pid", json::Value::integer(os::process_id())}});
      if (options_.ready_fd >= 0) os::tell_ready(options_.ready_fd, json::write(ready) + "\n");
      os::tell_supervisor("READY=1\nSTATUS=" + url);
    });
  };
  const std::vector<store::Credential> known = people_.all();
  const auto console = std::ranges::find_if(known, [](const store::Credential& each) {
    return each.name == kConsole && each.revoked == 0;
  });
  if (console != known.end()) return link();
  people_.add({.name = std::string(kConsole),
               .person = options_.person,
               .roles = {},
               .approver = true,
               .is_operator = true},
              options_.person, loop().now(), [this, link](const Result<std::string>& added) {
                // Its secret is thrown away: only links lead to it.
                if (!added) log("no credential for the console: " + added.error().message);
                link();
              });
}

void Running::tick() {
  clock_.tick(desk_.is_empty() ? ClockKeeper::Waits::kNothing : ClockKeeper::Waits::kSomething);
  const Millis now = loop().now();
  desk_.tick(now);
  sessions_.tick(now);
  grants_.tick(now);
  people_.tick(now);
  notices_.tick(now);
  keeper_.tick(now);
  look_at_files(Policies::Which::kChanged);
  swallow();
  if (++ticks_ % kTicksOfStates == 0)
    states_ = live_.watching() == 0 ? SessionStates() : tell_changed_states(daemon_, states_);
  if (ticks_ % kTicksOfMinute == 0) {
    end_orphans(now);
    certificate_.look();
    live_.look_again();
  }
  if (!stopping_) timer_ = loop().after(kTick, [this] { tick(); });
}

void Running::end_orphans(Millis now) {
  for (const std::string& session : desk_.asking_sessions())
    if (sessions_.chain(session).empty())
      desk_.end_session(session, now, "the session has expired");
}

void Running::look_at_files(Policies::Which which) {
  if (looking_) return;
  looking_ = true;
  const auto reloads = std::make_shared<std::vector<Reload>>();
  const auto routes = std::make_shared<std::vector<NoticeRoute>>();
  loop().work(
      [this, reloads, routes, which] {
        *reloads = policies_.refresh(which);
        if (!reloads->empty()) *routes = notice_routes(policies_.settings());
      },
      [this, reloads, routes] {
        looking_ = false;
        for (const Reload& reload : *reloads) {
          if (reload.errors.empty())
            log("policy read again, " + std::to_string(reload.rules) + " rules");
          else
            log("policy not taken over, the last good one holds:\n" + first_error(reload.errors));
        }
        if (reloads->empty()) return;
        tell_unusable(*routes);
        notices_.configure(std::move(*routes), page_address());
        redaction_.configure(policies_.settings().redact);
        json::Value errors = json::Value::array();
        for (const Diagnostic& each : policies_.errors())
          errors.push(json::Value::string(render(each)));
        live_.policy_changed(json::Value::object({{"errors", std::move(errors)}}));
      });
}

void Running::swallow() {
  if (swallowing_) return;
  swallowing_ = true;
  const std::string file = Spool(options_.files.data_dir).file();
  const auto failed = std::make_shared<std::string>();
  loop().work(
      [this, file, failed, now = loop().now()] {
        const auto swallowed = store::swallow_spool(*store_, file, now);
        if (!swallowed) *failed = swallowed.error().message;
      },
      [this, failed] {
        swallowing_ = false;
        if (!failed->empty()) log("the hooks' spool was not read: " + *failed);
      });
}

void Running::heard(int signal) {
  if (signal == SIGHUP) {
    certificate_.look();
    return look_at_files(Policies::Which::kAll);
  }
  if (stopping_) return;
  stopping_ = true;
  log("stopping: " + std::to_string(desk_.pending_count()) + " questions stay open");
  os::tell_supervisor("STOPPING=1");
  timer_.reset();
  gate_.close();
  live_.close();
  server_->stop(kGrace);
}

void Running::run() {
  loop().post([this] {
    announce();
    tick();
  });
  server_->run([this](int signal) { heard(signal); });
  keeper_.last_words();
}

}  // namespace

Result<void> read_listen(const std::string& text, std::string& host, std::uint16_t& port) {
  const std::size_t colon = text.rfind(':');
  std::string number = text, name;
  const bool bare_number = text.find_first_not_of("0123456789") == text.npos && !text.empty();
  if (!bare_number) {
    const bool has_port = colon != text.npos && (text.find(':') == colon || text[0] == '[');
    name = has_port ? text.substr(0, colon) : text;
    number = has_port ? text.substr(colon + 1) : "";
  }
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  if (!name.empty()) host = name;
  if (number.empty() && !name.empty()) return {};
  const bool digits = !number.empty() && number.size() <= 5 &&
                      number.find_first_not_of("0123456789") == number.npos;
  const int value = digits ? std::stoi(number) : -1;
  if (value < 0 || value > 65535)
    return Fail({.code = "bad-usage",
                 .message = "`" + text + "` is no address to listen at",
                 .hint = "write HOST:PORT, as in 127.0.0.1:1615",
                 .where = {}});
  port = static_cast<std::uint16_t>(value);
  return {};
}

Result<void> serve(const ServeOptions& options) {
  Policies policies(options.files);
  if (const std::vector<Diagnostic> errors = policies.errors(); !errors.empty())
    return Fail(errors.front().error);
  ServerOptions wanted = server_options(options, policies.settings());
  if (!options.listen.empty())
    if (Result<void> read = read_listen(options.listen, wanted.host, wanted.port); !read)
      return Fail(std::move(read).error());
  if (Result<void> made = os::make_private_directory(options.files.data_dir); !made)
    return Fail(std::move(made).error());
  const std::string renewed = renew_own(policies.settings().tls, options.files.data_dir);
  if (options.log && !renewed.empty()) options.log(renewed);
  os::TwoClocks clocks(os::look_at_clocks());
  wanted.clock = [&clocks] { return clocks.now(os::look_at_clocks()); };
  Result<std::unique_ptr<Server>> server = Server::open(std::move(wanted));
  if (!server) return Fail(std::move(server).error());
  Result<std::unique_ptr<store::Store>> store = store::open_sqlite(
      options.files.data_dir + "/tollgate.db", {.group_delay = options.group_delay});
  if (!store) return Fail(std::move(store).error());
  Result<std::string> key = record_key(options.files.data_dir);
  if (!key) return Fail(std::move(key).error());
  Redaction redaction(std::move(*key));
  redaction.configure(policies.settings().redact);
  Running running(options, policies, redaction, std::move(*store), std::move(*server), clocks);
  if (Result<void> restored = running.restore(); !restored)
    return Fail(std::move(restored).error());
  running.run();
  return {};
}

}  // namespace tollgate::server
