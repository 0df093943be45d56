// Any bytes as settings of a repository: refused, or read into names that have all their parts.
// What is asked of the settings afterwards takes any text, too. Seeds are files that git writes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/scenes.h"
#include "service/git_settings.h"
#include "service/section_settings.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tollgate;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto settings = read_git_settings(text)) {
    require(settings->size() <= text.size());
    for (const GitSetting& one : *settings) {
      require(!one.key.empty());
      names_program(one, "/w/.git/hooks");
      is_true(one);
    }
  }
  require(suspect_line_of_hgrc(text).size() <= text.size());
  require(suspect_line_of_jj(text).size() <= text.size());
  return 0;
}
