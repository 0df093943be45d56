// From the lists allow, ask and deny to rules.
// A rule is a text, or a mapping when more is said about it.
// SAFETY: a rule that cannot be read is reported and left out, and the report makes all denied.
#include "config/read_rules.h"

#include <algorithm>

#include "base/text.h"
#include "core/tool_call.h"

namespace tollgate::config {
namespace {

std::vector<std::string> texts(const Node* node) {
  std::vector<std::string> result;
  if (node == nullptr) return result;
  for (const Node& item : node->items)
    if (item.is_scalar()) result.push_back(item.text);
  return result;
}

std::int64_t milliseconds(const Node* node) {
  return node == nullptr ? 0 : duration_ms(node->text).value_or(0);
}

int count(const Node* node, int otherwise) {
  if (node == nullptr || node->text.empty()) return otherwise;
  int number = 0;
  for (char c : node->text) {
    if (c < '0' || c > '9' || number > 100'000'000) return otherwise;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool is_too_long(std::string_view example) { return example.size() > kMaxCommandBytes; }

// The place without its texts: parsing only moves the numbers, so the texts need no second copy.
Position numbers_of(const Position& place) {
  return {.file = {}, .line = place.line, .column = place.column, .width = place.width, .text = {}};
}

class RuleReader {
 public:
  RuleReader(const Document& document, const ReadContext& context, std::vector<Diagnostic>& out)
      : document_(document), context_(context), out_(out), before_(out.size()) {}

  void list(const Node* node, Verdict verdict, std::string_view agent, std::vector<Rule>& rules);

 private:
  void details(const Node& node, Rule& rule);
  std::vector<std::string> examples(const Node* node);
  void thresholds(const Node& node, Rule& rule);
  Quorum threshold(const Node& node);
  void bad_quorum(const Node& node, std::string message, std::string hint);
  void error(Error error) { out_.push_back({Severity::kError, std::move(error)}); }

  const Document& document_;
  const ReadContext& context_;
  std::vector<Diagnostic>& out_;
  std::size_t before_;  // how many there were when the list began
};

void RuleReader::list(const Node* node, Verdict verdict, std::string_view agent,
                      std::vector<Rule>& rules) {
  if (node == nullptr || !node->is_sequence()) return;
  for (const Node& item : node->items) {
    if (out_.size() - before_ >= kMaxErrors) return;
    const Node* text = item.is_mapping() ? item.find("rule") : &item;
    if (text == nullptr || !text->is_scalar()) continue;
    Position place = document_.place(*text);
    Result<Rule> rule =
        parse_rule(verdict, text->text, numbers_of(place), {.tools = context_.tools});
    Position& where = rule ? rule->where : rule.error().where;
    where.file = std::move(place.file);
    where.text = std::move(place.text);
    if (!rule) {
      error(std::move(rule).error());
      continue;
    }
    rule->source = context_.source;
    rule->agent = agent;
    if (item.is_mapping()) details(item, *rule);
    rules.push_back(std::move(*rule));
  }
}

void RuleReader::details(const Node& node, Rule& rule) {
  if (const Node* reason = node.find("reason")) rule.reason = std::string(trim(reason->text));
  rule.match = examples(node.find("match"));
  rule.not_match = examples(node.find("not_match"));
  if (const Node* hours = node.find("hours"); hours != nullptr && hours->is_scalar()) {
    Result<Hours> read = parse_hours(hours->text);
    if (read) {
      rule.hours = std::move(*read);
    } else {
      Error problem = std::move(read).error();
      problem.where = document_.place(*hours);
      error(std::move(problem));
    }
  }
  if (const Node* expires = node.find("expires"); expires != nullptr)
    rule.expires = utc_seconds(expires->text).value_or(1);
  if (const Node* approve = node.find("approve"); approve != nullptr) thresholds(*approve, rule);
  if (const Node* answer = node.find("answer"); answer != nullptr)
    rule.answer = answerer_of(*answer);
  if (const Node* timeout = node.find("onTimeout"); timeout != nullptr)
    rule.on_timeout = timeout->text == "escalate"  ? OnTimeout::kEscalate
                      : timeout->text == "forward" ? OnTimeout::kForward
                                                   : OnTimeout::kDeny;
  for (std::string_view key : {"approve", "answer", "onTimeout"}) {
    const Node* misplaced = rule.verdict == Verdict::kAsk ? nullptr : node.find(key);
    if (misplaced != nullptr)
      error({.code = "only-for-ask",
             .message = "`" + std::string(key) + "` has no meaning in the " +
                        std::string(name(rule.verdict)) + " list",
             .hint = "move the rule to `ask`, or remove the key",
             .where = document_.place(*misplaced)});
  }
}

// LIMIT: what is longer than a command may be is no example of one, and trying it takes long.
std::vector<std::string> RuleReader::examples(const Node* node) {
  std::vector<std::string> result = texts(node);
  if (std::erase_if(result, [](const std::string& text) { return is_too_long(text); }) == 0)
    return result;
  for (const Node& item : node->items)
    if (item.is_scalar() && is_too_long(item.text))
      error({.code = "example-too-long",
             .message = "an example has " + std::to_string(item.text.size()) +
                        " bytes, more than the limit of " + std::to_string(kMaxCommandBytes),
             .hint = "shorten it to what shows the rule's meaning",
             .where = document_.place(item)});
  return result;
}

void RuleReader::bad_quorum(const Node& node, std::string message, std::string hint) {
  error({.code = "bad-quorum",
         .message = std::move(message),
         .hint = std::move(hint),
         .where = document_.place(node)});
}

// One threshold, or a list of them side by side.
void RuleReader::thresholds(const Node& node, Rule& rule) {
  if (node.is_mapping()) rule.approve.push_back(threshold(node));
  if (!node.is_sequence()) return;
  if (node.items.empty() || node.items.size() > kMaxThresholds)
    bad_quorum(node,
               "`approve` has " + std::to_string(node.items.size()) +
                   " thresholds, expected 1 to " + std::to_string(kMaxThresholds),
               "name those that can settle it, one a line");
  for (const Node& each : node.items) {
    if (!each.is_mapping() || rule.approve.size() == kMaxThresholds) continue;
    rule.approve.push_back(threshold(each));
    rule.approve.back().or_else = rule.approve.size() > 1;
  }
  // The error stands; what is compiled all the same asks for somebody.
  if (rule.approve.empty()) rule.approve.emplace_back();
}

Quorum RuleReader::threshold(const Node& node) {
  Quorum quorum;
  quorum.any = count(node.find("any"), 1);
  quorum.of = texts(node.find("of"));
  quorum.deny = count(node.find("deny"), 1);
  quorum.within_ms = milliseconds(node.find("within"));
  quorum.expires_ms = milliseconds(node.find("expires"));
  quorum.after_ms = milliseconds(node.find("after"));
  if (const Node* name = node.find("name"); name != nullptr) quorum.name = trim(name->text);
  if (quorum.any < 1 || quorum.deny < 1)
    bad_quorum(node, "`any` and `deny` of `approve` must be at least 1",
               "nobody's agreement is what an allow rule is for");
  // Without an end of its own the question might be over before anybody of it is asked.
  if (quorum.after_ms > 0 && quorum.within_ms <= quorum.after_ms)
    bad_quorum(node, "`after` of `approve` is not before the end that `within` sets",
               "both count from the question's beginning: {after: 5m, within: 15m}");
  // The errors stand; what is compiled all the same asks for somebody.
  quorum.any = std::max(quorum.any, 1);
  quorum.deny = std::max(quorum.deny, 1);
  return quorum;
}

}  // namespace

std::optional<Answerer> answerer_of(const Node& node) {
  if (!node.is_scalar()) return std::nullopt;
  if (const std::optional<bool> flag = flag_of(node)) return *flag ? Answerer::kYes : Answerer::kNo;
  return answerer_named(node.text);
}

void read_rules(const Document& document, const ReadContext& context, const Node& rules,
                std::string_view agent, std::vector<Rule>& into, std::vector<Diagnostic>& out) {
  RuleReader reader(document, context, out);
  constexpr Verdict kLists[] = {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny};
  // Room for all lists and for the built-in rules that come after: a large list is never moved.
  std::size_t room = into.size() + 64;
  for (Verdict verdict : kLists)
    if (const Node* list = rules.find(name(verdict))) room += list->items.size();
  into.reserve(room);
  for (Verdict verdict : kLists) reader.list(rules.find(name(verdict)), verdict, agent, into);
}

}  // namespace tollgate::config
