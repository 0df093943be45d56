// Edits in a short notation for tests: `+allow Read -deny@agent Bash(x) mode@agent=plan`.
// Included by tests only.
// A rule reaches to the next edit, so it may hold blanks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/edit.h"

namespace tollgate::config {

// The next place at which an edit begins, behind a blank.
inline std::size_t next_edit(std::string_view text) {
  std::size_t next = text.size();
  for (const std::string_view begin :
       {" +allow", " +ask", " +deny", " -allow", " -ask", " -deny", " mode=", " mode@"})
    next = std::min(next, text.find(begin));
  return next;
}

inline Edit edit_of(std::string_view text) {
  const bool mode = text.starts_with("mode");
  const std::size_t cut = text.find(mode ? '=' : ' ');
  const std::string_view head = text.substr(0, cut);
  const std::size_t at = head.find('@');
  Edit edit;
  if (at != head.npos) edit.agent = head.substr(at + 1);
  (mode ? edit.mode : edit.rule) = text.substr(cut + 1);
  if (mode) {
    edit.kind = Edit::Kind::kSetMode;
    return edit;
  }
  edit.kind = head.front() == '+' ? Edit::Kind::kAddRule : Edit::Kind::kRemoveRule;
  const std::string_view list = head.substr(1, at == head.npos ? at : at - 1);
  edit.list = verdict_named(list).value_or(Verdict::kDeny);
  return edit;
}

inline std::vector<Edit> edits_of(std::string_view text) {
  std::vector<Edit> edits;
  while (!text.empty()) {
    const std::size_t end = next_edit(text);
    edits.push_back(edit_of(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return edits;
}

}  // namespace tollgate::config
