// The AGENTIC_* variables as a bundle, as if a file had said it.
// Unset and empty are the same; a place is the variable's name. Any of them is a block.
// SAFETY: a variable that cannot be read is an error, and an error denies all.
#include "config/agentic_environment.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/text.h"
#include "json/json.h"

namespace tollgate::config {
namespace {

constexpr std::string_view kKnown[] = {"AGENTIC_ALLOWED_HOSTS", "AGENTIC_ALLOWED_TOOLS",
                                       "AGENTIC_ALLOW_NETWORK", "AGENTIC_BLOCKED_BASH",
                                       "AGENTIC_BLOCKED_PATHS", "AGENTIC_DISALLOWED_TOOLS"};

// Variables of an older library with the same prefix, and what says the same here.
struct Unsupported {
  std::string_view name;
  std::string_view instead;
};
constexpr Unsupported kUnsupported[] = {
    {"AGENTIC_SECURITY_LEVEL", "choose a `preset` and a `mode` in the configuration"},
    {"AGENTIC_BLOCK_GIT_ADD_ALL", "write `[git, \"add -A *\"]` into AGENTIC_BLOCKED_BASH"},
    {"AGENTIC_ALLOW_SENSITIVE_READ",
     "reading a sensitive place is asked about in every mode; a deny rule forbids it"},
};

Position place(std::string_view variable) {
  return {.file = std::string(variable), .line = 0, .column = 0, .width = 1, .text = {}};
}

class BlockReader {
 public:
  BlockReader(const os::Environment& environment, std::vector<Diagnostic>& out)
      : environment_(environment), out_(out) {}

  Bundle read();

 private:
  std::optional<Words> list(std::string_view variable);
  void flag();
  void pairs();
  void hosts();
  void others();
  void other(const std::string& variable);
  std::optional<std::string> get(std::string_view variable);
  void bad(std::string_view variable, std::string message, std::string hint);

  const os::Environment& environment_;
  std::vector<Diagnostic>& out_;
  Bundle bundle_;
};

void BlockReader::bad(std::string_view variable, std::string message, std::string hint) {
  out_.push_back({Severity::kError,
                  {.code = "bad-environment",
                   .message = "`" + std::string(variable) + "` " + std::move(message),
                   .hint = std::move(hint),
                   .where = place(variable)}});
}

std::optional<std::string> BlockReader::get(std::string_view variable) {
  std::optional<std::string> value = environment_.get_filled(variable);
  if (value) bundle_.workspace.present = true;
  if (value && (!is_valid_utf8(*value) || has_hidden_characters(*value))) {
    bad(variable, "holds bytes that are not plain text", "write it as visible UTF-8");
    return std::nullopt;
  }
  return value;
}

// Commas inside parentheses belong to the entry: `Bash(npm *),mcp__s__t(a=1, b=2)`.
std::optional<Words> BlockReader::list(std::string_view variable) {
  const std::optional<std::string> value = get(variable);
  if (!value) return std::nullopt;
  Words words;
  std::string entry;
  int depth = 0;
  for (char c : *value + ",") {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (c != ',' || depth > 0) {
      entry += c;
      continue;
    }
    if (!trim(entry).empty()) words.push_back({std::string(trim(entry)), place(variable)});
    entry.clear();
  }
  if (depth > 0 || words.empty()) {
    bad(variable, "is not a list separated by commas", "write it like `a,b,c`, or leave it unset");
    return std::nullopt;
  }
  return words;
}

void BlockReader::flag() {
  constexpr std::string_view kName = "AGENTIC_ALLOW_NETWORK";
  const std::optional<std::string> value = get(kName);
  if (!value) return;
  if (*value != "true" && *value != "false")
    return bad(kName, "is `" + *value + "`, expected true or false", "write `true` or `false`");
  bundle_.workspace.allow_network = {*value == "true", place(kName)};
}

void BlockReader::pairs() {
  constexpr std::string_view kName = "AGENTIC_BLOCKED_BASH";
  const std::optional<std::string> value = get(kName);
  if (!value) return;
  const Result<json::Value> read = json::parse(*value);
  bool good = read && read->is_array();
  std::vector<BashPair> pairs;
  if (good)
    for (const json::Value& pair : read->items()) {
      good = good && pair.is_array() && pair.items().size() == 2 && pair.items()[0].is_string() &&
             pair.items()[1].is_string();
      if (good)
        pairs.push_back({pair.items()[0].as_string(), pair.items()[1].as_string(), place(kName)});
    }
  if (!good)
    return bad(kName, "is not a JSON list of pairs",
               "write it like [[\"rm\", \"-rf /\"], [\"curl\", \"*\"]]");
  bundle_.workspace.blocked_bash = std::move(pairs);
}

void BlockReader::hosts() {
  constexpr std::string_view kName = "AGENTIC_ALLOWED_HOSTS";
  const std::optional<Words> words = list(kName);
  if (!words) return;
  bundle_.workspace.allowed_hosts = {{}, place(kName)};
  for (const Said<std::string>& word : *words) {
    if (std::optional<std::string> host = host_of(word.value))
      bundle_.workspace.allowed_hosts->value.push_back(std::move(*host));
    else
      bad(kName, "names `" + word.value + "`, which is not a host",
          "write names like `example.com` or `*.example.com`");
  }
}

void BlockReader::others() {
  for (const std::string& variable : agentic_variables(environment_)) {
    bundle_.workspace.present = true;
    if (std::ranges::find(kKnown, variable) == std::end(kKnown)) other(variable);
  }
}

// SAFETY: a name close to a known one is a restriction that somebody believes to hold.
void BlockReader::other(const std::string& variable) {
  const std::string shown =
      has_hidden_characters(variable) ? std::string(kAgenticPrefix) + "…" : shortened(variable);
  const std::string_view rest = std::string_view(shown).substr(kAgenticPrefix.size());
  const auto report = [&](Severity severity, std::string code, std::string message,
                          std::string hint) {
    out_.push_back({severity,
                    {.code = std::move(code),
                     .message = "`" + shown + "` " + std::move(message),
                     .hint = std::move(hint),
                     .where = place(shown)}});
  };
  for (const Unsupported& each : kUnsupported)
    if (each.name == variable)
      return report(Severity::kWarning, "unsupported-variable",
                    "is not supported: what it says is not heard", std::string(each.instead));
  std::vector<std::string_view> names;
  for (std::string_view name : kKnown) names.push_back(name.substr(kAgenticPrefix.size()));
  const std::string near = nearest(rest, names);
  if (near.empty())
    return report(Severity::kWarning, "unknown-variable",
                  "is not known; the defaults of the workspace block hold because it is set",
                  "unset it here when it is another program's; known variables: " +
                      join({std::begin(kKnown), std::end(kKnown)}, ", "));
  report(Severity::kError, "unknown-variable", "is not known",
         "did you mean `" + std::string(kAgenticPrefix) + near + "`? else unset it here");
}

Bundle BlockReader::read() {
  if (std::optional<Words> tools = list("AGENTIC_ALLOWED_TOOLS"))
    bundle_.allowed_tools = {std::move(*tools), place("AGENTIC_ALLOWED_TOOLS")};
  bundle_.disallowed_tools = list("AGENTIC_DISALLOWED_TOOLS").value_or(Words{});
  bundle_.workspace.blocked_paths = list("AGENTIC_BLOCKED_PATHS");
  pairs();
  flag();
  hosts();
  others();
  bundle_.workspace.where = place("AGENTIC_*");
  return std::move(bundle_);
}

}  // namespace

Bundle agentic_bundle(const os::Environment& environment, std::vector<Diagnostic>& out) {
  return BlockReader(environment, out).read();
}

}  // namespace tollgate::config
