// The parts of an explanation, from top to bottom.
// Empty parts are left out: what is shown is what matters for this call.
#include "explain/explanation.h"

#include <algorithm>

#include "base/text.h"
#include "explain/effect_words.h"
#include "explain/underline.h"
#include "json/json.h"

namespace tollgate {
namespace {

// LIMIT: one value may take this much of the screen; the rest is counted.
constexpr std::size_t kShownValue = 200;

class Page {
 public:
  Page(const Explanation& explanation, const Paint& paint)
      : from_(explanation),
        decision_(explanation.record.decision),
        paint_(paint),
        words_(explanation.record, explanation.main, explanation.here) {}

  std::string text() {
    call();
    verdict();
    also();
    effects();
    changes();
    settings();
    warnings();
    return std::move(out_);
  }

 private:
  std::string place(const std::string& source) const {
    return visible(near_path(source, from_.here));
  }

  void section(std::string_view title, const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty()) return;
    out_ += "\n" + paint_.heading(title) + "\n" + table(rows, 2);
  }

  void call() {
    const ToolCall& call = from_.record.call;
    std::string tool = visible(call.tool);
    if (call.native_tool != call.tool) tool = visible(call.native_tool) + " = " + tool;
    out_ += paint_.heading(tool);
    if (const std::string* text = words_.main_text()) {
      const std::size_t margin = columns(tool) + 2;
      out_ += "  " + underlined(*text, words_.deciding_spans(), paint_, {margin, from_.width})
                         .substr(text->empty() ? 0 : margin);
    } else {
      out_ += "\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : call.input.members())
      if (name != from_.main || words_.main_text() == nullptr)
        rows.push_back({visible(name), visible_start(json::write(value), kShownValue)});
    out_ += table(rows, 2);
  }

  // A built-in rule that is only in doubt says nothing where something else decides as well.
  bool tells_something(const Reason& reason) const {
    return reason.kind != ReasonKind::kRule || reason.source != "built-in" ||
           reason.verdict != Verdict::kAsk || decision_.reasons.size() == 1;
  }

  void verdict() {
    constexpr std::size_t kMargin = 7;
    out_ += "\n";
    std::string head =
        paint_.verdict(decision_.verdict, padded(std::string(name(decision_.verdict)), 5)) + "  ";
    std::vector<std::string> told;
    for (const Reason& reason : decision_.reasons) {
      const std::string text = near_text(reason.text);
      if (!tells_something(reason) || std::ranges::find(told, text) != told.end()) continue;
      told.push_back(text);
      const std::size_t room = from_.width > kMargin ? from_.width - kMargin : std::string::npos;
      for (const std::string& line : wrapped(visible(text), room)) {
        out_ += head + line + "\n";
        head.assign(kMargin, ' ');
      }
      for (const std::string& ground : grounds_of(reason.text))
        out_ += head + paint_.faint(ground) + "\n";
    }
    if (!decision_.approve.empty()) out_ += head + "approve: " + visible(decision_.approve) + "\n";
  }

  // Paths in a reason as people here write them.
  std::string near_text(std::string text) const {
    if (from_.here.size() < 2) return text;
    const std::string inside = "`" + from_.here + "/";
    for (std::size_t at = 0; (at = text.find(inside, at)) != text.npos; ++at)
      text.erase(at + 1, inside.size() - 1);
    return text;
  }

  // The rules that say the same, one a line.
  std::vector<std::string> grounds_of(const std::string& text) const {
    constexpr std::size_t kMost = 3;
    std::vector<std::string> grounds;
    for (const Reason& reason : decision_.reasons)
      if (const std::string ground = reason.text == text ? ground_of(reason) : "";
          !ground.empty() && std::ranges::find(grounds, ground) == grounds.end())
        grounds.push_back(ground);
    if (grounds.size() > kMost) {
      const std::size_t more = grounds.size() - kMost + 1;
      grounds.resize(kMost - 1);
      grounds.push_back("and " + std::to_string(more) + " more");
    }
    return grounds;
  }

  std::string ground_of(const Reason& reason) const {
    if (reason.kind == ReasonKind::kDefault || reason.kind == ReasonKind::kReadOnly ||
        reason.kind == ReasonKind::kLimit)
      return "";
    std::string out(name(reason.kind));
    if (!reason.rule.empty()) out += " " + visible(reason.rule);
    const bool shown = reason.source != "built-in" || reason.kind == ReasonKind::kRule;
    if (shown && !reason.source.empty() && reason.source != reason.rule)
      out += "  " + place(reason.source);
    return out;
  }

  void also() {
    std::vector<std::vector<std::string>> rows;
    for (const Reason& reason : decision_.also)
      rows.push_back(
          {std::string(name(reason.verdict)), visible(reason.rule), place(reason.source)});
    section("also matched", rows);
  }

  void effects() {
    // LIMIT: so many are shown besides those that decide; the rest is counted.
    constexpr std::size_t kMost = 20;
    std::vector<std::vector<std::string>> rows;
    std::size_t plain = 0;
    for (std::uint32_t i = 0; i < from_.record.effects.size(); ++i) {
      const Effect& effect = from_.record.effects[i];
      if (effect.guess != Guess::kNone || is_repository(effect)) continue;
      const bool decides = words_.is_deciding(i);
      if (!decides && ++plain > kMost) continue;
      std::vector<std::string> row{
          std::string(2 * words_.depth_of(effect), ' ') + std::string(name(effect.kind)),
          visible_start(words_.object_of(effect), kShownValue)};
      row[0].insert(0, decides ? "> " : "  ");
      if (std::ranges::find(rows, row) == rows.end() || effect.kind == EffectKind::kRun)
        rows.push_back(std::move(row));
    }
    if (plain > kMost) rows.push_back({"  …", std::to_string(plain - kMost) + " more"});
    if (rows.empty()) return;
    out_ += "\n" + paint_.heading("it would") + "\n" + table(rows, 0);
  }

  template <class T>
  void setting(std::vector<std::vector<std::string>>& rows, std::string what, const T& value) {
    if (value.source == ConfigSource::kDefault) return;
    rows.push_back(
        {std::move(what), std::string(name(value.value)), origin(value.source, value.where)});
  }

  std::string origin(ConfigSource source, const std::string& where) const {
    if (source == ConfigSource::kDefault) return "default";
    std::string out(name(source));
    return where.empty() ? out : out + ", " + place(where);
  }

  // What somebody has set; the rest is as it is without a configuration.
  void settings() {
    if (from_.agent == nullptr) return;
    const AgentPolicy& agent = *from_.agent;
    std::vector<std::vector<std::string>> rows;
    if (!agent.name.empty()) rows.push_back({"agent", visible(agent.name), ""});
    const std::string tools = agent.ceiling.from.empty() ? "none" : agent.ceiling.from;
    if (agent.ceiling.lists.empty() && agent.ceiling.source != ConfigSource::kDefault)
      rows.push_back({"tools", visible(tools), origin(agent.ceiling.source, agent.ceiling.where)});
    for (const CeilingList& list : agent.ceiling.lists)
      if (list.source != ConfigSource::kDefault)
        rows.push_back({"tools", visible(list.from), origin(list.source, list.where)});
    if (from_.mode)
      rows.push_back({"mode", std::string(name(*from_.mode)), "command line"});
    else
      setting(rows, "mode", agent.mode);
    setting(rows, "answer", agent.answer);
    if (agent.network.limited || !agent.network.allowed)
      rows.push_back(
          {"hosts", hosts_of(agent.network), origin(agent.network.source, agent.network.where)});
    section("under", rows);
  }

  static std::string hosts_of(const Network& network) {
    if (!network.allowed) return "none";
    return network.hosts.empty() ? "none" : visible_start(join(network.hosts, " "), 60);
  }

  void changes() {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& rule : decision_.suggestions)
      rows.push_back({"allow", "add to allow: " + visible(rule)});
    for (const Change& change : decision_.changes) {
      if (change.kind == ChangeKind::kPerson)
        rows.push_back({"only a person's answer"});
      else if (!is_suggested(change))
        add_change(change, rows);
    }
    section("what would change the answer", rows);
  }

  bool is_suggested(const Change& change) const {
    return change.kind == ChangeKind::kAddRule && change.list == "allow" &&
           change.rules.size() == 1 &&
           std::ranges::find(decision_.suggestions, change.rules[0]) != decision_.suggestions.end();
  }

  // Rules that are needed together stand below each other.
  void add_change(const Change& change, std::vector<std::vector<std::string>>& rows) const {
    const std::string verdict(name(change.verdict));
    if (change.kind != ChangeKind::kAddRule) {
      rows.push_back({verdict, change_of(change)});
      return;
    }
    const std::string before = "add to " + change.list + ": ";
    for (const std::string& rule : change.rules)
      if (&rule == &change.rules.front())
        rows.push_back({verdict, before + visible(rule)});
      else
        rows.push_back({"", std::string(before.size() - 5, ' ') + "and: " + visible(rule)});
  }

  static std::string listed(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + visible(text);
    return out;
  }

  std::string change_of(const Change& change) const {
    std::string places;
    for (const std::string& source : change.places)
      places += (places.empty() ? "" : ", ") + place(source);
    const std::string rule = listed(change.rules);
    switch (change.kind) {
      case ChangeKind::kRemoveRules:
        return "remove " + rule + "  (" + places + ")";
      case ChangeKind::kSetMode:
        return "set mode: " + rule;
      case ChangeKind::kAddTool:
        return "add to " + change.list + ": " + rule + (places.empty() ? "" : "  (" + places + ")");
      case ChangeKind::kSetTools:
        return "set allowedTools: [" + rule + "]";
      case ChangeKind::kSetAnswer:
        return "set answer: " + rule;
      case ChangeKind::kReplace:
        return "remove " + listed(change.removed) + "  (" + places + ") and add to " + change.list +
               ": " + rule;
      case ChangeKind::kAddRule:
      case ChangeKind::kPerson:
        break;
    }
    return "";
  }

  void warnings() {
    for (const Diagnostic& warning : from_.warnings)
      out_ += "\n" + render(near_path(warning, from_.here));
  }

  const Explanation& from_;
  const Decision& decision_;
  const Paint& paint_;
  EffectWords words_;
  std::string out_;
};

}  // namespace

std::string explanation_text(const Explanation& explanation, const Paint& paint) {
  return Page(explanation, paint).text();
}

}  // namespace tollgate
