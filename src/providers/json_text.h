// A client's JSON file as text: where each value stands, so that it can be edited in place.
// json::parse() says whether it is JSON; here are only the places. Comments may be allowed.
// The tree holds offsets and owns its keys; it knows nothing of a text that was changed since.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace tollgate::providers {

// What a client's own reader takes.
enum class JsonForm {
  kPlain,
  kWithComments,  // `//` and `/* */`, but no comma behind the last
};

struct JsonNode {
  json::Kind kind = json::Kind::kNull;
  std::size_t begin = 0;  // of the key, for a member
  std::size_t value = 0;  // where the value itself begins
  std::size_t end = 0;    // behind the value
  std::string key;        // of a member
  std::vector<JsonNode> children;

  const JsonNode* find(std::string_view name) const&;
};

struct JsonText {
  std::string text;
  std::string bare;  // the same with blanks for comments: every offset holds in both
  json::Value value;
  JsonNode root;
};

// Errors: those of json::parse, with the place in `file`; settings-shape when it is no object.
Result<JsonText> read_json(std::string text, const std::string& file, JsonForm form);

// An error about what stands at `offset`.
Error error_at(std::string code, std::string message, std::string hint, const std::string& file,
               std::string_view text, std::size_t offset);

}  // namespace tollgate::providers
