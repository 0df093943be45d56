// The parts of an explanation, from top to bottom.
// Empty parts are left out: what is shown is what matters for this call.
#include "cli/explanation.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

// LIMIT: one part of a call's input may take this much of the screen; the rest is counted.
constexpr std::size_t kShownBytes = 2'000;
constexpr std::size_t kShownValue = 200;

class Page {
 public:
  Page(const Explanation& explanation, const Paint& paint)
      : from_(explanation), decision_(explanation.record.decision), paint_(paint) {}

  std::string text() {
    call();
    verdict();
    also();
    effects();
    settings();
    suggestions();
    changes();
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

  // Deciding reasons have the decision's own verdict; others only add to the story.
  std::vector<Span> deciding_spans() const {
    std::vector<Span> spans;
    for (const Reason& reason : decision_.reasons)
      if (reason.verdict == decision_.verdict && !reason.span.empty()) spans.push_back(reason.span);
    if (spans.empty())
      for (const Reason& reason : decision_.reasons)
        if (!reason.span.empty()) spans.push_back(reason.span);
    return spans;
  }

  void call() {
    const ToolCall& call = from_.record.call;
    std::string tool = visible(call.tool);
    if (call.native_tool != call.tool) tool = visible(call.native_tool) + " = " + tool;
    const json::Value* main = from_.main.empty() ? nullptr : call.input.find(from_.main);
    out_ += paint_.heading(tool);
    if (main != nullptr) {
      const std::string& text = main->as_string();
      const std::size_t margin = columns(tool) + 2;
      out_ += "  " + underlined(text, deciding_spans(), margin, paint_).substr(margin);
    } else {
      out_ += "\n";
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : call.input.members())
      if (&value != main)
        rows.push_back({visible(name), visible_start(json::write(value), kShownValue)});
    out_ += table(rows, 2);
  }

  void verdict() {
    const std::string word(name(decision_.verdict));
    out_ += "\n";
    bool first = true;
    for (const Reason& reason : decision_.reasons) {
      out_ += first ? paint_.verdict(decision_.verdict, padded(word, 5)) : std::string(5, ' ');
      out_ += "  " + visible(reason.text) + "\n";
      if (const std::string ground = ground_of(reason); !ground.empty())
        out_ += "       " + paint_.faint(ground) + "\n";
      first = false;
    }
    if (!decision_.approve.empty()) out_ += "       approve: " + visible(decision_.approve) + "\n";
  }

  std::string ground_of(const Reason& reason) const {
    std::string out;
    if (reason.kind == ReasonKind::kRule || reason.kind == ReasonKind::kGrant)
      out = std::string(name(reason.kind)) + " " + visible(reason.rule);
    else if (reason.kind != ReasonKind::kDefault)
      out =
          std::string(name(reason.kind)) + (reason.rule.empty() ? "" : " " + visible(reason.rule));
    if (!out.empty() && !reason.source.empty() && reason.source != reason.rule)
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
    std::vector<std::vector<std::string>> rows;
    for (const Effect& effect : from_.record.effects)
      if (effect.guess == Guess::kNone && !is_repository(effect))
        rows.push_back({std::string(2 * depth_of(effect), ' ') + std::string(name(effect.kind)),
                        object_of(effect)});
    constexpr std::size_t kMost = 20;
    const std::size_t all = rows.size();
    if (all > kMost) {
      rows.resize(kMost);
      rows.push_back({"…", std::to_string(all - kMost) + " more"});
    }
    section("it would", rows);
  }

  // How many runs an effect belongs to, one inside the other.
  std::size_t depth_of(const Effect& effect) const {
    const Effects& all = from_.record.effects;
    std::size_t depth = 0;
    for (std::uint32_t at = effect.owner; at < all.size() && depth < 12; at = all[at].owner)
      ++depth;
    return depth;
  }

  std::string object_of(const Effect& effect) const {
    std::string out;
    switch (effect.kind) {
      case EffectKind::kRun:
        for (const Word& word : effect.argv) {
          const bool plain =
              !word.text.empty() && word.text.find_first_of(" \t\n'\"\\") == word.text.npos;
          out += (out.empty() ? "" : " ") + (plain ? word.text : json::quote(word.text));
          if (!word.known) out += "…";
        }
        break;
      case EffectKind::kReach:
        out = is_configured_home(effect) ? "what " + effect.target + " is configured for"
              : effect.host.empty()      ? "a host that cannot be told"
                                         : effect.host;
        break;
      case EffectKind::kUnknown:
        out = effect.why;
        break;
      case EffectKind::kMcp:
      case EffectKind::kAgent:
      case EffectKind::kApp:
        out = effect.target;
        break;
      case EffectKind::kSearch:
        out = "the web";
        break;
      case EffectKind::kPerson:
        out = "a person must answer";
        break;
      default:
        out = effect.path.empty() ? effect.why : near_path(effect.path, from_.here);
        if (effect.recursive) out += " and all below";
    }
    return visible_start(out, kShownValue);
  }

  template <class T>
  void setting(std::vector<std::vector<std::string>>& rows, std::string what, const T& value) {
    rows.push_back(
        {std::move(what), std::string(name(value.value)), origin(value.source, value.where)});
  }

  std::string origin(ConfigSource source, const std::string& where) const {
    if (source == ConfigSource::kDefault) return "default";
    std::string out(name(source));
    return where.empty() ? out : out + ", " + place(where);
  }

  void settings() {
    if (from_.agent == nullptr) return;
    const AgentPolicy& agent = *from_.agent;
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"agent", agent.name.empty() ? "the default agent" : visible(agent.name), ""});
    const std::string tools = agent.ceiling.from.empty() ? "none" : agent.ceiling.from;
    if (agent.ceiling.lists.empty())
      rows.push_back({"tools", visible(tools), origin(agent.ceiling.source, agent.ceiling.where)});
    for (const CeilingList& list : agent.ceiling.lists)
      rows.push_back({"tools", visible(list.from), origin(list.source, list.where)});
    if (from_.mode)
      rows.push_back({"mode", std::string(name(*from_.mode)), "command line"});
    else
      setting(rows, "mode", agent.mode);
    setting(rows, "answer", agent.answer);
    if (agent.network.limited || !agent.network.allowed)
      rows.push_back(
          {"hosts", hosts_of(agent.network), origin(agent.network.source, agent.network.where)});
    rows.push_back({"decided",
                    "by the " + std::string(name(decision_.config_source)) + " configuration",
                    "layer " + std::string(name(decision_.layer))});
    section("under", rows);
  }

  static std::string hosts_of(const Network& network) {
    if (!network.allowed) return "none";
    return network.hosts.empty() ? "none" : visible_start(join(network.hosts, " "), 60);
  }

  void suggestions() {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& rule : decision_.suggestions) rows.push_back({"allow", visible(rule)});
    section("rules that would settle it", rows);
  }

  void changes() {
    std::vector<std::vector<std::string>> rows;
    for (const Change& change : decision_.changes) {
      if (change.kind == ChangeKind::kPerson)
        rows.push_back({"only a person's answer"});
      else
        rows.push_back({std::string(name(change.verdict)), change_of(change)});
    }
    section("what would change the answer", rows);
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
      case ChangeKind::kAddRule:
        return "add to " + change.list + ": " + rule;
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
  std::string out_;
};

bool is_inside(std::size_t at, const std::vector<Span>& spans) {
  return std::ranges::any_of(spans, [&](Span span) { return at >= span.begin && at < span.end(); });
}

}  // namespace

std::string underlined(std::string_view text, const std::vector<Span>& spans, std::size_t margin,
                       const Paint& paint) {
  const std::string indent(margin, ' ');
  const std::size_t end = std::min(text.size(), kShownBytes);
  std::string out, line, carets;
  const auto finish_line = [&] {
    out += indent + line + "\n";
    carets.resize(carets.find_last_not_of(' ') + 1);
    if (!carets.empty()) out += indent + paint.faint(carets) + "\n";
    line.clear();
    carets.clear();
  };
  for (std::size_t at = 0; at < end;) {
    std::size_t size = 1;
    while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0) == 0x80)
      ++size;
    if (text[at] == '\n') {
      finish_line();
    } else {
      const std::string shown = visible(text.substr(at, size));
      line += shown;
      carets.append(columns(shown), is_inside(at, spans) ? '^' : ' ');
    }
    at += size;
  }
  if (end < text.size()) line += "… (" + std::to_string(text.size() - end) + " bytes more)";
  finish_line();
  return out;
}

std::string explanation_text(const Explanation& explanation, const Paint& paint) {
  return Page(explanation, paint).text();
}

}  // namespace tollgate::cli
