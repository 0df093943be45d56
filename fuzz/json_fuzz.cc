// Any bytes as JSON: refused with a place, or a value that survives being written and read again.
// Seeds are the shapes clients send; the canonical text has to be stable under reading, too.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/scenes.h"
#include "json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tollgate;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const Result<json::Value> value = json::parse(text);
  if (!value) {
    require(!value.error().code.empty() && !value.error().message.empty());
    return 0;
  }
  require(is_valid_utf8(text));

  const Result<json::Value> again = json::parse(json::write(*value));
  require(again.has_value() && *again == *value);
  const Result<json::Value> pretty = json::parse(json::write_pretty(*value));
  require(pretty.has_value() && *pretty == *value);

  const std::string canonical = json::canonical(*value);
  const Result<json::Value> sorted = json::parse(canonical);
  require(sorted.has_value() && json::canonical(*sorted) == canonical);
  return 0;
}
