// Which part of a file an edit speaks of: whose mapping, and which entries of a list.
// Used by edit.cc alone; only looks at the tree.
// An Owner points into the document, and is of no use once that is read anew.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "config/edit_meaning.h"
#include "config/yaml.h"
#include "config/yaml_text.h"

namespace tollgate::config {

// The mapping that an edit speaks of. It may be nothing yet: an agent that was only named.
struct Owner {
  const Node* parent = nullptr;  // nothing: it is the top of the file
  std::size_t index = 0;         // in its parent
  const Node* node = nullptr;
};

// Error: unknown-agent.
Result<Owner> owner_of(const Document& document, const std::string& agent);

// The same node in a copy of the document's tree.
Node& same_in(Node& copy, const Document& document, const Owner& owner);

// How a text is written that comes into the owner's mapping.
YamlPlace place_of(const Document& document, const Owner& owner);

// Where the mapping has a key; behind its last where it does not.
std::size_t index_of(const Node& mapping, std::string_view key);

// Whether more is said of a rule than what it is about and why.
enum class Conditions { kNone, kSome };

// The entries of a list that are this rule, in order.
std::vector<std::size_t> entries_of(const Node& list, const RuleChange& change,
                                    std::span<const ToolDeclaration> tools, Conditions conditions);

}  // namespace tollgate::config
