// Any text as a policy file, any text as a rule: an edit is refused with a reason, or the new file
// says what the old one said and the edit. The first line is the edit (`+d. Bash(rm *)` adds to the
// deny rules of the file's top, `-aa Read` removes from agent a's allow rules, `=.. plan` sets a
// mode), the rest is the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/edit.h"
#include "config/edit_meaning.h"
#include "fuzz/require.h"

namespace {

using namespace tollgate;
using fuzz::require;

config::Edit edit_of(std::string_view line) {
  config::Edit edit;
  edit.kind = line[0] == '+'   ? config::Edit::Kind::kAddRule
              : line[0] == '-' ? config::Edit::Kind::kRemoveRule
                               : config::Edit::Kind::kSetMode;
  edit.list = line[1] == 'a' ? Verdict::kAllow : line[1] == 'q' ? Verdict::kAsk : Verdict::kDeny;
  if (line[2] != '.') edit.agent = line.substr(2, 1);
  (edit.kind == config::Edit::Kind::kSetMode ? edit.mode : edit.rule) = line.substr(4);
  return edit;
}

config::Reading read(const std::string& text) {
  Result<config::Reading> reading = config::reading_of(text, "tollgate.yaml", {});
  require(reading.has_value());
  return std::move(*reading);
}

// The rules of one list and agent as texts, and of all others.
struct Rules {
  std::vector<std::string> own, others;
};

Rules rules_of(const config::Reading& reading, const config::Edit& edit) {
  Rules rules;
  for (const Rule& rule : reading.set.rules) {
    const bool own = rule.verdict == edit.list && rule.agent == edit.agent;
    (own ? rules.own : rules.others)
        .push_back(std::string(name(rule.verdict)) + "@" + rule.agent + " " + rule.text);
  }
  return rules;
}

void adds(const std::string& before, const std::string& after, const config::Edit& edit) {
  const config::Reading old = read(before), now = read(after);
  require(old.settings == now.settings && old.problems == now.problems);
  require(old.set.agents == now.set.agents && old.set.tools == now.set.tools);
  const Rules had = rules_of(old, edit), has = rules_of(now, edit);
  require(had.others == has.others);
  require(has.own.size() == had.own.size() + (before != after));
  // A second time there is nothing to do, and the rule can be taken out again.
  const Result<std::string> again = config::edited(after, "tollgate.yaml", {&edit, 1});
  require(again.has_value() && *again == after);
  config::Edit back = edit;
  back.kind = config::Edit::Kind::kRemoveRule;
  const Result<std::string> removed = config::edited(after, "tollgate.yaml", {&back, 1});
  require(removed.has_value() || removed.error().code == "edit-failed");
  if (removed) require(rules_of(read(*removed), edit).own.size() < has.own.size());
}

void removes(const std::string& before, const std::string& after, const config::Edit& edit) {
  const config::Reading old = read(before), now = read(after);
  require(old.settings == now.settings && old.set.agents == now.set.agents);
  const Rules had = rules_of(old, edit), has = rules_of(now, edit);
  require(had.others == has.others && has.own.size() < had.own.size());
}

void sets_mode(const std::string& before, const std::string& after, const config::Edit& edit) {
  const config::Reading old = read(before), now = read(after);
  require(old.settings == now.settings && old.set.rules == now.set.rules);
  const Result<std::string> again = config::edited(after, "tollgate.yaml", {&edit, 1});
  require(again.has_value() && *again == after);
}

}  // namespace

// libfyaml 0.7 forgets a buffer when it gives up on some malformed texts.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfyaml"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = std::min(all.find('\n'), all.size());
  if (size > 4096 || end < 4) return 0;
  const config::Edit edit = edit_of(all.substr(0, end));
  const std::string text(all.substr(std::min(end + 1, all.size())));
  const Result<std::string> after = config::edited(text, "tollgate.yaml", {&edit, 1});
  if (!after) {
    require(!after.error().code.empty() && !after.error().message.empty());
    require(!after.error().hint.empty());
    return 0;
  }
  switch (edit.kind) {
    case config::Edit::Kind::kAddRule:
      adds(text, *after, edit);
      break;
    case config::Edit::Kind::kRemoveRule:
      removes(text, *after, edit);
      break;
    case config::Edit::Kind::kSetMode:
      sets_mode(text, *after, edit);
      break;
  }
  return 0;
}
