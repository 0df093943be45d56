// Case files to calls, through the same reader as `tollgate test`.
#include "bench/corpus.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cli/case_file.h"
#include "effects/effects.h"
#include "explain/call_text.h"
#include "gate/decide.h"
#include "os/paths.h"

namespace tollgate::bench {
namespace {

[[noreturn]] void give_up(const std::string& file, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", file.c_str(), why.c_str());
  std::exit(1);
}

void add_case(const cli::CaseFile& file, const cli::DecisionCase& one, Corpus& corpus) {
  if (one.tool != "Bash" || one.text.empty()) return;
  Everyday command;
  command.policy = &corpus.policies.back();
  Result<json::Value> input = input_of(one.tool, one.text, command.policy->tools());
  if (!input) give_up(file.file, input.error().message);
  command.call = call_of(one.tool, std::move(*input));
  command.call.cwd = one.cwd;
  command.text = one.text;
  command.home = file.plan.home;
  command.want = one.want;
  const Effects effects = effects_of(command.call, command.policy->tools(), command.home);
  FixedWorld world = file.world;
  LookPlan plan = file.plan;
  plan.walk = command.policy->needs_walk();
  command.situation = world.look(command.call, effects, plan);
  const Decision decision = decide(*command.policy, command.call, effects, command.situation);
  if (decision.verdict != one.want) give_up(file.file, "wrong answer to `" + one.text + "`");
  corpus.commands.push_back(std::move(command));
}

}  // namespace

Corpus everyday_corpus(const std::string& directory) {
  constexpr std::size_t kMostFiles = 1'000;
  os::Walk walk = os::walk_below(directory, kMostFiles);
  std::ranges::sort(walk.paths);
  Corpus corpus;
  for (const std::string& path : walk.paths) {
    const cli::CaseFile file = cli::read_case_file(path, path);
    if (has_errors(file.diagnostics)) give_up(path, file.diagnostics[0].error.message);
    corpus.policies.push_back(compile(file.policy.set));
    for (const cli::DecisionCase& one : file.cases) add_case(file, one, corpus);
  }
  if (corpus.commands.empty()) give_up(directory, "no commands");
  return corpus;
}

}  // namespace tollgate::bench
