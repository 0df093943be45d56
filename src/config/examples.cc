// One pass over the rules; the errors stand at the rule, not at the example.
// What trying costs is at worst the length of the rule times that of the example.
#include "config/examples.h"

#include <string>

namespace tollgate::config {
namespace {

// LIMIT: a quarter of a second at worst, and several times what the largest sensible file needs.
constexpr std::size_t kMaxProjectWork = 100'000'000;

Diagnostic fails(const Rule& rule, const std::string& example, bool wanted) {
  return {Severity::kError,
          {.code = "example-fails",
           .message = "the rule `" + rule.text + "` " +
                      (wanted ? "does not match its example `" : "matches `") + example +
                      (wanted ? "`" : "`, which it must not"),
           .hint = wanted ? "correct the rule, or the example under `match`"
                          : "make the rule narrower, or correct `not_match`",
           .where = rule.where}};
}

Diagnostic too_many(const Rule& rule) {
  return {Severity::kError,
          {.code = "too-many-examples",
           .message = "the examples of project files are too many and too long to be tried",
           .hint = "keep a few short ones; the rest belong into decision cases (`tollgate test`)",
           .where = rule.where}};
}

bool is_project(const Rule& rule) {
  return rule.source == ConfigSource::kProject || rule.source == ConfigSource::kFile;
}

std::size_t work_of(const Rule& rule) {
  std::size_t size = 0;
  for (const std::string& example : rule.match) size += example.size();
  for (const std::string& example : rule.not_match) size += example.size();
  return size * rule.text.size();
}

}  // namespace

void try_examples(const PolicySet& set, const ReadEffects& read_effects,
                  std::vector<Diagnostic>& out) {
  const auto check = [&](const Rule& rule, const std::string& example, bool wanted) {
    if (matches_example(rule, example, read_effects, set.tools) != wanted)
      out.push_back(fails(rule, example, wanted));
  };
  std::size_t work = 0;
  for (const Rule& rule : set.rules) {
    if (is_project(rule)) work += work_of(rule);
    // SAFETY: what is not tried any more is in error, and so nothing is judged by it.
    if (work > kMaxProjectWork) return out.push_back(too_many(rule));
    for (const std::string& example : rule.match) check(rule, example, true);
    for (const std::string& example : rule.not_match) check(rule, example, false);
  }
}

}  // namespace tollgate::config
