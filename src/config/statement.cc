// From a checked document to values.
// Shapes were checked against the table; what was complained about there is skipped here.
// SAFETY: skipping is safe only because every complaint denies all; nothing is defaulted to wider.
#include "config/statement.h"

#include <charconv>

#include "base/text.h"
#include "config/read_rules.h"
#include "json/json.h"
#include "os/paths.h"

namespace tollgate::config {
namespace {

class StatementReader {
 public:
  StatementReader(const Document& document, const ReadContext& context,
                  std::vector<Diagnostic>& out)
      : document_(document), context_(context), out_(out), before_(out.size()) {}

  void bundle(const Node& node, std::string_view block, Bundle& into);
  std::vector<Bundle> bundles(const Node* node, std::string_view block);
  WorkspaceText workspace(const Node& node, std::string_view block);

 private:
  std::optional<Said<std::string>> text(const Node& node, std::string_view block,
                                        std::string_view key);
  std::optional<Words> words(const Node* node);
  void agent_keys(const Node& node, Bundle& into);
  std::string path(const std::string& text) const;

  const Document& document_;
  const ReadContext& context_;
  std::vector<Diagnostic>& out_;
  std::size_t before_;  // how many there were when the reading began
};

std::optional<Said<std::string>> StatementReader::text(const Node& node, std::string_view block,
                                                       std::string_view key) {
  const Node* found = value_of(node, block, key);
  if (found == nullptr || !found->is_scalar() || found->is_null()) return std::nullopt;
  return Said<std::string>{found->text, document_.place(*found)};
}

std::optional<Words> StatementReader::words(const Node* node) {
  if (node == nullptr || !node->is_sequence()) return std::nullopt;
  Words result;
  for (const Node& item : node->items)
    if (item.is_scalar()) result.push_back({item.text, document_.place(item)});
  return result;
}

std::string StatementReader::path(const std::string& written) const {
  if (written == "~") return context_.home;
  if (written.starts_with("~/")) return os::absolute(written.substr(2), context_.home);
  return os::absolute(written, context_.directory);
}

WorkspaceText StatementReader::workspace(const Node& node, std::string_view block) {
  WorkspaceText result;
  result.present = true;
  result.where = document_.place(node);
  if (const Node* pairs = value_of(node, block, "blockedBash"); pairs && pairs->is_sequence()) {
    result.blocked_bash.emplace();
    for (const Node& pair : pairs->items)
      if (pair.is_sequence() && pair.items.size() == 2)
        result.blocked_bash->push_back(
            {pair.items[0].text, pair.items[1].text, document_.place(pair)});
  }
  result.blocked_paths = words(value_of(node, block, "blockedPaths"));
  if (const Node* network = value_of(node, block, "allowNetwork"))
    result.allow_network = {flag_of(*network).value_or(false), document_.place(*network)};
  if (const Node* hosts = value_of(node, block, "allowedHosts"); hosts && hosts->is_sequence()) {
    result.allowed_hosts = {{}, document_.place(*hosts)};
    for (const Node& host : hosts->items)
      if (std::optional<std::string> name = host_of(host.text))
        result.allowed_hosts->value.push_back(std::move(*name));
  }
  if (const Node* outside = value_of(node, block, "hosts"))
    result.outside_asks = {outside->text == "ask", document_.place(*outside)};
  return result;
}

void StatementReader::bundle(const Node& node, std::string_view block, Bundle& into) {
  into.extends = text(node, block, "extends");
  into.role = text(node, block, "role");
  into.preset = text(node, block, "preset");
  if (auto mode = text(node, block, "mode"))
    if (std::optional<Mode> named = mode_named(mode->value)) into.mode = {*named, mode->where};
  if (const Node* answer = value_of(node, block, "answer"))
    if (std::optional<Answerer> named = answerer_of(*answer))
      into.answer = {*named, document_.place(*answer)};
  if (auto timeout = text(node, block, "permissionTimeout"))
    if (auto ms = duration_ms(timeout->value)) into.timeout_ms = {*ms, timeout->where};
  const Node* allowed = value_of(node, block, "allowedTools");
  if (std::optional<Words> tools = words(allowed))
    into.allowed_tools = {std::move(*tools), document_.place(*allowed)};
  into.disallowed_tools = words(value_of(node, block, "disallowedTools")).value_or(Words{});
  if (const Node* rules = node.find("rules"); rules && rules->is_mapping())
    read_rules(document_, context_, *rules, block == "agent" ? into.name : "", into.rules, out_);
  if (const Node* space = node.find("workspace"); space && space->is_mapping())
    into.workspace = workspace(*space, "workspace");
  if (block == "agent") agent_keys(node, into);
}

void StatementReader::agent_keys(const Node& node, Bundle& into) {
  if (auto provider = text(node, "agent", "provider")) into.provider = provider->value;
  if (auto command = text(node, "agent", "command")) into.command = command->value;
  if (auto base = text(node, "agent", "path")) into.path = path(base->value);
  for (const Said<std::string>& root : words(node.find("roots")).value_or(Words{}))
    into.roots.push_back(path(root.value));
  if (const Node* servers = node.find("mcpServers"))
    for (const Node& server : servers->keys) into.servers.push_back(server.text);
}

std::vector<Bundle> StatementReader::bundles(const Node* node, std::string_view block) {
  std::vector<Bundle> result;
  if (node == nullptr) return result;
  for (std::size_t i = 0; i < node->keys.size(); ++i) {
    if (out_.size() - before_ >= kMaxErrors) break;
    Bundle next;
    next.name = node->keys[i].text;
    next.where = document_.place(node->keys[i]);
    if (node->items[i].is_mapping()) bundle(node->items[i], block, next);
    result.push_back(std::move(next));
  }
  return result;
}

Does does_named(std::string_view name) {
  static constexpr std::pair<std::string_view, Does> kNames[] = {
      {"shell", Does::kShell},   {"read", Does::kRead},     {"write", Does::kWrite},
      {"create", Does::kCreate}, {"delete", Does::kDelete}, {"rename", Does::kRename},
      {"url", Does::kUrl}};
  for (const auto& [word, does] : kNames)
    if (word == name) return does;
  return Does::kUnknown;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 0x1F and 0o17.
std::optional<json::Value> based_number_of(std::string_view text) {
  std::int64_t number = 0;
  const std::string_view digits = text.substr(2);
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number, text[1] == 'x' ? 16 : 8);
  if (digits.starts_with('-') || read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return json::Value::integer(number);
}

// A plain number of YAML 1.2. What JSON cannot say (.inf) or YAML 1.1 reads otherwise (010, 1_000)
// stays text, and so does what is no number at all, such as `.` and `..`.
std::optional<json::Value> number_of(const Node& node) {
  if (!node.plain || node.text.empty()) return std::nullopt;
  std::string literal = node.text;
  if (literal.starts_with("0x") || literal.starts_with("0o")) return based_number_of(literal);
  if (literal.find_first_not_of("0123456789.eE+-") != literal.npos) return std::nullopt;
  if (literal[0] == '+') literal.erase(0, 1);
  if (node.text[0] == '+' && literal.starts_with('-')) return std::nullopt;
  // JSON wants a digit on both sides of the point, YAML on one of them.
  if (const std::size_t dot = literal.find('.'); dot != literal.npos) {
    const bool before = dot > 0 && is_digit(literal[dot - 1]);
    const bool behind = dot + 1 < literal.size() && is_digit(literal[dot + 1]);
    if (!before && !behind) return std::nullopt;
    if (!behind) literal.insert(dot + 1, "0");
    if (!before) literal.insert(dot, "0");
  }
  Result<json::Value> value = json::parse(literal);
  if (!value || value->kind() != json::Kind::kNumber) return std::nullopt;
  return std::move(*value);
}

}  // namespace

std::vector<ToolDeclaration> read_tools(const Document& document) {
  std::vector<ToolDeclaration> result;
  const Node* tools = document.root().find("tools");
  if (tools == nullptr) return result;
  for (std::size_t i = 0; i < tools->keys.size(); ++i) {
    const Node& node = tools->items[i];
    ToolDeclaration tool;
    tool.name = tools->keys[i].text;
    tool.where = document.place(tools->keys[i]);
    if (const Node* side = node.find("sideEffect"))
      tool.side_effect = flag_of(*side).value_or(true);
    if (const Node* text = node.find("specifierTemplate")) tool.specifier_template = text->text;
    if (const Node* effect = node.find("effect"); effect && effect->is_scalar()) {
      tool.does = Does::kNothing;
    } else if (effect != nullptr && effect->keys.size() == 1) {
      tool.does = does_named(effect->keys[0].text);
      const Node& argument = effect->items[0];
      if (argument.is_scalar()) tool.arguments.push_back(argument.text);
      for (const Node& item : argument.items) tool.arguments.push_back(item.text);
    }
    result.push_back(std::move(tool));
  }
  return result;
}

Statement read_statement(const Document& document, const ReadContext& context,
                         std::vector<Diagnostic>& out) {
  Statement statement;
  statement.source = context.source;
  statement.kind = context.kind;
  statement.file = document.file();
  const Node& root = document.root();
  if (!root.is_mapping()) return statement;
  const std::size_t before = out.size();
  StatementReader reader(document, context, out);
  statement.top.where = document.place(root);
  if (context.kind == FileKind::kAgentic) {
    reader.bundle(root, "agentic", statement.top);
    if (!root.keys.empty()) statement.top.workspace = reader.workspace(root, "agentic");
    return statement;
  }
  reader.bundle(root, "", statement.top);
  statement.roles = reader.bundles(root.find("roles"), "role");
  statement.presets = reader.bundles(root.find("presets"), "preset");
  statement.agents = reader.bundles(value_of(root, "", "agents"), "agent");
  if (out.size() - before >= kMaxErrors) out.push_back(too_many_errors(document.file()));
  return statement;
}

json::Value json_of(const Node& node) {
  if (node.is_sequence()) {
    json::Value list = json::Value::array();
    for (const Node& item : node.items) list.push(json_of(item));
    return list;
  }
  if (node.is_mapping()) {
    json::Value object = json::Value::object();
    for (std::size_t i = 0; i < node.keys.size(); ++i)
      object.set(node.keys[i].text, json_of(node.items[i]));
    return object;
  }
  if (node.is_null()) return {};
  if (const std::optional<bool> flag = flag_of(node)) return json::Value::boolean(*flag);
  if (std::optional<json::Value> number = number_of(node)) return std::move(*number);
  return json::Value::string(node.text);
}

}  // namespace tollgate::config
