// `tollgate test`: decision cases, run through the same Service as every call.
// The world of a case is its own: no file, clock or variable of this machine counts.
// A case file that cannot be read is one failure; the last line is `N passed, N failed`.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "cli/case_file.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "core/codec.h"
#include "explain/call_text.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"
#include "policy/policy_view.h"
#include "service/memory_log.h"
#include "service/service.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 1> kOptions = {{{"json", "", "the results as JSON"}}};

constexpr std::size_t kMostFiles = 10'000;

struct Failure {
  std::string place;
  std::string name;
  std::string call;
  std::string want;
  std::string got;
  std::vector<std::string> reasons;
};

struct Tally {
  int passed = 0;
  int failed = 0;
  std::vector<Failure> failures;
  std::vector<Diagnostic> broken;
  std::vector<std::pair<std::string, std::string>> unhit;  // place and rule
};

std::string wanted(const DecisionCase& one) {
  std::string out(name(one.want));
  if (one.kind) out += ", " + std::string(name(*one.kind));
  if (one.rule) out += ", " + *one.rule;
  return out;
}

std::string found(const Decision& decision) {
  std::string out(name(decision.verdict));
  if (decision.reasons.empty()) return out;
  const Reason& first = decision.reasons.front();
  out += ", " + std::string(name(first.kind));
  if (!first.rule.empty()) out += ", " + first.rule;
  return out;
}

bool holds(const DecisionCase& one, const Decision& decision) {
  if (decision.verdict != one.want || decision.reasons.empty()) return false;
  const Reason& first = decision.reasons.front();
  return (!one.kind || first.kind == *one.kind) && (!one.rule || first.rule == *one.rule);
}

class Runner {
 public:
  Runner(const CaseFile& file, Tally& tally)
      : file_(file), tally_(tally), policy_(compile(file.policy.set)) {}

  void run() {
    for (const DecisionCase& one : file_.cases) run(one);
    for (const Rule& rule : file_.policy.set.rules) {
      const std::pair<std::string, std::string> key{place_name(rule.where), rule.text};
      if (rule.where.line > 0 && hit_.insert(key).second) tally_.unhit.push_back(key);
    }
  }

 private:
  void run(const DecisionCase& one) {
    Result<json::Value> input =
        one.input ? Result<json::Value>(*one.input) : input_of(one.tool, one.text, policy_.tools());
    if (!input) {
      Error error = input.error();
      error.where = one.where;
      tally_.broken.push_back({Severity::kError, std::move(error)});
      ++tally_.failed;
      return;
    }
    ToolCall call = call_of(one.tool, std::move(*input));
    call.cwd = one.cwd;
    call.agent = one.agent;
    const Decision decision = judge(one, call);
    for (const auto* reasons : {&decision.reasons, &decision.also})
      for (const Reason& reason : *reasons) hit_.insert({reason.source, reason.rule});
    if (holds(one, decision)) {
      ++tally_.passed;
      return;
    }
    ++tally_.failed;
    Failure failure{place_name(one.where), one.name,        call.native_tool + " ",
                    wanted(one),           found(decision), {}};
    failure.call += one.input ? json::write(call.input) : one.text;
    for (const Reason& reason : decision.reasons) failure.reasons.push_back(reason.text);
    tally_.failures.push_back(std::move(failure));
  }

  Decision judge(const DecisionCase& one, const ToolCall& call) {
    FixedWorld world = file_.world;
    if (one.now) world.now = *one.now;
    MemoryLog log;
    LookPlan plan = file_.plan;
    plan.walk = PolicyView(policy_).walks();
    Service service({policy_, world, log, nullptr},
                    {.plan = std::move(plan),
                     .decide = {.detail = Detail::kFull, .mode = one.mode, .layer = Layer::kGate}});
    return service.handle(call);
  }

  const CaseFile& file_;
  Tally& tally_;
  const Policy policy_;
  std::set<std::pair<std::string, std::string>> hit_;
};

bool is_case_file(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

// The case files that a word names: itself, or those below it.
Result<std::vector<std::string>> files_of(const std::string& word) {
  Result<std::string> path = absolute_here(word);
  if (!path) return Fail(std::move(path).error());
  const Result<os::Stamp> stamp = os::stamp_of(*path);
  if (!stamp || !stamp->is_directory()) return std::vector<std::string>{*path};
  os::Walk walk = os::walk_below(*path, kMostFiles);
  std::erase_if(walk.paths, [](const std::string& each) { return !is_case_file(each); });
  std::ranges::sort(walk.paths);
  if (walk.cut || walk.paths.empty())
    return Fail({.code = "no-cases",
                 .message = walk.cut ? "`" + word + "` cannot be searched to its end"
                                     : "there are no case files in `" + word + "`",
                 .hint = "a case file ends in .yaml; `tollgate test --help` shows its format",
                 .where = {}});
  return std::move(walk.paths);
}

std::vector<std::string> default_words() {
  for (const std::string place : {"tests/decisions", "tollgate-tests"})
    if (const Result<os::Stamp> stamp = os::stamp_of(place); stamp && stamp->is_directory())
      return {place};
  return {};
}

void say_text(const Tally& tally, Context& context) {
  Console& console = context.console;
  for (const Diagnostic& each : tally.broken) console.out(render(each));
  for (const Failure& failure : tally.failures) {
    console.out("FAIL " + failure.place + ": " + visible(failure.name) + "\n");
    std::vector<std::vector<std::string>> rows = {{"call", visible_start(failure.call, 400)},
                                                  {"want", visible(failure.want)},
                                                  {"got", visible(failure.got)}};
    for (const std::string& reason : failure.reasons) rows.push_back({"", visible(reason)});
    console.out(table(rows, 2));
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [place, rule] : tally.unhit) rows.push_back({place, visible(rule)});
  if (!rows.empty()) console.out("rules that no case hits\n" + table(rows, 2));
  console.out(std::to_string(tally.passed) + " passed, " + std::to_string(tally.failed) +
              " failed\n");
}

void say_json(const Tally& tally, Context& context) {
  const auto text = [](const std::string& from) { return json::Value::string(from); };
  json::Value failures = json::Value::array();
  for (const Diagnostic& each : tally.broken)
    failures.push(json::Value::object({{"place", text(place_name(each.error.where))},
                                       {"error", text(each.error.message)},
                                       {"hint", text(each.error.hint)}}));
  for (const Failure& failure : tally.failures) {
    json::Value reasons = json::Value::array();
    for (const std::string& reason : failure.reasons) reasons.push(text(reason));
    failures.push(json::Value::object({{"place", text(failure.place)},
                                       {"name", text(failure.name)},
                                       {"call", text(failure.call)},
                                       {"want", text(failure.want)},
                                       {"got", text(failure.got)},
                                       {"reasons", std::move(reasons)}}));
  }
  json::Value unhit = json::Value::array();
  for (const auto& [place, rule] : tally.unhit)
    unhit.push(json::Value::object({{"place", text(place)}, {"rule", text(rule)}}));
  context.console.out(
      json::write_pretty(json::Value::object({{"passed", json::Value::integer(tally.passed)},
                                              {"failed", json::Value::integer(tally.failed)},
                                              {"failures", std::move(failures)},
                                              {"unhit", std::move(unhit)}})));
}

}  // namespace

const Shape kTestShape = {
    .usage = "[--json] [FILE | DIR]…",
    .about =
        "Runs decision cases: files that hold a policy, a world and what the gate should say.\n"
        "Without a name, those in tests/decisions or tollgate-tests. Shows each case that fails,\n"
        "then the rules that no case hits. The exit status is 1 when a case fails.\n\n"
        "  policy: |                      or `config: FILE`, relative to the case file\n"
        "    version: 1\n"
        "    rules: {deny: [\"Bash(git push --force *)\"]}\n"
        "  world:                         optional: home, cwd, roots, now, files, texts\n"
        "    files: {src/a.c: file, out: dir, logs: big, latest: \"link:out\"}\n"
        "    texts: {.git/config: \"[core] pager = x\"}\n"
        "  cases:\n"
        "    - name: a forced push is refused, however it is spelt\n"
        "      tool: Bash\n"
        "      input: git push origin main -f\n"
        "      want: deny                 and perhaps kind, rule, agent, mode, cwd, now",
    .options = kOptions,
    .least_words = 0,
    .most_words = kManyWords,
    .examples =
        "tollgate test\n"
        "tollgate test policy-cases/ --json",
};

int run_test(const Arguments& arguments, Context& context) {
  const std::vector<std::string> words =
      arguments.words.empty() ? default_words() : arguments.words;
  if (words.empty())
    return complain(context,
                    {.code = "no-cases",
                     .message = "there is neither tests/decisions nor tollgate-tests here",
                     .hint = "name a case file; `tollgate test --help` shows its format",
                     .where = {}},
                    kUsedWrongly);
  const std::string here = os::current_directory().value_or("");
  Tally tally;
  for (const std::string& word : words) {
    const Result<std::vector<std::string>> files = files_of(word);
    if (!files) return complain(context, files.error(), kUsedWrongly);
    for (const std::string& path : *files) {
      const CaseFile file = read_case_file(path, near_path(path, here));
      if (has_errors(file.diagnostics)) {
        ++tally.failed;
        tally.broken.insert(tally.broken.end(), file.diagnostics.begin(), file.diagnostics.end());
        continue;
      }
      Runner(file, tally).run();
    }
  }
  if (arguments.has("json"))
    say_json(tally, context);
  else
    say_text(tally, context);
  return tally.failed == 0 ? kDone : kFailed;
}

}  // namespace tollgate::cli
