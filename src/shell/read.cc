// The way in: one reader over the whole text.
#include "shell/read.h"

#include <algorithm>

#include "shell/reader.h"

namespace tollgate::shell {

class TreeMaker {
 public:
  static Tree make(std::string_view text, const ReadOptions& options) {
    Tree tree;
    tree.text_ = tree.arena_.copy(text);
    tree.script_ = read_plain(tree.text_, tree.arena_);
    if (tree.script_ != nullptr) return tree;
    const std::size_t nul = tree.text_.find('\0');
    Shared shared(tree.arena_);
    shared.extglob = options.extglob;
    // LIMIT: looking for the ends of brackets takes a few looks at each character, however nested.
    constexpr std::size_t kMostLooks = 4'000'000;
    shared.budget = std::min(16 * text.size(), kMostLooks) + 65536;
    Reader reader(shared, {.text = tree.text_.substr(0, nul)});
    tree.script_ = reader.read_all();
    tree.refused_ = reader.failed();
    tree.refusal_ = reader.refusal();
    // A text inside keeps its mistakes to itself, but what it has used up is everybody's.
    if (shared.budget == 0 && !tree.refused_) {
      tree.refused_ = true;
      tree.refusal_ = {.span = {0, 0},
                       .message = "the text is nested too deep to be read",
                       .incomplete = false,
                       .limit = true};
    }
    if (nul != std::string_view::npos && !tree.refused_) {
      tree.refused_ = true;
      tree.refusal_ = {.span = {static_cast<std::uint32_t>(nul), 1},
                       .message = "a NUL byte ends the text for the shell",
                       .incomplete = false,
                       .limit = false};
    }
    return tree;
  }
};

Tree read(std::string_view text, const ReadOptions& options) {
  return TreeMaker::make(text, options);
}

}  // namespace tollgate::shell
