// The role vocabulary and the three built-in roles, as tables.
#include "policy/roles.h"

#include <algorithm>
#include <array>

namespace tollgate {
namespace {

constexpr std::uint16_t kShell = kind_bit(ToolKind::kShell) | kind_bit(ToolKind::kShellInput);
constexpr std::uint16_t kRead = kind_bit(ToolKind::kRead);
constexpr std::uint16_t kList = kind_bit(ToolKind::kList);
constexpr std::uint16_t kEdit = kind_bit(ToolKind::kEdit);
constexpr std::uint16_t kWeb = kind_bit(ToolKind::kFetch) | kind_bit(ToolKind::kSearch);

struct Entry {
  std::string_view word;
  std::uint16_t kinds;
};
constexpr std::array<Entry, 8> kVocabulary = {{
    {"execute_bash", kShell},
    {"fs_read", kRead},
    {"fs_write", kEdit},
    {"fs_list", kList},
    {"fs_*", kRead | kList | kEdit},
    {"web_fetch", kWeb},
    {"subagent", kind_bit(ToolKind::kAgent)},
    // The client's helpers without effects; questions to a person are among them.
    {"@builtin", kind_bit(ToolKind::kHelper) | kind_bit(ToolKind::kPerson)},
}};

constexpr auto kWords = [] {
  std::array<std::string_view, kVocabulary.size()> words;
  std::transform(kVocabulary.begin(), kVocabulary.end(), words.begin(),
                 [](const Entry& entry) { return entry.word; });
  return words;
}();

constexpr std::string_view kDeveloper[] = {"@builtin",  "fs_*",     "execute_bash",
                                           "web_fetch", "subagent", "@tollgate"};
constexpr std::string_view kReviewer[] = {"@builtin", "fs_read", "fs_list", "@tollgate"};
constexpr std::string_view kSupervisor[] = {"fs_read", "fs_list", "subagent", "@tollgate"};
constexpr BuiltInRole kRoles[] = {
    {"developer", kDeveloper}, {"reviewer", kReviewer}, {"supervisor", kSupervisor}};

}  // namespace

std::optional<std::uint16_t> vocabulary_kinds(std::string_view word) {
  for (const Entry& entry : kVocabulary)
    if (entry.word == word) return entry.kinds;
  return std::nullopt;
}

std::span<const std::string_view> vocabulary() { return kWords; }

std::span<const BuiltInRole> built_in_roles() { return kRoles; }

}  // namespace tollgate
