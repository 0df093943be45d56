// The targets of `notify`: read as values, and their rules held against those that the files have.
// SAFETY: only the user's and the managed file have targets; a target for a rule that stands
// nowhere would promise a notice that never comes, so it is an error.
#pragma once

#include <string>
#include <vector>

#include "config/settings.h"
#include "config/statement.h"

namespace tollgate::config {

// What the types are called.
inline constexpr std::string_view kNotifyTypes[] = {"desktop", "push", "ntfy", "slack", "webhook"};

// The power to answer that notices of one target carry, for some rules.
struct NotifyAnswer {
  std::string as;  // name of an approver's credential
  std::vector<std::string> rules;
  std::int64_t within_ms = 5 * 60'000;
  std::string slack_user;
  bool operator==(const NotifyAnswer&) const = default;
};

// One target. Secrets in files are read by whoever sends.
struct NotifyEntry {
  std::string name;
  std::string type;                                                         // one of kNotifyTypes
  std::string url, url_file, topic, secret, secret_file, ca_file, contact;  // files are absolute
  bool allow_http = false;
  std::vector<std::string> hosts, rules, agents, people;
  std::int64_t after_ms = 0;
  std::optional<NotifyAnswer> answer;
  bool operator==(const NotifyEntry&) const = default;
};

// The targets that the settings hold.
std::vector<NotifyEntry> notify_entries(const Settings& settings);

// A file as it is written, made absolute: `~/` is the home, all else from the file's own directory.
std::string named_file(const std::string& path, const std::string& directory,
                       const std::string& home);

// An entry as the settings hold it: as written, with its files made absolute.
json::Value notify_value(const Node& entry, const std::string& directory, const std::string& home);

// What an entry must say beyond its keys: what its type needs, what goes together. Names of entries
// are gathered in `names`. Part of check_fields().
void check_notify(const Document& document, const Node& entry, std::vector<std::string>& names,
                  std::vector<Diagnostic>& out);

// Every rule that a target names is an ask rule of the user's or the managed files, or a word for
// what asks by itself. Error: unknown-rule.
void check_notify_rules(const Document& document, const std::vector<Statement>& statements,
                        std::vector<Diagnostic>& out);

// Words for what asks without a rule; they stand for kinds of reasons.
inline constexpr std::string_view kAskingKinds[] = {"breaker", "guarded", "sensitive", "default"};

}  // namespace tollgate::config
