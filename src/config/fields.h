// Every key of the configuration in one table: where it stands, its type, who may set it.
// The table checks files, names unknown keys, and is the JSON Schema; nothing else lists keys.
// To add a key: one row here, one reader, one case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/yaml.h"

namespace tollgate::config {

enum class FieldType : std::uint8_t {
  kVersion,   // 1
  kText,      // one line of text
  kFlag,      // true or false
  kCount,     // a whole number from 0
  kNumber,    // a number from 0
  kPort,      // 1 to 65535
  kDuration,  // 30s; a bare number is milliseconds
  kTime,      // 2027-01-31 or 2027-01-31T18:00:00Z
  kSize,      // 4G
  kMode,
  kAnswer,
  kOnTimeout,    // deny escalate forward
  kIsolation,    // required preferred none
  kOutside,      // deny ask
  kAddress,      // host:port
  kUrl,          // http(s)://host
  kStore,        // sqlite, sqlite:path or postgres://…
  kTexts,        // a list of texts
  kHosts,        // a list of host names, `*.x` allowed
  kPatterns,     // a list of regular expressions
  kPairs,        // a list of [command, arguments]
  kRules,        // a list of rules
  kEffect,       // {shell: arg}, {rename: [from, to]}, none …
  kBlock,        // a mapping whose keys are the rows of block `of`
  kBlockOrList,  // such a mapping, or a list of them
  kBlocks,       // a mapping from names to such blocks
  kAnything,     // not looked into
  kList,         // a list of mappings; their keys are the rows of block `of`
};

enum class SetBy : std::uint8_t {
  kEveryone,
  kUser,  // the user's and the managed file, never a project
};

struct Field {
  std::string_view block;  // "" is the top of the file
  std::string_view key;
  FieldType type;
  std::string_view of;  // for kBlock, kBlocks, kList
  SetBy set_by;
  std::string_view same_as;  // the key that this one is another spelling of
  std::string_view description;
};

std::span<const Field> fields();

// The row of a key, or nothing.
const Field* field_of(std::string_view block, std::string_view key);

// Which kind of file is read: its keys and its rights differ.
enum class FileKind : std::uint8_t {
  kUser,     // the user's, the managed or a named file
  kProject,  // tollgate.yaml of a project
  kAgentic,  // .agentic/config.yaml: the workspace block alone
};

// Checks keys, types and closed sets of the whole file against the table.
void check_fields(const Document& document, FileKind kind, std::vector<Diagnostic>& out);

// The value under a key or its other spelling; nothing when neither is there.
const Node* value_of(const Node& mapping, std::string_view block, std::string_view key);

// `yes`, `True`, `off` … without quotes.
std::optional<bool> flag_of(const Node& node);
// "4G", "512M", "1024".
std::optional<std::int64_t> size_of(std::string_view text);
// A host name or address as canonical_host spells it, or `*.name`. Nothing where malformed.
std::optional<std::string> host_of(std::string_view text);

// The configuration as JSON Schema 2020-12.
std::string config_schema();

}  // namespace tollgate::config
