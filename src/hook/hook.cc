// The pipeline of a hook. The gate itself is the Service; here are only its surroundings.
#include "hook/hook.h"

#include <utility>

#include "audit/spool.h"
#include "base/error.h"
#include "config/own_places.h"
#include "hook/daemon.h"
#include "hook/freeze.h"
#include "hook/sessions.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/moment.h"
#include "os/replace_process.h"
#include "os/user.h"
#include "protocol/payload.h"
#include "service/service.h"

namespace tollgate::hook {
namespace {

json::Value event_of(const HookRequest& request, std::string_view provider) {
  const bool child = request.event == HookEvent::kChild;
  json::Value event = json::Value::object();
  event.set("kind", json::Value::string(child ? "child-began" : "session-began"));
  event.set("provider", json::Value::string(std::string(provider)));
  event.set("session", json::Value::string(request.call.session));
  event.set("cwd", json::Value::string(request.call.cwd));
  if (child) event.set("child", json::Value::string(request.child));
  if (child) event.set("childType", json::Value::string(request.child_type));
  return event;
}

class Answer {
 public:
  Answer(const Dialect& dialect, const Registration& registration, const Place& place)
      : dialect_(dialect),
        registration_(registration),
        place_(place),
        home_(os::home_directory(place.environment).value_or("")),
        // Where the registration names the policy, the client's environment has no say in it.
        registered_(!registration.config_file.empty()),
        own_home_(registered_ ? os::home_directory(os::Environment()).value_or(home_) : home_),
        environment_(registered_ ? os::Environment({{"HOME", own_home_}}) : place.environment),
        data_dir_(registration.data_dir.empty() ? config::default_data_dir(environment_, own_home_)
                                                : registration.data_dir),
        spool_(data_dir_, {.sync = registration.sync}) {}

  std::optional<HookReply> to(std::string_view payload, const PolicySource& source) {
    Result<HookRequest> request = dialect_.decode(payload);
    if (!request) return refuse(request.error());
    if (request->call.cwd.empty()) request->call.cwd = os::current_directory().value_or("");
    request->call.agent = registration_.agent.empty() ? request->call.agent : registration_.agent;
    switch (request->event) {
      case HookEvent::kOther:
        return HookReply{};
      case HookEvent::kSession:
      case HookEvent::kChild:
        return begin(*request);
      case HookEvent::kTool:
      case HookEvent::kPermission:
        break;
    }
    return judge(*request, source);
  }

 private:
  // What is no call is denied, and that is recorded.
  HookReply refuse(const Error& error) {
    static_cast<void>(spool_.append({.call = {},
                                     .effects = {},
                                     .situation = {},
                                     .decision = deny_malformed(error, Layer::kHook)}));
    return dialect_.refuse(told(error));
  }

  HookReply begin(const HookRequest& request) {
    base_of(data_dir_, dialect_.name, request.call.session, request.call.cwd);
    const Result<void> kept = spool_.note(event_of(request, dialect_.name));
    return kept ? HookReply{} : dialect_.refuse(told(kept.error()));
  }

  // A freeze is recorded for each call that it stops; it holds where that fails, too.
  HookReply stop(const HookRequest& request, const std::string& why) {
    Decision decision;
    decision.layer = Layer::kHook;
    decision.reasons.push_back({.kind = ReasonKind::kLimit,
                                .verdict = Verdict::kDeny,
                                .rule = "frozen",
                                .source = "built-in",
                                .text = why,
                                .span = {}});
    static_cast<void>(spool_.append(
        {.call = request.call, .effects = {}, .situation = {}, .decision = decision}));
    return dialect_.encode(request, heard_by(dialect_, request, decision, nullptr), nullptr);
  }

  std::optional<HookReply> judge(const HookRequest& request, const PolicySource& source) {
    if (const std::string why = frozen_in(data_dir_, request.call); !why.empty())
      return stop(request, why);
    const std::string base =
        base_of(data_dir_, dialect_.name, request.call.session, request.call.cwd);
    const os::Moment moment;
    config::LoadOptions options;
    options.config_file = registration_.config_file;
    options.managed_file = place_.managed_file;
    options.environment = &environment_;
    options.data_dir = registration_.data_dir;
    options.agent = registration_.agent;
    options.cwd = base;
    std::optional<Policy> policy = source(options);
    if (!policy) return std::nullopt;
    RealWorld world;
    Daemon daemon(socket_in(data_dir_), began_ + registration_.within);
    Service service({*policy, world, spool_, registration_.within > 0 ? &daemon : nullptr},
                    {.plan = plan_of(options), .decide = {.layer = Layer::kHook}});
    const AuditRecord record = service.settle(request.call);
    // SAFETY: a compiled policy that proved damaged has denied the call; the files say the rest.
    if (policy->broken() && policy->checked() == PolicyCheck::kAsRead) return std::nullopt;
    const json::Value* changed =
        record.call.input == request.call.input ? nullptr : &record.call.input;
    const Decision decision = heard_by(dialect_, request, record.decision, changed);
    HookReply reply = dialect_.encode(request, decision, changed);
    if (place_.at_reply) place_.at_reply(reply);
    return reply;
  }

  LookPlan plan_of(const config::LoadOptions& options) const {
    LookPlan plan;
    plan.base = options.cwd;
    plan.home = home_;
    plan.gate = config::own_places(
        options, home_,
        place_.program.empty() ? os::started_program().value_or("") : place_.program);
    plan.search_path = place_.environment.get("PATH").value_or("");
    if (registered_) {
      // SAFETY: a repository's settings can set HOME and TMPDIR. The shell then goes by that HOME;
      // the user's rules and places stay where the user lives.
      if (own_home_ == home_) return plan;
      plan.other_home = own_home_;
      for (std::string& place : config::own_places(options, own_home_, place_.program))
        plan.gate.push_back(std::move(place));
      return plan;
    }
    const auto temporary = environment_.get_filled("TMPDIR");
    if (temporary && temporary->starts_with('/')) plan.temporary.push_back(*temporary);
    return plan;
  }

  const Dialect& dialect_;
  const Registration& registration_;
  const Place& place_;
  std::string home_;  // the shell's
  bool registered_;
  std::string own_home_;  // the user's, whatever HOME says
  os::Environment environment_;
  std::string data_dir_;
  Spool spool_;
  std::int64_t began_ = os::now_monotonic();
};

}  // namespace

std::optional<HookReply> answer(std::string_view payload, const Registration& registration,
                                const Place& place, const PolicySource& source) {
  const Dialect* dialect = dialect_named(registration.provider);
  if (dialect == nullptr)
    return block("Tollgate: there is no client `" + std::string(registration.provider) + "`");
  return Answer(*dialect, registration, place).to(payload, source);
}

}  // namespace tollgate::hook
