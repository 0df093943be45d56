// What entries of `notify` must say, and whether the rules that they name exist.
// The table of types is the truth of which keys go with which.
#include <algorithm>

#include "base/edit_distance.h"
#include "base/host.h"
#include "base/text.h"
#include "config/notify.h"

namespace tollgate::config {
namespace {

// LIMIT: a link that answers is short-lived.
constexpr std::int64_t kLongestAnswer = 15 * 60'000;
constexpr std::size_t kMostName = 40;

Diagnostic complaint(const Document& document, const Node& node, std::string message,
                     std::string hint) {
  return {Severity::kError,
          {.code = "bad-notify",
           .message = std::move(message),
           .hint = std::move(hint),
           .where = document.place(node)}};
}

std::string text_of(const Node& entry, std::string_view key) {
  const Node* node = entry.find(key);
  return node == nullptr || !node->is_scalar() ? "" : node->text;
}

bool is_name(std::string_view text) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  return !text.empty() && text.size() <= kMostName &&
         text.find_first_not_of(kLetters) == std::string_view::npos;
}

// The host of an address as it is written, without its port.
std::string_view host_in(std::string_view url) {
  std::string_view host = url.substr(url.find("://") + 3);
  host = host.substr(0, std::min(host.find_first_of("/?"), host.size()));
  const std::size_t colon = host.rfind(':');
  return colon == host.npos || host.ends_with(']') ? host : host.substr(0, colon);
}

// With a path, and without a user: a password there would be shown with the file.
bool is_web_url(std::string_view text) {
  if (!text.starts_with("https://") && !text.starts_with("http://")) return false;
  return text.find_first_of(" \t\"<>\\#@*") == text.npos && host_of(host_in(text)).has_value();
}

// Which keys a type needs and takes, beside those that every target has.
struct TypeRow {
  std::string_view type;
  std::string_view needs;  // blank between; `a|b` is one of both
  std::string_view takes;
};
constexpr TypeRow kTypeRows[] = {
    {"desktop", "", ""},
    {"push", "", "contact hosts people caFile"},
    {"ntfy", "url|urlFile topic", "secret secretFile caFile allowHttp answer"},
    {"slack", "url|urlFile", "secret secretFile caFile allowHttp answer"},
    {"webhook", "url|urlFile secret|secretFile", "caFile allowHttp answer"},
};
constexpr std::string_view kOfAll[] = {"name", "type", "rules", "agents", "after"};

bool has_word(std::string_view words, std::string_view word) {
  for (const std::string_view each : split(words, ' '))
    for (const std::string_view one : split(each, '|'))
      if (one == word) return true;
  return false;
}

class EntryCheck {
 public:
  EntryCheck(const Document& document, const Node& entry, std::vector<Diagnostic>& out)
      : document_(document), entry_(entry), out_(out) {}

  void name(std::vector<std::string>& names);
  void keys_of_type();
  void one_spelling(std::string_view key, std::string_view file);
  void address();
  void contact();
  void answer();

 private:
  void say(const Node& node, std::string message, std::string hint) {
    out_.push_back(complaint(document_, node, std::move(message), std::move(hint)));
  }

  const Document& document_;
  const Node& entry_;
  std::vector<Diagnostic>& out_;
};

void EntryCheck::name(std::vector<std::string>& names) {
  const Node* node = entry_.find("name");
  if (node == nullptr) return say(entry_, "a target of `notify` has no name", "add `name: phone`");
  if (!is_name(node->text))
    return say(*node, "`" + shortened(node->text) + "` is no name of a target",
               "use letters, digits, _ and -, at most 40 of them");
  if (std::ranges::find(names, node->text) != names.end())
    say(*node, "two targets are called `" + node->text + "`", "give each a name of its own");
  names.push_back(node->text);
}

void EntryCheck::keys_of_type() {
  const Node* type = entry_.find("type");
  if (type == nullptr)
    return say(entry_, "a target of `notify` has no type",
               "add `type:` and one of desktop, push, ntfy, slack, webhook");
  const auto* row = std::ranges::find(kTypeRows, type->text, &TypeRow::type);
  if (row == std::end(kTypeRows))
    return say(*type, "unknown type `" + shortened(type->text) + "` of a target",
               did_you_mean(type->text, "types", kNotifyTypes));
  for (const Node& key : entry_.keys) {
    const bool known = field_of("notify", key.text) != nullptr;
    const bool fits = std::ranges::find(kOfAll, key.text) != std::end(kOfAll) ||
                      has_word(row->needs, key.text) || has_word(row->takes, key.text);
    if (known && !fits)
      say(key, "a target of type " + type->text + " takes no `" + key.text + "`", "remove it");
  }
  for (const std::string_view need : split(row->needs, ' ')) {
    if (need.empty()) continue;
    const std::vector<std::string_view> choices = split(need, '|');
    if (std::ranges::none_of(choices, [&](std::string_view key) { return entry_.find(key); }))
      say(*type, "a target of type " + type->text + " needs `" + std::string(choices[0]) + "`",
          choices.size() > 1 ? "write it, or `" + std::string(choices[1]) + "`" : "write it");
  }
}

void EntryCheck::one_spelling(std::string_view key, std::string_view file) {
  const Node* both = entry_.find(file);
  if (both != nullptr && entry_.find(key) != nullptr)
    say(*both, "`" + std::string(key) + "` and `" + std::string(file) + "` say the same",
        "keep one of the two");
}

// SAFETY: what goes over the network in the clear can be read and changed by others on the way.
void EntryCheck::address() {
  const Node* url = entry_.find("url");
  if (url == nullptr || !url->is_scalar()) return;
  if (!is_web_url(url->text))
    return say(*url, "`url` is no http or https address",
               "write a URL like https://hooks.example.com/x, without a user");
  if (!url->text.starts_with("http://")) return;
  const Node* allowed = entry_.find("allowHttp");
  if (allowed != nullptr && flag_of(*allowed).value_or(false)) return;
  const std::optional<std::string> host = host_of(host_in(url->text));
  const bool here = host && (*host == "localhost" || *host == "::1" ||
                             (is_address(*host) && host->starts_with("127.")));
  if (here) return;
  say(*url, "`" + shortened(url->text) + "` is plain http to another machine",
      "use https, or say `allowHttp: true` where the way there is safe");
}

void EntryCheck::contact() {
  const Node* node = entry_.find("contact");
  if (node == nullptr || node->text.starts_with("mailto:") || node->text.starts_with("https://"))
    return;
  say(*node, "`" + shortened(node->text) + "` is no contact", "write mailto:you@example.com");
}

// SAFETY: the power to answer is given for rules that are named, never for all.
void EntryCheck::answer() {
  const Node* node = entry_.find("answer");
  if (node == nullptr || !node->is_mapping()) return;
  const Node* rules = node->find("rules");
  const bool slack = text_of(entry_, "type") == "slack";
  if (text_of(*node, "as").empty())
    say(*node, "`answer` does not say as whom", "add `as:` and the name of an approver");
  if (rules == nullptr || rules->items.empty())
    say(*node, "`answer` names no rules", "add `rules:` with the ask rules that it is for");
  if (rules != nullptr)
    for (const Node& rule : rules->items)
      if (std::ranges::find(kAskingKinds, rule.text) != std::end(kAskingKinds))
        say(rule, "a notice never answers what is asked without a rule (`" + rule.text + "`)",
            "name ask rules");
  if (const Node* within = node->find("within"))
    if (const auto time = duration_ms(within->text); time && (*time < 1 || *time > kLongestAnswer))
      say(*within, "`within` must be more than nothing and at most 15m", "write 5m");
  if (slack && (text_of(*node, "slackUser").empty() ||
                (entry_.find("secret") == nullptr && entry_.find("secretFile") == nullptr)))
    say(*node, "buttons that answer need `slackUser` and the app's signing secret",
        "add `slackUser: U…` to `answer`, and `secretFile` to the target");
  if (const Node* user = node->find("slackUser"); user != nullptr && !slack)
    say(*user, "`slackUser` is for targets of type slack", "remove it");
}

}  // namespace

void check_notify(const Document& document, const Node& entry, std::vector<std::string>& names,
                  std::vector<Diagnostic>& out) {
  EntryCheck check(document, entry, out);
  check.name(names);
  check.keys_of_type();
  check.one_spelling("url", "urlFile");
  check.one_spelling("secret", "secretFile");
  check.address();
  check.contact();
  check.answer();
}

namespace {

void add_asks(const Bundle& bundle, std::vector<std::string_view>& known) {
  for (const Rule& rule : bundle.rules)
    if (rule.verdict == Verdict::kAsk) known.push_back(rule.text);
}

void check_rules(const Document& document, const Node* rules,
                 const std::vector<std::string_view>& known, std::vector<Diagnostic>& out) {
  if (rules == nullptr) return;
  for (const Node& rule : rules->items) {
    if (!rule.is_scalar() || std::ranges::find(known, rule.text) != known.end()) continue;
    out.push_back({Severity::kError,
                   {.code = "unknown-rule",
                    .message = "no ask rule is written `" + shortened(rule.text) + "`",
                    .hint = did_you_mean(rule.text, "ask rules", known),
                    .where = document.place(rule)}});
  }
}

}  // namespace

void check_notify_rules(const Document& document, const std::vector<Statement>& statements,
                        std::vector<Diagnostic>& out) {
  const Node* notify = document.root().find("notify");
  if (notify == nullptr || !notify->is_sequence()) return;
  std::vector<std::string_view> known;
  for (const Statement& each : statements) {
    if (each.is_project()) continue;
    add_asks(each.top, known);
    for (const Bundle& bundle : each.presets) add_asks(bundle, known);
    for (const Bundle& bundle : each.agents) add_asks(bundle, known);
  }
  known.insert(known.end(), std::begin(kAskingKinds), std::end(kAskingKinds));
  for (const Node& entry : notify->items) {
    check_rules(document, entry.find("rules"), known, out);
    if (const Node* answer = entry.find("answer"); answer != nullptr && answer->is_mapping())
      check_rules(document, answer->find("rules"), known, out);
  }
}

}  // namespace tollgate::config
