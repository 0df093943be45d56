// opencode: the permission map of its configuration, in which the last match wins.
// Under `opencode run` a question is a refusal; its plugin can refuse and not open.
// SAFETY: a redirection behind `a && b` is in no part that opencode looks at, so that no command
// is allowed by its text; the map ends with what narrows.
#include <algorithm>

#include "json/json.h"
#include "native/lines.h"
#include "native/makers.h"
#include "native/quote.h"

namespace tollgate::native {
namespace {

// The names that permissions have, which are fewer than those of tools.
struct KeyRow {
  std::string_view key;
  std::string_view canonical;
};
constexpr KeyRow kKeys[] = {
    {"bash", "Bash"},
    {"read", "Read"},
    {"edit", "Edit"},
    {"glob", "Glob"},
    {"grep", "Grep"},
    {"list", "LS"},
    {"webfetch", "WebFetch"},
    {"websearch", "WebSearch"},
    {"codesearch", "WebSearch"},
    {"task", "Agent"},
    {"todowrite", "TodoWrite"},
    {"todoread", "TodoRead"},
    {"question", "AskUserQuestion"},
};

// What a file's name ends with when it is source or text.
constexpr std::string_view kTextEnds[] = {
    "c",   "cc",  "cpp", "h",    "hpp",  "rs",   "go",  "py",  "rb",    "java", "kt",
    "cs",  "js",  "jsx", "mjs",  "ts",   "tsx",  "vue", "css", "html",  "md",   "txt",
    "rst", "sql", "sh",  "json", "toml", "yaml", "yml", "xml", "cmake", "lock"};

std::string_view word(const Plan& plan, Standing standing, ToolKind kind) {
  const bool hooked = plan.request().hook == Hook::kRegistered;
  if (standing == Standing::kDenied) return "deny";
  if (standing == Standing::kOpen) return "allow";
  return hooked && kind != ToolKind::kPerson ? "allow" : "ask";
}

json::Value bash_map(const Plan& plan, std::string_view usual) {
  json::Value map = json::Value::object({{"*", text(usual)}});
  for (const Verdict verdict : {Verdict::kAsk, Verdict::kDeny})
    for (const HeldCommand& held : plan.commands(verdict)) {
      const std::string words = held.pattern.text();
      map.set(words, text(verdict == Verdict::kDeny ? "deny" : "ask"));
      if (held.pattern.open)
        map.set(words + " *", text(verdict == Verdict::kDeny ? "deny" : "ask"));
    }
  return map;
}

// A pattern of opencode's, whose star crosses directories: it may mean more than the rule does.
std::vector<std::string> path_texts(const Plan& plan, const HeldPath& path) {
  std::string body = path.pattern;
  while (body.starts_with("**/")) body.erase(0, 3);
  if (body.ends_with("/**")) body.erase(body.size() - 3);
  for (std::size_t i = body.find("**"); i != std::string::npos; i = body.find("**"))
    body.erase(i, 1);
  std::vector<std::string> starts = {""};
  if (path.anchor == Anchor::kFilesystem) starts = {"/"};
  if (path.anchor == Anchor::kHome) starts = {"~/", plan.request().home + "/"};
  // Paths are relative to the repository, of which the workspace may be a part.
  if (path.anchor == Anchor::kRoots || path.anchor == Anchor::kBase || path.floating)
    starts = {"", "*/"};
  std::vector<std::string> texts;
  for (const std::string& start : starts) {
    texts.push_back(start + body);
    texts.push_back(start + body + "/*");
  }
  return texts;
}

void add_paths(const Plan& plan, json::Value& map, bool reads) {
  for (const Verdict verdict : {Verdict::kAsk, Verdict::kDeny})
    for (const Rule* rule : plan.rules()) {
      if (rule->verdict != verdict) continue;
      // The built-in paths lie outside the workspace, where nothing is allowed by the map alone.
      if (rule->source == ConfigSource::kDefault && plan.request().hook == Hook::kNone) continue;
      const auto path = plan.path_of(*rule);
      if (!path || !(reads ? path->reads : path->writes)) continue;
      for (std::string& each : path_texts(plan, *path))
        map.set(std::move(each), text(verdict == Verdict::kDeny ? "deny" : "ask"));
    }
}

// A rule means a name in either case, which a pattern of opencode's cannot say.
bool has_read_rules(const Plan& plan) {
  return std::ranges::any_of(plan.rules(), [&](const Rule* rule) {
    return rule->verdict != Verdict::kAllow && rule->source != ConfigSource::kDefault &&
           rule->specifier_kind == SpecifierKind::kPath &&
           plan.touches(*rule, "Read", ToolKind::kRead);
  });
}

// Plain files of the workspace may be read; whatever has a dot before its name is asked about.
json::Value read_map(const Plan& plan, std::string_view usual) {
  json::Value map = json::Value::object({{"*", text(usual)}});
  if (usual == "ask" && plan.reads_are_quiet() && !has_read_rules(plan)) {
    for (const std::string_view end : kTextEnds) map.set("*." + std::string(end), text("allow"));
    for (const char* narrow : {".*", "*/.*", "/*", "~*", "*..*", "??_*", "*/??_*", "mcp:*"})
      map.set(narrow, text("ask"));
  }
  add_paths(plan, map, true);
  return map;
}

std::string native_name(const ToolLine& line) {
  const McpName name = mcp_name(line.canonical);
  return std::string(name.server) + "_" + std::string(name.tool);
}

// Whether the configuration has this server, and no rule or other server begins with its name.
bool is_declared(const Plan& plan, const ToolLine& server) {
  const std::vector<std::string>& servers = plan.agent().servers;
  return std::ranges::find(servers, server.native) != servers.end() &&
         std::ranges::none_of(plan.servers(), [&](const ToolLine& other) {
           return other.native.starts_with(server.native + "_");
         });
}

// How a name stands that can be split in several places: open only where each way is. Where the
// configuration has servers, of the other ways only what rules say against them counts.
Standing joined(const Plan& plan, const std::string& native, Standing standing) {
  if (standing != Standing::kOpen) return standing;
  const std::vector<std::string>& servers = plan.agent().servers;
  const std::vector<std::string> readings = mcp_readings("opencode", native);
  const auto is_known = [&](const std::string& name) {
    return std::ranges::find(servers, mcp_name(name).server) != servers.end();
  };
  const auto is_spoken_of = [&](const std::string& name) {
    return std::ranges::any_of(plan.rules(), [&](const Rule* rule) {
      return rule->verdict != Verdict::kAllow && plan.touches(*rule, name, ToolKind::kMcp);
    });
  };
  const bool some = std::ranges::any_of(readings, is_known);
  const bool open = std::ranges::all_of(readings, [&](const std::string& name) {
    return some && !is_known(name) ? !is_spoken_of(name) : plan.standing(name) == Standing::kOpen;
  });
  return open && !readings.empty() ? Standing::kOpen : Standing::kJudged;
}

json::Value permissions(const Plan& plan) {
  const bool hooked = plan.request().hook == Hook::kRegistered;
  json::Value map = json::Value::object({{"*", text("deny")}});
  for (const KeyRow& row : kKeys) {
    const ToolKind kind = kind_of(row.canonical);
    // One key stands for every tool that changes files: the strictest of them decides.
    Standing standing = plan.standing(row.canonical);
    if (row.key == "edit") standing = std::min(standing, plan.standing("Write"));
    const std::string_view usual = word(plan, standing, kind);
    if (usual == "deny" || usual == "allow") {
      if (!(hooked && (row.key == "bash" || row.key == "read" || row.key == "edit")) ||
          usual == "deny") {
        map.set(std::string(row.key), text(usual));
        continue;
      }
    }
    json::Value inner = text(usual);
    if (row.key == "bash") inner = bash_map(plan, usual);
    if (row.key == "read") inner = read_map(plan, usual);
    if (row.key == "edit") {
      inner = json::Value::object({{"*", text(usual)}});
      add_paths(plan, inner, false);
    }
    map.set(std::string(row.key), std::move(inner));
  }
  for (const ToolLine& line : plan.servers()) {
    const Standing standing = joined(plan, line.native + "_any", line.standing);
    map.set(line.native + "_*", text(word(plan, standing, line.kind)));
    // What has one more joint may be a tool of another server, where nobody says which there are.
    if (standing == Standing::kOpen && !is_declared(plan, line))
      map.set(line.native + "_*_*", text(word(plan, Standing::kJudged, line.kind)));
  }
  for (const ToolLine& line : plan.mcp_tools()) {
    const std::string native = native_name(line);
    map.set(native, text(word(plan, joined(plan, native, line.standing), line.kind)));
  }
  // Behind every server: one called `external` must not mean this.
  map.set("external_directory", text(hooked ? "allow" : "ask"));
  return map;
}

Held held(const Plan& plan, const Rule& rule) {
  const bool hooked = plan.request().hook == Hook::kRegistered;
  if (rule.verdict == Verdict::kAllow) {
    std::vector<ToolLine> served = plan.mcp_tools();
    for (ToolLine& line : served) line.standing = joined(plan, native_name(line), line.standing);
    if (plan.opens(rule, served) || plan.opens(rule, plan.tools()))
      return {Holder::kNative, "runs without the gate"};
    if (hooked) return {Holder::kHook, "the plugin judges it"};
    return {Holder::kWithheld, "opencode asks, and refuses without a terminal"};
  }
  if (rule.verdict == Verdict::kDeny && plan.is_whole(rule) && plan.holds_by_tools(rule))
    return {Holder::kNative, "the tool is taken away"};
  if (hooked) return {Holder::kHook, "the plugin judges it"};
  return {Holder::kNative, "what is not allowed is asked about"};
}

}  // namespace

Result<Compiled> compile_opencode(const Client& client, const Request& request) {
  const Plan plan(client, request);
  Compiled out = begin(client, plan);
  const bool hooked = request.hook == Hook::kRegistered;
  out.strength = Strength::kHard;
  out.how = "a permission map that refuses every tool it does not name";
  out.failing = hooked ? "closed while the plugin is loaded: it throws; open where it is not"
                       : "closed: nothing here waits for the gate";
  json::Value config = json::Value::object(
      {{"$schema", text("https://opencode.ai/config.json")}, {"permission", permissions(plan)}});
  out.files.push_back({"opencode.json", "named by OPENCODE_CONFIG, or ~/.config/opencode/",
                       json::write_pretty(config)});
  out.environment.emplace_back("OPENCODE_CONFIG", in_directory(request, "opencode.json"));
  out.arguments = {"run"};
  add_rules(out, plan, [&](const Rule& rule) { return held(plan, rule); });
  Grounds grounds = hooked ? grounds_by(Holder::kHook, "the plugin judges it")
                           : grounds_by(Holder::kNative, "what is not allowed is asked about");
  grounds.ceiling = grounds.unlisted = {Holder::kNative, "the first entry refuses them"};
  add_grounds(out, plan, grounds);
  out.warnings.emplace_back(
      "a project's own opencode.json is laid over this one; keep --auto out of the command line");
  return out;
}

}  // namespace tollgate::native
