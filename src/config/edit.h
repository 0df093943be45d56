// Changes a user's policy file by program: a rule more, a rule less, another mode.
// The text is edited in place, so comments, order and layout stay as people wrote them.
// SAFETY: each edit is proved by reading the new text: it must say what the old one said plus the
// edit and nothing else, or there is no new text.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "core/tool_declaration.h"
#include "core/verdict.h"
#include "os/files.h"

namespace tollgate::config {

struct Edit {
  enum class Kind {
    kAddRule,     // at the end of the list; nothing changes where an entry says it already
    kRemoveRule,  // every entry that says just this; where there is none, those with conditions
    kSetMode,
  };
  Kind kind = Kind::kAddRule;
  std::string agent;              // "" is the top of the file
  Verdict list = Verdict::kDeny;  // for rules
  std::string rule;
  std::string reason;  // of kAddRule: why the rule is there, "" for nothing
  std::string mode;

  bool operator==(const Edit&) const = default;
};

struct EditContext {
  std::span<const ToolDeclaration> tools;  // declared in other files; rules are parsed with them
};

// The text after all edits, one after the other; `file` is for the places of errors.
// Two rules are one when `tollgate fmt` writes them alike. Conditions are hours, an expiry, or who
// answers.
// Errors: whatever is wrong in the file (a broken one is not edited), those of parse_rule() with
// the place in the rule, unknown-agent, unknown-mode, rule-missing, edit-failed.
Result<std::string> edited(const std::string& text, const std::string& file,
                           std::span<const Edit> edits, const EditContext& context = {});

// A change of a file that was worked out and not made yet.
struct FileEdit {
  std::string path;  // as it was named
  std::string file;  // where it lies, links followed
  os::Stamp stamp;   // as it was when it was read; a file may be missing
  std::string before;
  std::string after;
};

// REQUIRES: an absolute path. The file and its directory must be as the loader wants them, and the
// file must belong to this user.
// Errors: those of edited(), of reading a file, unsafe-policy-file, file-unwritable.
Result<FileEdit> planned_edit(const std::string& path, std::span<const Edit> edits,
                              const EditContext& context = {});

// Writes it whole or not at all; mode and owner stay, a new file is the user's alone (0600).
// Gives the unified difference for the record, "" when nothing changes.
// Errors: file-changed when the file is not what it was, file-unwritable.
// LIMIT: somebody who writes between the last look and the rename is not seen; the group of the
// file becomes the user's.
Result<std::string> write_edit(const FileEdit& edit);

// Both in one.
Result<std::string> edit_file(const std::string& path, std::span<const Edit> edits,
                              const EditContext& context = {});

}  // namespace tollgate::config
