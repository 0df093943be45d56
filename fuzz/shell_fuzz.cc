// Any bytes as shell text: an end, spans inside the text, and a printing that reads back alike.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/scenes.h"
#include "shell/print.h"
#include "shell/read.h"

namespace tollgate {
namespace {

// A printing may be a little longer than its text, and so stand behind a limit.
void require_that_it_reads_back(const shell::Tree& tree, const std::string& told,
                                const shell::ReadOptions& options) {
  const std::string printed = print(tree.script());
  const shell::Tree again = shell::read(printed, options);
  if (again.refused() && again.refusal().limit) return;
  fuzz::require(!again.refused());
  fuzz::require(dump(again.script()) == told);
}

}  // namespace
}  // namespace tollgate

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tollgate;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const bool extglob : {false, true}) {
    const shell::ReadOptions options{.extglob = extglob};
    const shell::Tree tree = shell::read(text, options);
    const std::string told = dump(tree.script());
    if (tree.refused()) {
      fuzz::require(!tree.refusal().message.empty());
      fuzz::require(tree.refusal().span.end() <= text.size());
    } else {
      require_that_it_reads_back(tree, told, options);
    }
    for (const shell::Statement& statement : tree.script().statements)
      fuzz::require(statement.command->span.end() <= text.size());
    fuzz::require(told.empty() || !tree.script().statements.empty());
  }
  return 0;
}
