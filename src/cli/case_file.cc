// Reads a case file: first its shape, then its policy through the loader, then world and cases.
// An inline policy's errors and rules are shown at their place in the case file.
#include "cli/case_file.h"

#include <utility>

#include "base/edit_distance.h"
#include "base/text.h"
#include "cli/moment.h"
#include "config/statement.h"
#include "config/yaml.h"
#include "core/names.h"
#include "effects/effects.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate::cli {
namespace {

using config::Document;
using config::Node;

constexpr std::string_view kFileKeys[] = {"policy", "config", "world", "cases"};
constexpr std::string_view kWorldKeys[] = {"home", "cwd", "roots", "now", "files", "texts"};
constexpr std::string_view kCaseKeys[] = {"name", "tool", "input", "agent", "mode",
                                          "cwd",  "now",  "want",  "kind",  "rule"};

class CaseReader {
 public:
  CaseReader(Document document, CaseFile& out) : document_(std::move(document)), out_(out) {}

  void read(const std::string& path) {
    const Node& root = document_.root();
    if (!root.is_mapping()) return error(root, "the file is not a mapping", "write `cases:` first");
    known_keys(root, kFileKeys, "keys");
    world(root.find("world"));
    policy(root, path);
    const Node* cases = root.find("cases");
    if (cases == nullptr || !cases->is_sequence())
      return error(root, "there is no list of `cases`", "add `cases:` with at least one case");
    if (cases->items.empty())
      return error(*cases, "`cases` is an empty list", "add at least one case", "no-cases");
    for (const Node& item : cases->items) one_case(item);
  }

 private:
  void error(const Node& node, std::string message, std::string hint,
             std::string_view code = "bad-case") {
    out_.diagnostics.push_back({Severity::kError,
                                {.code = std::string(code),
                                 .message = std::move(message),
                                 .hint = std::move(hint),
                                 .where = document_.place(node)}});
  }

  void known_keys(const Node& mapping, std::span<const std::string_view> known,
                  std::string_view plural) {
    for (const Node& key : mapping.keys)
      if (std::ranges::find(known, key.text) == known.end())
        error(key, "unknown key `" + shortened(key.text) + "`",
              did_you_mean(key.text, plural, known));
  }

  // The scalar under a key, "" when it is not there.
  std::string text(const Node& mapping, std::string_view key) {
    const Node* node = mapping.find(key);
    if (node == nullptr) return "";
    if (!node->is_scalar() || node->is_null())
      error(*node, "`" + std::string(key) + "` is not a text", "write one line of text");
    return node->text;
  }

  std::string directory(const Node& mapping, std::string_view key, std::string otherwise) {
    const Node* node = mapping.find(key);
    if (node == nullptr) return otherwise;
    if (!node->is_scalar() || !node->text.starts_with('/'))
      error(*node, "`" + std::string(key) + "` is not an absolute path", "begin it with `/`");
    return os::absolute(node->text, "/");
  }

  std::optional<std::int64_t> moment(const Node& mapping) {
    const Node* node = mapping.find("now");
    if (node == nullptr) return std::nullopt;
    const std::optional<std::int64_t> now = utc_seconds(node->text);
    if (!now) error(*node, "`now` is not a moment", "write it as 2026-03-02T10:00:00Z");
    return now;
  }

  // ---- the world ----

  void world(const Node* node) {
    static const Node kNothing{.kind = config::NodeKind::kMapping};
    const bool given = node != nullptr && node->is_mapping();
    if (node != nullptr && !given)
      error(*node, "`world` is not a mapping", "write `home:` and so on");
    const Node& said = given ? *node : kNothing;
    known_keys(said, kWorldKeys, "keys");
    out_.plan.home = directory(said, "home", "/home/user");
    out_.cwd = directory(said, "cwd", out_.plan.home + "/project");
    out_.plan.base = out_.cwd;
    out_.plan.gate = {out_.plan.home + "/.config/tollgate",
                      out_.plan.home + "/.local/state/tollgate"};
    out_.world.now = moment(said).value_or(0);
    if (const Node* roots = said.find("roots")) read_roots(*roots);
    add(out_.cwd, PathState::kDirectory);
    add(out_.plan.home, PathState::kDirectory);
    for (const std::string& root : out_.plan.roots) add(root, PathState::kDirectory);
    if (const Node* files = said.find("files")) read_files(*files);
    if (const Node* texts = said.find("texts")) read_texts(*texts);
  }

  void read_roots(const Node& roots) {
    if (!roots.is_sequence())
      return error(roots, "`roots` is not a list", "write it like `roots: [/srv/shop, lib]`");
    for (const Node& root : roots.items) {
      if (root.is_scalar() && !root.is_null())
        out_.plan.roots.push_back(os::absolute(root.text, out_.cwd));
      else
        error(root, "a root is not a path", "write each root as one path");
    }
  }

  void read_files(const Node& files) {
    if (!files.is_mapping())
      return error(files, "`files` is not a mapping",
                   "write each path with its kind: `files: {src/a.c: file, out: dir}`");
    for (std::size_t i = 0; i < files.keys.size(); ++i) file(files.keys[i], files.items[i]);
  }

  void read_texts(const Node& texts) {
    if (!texts.is_mapping())
      return error(texts, "`texts` is not a mapping",
                   "write each path with what the file holds: `texts: {.git/HEAD: \"ref: x\"}`");
    for (std::size_t i = 0; i < texts.keys.size(); ++i) {
      const Node& value = texts.items[i];
      const std::string path = path_of(texts.keys[i]);
      if (path.empty()) continue;
      if (!value.is_scalar() || value.is_null()) {
        error(value, "what a file holds is not a text", "write it in quotes, or as a block");
        continue;
      }
      add(path, PathState::kFile);
      out_.world.texts[path] = value.text;
    }
  }

  // The absolute path that a key stands for; "" where it has none.
  std::string path_of(const Node& key) {
    if (key.text.empty()) error(key, "a file has no path", "write its path before the `:`");
    if (key.text.empty()) return "";
    const std::string path =
        key.text.starts_with("~/") ? out_.plan.home + key.text.substr(1) : key.text;
    return os::absolute(path, out_.cwd);
  }

  void file(const Node& key, const Node& value) {
    const std::string path = path_of(key);
    if (path.empty()) return;
    if (value.text == "file") {
      add(path, PathState::kFile);
    } else if (value.text == "dir") {
      add(path, PathState::kDirectory);
    } else if (value.text == "big") {
      add(path, PathState::kDirectory);
      out_.world.files[path].walk_cut = true;
    } else if (value.text.starts_with("link:") && value.text.size() > 5) {
      out_.world.links[path] = value.text.substr(5);
      add_above(path);
    } else {
      error(value, "`" + shortened(value.text) + "` is no kind of file",
            "write file, dir, big (a directory that no look gets through) or link:TARGET");
    }
  }

  // Adds what lies at `path`; the directories above it come to be as well.
  void add(const std::string& path, PathState state) {
    PathLook& look = out_.world.files[path];
    look.state = state;
    look.real = path;
    add_above(path);
  }

  void add_above(const std::string& path) {
    std::string directory = path;
    while (directory.size() > 1) {
      const std::size_t slash = directory.rfind('/');
      directory.resize(slash == 0 ? 1 : slash);
      PathLook& look = out_.world.files[directory];
      if (look.state == PathState::kUnknown)
        look = {.state = PathState::kDirectory, .real = directory};
      if (std::ranges::find(look.below, path) == look.below.end()) look.below.push_back(path);
    }
  }

  // ---- the policy ----

  void policy(const Node& root, const std::string& path) {
    const Node* inline_text = root.find("policy");
    const Node* config = root.find("config");
    if (inline_text != nullptr && config != nullptr)
      return error(*config, "`policy` and `config` are both there", "keep one of them");
    if (inline_text == nullptr && config == nullptr) {
      out_.policy.set = built_in_policy();
      return;
    }
    if (inline_text != nullptr) {
      if (!inline_text->is_scalar())
        return error(*inline_text, "`policy` is not a block of text",
                     "write `policy: |` and the configuration below it, indented");
      load(inline_text->text, out_.file);
      move_places(*inline_text);
    } else {
      if (!config->is_scalar() || config->is_null())
        return error(*config, "`config` is not a path", "name the file, relative to this one");
      const std::string file = os::absolute(config->text, os::absolute(path + "/..", "/"));
      Result<std::string> text = os::read_file(file, config::kMaxFileBytes);
      if (!text) return error(*config, text.error().message, text.error().hint);
      load(std::move(*text), config->text);
    }
    for (Diagnostic& each : out_.policy.diagnostics) {
      if (each.severity == Severity::kError) out_.diagnostics.push_back(std::move(each));
    }
  }

  void load(std::string text, const std::string& shown) {
    const os::Environment environment(os::Environment::Variables{{"HOME", out_.plan.home}});
    const std::string home = out_.plan.home;
    config::LoadOptions options;
    options.config_file = "/" + shown;
    options.config_text = std::move(text);
    options.managed_file = "";
    options.cwd = out_.cwd;
    options.environment = &environment;
    options.read_effects = [&](const ToolCall& call, std::span<const ToolDeclaration> declared) {
      return effects_of(call, declared, home);
    };
    options.project_files = false;
    out_.policy = config::load(options);
    const std::string file = os::absolute("/" + shown, "/");
    for (Rule& rule : out_.policy.set.rules)
      if (rule.where.file == file) rule.where.file = shown;
    for (Diagnostic& each : out_.policy.diagnostics)
      if (each.error.where.file == file) each.error.where.file = shown;
  }

  // From places in the block of text to places in the case file.
  void move_places(const Node& block) {
    const std::string first_line =
        std::string(trim(std::string_view(block.text).substr(0, block.text.find('\n'))));
    std::size_t at = document_.text().find(first_line, block.offset);
    if (first_line.empty() || at == std::string::npos) return;
    const Position begin = document_.place(static_cast<std::uint32_t>(at));
    const std::uint32_t lines = begin.line - 1;
    const std::uint32_t columns = begin.column - 1;
    const auto shift = [&](Position& where) {
      if (where.file != out_.file || where.line == 0) return;
      where.line += lines;
      if (where.column > 0) where.column += columns;
      where.text = std::string(columns, ' ') + where.text;
    };
    for (Rule& rule : out_.policy.set.rules) shift(rule.where);
    for (Diagnostic& each : out_.policy.diagnostics) shift(each.error.where);
  }

  // ---- the cases ----

  template <class T>
  std::optional<T> one_of(const Node& mapping, std::string_view key, std::string_view plural) {
    const Node* node = mapping.find(key);
    if (node == nullptr) return std::nullopt;
    const std::optional<T> value = value_named<T>(text(mapping, key));
    if (!value && node->is_scalar() && !node->is_null())
      error(*node, "unknown `" + std::string(key) + "`: `" + shortened(node->text) + "`",
            did_you_mean(node->text, plural, kNamesOf<T>));
    return value;
  }

  void one_case(const Node& node) {
    if (!node.is_mapping())
      return error(node, "a case is not a mapping", "write name, tool, input and want");
    known_keys(node, kCaseKeys, "keys");
    DecisionCase one;
    one.where = document_.place(node);
    one.name = text(node, "name");
    one.tool = text(node, "tool");
    one.agent = text(node, "agent");
    one.cwd = directory(node, "cwd", out_.cwd);
    one.now = moment(node);
    one.kind = one_of<ReasonKind>(node, "kind", "kinds");
    if (node.find("rule") != nullptr) one.rule = text(node, "rule");
    const auto lacks = [&](std::string_view key, const std::string& value) {
      const Node* said = node.find(key);  // what is no text was complained about
      return said == nullptr || (value.empty() && said->is_scalar() && !said->is_null());
    };
    if (lacks("name", one.name))
      error(node, "a case has no `name`", "say in a sentence what should happen");
    if (lacks("tool", one.tool))
      error(node, "a case has no `tool`", "name the tool that is called");
    if (const Node* mode = node.find("mode")) {
      one.mode = mode_named(text(node, "mode"));
      if (!one.mode && mode->is_scalar() && !mode->is_null())
        error(*mode, "unknown mode `" + shortened(mode->text) + "`",
              did_you_mean(mode->text, "modes", mode_names()));
    }
    const std::optional<Verdict> want = one_of<Verdict>(node, "want", "verdicts");
    if (want)
      one.want = *want;
    else if (node.find("want") == nullptr)
      error(node, "a case has no `want`", "write allow, ask or deny");
    if (const Node* input = node.find("input")) read_input(*input, one);
    out_.cases.push_back(std::move(one));
  }

  void read_input(const Node& input, DecisionCase& one) {
    if (input.is_mapping())
      one.input = config::json_of(input);
    else if (input.is_sequence())
      error(input, "`input` is a list", "write the tool's main text, or a mapping");
    else if (input.is_null() && !input.text.empty())  // `input: ~` may mean the home or nothing
      error(input, "`input` is null", "write the tool's main text in quotes, or a mapping");
    else
      one.text = input.text;
  }

  Document document_;
  CaseFile& out_;
};

}  // namespace

CaseFile read_case_file(const std::string& path, const std::string& shown) {
  CaseFile out;
  out.file = shown;
  Result<std::string> text = os::read_file(path, config::kMaxFileBytes);
  if (!text) {
    Error error = std::move(text).error();
    error.where.file = shown;
    out.diagnostics.push_back({Severity::kError, std::move(error)});
    return out;
  }
  Document document = config::read_yaml(std::move(*text), shown, out.diagnostics);
  if (!has_errors(out.diagnostics)) CaseReader(std::move(document), out).read(path);
  sort_by_place(out.diagnostics);
  return out;
}

}  // namespace tollgate::cli
