// `tollgate replay`: the calls of the record judged by another policy, and what would differ.
// It reads a store or an export as it lies there and needs no daemon; each call keeps the look at
// the world of then. Grants are not rules: what one allowed is judged without it, and that is said.
#include "service/replay.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "cli/local_gate.h"
#include "cli/log.h"
#include "cli/record_source.h"
#include "cli/registration.h"
#include "config/loader.h"
#include "explain/call_text.h"
#include "explain/layout.h"
#include "json/json.h"
#include "server/answers.h"
#include "server/question_reading.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 6> kOptions = {{
    {"config", "FILE", "judge by this configuration instead of the user's"},
    {"since", "TIME", "calls from then on: 2026-03-02T10:00:00Z, or how long ago: 2h"},
    {"until", "TIME", "calls before then"},
    {"agent", "NAME", "calls of this agent"},
    {"data", "DIR", "where the daemon keeps its things"},
    {"json", "", "as JSON"},
}};

// LIMIT: of one group, the first calls that it names.
constexpr std::size_t kMostExamples = 3;

// LIMIT: policies held at once; one is made for each place and agent that calls came from.
constexpr std::size_t kMostPolicies = 64;

class PoliciesByPlace {
 public:
  explicit PoliciesByPlace(config::LoadOptions options) : options_(std::move(options)) {}

  // Errors: those of the configuration.
  Result<std::shared_ptr<const Policy>> of(const std::string& cwd, const std::string& agent) {
    const auto known = all_.find({cwd, agent});
    if (known != all_.end()) return known->second;
    config::LoadOptions options = options_;
    options.cwd = cwd;
    options.agent = agent;
    const config::Loaded loaded = config::load(options);
    for (const Diagnostic& each : loaded.diagnostics)
      if (each.severity == Severity::kError) return Fail(each.error);
    if (all_.size() >= kMostPolicies) all_.clear();
    return all_[{cwd, agent}] = std::make_shared<const Policy>(compile(loaded.set));
  }

 private:
  config::LoadOptions options_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Policy>> all_;
};

// Calls that come out otherwise, and in the same way.
struct Difference {
  Verdict then = Verdict::kDeny;
  Verdict now = Verdict::kDeny;
  std::string agent;
  std::string tool;
  std::string rule;  // that decides now, or why none does
  auto operator<=>(const Difference&) const = default;
};
struct Group {
  std::size_t count = 0;
  std::vector<std::pair<std::int64_t, std::string>> examples;  // rows and what they are about
};

struct Outcome {
  std::size_t judged = 0;
  std::size_t alike = 0;
  std::size_t hidden = 0;   // judged by words that stand for secrets
  std::size_t granted = 0;  // allowed by a grant then
  std::size_t unread = 0;   // not to be read as calls, or without a policy now
  std::string why;          // of the first of those
  std::map<Difference, Group> groups;
};

class Replaying {
 public:
  Replaying(PoliciesByPlace policies, std::string agent)
      : policies_(std::move(policies)), agent_(std::move(agent)) {}

  void take(const LoggedRow& row) {
    if (row.kind() != "call") return;
    if (!agent_.empty() && row.names[2] != agent_) return;
    const Result<Value> value =
        json::parse(row.record(), {.max_bytes = 64u << 20, .max_depth = 80});
    const Result<AuditRecord> record =
        value ? server::record_of(*value) : Result<AuditRecord>(Fail(value.error()));
    if (!record) return leave(record.error());
    const std::string& base = record->situation.base.written;
    const Result<std::shared_ptr<const Policy>> policy =
        policies_.of(base.starts_with('/') ? base : "/", record->call.agent);
    if (!policy) return leave(policy.error());
    ++outcome.judged;
    if (value->find("redacted") != nullptr) ++outcome.hidden;
    const std::vector<Reason>& reasons = record->decision.reasons;
    const bool granted = !reasons.empty() && reasons.front().kind == ReasonKind::kGrant;
    if (granted) ++outcome.granted;
    const Replay result = replay(*record, **policy, {});
    if (!result.changed()) {
      ++outcome.alike;
      return;
    }
    group(row.number, *record, result);
  }

  Outcome outcome;

 private:
  void leave(const Error& error) {
    if (outcome.unread++ == 0) outcome.why = error.message;
  }

  void group(std::int64_t number, const AuditRecord& record, const Replay& result) {
    Difference difference{.then = result.then,
                          .now = result.now.verdict,
                          .agent = record.call.agent,
                          .tool = record.call.tool,
                          .rule = {}};
    if (!result.now.reasons.empty()) {
      const Reason& reason = result.now.reasons.front();
      difference.rule = reason.rule.empty() ? std::string(name(reason.kind)) : reason.rule;
    }
    Group& group = outcome.groups[difference];
    if (group.count++ < kMostExamples)
      group.examples.emplace_back(number, server::main_argument(record.call));
  }

  PoliciesByPlace policies_;
  const std::string agent_;
};

Value value_of(const Outcome& outcome) {
  const auto count = [](std::size_t number) {
    return Value::integer(static_cast<std::int64_t>(number));
  };
  const auto text = [](const std::string& each) { return Value::string(each); };
  Value groups = Value::array();
  for (const auto& [difference, group] : outcome.groups) {
    Value examples = Value::array();
    for (const auto& [number, about] : group.examples)
      examples.push(Value::object({{"number", Value::integer(number)}, {"about", text(about)}}));
    groups.push(Value::object({{"then", text(std::string(name(difference.then)))},
                               {"now", text(std::string(name(difference.now)))},
                               {"agent", text(difference.agent)},
                               {"tool", text(difference.tool)},
                               {"rule", text(difference.rule)},
                               {"count", count(group.count)},
                               {"examples", std::move(examples)}}));
  }
  return Value::object({{"judged", count(outcome.judged)},
                        {"alike", count(outcome.alike)},
                        {"hidden", count(outcome.hidden)},
                        {"granted", count(outcome.granted)},
                        {"unread", count(outcome.unread)},
                        {"differences", std::move(groups)}});
}

std::string text_of(const Outcome& outcome) {
  std::string out = std::to_string(outcome.judged) + " calls judged again, " +
                    std::to_string(outcome.judged - outcome.alike) + " come out otherwise\n";
  std::vector<std::pair<Difference, Group>> groups(outcome.groups.begin(), outcome.groups.end());
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const auto& each) { return each.second.count; });
  for (const auto& [difference, group] : groups) {
    out += "\n" + std::string(name(difference.then)) + " -> " + std::string(name(difference.now)) +
           "  " + std::to_string(group.count) + "  " +
           (difference.agent.empty() ? "-" : visible(difference.agent)) + "  " +
           visible(difference.tool) + "  [" + visible(difference.rule) + "]\n";
    for (const auto& [number, about] : group.examples)
      out += "  row " + std::to_string(number) + "  " + visible_start(about, 160) + "\n";
    if (group.count > group.examples.size())
      out += "  and " + std::to_string(group.count - group.examples.size()) + " more\n";
  }
  const auto note = [&](std::size_t count, const std::string& what) {
    if (count > 0) out += "note  " + std::to_string(count) + " " + what + "\n";
  };
  note(outcome.granted, "were allowed by a grant then, and are judged without it");
  note(outcome.hidden, "hold words in the place of secrets, and are judged by those");
  note(outcome.unread, "could not be judged: " + visible(outcome.why));
  return out;
}

}  // namespace

const Shape kReplayShape = {
    .usage = "[FILE] [--config FILE] [--since TIME] [--until TIME] [--agent NAME] [--json]",
    .about =
        "Judges the calls of the record by the configuration as it is now, or by another one, and\n"
        "groups what would come out otherwise. FILE is an export; without one the store is read.\n"
        "Nothing is asked and nothing is recorded.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 1,
    .examples =
        "tollgate replay --config stricter.yaml --since 7d\n"
        "tollgate replay record.jsonl --agent backend --json",
};

int run_replay(const Arguments& arguments, Context& context) {
  const Result<std::int64_t> since = moment_in(arguments, "since", INT64_MIN);
  if (!since) return complain(context, since.error(), kUsedWrongly);
  const Result<std::int64_t> until = moment_in(arguments, "until", INT64_MAX);
  if (!until) return complain(context, until.error(), kUsedWrongly);
  Result<config::LoadOptions> options = load_options_of(arguments, context);
  if (!options) return complain(context, options.error());
  Result<std::string> path = data_dir_of(arguments, context);
  if (path) path = *path + "/tollgate.db";
  if (!arguments.words.empty()) path = absolute_here(arguments.words[0]);
  if (!path) return complain(context, path.error());
  Result<RecordSource> source = RecordSource::open(*path);
  if (!source) return complain(context, source.error());
  Replaying replaying(PoliciesByPlace(std::move(*options)), arguments.get("agent"));
  const Result<void> read = source->each([&](LoggedRow& row) -> Result<bool> {
    if (row.at >= *since && row.at < *until) replaying.take(row);
    return true;
  });
  if (!read) return complain(context, read.error());
  context.console.out(arguments.has("json") ? json::write(value_of(replaying.outcome)) + "\n"
                                            : text_of(replaying.outcome));
  return kDone;
}

}  // namespace tollgate::cli
