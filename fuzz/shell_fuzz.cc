// Any bytes as shell text: an end, spans inside the text, and a printing that reads back alike.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/scenes.h"
#include "shell/print.h"
#include "shell/read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tollgate;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const bool extglob : {false, true}) {
    const shell::Tree tree = shell::read(text, {.extglob = extglob});
    const std::string told = dump(tree.script());
    if (tree.refused()) {
      fuzz::require(!tree.refusal().message.empty());
      fuzz::require(tree.refusal().span.end() <= text.size());
    }
    for (const shell::Statement& statement : tree.script().statements)
      fuzz::require(statement.command->span.end() <= text.size());
    fuzz::require(told.empty() || !tree.script().statements.empty());
  }
  return 0;
}
