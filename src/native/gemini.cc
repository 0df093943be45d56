// Gemini CLI: a policy file that refuses everything it does not name.
// Headless, a question is a refusal, and a hook can refuse but not open: what shall run must be
// allowed here. Rules are taken from the highest priority down.
// SAFETY: one bad value makes Gemini drop the whole file and run everything, so that every file is
// checked before it leaves; and shells are denied and never asked about, since Gemini answers such
// questions itself for commands that it takes for safe.
#include "native/gemini.h"

#include <algorithm>

#include "base/text.h"
#include "native/lines.h"
#include "native/makers.h"
#include "native/quote.h"

namespace tollgate::native {
namespace {

constexpr int kLow = 1, kAllow = 100, kAsk = 700, kDeny = 900;

// The end of a path's name that says source or text; keys, certificates and dot files have others.
constexpr std::string_view kTextEnds =
    "c|cc|cpp|cxx|h|hpp|hh|rs|go|py|rb|java|kt|cs|swift|js|jsx|mjs|cjs|ts|tsx|vue|css|scss|html|"
    "md|txt|rst|sql|proto|cmake|sh|json|toml|yaml|yml|xml|gradle|lock";

// No name begins with a dot or as those of keys do, and no slash is doubled.
constexpr std::string_view kNoHidden = "(?![^\"]*/[./])(?![^\"]*/[iI][dD]_)(?![iI][dD]_)";

// Where a call names the file; sorted keys put it behind others.
constexpr std::string_view kPathKey = "\"file_path\":\"";

// The path of a deny or ask rule as a regular expression; what lies below it is meant too.
std::string path_regex(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '*') {
      out += regex_folded(pattern.substr(i, 1));
    } else if (pattern.substr(i, 2) == "**") {
      out += "[^\"]*";
      ++i;
      if (pattern.substr(i + 1, 1) == "/") ++i;
    } else {
      out += "[^/\"]*";
    }
  }
  return out;
}

class Policy {
 public:
  explicit Policy(const Plan& plan) : plan_(plan) {}

  std::vector<GeminiRule> make();

 private:
  void tools();
  void servers();
  void commands();
  void denied_commands();
  void reads();
  void held_paths();
  void add(GeminiRule rule) { rules_.push_back(std::move(rule)); }

  const Plan& plan_;
  std::vector<GeminiRule> rules_;
};

void Policy::tools() {
  const bool hooked = plan_.request().hook == Hook::kRegistered;
  for (const ToolLine& line : plan_.tools()) {
    if (line.standing == Standing::kDenied) continue;  // the rule for everything
    const bool person = line.kind == ToolKind::kPerson;
    if (line.standing == Standing::kOpen || (hooked && !person))
      add({.tool = line.native, .decision = "allow", .priority = kAllow});
    else if (line.kind != ToolKind::kShell && line.kind != ToolKind::kShellInput)
      add({.tool = line.native, .decision = "ask_user", .priority = kLow + 1});
  }
}

void Policy::servers() {
  const bool hooked = plan_.request().hook == Hook::kRegistered;
  const auto say = [&](const ToolLine& line, std::string server, std::string tool, int more) {
    const bool open =
        line.standing == Standing::kOpen || (hooked && line.standing == Standing::kJudged);
    add({.tool = std::move(tool),
         .server = std::move(server),
         .decision = line.standing == Standing::kDenied ? "deny"
                     : open                             ? "allow"
                                                        : "ask_user",
         .priority = kAllow + more});
  };
  for (const ToolLine& line : plan_.servers()) say(line, line.native, "*", 1);
  for (const ToolLine& line : plan_.mcp_tools()) {
    const McpName name = mcp_name(line.canonical);
    say(line, std::string(name.server), std::string(name.tool), 2);
  }
}

// The whole of the arguments is spelled: a command, and a description without quotes. Gemini puts
// a NUL before and behind each pair of the outermost object, which no text inside can hold.
void Policy::commands() {
  for (const PlainCommand& plain : plan_.plain_commands()) {
    std::string text = regex_escaped(plain.text());
    if (plain.open) text += "(?=[ \"])(?![^\"]* [^A-Za-z0-9])[ " + std::string(kPlainTail) + "]*";
    add({.tool = "run_shell_command",
         .arguments = "^\\{\\x00\"command\":\"" + text +
                      "\"\\x00(\\}|,\\x00\"description\":\"[^\"\\\\]*\"\\x00\\})$",
         .decision = "allow",
         .priority = kAllow});
  }
}

void Policy::denied_commands() {
  for (const auto& [rule, command] : plan_.commands(Verdict::kDeny))
    add({.tool = "run_shell_command",
         .arguments =
             "\"command\":\"" + regex_escaped(command.text()) + (command.open ? "[ \"]" : "\""),
         .decision = "deny",
         .priority = kDeny,
         .message = rule->reason.empty() ? "the policy denies " + rule->text : rule->reason});
}

// Plain files of the workspace, by a relative path or below its root.
void Policy::reads() {
  if (!plan_.reads_are_quiet() || plan_.request().hook == Hook::kRegistered) return;
  const std::string name = std::string(kNoHidden) +
                           "[A-Za-z0-9_][A-Za-z0-9_./-]*\\.(?:" + std::string(kTextEnds) + ")\"";
  for (const std::string& start : {std::string(), plan_.request().root + "/"})
    add({.tool = "read_file",
         .arguments = "\\x00" + std::string(kPathKey) + regex_escaped(start) + name,
         .decision = "allow",
         .priority = kAllow});
  if (plan_.has_path_rules()) return;  // a walk could pass what they are about
  if (plan_.standing("Grep") == Standing::kJudged)
    add({.tool = "grep_search",
         .arguments = "^\\{\\x00\"pattern\":\"[^\"]*\"\\x00\\}$",
         .decision = "allow",
         .priority = kAllow});
  if (plan_.standing("LS") == Standing::kJudged)
    add({.tool = "list_directory",
         .arguments = "^\\{\\x00\"dir_path\":\"(\\.|" + std::string(kNoHidden) +
                      "[A-Za-z0-9_][A-Za-z0-9_/-]*)\"\\x00\\}$",
         .decision = "allow",
         .priority = kAllow});
}

void Policy::held_paths() {
  for (const Rule* rule : plan_.rules()) {
    if (rule->verdict == Verdict::kAllow) continue;
    // The built-in paths lie outside the workspace, where nothing is allowed without the hook.
    if (rule->source == ConfigSource::kDefault && plan_.request().hook == Hook::kNone) continue;
    const auto path = plan_.path_of(*rule);
    if (!path) continue;
    std::vector<std::string> starts;
    const std::string& root = plan_.request().root;
    if (path->floating)
      starts = {std::string(kPathKey), std::string(kPathKey) + "[^\"]*/"};
    else if (path->anchor == Anchor::kFilesystem)
      starts = {std::string(kPathKey) + "/"};
    else if (path->anchor == Anchor::kHome)
      starts = {std::string(kPathKey) + regex_escaped(plan_.request().home + "/"),
                std::string(kPathKey) + "~/"};
    else
      starts = {std::string(kPathKey), std::string(kPathKey) + "\\./",
                std::string(kPathKey) + regex_folded(root + "/")};
    std::string_view body = path->pattern;
    while (body.starts_with("**/")) body.remove_prefix(3);
    if (body.ends_with("/**")) body.remove_suffix(3);
    for (const std::string& start : starts)
      for (const std::string_view tool : {"read_file", "write_file", "replace"}) {
        const bool read = tool == "read_file";
        if (read ? !path->reads : !path->writes) continue;
        if (plan_.standing(canonical_tool("gemini", tool)) == Standing::kDenied) continue;
        add({.tool = std::string(tool),
             .arguments = start + path_regex(body) + "[/\"]",
             .decision = rule->verdict == Verdict::kDeny ? "deny" : "ask_user",
             .priority = rule->verdict == Verdict::kDeny ? kDeny : kAsk});
      }
  }
}

std::vector<GeminiRule> Policy::make() {
  add({.tool = "*",
       .decision = "deny",
       .priority = kLow,
       .message = "the policy has no rule for it"});
  tools();
  servers();
  commands();
  denied_commands();
  reads();
  held_paths();
  return std::move(rules_);
}

Held held(const Plan& plan, const Rule& rule) {
  const bool hooked = plan.request().hook == Hook::kRegistered;
  if (rule.verdict == Verdict::kAllow) {
    for (const PlainCommand& plain : plan.plain_commands())
      if (plain.rule == &rule) {
        const bool narrower = !plain.open && rule.specifier.ends_with(" *");
        return {narrower ? Holder::kWithheld : Holder::kNative,
                narrower ? "only without further words" : "plain words only"};
      }
    if (plan.opens(rule, plan.mcp_tools())) return {Holder::kNative, "runs without the gate"};
    for (const ToolLine& line : plan.servers())
      if (line.standing == Standing::kOpen && plan.is_whole(rule) &&
          rule.tool.kind == ToolPartKind::kServer && rule.tool.name == line.native)
        return {Holder::kNative, "runs without the gate"};
    if (hooked) return {Holder::kHook, "the hook judges it"};
    return {Holder::kWithheld, "Gemini asks, and refuses without a terminal"};
  }
  if (hooked) return {Holder::kHook, "the hook judges it"};
  return {Holder::kNative, "everything that is not named is refused"};
}

}  // namespace

std::string gemini_text(const std::vector<GeminiRule>& rules) {
  std::string text = "# Made by tollgate compile.\n";
  for (const GeminiRule& rule : rules) {
    text += "\n[[rule]]\n";
    if (!rule.server.empty()) text += "mcpName = " + quoted(rule.server) + "\n";
    text += "toolName = " + quoted(rule.tool) + "\n";
    if (!rule.arguments.empty()) text += "argsPattern = " + quoted(rule.arguments) + "\n";
    text += "decision = " + quoted(rule.decision) + "\n";
    text += "priority = " + std::to_string(rule.priority) + "\n";
    if (!rule.message.empty() && rule.decision == "deny")
      text += "denyMessage = " + quoted(rule.message) + "\n";
  }
  return text;
}

// A group that holds a quantifier and has one behind it is taken for a slow pattern.
bool gemini_takes_regex(std::string_view pattern) {
  if (pattern.size() > 2048) return false;
  constexpr std::string_view kQuantifiers = "*+?{";
  const std::size_t open = pattern.find('(');
  if (open == pattern.npos) return true;
  const std::size_t first = pattern.find_first_of("*+?{)", open);
  const bool holds = first != pattern.npos && pattern[first] != ')';
  for (std::size_t i = open; holds && i + 1 < pattern.size(); ++i)
    if (pattern[i] == ')' && kQuantifiers.find(pattern[i + 1]) != kQuantifiers.npos) return false;
  return true;
}

Result<void> check_gemini(const std::vector<GeminiRule>& rules) {
  constexpr std::string_view kDecisions[] = {"allow", "deny", "ask_user"};
  const auto fail = [](std::string message) {
    return Fail({.code = "bad-native",
                 .message = std::move(message),
                 .hint = "Gemini would drop the whole file and run everything; change the rule",
                 .where = {}});
  };
  for (const GeminiRule& rule : rules) {
    if (rule.priority < 0 || rule.priority > 999)
      return fail("priority " + std::to_string(rule.priority) + " is not between 0 and 999");
    if (rule.tool.empty()) return fail("a rule names no tool");
    if (std::ranges::find(kDecisions, rule.decision) == std::end(kDecisions))
      return fail("unknown decision `" + rule.decision + "`");
    if (!gemini_takes_regex(rule.arguments))
      return fail("the pattern for `" + rule.tool + "` is one that Gemini refuses");
    for (const std::string* text : {&rule.tool, &rule.server, &rule.message})
      if (!is_valid_utf8(*text)) return fail("a name is not valid UTF-8");
  }
  return {};
}

std::vector<GeminiRule> gemini_rules(const Plan& plan) { return Policy(plan).make(); }

Result<Compiled> compile_gemini(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = begin(client, plan);
  const bool hooked = request.hook == Hook::kRegistered;
  out.strength = Strength::kHard;
  out.how = "a policy file whose last rule refuses everything that no other names";
  out.failing = hooked ? "open: a hook that fails or hangs lets the call run"
                       : "closed: nothing here waits for the gate";
  const std::vector<GeminiRule> rules = gemini_rules(plan);
  if (Result<void> good = check_gemini(rules); !good) return Fail(std::move(good).error());
  out.files.push_back(
      {"tollgate.toml", "named by --policy, or in ~/.gemini/policies/", gemini_text(rules)});
  out.arguments = {"--approval-mode", "default", "--policy",
                   in_directory(request, "tollgate.toml")};
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule); });
  Grounds grounds = hooked ? grounds_by(Holder::kHook, "the hook judges it")
                           : grounds_by(Holder::kNative, "nothing of the kind is named");
  grounds.ceiling = grounds.unlisted = {Holder::kNative, "the last rule refuses them"};
  add_grounds(out, plan, grounds);
  if (hooked)
    out.warnings.emplace_back(
        "with the hook in charge a call runs when the hook breaks; see docs/native.md");
  return out;
}

}  // namespace tollgate::native
