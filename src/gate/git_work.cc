// One row a subcommand: the options and operands that make it lose something.
// Long options count from their shortest beginning on, as git takes them.
#include "gate/git_work.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/name_set.h"
#include "base/path.h"
#include "policy/option_grammar.h"

namespace tollgate {
namespace {

struct GitCommand {
  std::string_view name;
  std::vector<std::string_view> options;
  std::vector<std::string_view> operands;
  bool ended = false;  // there is a `--`

  bool letter(char wanted) const {
    return std::ranges::any_of(options, [&](std::string_view option) {
      return !option.starts_with("--") && option.find(wanted) != option.npos;
    });
  }
  bool word(std::string_view wanted) const {
    return std::ranges::any_of(options, [&](std::string_view option) {
      option = option.substr(0, option.find('='));
      return option.size() > 2 && wanted.starts_with(option);
    });
  }
  bool first(std::string_view wanted) const { return !operands.empty() && operands[0] == wanted; }
};

// The command, where its subcommand is one of those that are asked about.
template <std::size_t kSize>
std::optional<GitCommand> read_git(std::span<const Word> argv, const NameSet<kSize>& names) {
  if (argv.empty() || base_name(argv[0].text) != "git") return std::nullopt;
  const OptionGrammar* grammar = option_grammar("git");
  std::size_t at = 1;
  for (; at < argv.size() && argv[at].text.starts_with('-'); ++at)
    if (grammar != nullptr && in_list(grammar->global_values, argv[at].text)) ++at;
  if (at >= argv.size() || !names.has(argv[at].text)) return std::nullopt;
  GitCommand command{.name = argv[at].text, .options = {}, .operands = {}};
  for (const Word& word : argv.subspan(at + 1)) {
    const std::string_view text = word.text;
    if (text == "--" && !command.ended)
      command.ended = true;
    else if (!command.ended && text.size() > 1 && text[0] == '-')
      command.options.push_back(text);
    else
      command.operands.push_back(text);
  }
  return command;
}

// --force-with-lease takes away only what was seen.
bool forces_push(const GitCommand& git) {
  if (git.letter('f') || git.letter('d')) return true;
  for (const std::string_view option : {"--force", "--mirror", "--delete", "--prune"})
    if (git.word(option)) return true;
  return std::ranges::any_of(git.operands, [](std::string_view operand) {
    return operand.starts_with('+') || operand.starts_with(':');
  });
}

bool discards_in_tree(const GitCommand& git) {
  if (git.name == "checkout") {
    const bool all = std::ranges::any_of(git.operands, [](std::string_view operand) {
      return operand == "." || operand == "./" || operand == "*" || operand.starts_with(":");
    });
    return (git.ended && !git.operands.empty()) || all || git.letter('f') || git.letter('p') ||
           git.word("--force") || git.word("--patch") || git.word("--pathspec-from-file");
  }
  if (git.name == "checkout-index") return git.letter('f') || git.word("--force");
  if (git.name == "read-tree") return git.word("--reset");
  if (git.name == "restore") {
    const bool staged = git.letter('S') || git.word("--staged");
    return !staged || git.letter('W') || git.word("--worktree");
  }
  if (git.name == "switch")
    return git.letter('f') || git.word("--force") || git.word("--discard-changes");
  if (git.name == "clean") {
    const bool dry = git.letter('n') || git.word("--dry-run");
    return (git.letter('f') || git.word("--force") || git.letter('i')) && !dry;
  }
  return git.name == "reset" && (git.word("--hard") || git.word("--merge") || git.word("--keep"));
}

// Every subcommand that git_discards() knows.
constexpr NameSet kDiscarding({"checkout", "checkout-index", "read-tree", "restore", "switch",
                               "clean", "reset", "stash", "branch", "push", "reflog", "update-ref",
                               "worktree"});
constexpr NameSet kTakingFiles({"checkout"});
constexpr NameSet kConfiguring({"config"});

}  // namespace

std::string_view git_discards(std::span<const Word> argv) {
  const std::optional<GitCommand> git = read_git(argv, kDiscarding);
  if (!git) return {};
  if (discards_in_tree(*git)) return "throws away changes that are in no commit";
  if (git->name == "stash" && (git->first("drop") || git->first("clear")))
    return "throws away stashed changes";
  if (git->name == "branch" && (git->letter('D') || ((git->letter('d') || git->word("--delete")) &&
                                                     (git->letter('f') || git->word("--force")))))
    return "deletes a branch whose commits may be nowhere else";
  if (git->name == "push" && forces_push(*git)) return "overwrites or deletes what others have";
  if (git->name == "reflog" && (git->first("expire") || git->first("delete")))
    return "forgets commits that no branch has";
  if (git->name == "update-ref" && (git->letter('d') || git->word("--stdin")))
    return "deletes a branch whose commits may be nowhere else";
  if (git->name == "worktree" && git->first("remove") && (git->letter('f') || git->word("--force")))
    return "throws away changes that are in no commit";
  return {};
}

bool git_takes_files(std::span<const Word> argv) {
  return read_git(argv, kTakingFiles).has_value();
}

bool git_configures(std::span<const Word> argv) {
  const std::optional<GitCommand> git = read_git(argv, kConfiguring);
  if (!git) return false;
  const bool reads = git->word("--get") || git->word("--get-all") || git->word("--get-regexp") ||
                     git->word("--get-urlmatch") || git->word("--list") || git->letter('l') ||
                     git->first("get") || git->first("list");
  if (reads) return false;
  const bool changes = git->word("--unset") || git->word("--unset-all") || git->word("--add") ||
                       git->word("--replace-all") || git->word("--edit") || git->letter('e') ||
                       git->word("--rename-section") || git->word("--remove-section");
  return changes || git->operands.size() != 1;
}

}  // namespace tollgate
