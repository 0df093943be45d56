// Checks a file against the table of keys.
// One walk finds unknown keys, wrong types, both spellings of one key, and keys a project may not
// set; readers that come later may rely on the shape of whatever was not complained about.
// SAFETY: every complaint is an error, and an error anywhere means that nothing is allowed.
#include <charconv>
#include <optional>

#include "base/edit_distance.h"
#include "base/host.h"
#include "base/text.h"
#include "config/fields.h"
#include "config/notify.h"
#include "config/pattern.h"
#include "core/mode.h"

namespace tollgate::config {
namespace {

// LIMIT: how many agents a project file may name.
constexpr std::size_t kMaxProjectAgents = 1'000;

class Checker {
 public:
  Checker(const Document& document, FileKind kind, std::vector<Diagnostic>& out)
      : document_(document), kind_(kind), out_(out), before_(out.size()) {}

  void block(const Node& node, std::string_view name);
  bool is_full() const { return out_.size() - before_ >= kMaxErrors; }

 private:
  void known_key(const Node& mapping, std::size_t index, std::string_view block_name);
  void other_spellings(const Node& mapping, std::size_t index, const Field& field);
  void value(const Node& node, const Field& field);
  void blocks(const Node& node, const Field& field);
  void scalar(const Node& node, const Field& field);
  void list(const Node& node, const Field& field);
  void item(const Node& node, const Field& field);
  void pair(const Node& node);
  void pattern(const Node& node);
  void tls(const Node& node);
  void anchor(const Node& node);
  void effect(const Node& node);
  void report(std::string code, std::string message, std::string hint, const Node& node);
  void wrong(const Node& node, const Field& field, std::string_view expected);
  template <class Names>
  void one_of(const Node& node, std::string code, std::string_view noun, const Names& names);

  const Document& document_;
  FileKind kind_;
  std::vector<Diagnostic>& out_;
  std::size_t before_;  // how many there were when the check began
  std::vector<std::string> notify_names_;
};

void Checker::report(std::string code, std::string message, std::string hint, const Node& node) {
  out_.push_back({Severity::kError,
                  {.code = std::move(code),
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .where = document_.place(node)}});
}

std::string_view kind_name(const Node& node) {
  if (node.is_sequence()) return "a list";
  if (node.is_mapping()) return "a mapping";
  return node.is_null() ? "nothing" : "a single value";
}

void Checker::wrong(const Node& node, const Field& field, std::string_view expected) {
  const std::string found =
      node.is_scalar() && !node.is_null() ? "`" + node.text + "`" : std::string(kind_name(node));
  report("wrong-type",
         "`" + std::string(field.key) + "` is " + found + ", expected " + std::string(expected),
         std::string(field.key) + ": " + std::string(field.description), node);
}

template <class Names>
void Checker::one_of(const Node& node, std::string code, std::string_view noun,
                     const Names& names) {
  report(std::move(code), "unknown " + std::string(noun) + " `" + node.text + "`",
         did_you_mean(node.text, std::string(noun) + "s", names), node);
}

void Checker::block(const Node& node, std::string_view name) {
  for (std::size_t i = 0; i < node.keys.size() && !is_full(); ++i) known_key(node, i, name);
}

void Checker::known_key(const Node& mapping, std::size_t index, std::string_view block_name) {
  const Node& key = mapping.keys[index];
  const Field* field = field_of(block_name, key.text);
  if (field == nullptr) {
    std::vector<std::string_view> names;
    for (const Field& row : fields())
      if (row.block == block_name) names.push_back(row.key);
    return report("unknown-key", "unknown key `" + key.text + "`",
                  did_you_mean(key.text, "keys", names), key);
  }
  if (kind_ != FileKind::kUser && field->set_by == SetBy::kUser)
    report("not-in-project", "a project file may not set `" + key.text + "`",
           "set it in your own configuration or in the managed one", key);
  other_spellings(mapping, index, *field);
  value(mapping.items[index], *field);
}

// Only the few keys that have another spelling are looked for among those before them.
void Checker::other_spellings(const Node& mapping, std::size_t index, const Field& field) {
  const std::string_view meant = field.same_as.empty() ? field.key : field.same_as;
  for (const Field& row : fields()) {
    const bool same = row.key == meant || row.same_as == meant;
    if (row.block != field.block || row.key == field.key || !same) continue;
    for (std::size_t other = 0; other < index && !is_full(); ++other)
      if (mapping.keys[other].text == row.key)
        report("both-spellings",
               "`" + mapping.keys[other].text + "` and `" + mapping.keys[index].text +
                   "` are the same key",
               "keep one of the two", mapping.keys[index]);
  }
}

void Checker::value(const Node& node, const Field& field) {
  switch (field.type) {
    case FieldType::kBlock:
      if (!node.is_mapping()) return wrong(node, field, "a mapping");
      block(node, field.of);
      if (field.of == "tls") tls(node);
      if (field.of == "anchor") anchor(node);
      return;
    case FieldType::kBlockOrList:
      if (!node.is_sequence() && !node.is_mapping())
        return wrong(node, field, "a mapping, or a list of mappings");
      if (node.is_mapping()) return block(node, field.of);
      for (const Node& each : node.items)
        each.is_mapping() ? block(each, field.of) : wrong(each, field, "a mapping");
      return;
    case FieldType::kBlocks:
      return blocks(node, field);
    case FieldType::kTexts:
    case FieldType::kHosts:
    case FieldType::kPatterns:
    case FieldType::kPairs:
    case FieldType::kRules:
    case FieldType::kList:
      return list(node, field);
    case FieldType::kEffect:
      return effect(node);
    case FieldType::kAnything:
      if (!node.is_mapping()) wrong(node, field, "a mapping");
      return;
    default:
      if (!node.is_scalar() || node.is_null()) return wrong(node, field, "a single value");
      return scalar(node, field);
  }
}

void Checker::blocks(const Node& node, const Field& field) {
  if (!node.is_mapping()) return wrong(node, field, "a mapping from names to mappings");
  if (field.of == "agent" && kind_ != FileKind::kUser && node.keys.size() > kMaxProjectAgents)
    return report("too-many-agents",
                  "a project file names " + std::to_string(node.keys.size()) +
                      " agents, more than the limit of " + std::to_string(kMaxProjectAgents),
                  "name them in your own configuration", node);
  for (std::size_t i = 0; i < node.keys.size() && !is_full(); ++i) {
    if (node.keys[i].text.empty())
      report("wrong-type", "a name is empty", "give it a name", node.keys[i]);
    if (node.items[i].is_mapping())
      block(node.items[i], field.of);
    else if (!node.items[i].is_null())
      wrong(node.items[i], field, "a mapping from names to mappings");
  }
}

void Checker::list(const Node& node, const Field& field) {
  if (!node.is_sequence()) return wrong(node, field, "a list");
  for (const Node& each : node.items) {
    if (is_full()) return;
    item(each, field);
  }
}

void Checker::item(const Node& node, const Field& field) {
  switch (field.type) {
    case FieldType::kPairs:
      return pair(node);
    case FieldType::kList:
      if (!node.is_mapping()) return wrong(node, field, "a list of mappings");
      block(node, field.of);
      if (field.of == "notify") check_notify(document_, node, notify_names_, out_);
      return;
    case FieldType::kRules:
      if (node.is_mapping()) {
        block(node, "rule");
        if (node.find("rule") == nullptr)
          report("rule-syntax", "a rule without the key `rule`", "add `rule: Tool(specifier)`",
                 node);
        return;
      }
      break;
    case FieldType::kHosts:
      if (node.is_scalar() && !node.is_null() && !host_of(node.text))
        return report("bad-host", "`" + node.text + "` is not a host name",
                      "write a name like `example.com`, or `*.example.com` for all below it", node);
      break;
    case FieldType::kPatterns:
      if (node.is_scalar() && !node.is_null()) return pattern(node);
      break;
    default:
      break;
  }
  if (!node.is_scalar() || node.is_null()) wrong(node, field, "a list of texts");
}

void Checker::pair(const Node& node) {
  bool good = node.is_sequence() && node.items.size() == 2;
  if (good)
    for (const Node& part : node.items) good = good && part.is_scalar() && !part.is_null();
  if (!good)
    report("wrong-type", "an entry of `blockedBash` must be a pair [command, arguments]",
           "write it like [rm, \"-rf /\"]", node);
}

// The caret goes under the piece that is wrong, where the line spells it as the pattern does.
void Checker::pattern(const Node& node) {
  const std::optional<PatternFault> fault = fault_of_pattern(node.text);
  if (!fault) return;
  report("bad-pattern", "`" + node.text + "` cannot be used to redact: " + fault->why,
         "write an expression of RE2: it has `(?i)` and `\\b`, no back-references, no look-around",
         node);
  Position& where = out_.back().error.where;
  const std::size_t at =
      fault->part.empty() ? std::string::npos : where.text.find(fault->part, where.column - 1);
  if (at == std::string::npos || at + fault->part.size() > where.column - 1 + where.width) return;
  where.column = static_cast<std::uint32_t>(at + 1);
  where.width = static_cast<std::uint32_t>(fault->part.size());
}

// SAFETY: half of a pair would leave the daemon without TLS where somebody asked for it.
void Checker::tls(const Node& node) {
  const bool cert = node.find("cert") != nullptr, key = node.find("key") != nullptr;
  if (cert && key) return;
  report("incomplete-tls",
         cert  ? "`tls` names a certificate and no key"
         : key ? "`tls` names a key and no certificate"
               : "`tls` names neither a certificate nor a key",
         "write both, `tls: {cert: FILE, key: FILE}`, or leave `tls` out", node);
}

// SAFETY: heads that go nowhere attest nothing, and nobody would notice.
void Checker::anchor(const Node& node) {
  const Node* wanted = node.find("notify");
  if (wanted == nullptr || !wanted->is_scalar()) return;
  const Node* targets = document_.root().find("notify");
  if (targets != nullptr && targets->is_sequence())
    for (const Node& each : targets->items) {
      const Node* name = each.find("name");
      const Node* type = each.find("type");
      if (name != nullptr && type != nullptr && name->text == wanted->text &&
          type->text == "webhook")
        return;
    }
  report("unknown-target", "`notify` of this file has no webhook `" + shortened(wanted->text) + "`",
         "add one, `{name: …, type: webhook, …}`; the other types are read by people", *wanted);
}

void Checker::effect(const Node& node) {
  static constexpr std::string_view kEffects[] = {"shell",  "read",   "write", "create",
                                                  "delete", "rename", "url"};
  if (node.is_scalar() && node.text == "none") return;
  const bool single = node.is_mapping() && node.keys.size() == 1;
  if (!single)
    return report("wrong-type", "`effect` must be one of {shell: arg} {read: arg} … or none",
                  "write one key and the argument's name", node);
  const Node& key = node.keys[0];
  const Node& argument = node.items[0];
  bool known = false;
  for (std::string_view name : kEffects) known = known || name == key.text;
  if (!known) return one_of(key, "unknown-effect", "effect", std::span(kEffects));
  const bool two = key.text == "rename";
  const bool good = two ? argument.is_sequence() && argument.items.size() == 2 &&
                              argument.items[0].is_scalar() && argument.items[1].is_scalar()
                        : argument.is_scalar() && !argument.is_null();
  if (!good)
    report("wrong-type", "`" + key.text + "` takes " + (two ? "[from, to]" : "an argument's name"),
           two ? "write it like {rename: [path, newPath]}" : "write it like {read: path}",
           argument);
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

bool is_host_and_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view host = text.substr(0, colon);
  const auto port = number_of<long>(text.substr(colon + 1));
  if (!port || *port > 65535 || host.starts_with("*.")) return false;
  const bool bracketed = host.starts_with('[') || host.find(':') == host.npos;
  return host == "::1" || host == "::" || (bracketed && host_of(host));
}

bool is_url(std::string_view text) {
  for (std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    std::string_view rest = text.substr(scheme.size());
    if (rest.ends_with('/')) rest.remove_suffix(1);
    const std::size_t colon = rest.rfind(':');
    return colon == std::string_view::npos ? host_of(rest).has_value() : is_host_and_port(rest);
  }
  return false;
}

bool is_store(std::string_view text) {
  return text == "sqlite" || text.starts_with("sqlite:") || text.starts_with("postgres://") ||
         text.starts_with("postgresql://");
}

void Checker::scalar(const Node& node, const Field& field) {
  static constexpr std::string_view kTimeouts[] = {"deny", "escalate", "forward"};
  static constexpr std::string_view kIsolations[] = {"required", "preferred", "none"};
  static constexpr std::string_view kOutsides[] = {"deny", "ask"};
  const auto is_in = [&](std::span<const std::string_view> names) {
    for (std::string_view name : names)
      if (node.text == name) return true;
    return false;
  };
  switch (field.type) {
    case FieldType::kVersion:
      if (node.text != "1")
        report("unknown-version", "version `" + node.text + "` of the configuration is not known",
               "write `version: 1`", node);
      return;
    case FieldType::kFlag:
      if (!flag_of(node)) wrong(node, field, "true or false");
      return;
    case FieldType::kCount:
      if (const auto number = number_of<long>(node.text); !number || *number > 1'000'000'000)
        wrong(node, field, "a whole number from 0");
      return;
    case FieldType::kNumber:
      if (!number_of<double>(node.text)) wrong(node, field, "a number from 0");
      return;
    case FieldType::kPort:
      if (const auto port = number_of<long>(node.text); !port || *port < 1 || *port > 65535)
        wrong(node, field, "a port from 1 to 65535");
      return;
    case FieldType::kDuration:
      if (!duration_ms(node.text)) wrong(node, field, "a duration like 30s, 10m, 2h or 7d");
      return;
    case FieldType::kTime:
      if (!utc_seconds(node.text))
        wrong(node, field, "a day or UTC time like 2027-01-31 or 2027-01-31T18:00:00Z");
      return;
    case FieldType::kSize:
      if (!size_of(node.text)) wrong(node, field, "a size like 512M or 4G");
      return;
    case FieldType::kMode:
      if (!mode_named(node.text)) one_of(node, "unknown-mode", "mode", mode_names());
      return;
    case FieldType::kAnswer:
      if (!(node.plain && flag_of(node)) && !answerer_named(node.text))
        one_of(node, "unknown-answer", "answer", answerer_names());
      return;
    case FieldType::kOnTimeout:
      if (!is_in(kTimeouts)) one_of(node, "wrong-type", "onTimeout value", std::span(kTimeouts));
      return;
    case FieldType::kIsolation:
      if (!is_in(kIsolations))
        one_of(node, "wrong-type", "isolation value", std::span(kIsolations));
      return;
    case FieldType::kOutside:
      if (!is_in(kOutsides)) one_of(node, "wrong-type", "hosts value", std::span(kOutsides));
      return;
    case FieldType::kAddress:
      if (!is_host_and_port(node.text)) wrong(node, field, "host:port, like 127.0.0.1:1615");
      return;
    case FieldType::kUrl:
      if (!is_url(node.text)) wrong(node, field, "a URL like https://gate.example.com");
      return;
    case FieldType::kStore:
      if (!is_store(node.text)) wrong(node, field, "sqlite or postgres://…");
      return;
    default:
      return;
  }
}

}  // namespace

void check_fields(const Document& document, FileKind kind, std::vector<Diagnostic>& out) {
  if (!document.root().is_mapping()) {
    out.push_back({Severity::kError,
                   {.code = "wrong-type",
                    .message = "the file is " + std::string(kind_name(document.root())) +
                               ", expected a mapping",
                    .hint = "write keys like `rules:` at the top",
                    .where = document.place(document.root())}});
    return;
  }
  Checker checker(document, kind, out);
  checker.block(document.root(), kind == FileKind::kAgentic ? "agentic" : "");
  if (checker.is_full()) out.push_back(too_many_errors(document.file()));
}

std::optional<bool> flag_of(const Node& node) {
  if (!node.is_scalar() || !node.plain) return std::nullopt;
  const std::string text = lower(std::string_view(node.text));
  if (text == "true" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "no" || text == "off") return false;
  return std::nullopt;
}

std::optional<std::int64_t> size_of(std::string_view text) {
  std::int64_t unit = 1;
  if (text.ends_with('B')) text.remove_suffix(1);
  if (text.ends_with('i')) text.remove_suffix(1);
  static constexpr std::string_view kUnits = "KMGT";
  if (!text.empty() && kUnits.find(text.back()) != std::string_view::npos) {
    unit = std::int64_t{1} << (10 * (kUnits.find(text.back()) + 1));
    text.remove_suffix(1);
  }
  const auto number = number_of<std::int64_t>(text);
  if (!number || *number > (std::int64_t{1} << 53) / unit) return std::nullopt;
  return *number * unit;
}

std::optional<std::string> host_of(std::string_view text) {
  const bool starred = text.starts_with("*.");
  const std::string name = canonical_host(text.substr(starred ? 2 : 0));
  if (name.empty() || (starred && is_address(name))) return std::nullopt;
  for (std::string_view label : split(name, '.'))
    if (label.starts_with('-') || label.ends_with('-')) return std::nullopt;
  return (starred ? "*." : "") + name;
}

}  // namespace tollgate::config
