// Git's configuration files: read as git reads them, and asked which program they name.
// Pure; repository.cc brings the text of the files.
// SAFETY: a file that git could read in another way is not read at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

// LIMIT: no configuration that people write comes near; a larger one counts as unreadable.
inline constexpr std::size_t kMaxSettingsBytes = 1'048'576;

// `section` and `key` are in lower case, because git compares them so.
struct GitSetting {
  std::string section;
  std::string subsection;
  std::string key;
  std::optional<std::string> value;  // nothing: a key alone, which means true

  std::string name() const;
  bool operator==(const GitSetting&) const = default;
};

// Nothing where git would refuse the text.
std::optional<std::vector<GitSetting>> read_git_settings(std::string_view text);

enum class SettingNames : std::uint8_t {
  kNothing,    // no program, or one that is expected: git-lfs, husky, a plain credential helper
  kProgram,    // the value is a command that git may run
  kElsewhere,  // the value leads to what is not read here: another file, another transport
};

// `default_hooks` is the repository's own directory of hooks, which may be named as well. The work
// tree and bareness are questions of the place, and so not answered here.
SettingNames names_program(const GitSetting& setting, std::string_view default_hooks);

// For git's booleans; a key alone counts as true.
bool is_true(const GitSetting& setting);

}  // namespace tollgate
