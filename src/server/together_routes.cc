// Several questions with one answer: the same call put often, or the same stated rule.
// Each is answered by itself, as if it had come alone; some may be refused and others not.
// SAFETY: what has no group (breakers, guarded and sensitive places) is refused here, always.
#include <algorithm>

#include "server/question_reading.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: so many at once; a person who answers more has not looked at them.
constexpr std::size_t kMostTogether = 100;

struct Wanted {
  std::vector<std::string> ids;
  bool allow = false;
  Gate::Approval approval;
  std::string reason;
};

Result<Wanted> wanted_in(const Request& request) {
  Result<Body> body = Body::read(request);
  if (!body) return Fail(std::move(body).error());
  Wanted wanted;
  wanted.ids = body->texts("ids");
  const std::string decision = body->text("decision"), scope = body->text("scope");
  wanted.reason = wanted.approval.reason = body->text("reason");
  if (Result<void> read = body->done(); !read) return Fail(std::move(read).error());
  if (wanted.ids.empty() || wanted.ids.size() > kMostTogether)
    return Fail(malformed_request("`ids` must be a list of 1 to 100 questions"));
  std::vector<std::string> sorted = wanted.ids;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    return Fail(malformed_request("`ids` names a question twice"));
  if (decision != "allow" && decision != "deny")
    return Fail(malformed_request("`decision` must be allow or deny"));
  if (!scope.empty() && scope != "once" && scope != "session")
    return Fail(malformed_request("`scope` must be once or session"));
  wanted.allow = decision == "allow";
  if (scope == "session") wanted.approval.scope = store::Scope::kSession;
  return wanted;
}

// What came of each, told when all have come to something.
struct Tally {
  explicit Tally(Visit to) : visit(std::move(to)) {}

  Visit visit;
  std::size_t open = 0;
  Value answered = Value::array();
  Value refused = Value::array();

  void refuse(const std::string& id, const Error& error) {
    refused.push(Value::object({{"id", text_value(id)},
                                {"code", text_value(error.code)},
                                {"message", text_value(error.message)}}));
  }
  void settle() {
    if (--open > 0) return;
    visit.reply(
        200, Value::object({{"answered", std::move(answered)}, {"refused", std::move(refused)}}));
  }
};

Error not_together() {
  return {.code = "not-together",
          .message = "this question is not of the group that is answered together",
          .hint = "answer it by itself",
          .where = {}};
}

// The one group that is answered: that of the first question that has one.
std::string common_group(const Daemon& daemon, const std::vector<std::string>& ids) {
  for (const std::string& id : ids)
    if (const std::optional<store::Question> question = daemon.parts.desk.find(id))
      if (std::string group = group_of(*question); !group.empty()) return group;
  return "";
}

// Why the question is not answered here; nothing where it is.
std::optional<Error> refusal_of(const Daemon& daemon, const std::string& id,
                                const std::string& group) {
  const std::optional<store::Question> question = daemon.parts.desk.find(id);
  if (!question)
    return Error{.code = "unknown-question",
                 .message = "there is no open question of that id",
                 .hint = "GET /api/permissions lists what is open",
                 .where = {}};
  if (group.empty() || group_of(*question) != group) return not_together();
  return std::nullopt;
}

}  // namespace

void answer_together(Daemon& daemon, Visit visit) {
  const Result<Wanted> wanted = wanted_in(visit.request());
  if (!wanted) return visit.fail(wanted.error());
  const approvals::Principal by =
      approvals::principal_of(visit.who, way_of(visit.request(), visit.who));
  const std::string group = common_group(daemon, wanted->ids);
  const auto tally = std::make_shared<Tally>(visit);
  tally->open = 1;
  for (const std::string& id : wanted->ids) {
    if (const std::optional<Error> refusal = refusal_of(daemon, id, group)) {
      tally->refuse(id, *refusal);
      continue;
    }
    ++tally->open;
    const auto done = [tally, id](const Result<store::Question>& result) {
      if (result)
        tally->answered.push(text_value(id));
      else
        tally->refuse(id, result.error());
      tally->settle();
    };
    if (wanted->allow)
      daemon.gate.approve(id, wanted->approval, by, done);
    else
      daemon.gate.deny(id, wanted->reason, by, done);
  }
  tally->settle();
}

}  // namespace tollgate::server
