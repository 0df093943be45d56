// Shell text and lists of words to effects: the way into the reader that follows them.
// SAFETY: a text beyond the limit is still read in full, and is an Unknown besides.
#include "core/effect.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

std::span<const std::string> directories_of(const ShellText& shell) {
  static const std::string kNotKnown;
  return shell.directories.empty() ? std::span(&kNotKnown, 1) : shell.directories;
}

}  // namespace

void read_shell_text(const ShellText& shell, Effects& out) {
  if (shell.text.size() > kMaxCommandBytes)
    out.push_back(unknown("longer than " + std::to_string(kMaxCommandBytes) + " characters",
                          whole(shell.text)));
  const auto first = directories_of(shell);
  ShellState state;
  state.directories = Directories::lent(first);
  Walker walker(shell.home, first, shell.text.size(), out);
  walker.read(shell.text, state, {});
  walker.finish();
}

void read_argv(std::span<const std::string> argv, const ShellText& shell, Effects& out) {
  std::vector<Word> words;
  for (const std::string& word : argv) words.push_back({.text = word, .span = {}});
  const auto first = directories_of(shell);
  ShellState state;
  state.directories = Directories::lent(first);
  // Without a shell in between no word is a builtin's; a program of that name is another thing.
  Walker walker(shell.home, first, 0, out);
  walker.run_words(words, state);
  walker.finish();
}

}  // namespace tollgate
