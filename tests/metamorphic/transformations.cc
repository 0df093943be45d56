#include "metamorphic/transformations.h"

#include <algorithm>
#include <vector>

#include "bash/names.h"
#include "shell/read.h"

namespace tollgate::metamorphic {
namespace {

using shell::CommandKind;
using Text = std::optional<std::string>;

std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

template <class List>
const auto& one_of(const List& list, Random& random) {
  return list[below(random, std::size(list))];
}

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool is_plain(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./,:+@%").find(c) != std::string_view::npos;
  });
}

// --- places in a text --------------------------------------------------------------------------

// The commands outside of functions and substitutions, and the statements that follow each other.
class Places {
 public:
  explicit Places(const std::string& text) : tree_(shell::read(text)), text_(tree_.text()) {
    if (!tree_.refused()) script(&tree_.script());
  }

  std::vector<const shell::SimpleCommand*> simple;
  std::vector<const shell::AndOr*> chains;
  struct Gap {
    std::size_t from, to;
  };
  std::vector<Gap> gaps;  // a semicolon and what is around it

  std::string_view slice(std::size_t from, std::size_t to) const {
    return text_.substr(from, to - from);
  }
  std::string_view slice(const Span& span) const { return slice(span.begin, span.end()); }

 private:
  void script(const shell::Script* one) {
    if (one == nullptr) return;
    const shell::Statement* before = nullptr;
    for (const shell::Statement& statement : one->statements) {
      if (statement.command == nullptr) continue;
      if (before != nullptr && !before->background) {
        const Gap gap{before->command->span.end(), statement.command->span.begin};
        std::string between(slice(gap.from, gap.to));
        std::erase(between, ' ');
        if (between == ";") gaps.push_back(gap);
      }
      command(statement.command);
      before = &statement;
    }
  }

  void command(const shell::Command* one) {
    if (one == nullptr) return;
    switch (one->kind) {
      case CommandKind::kSimple:
        simple.push_back(static_cast<const shell::SimpleCommand*>(one));
        break;
      case CommandKind::kPipeline:
        for (const auto& stage : static_cast<const shell::Pipeline*>(one)->stages)
          command(stage.command);
        break;
      case CommandKind::kAndOr: {
        const auto* chain = static_cast<const shell::AndOr*>(one);
        chains.push_back(chain);
        for (const auto& step : chain->steps) command(step.command);
        break;
      }
      case CommandKind::kSubshell:
      case CommandKind::kGroup:
        script(static_cast<const shell::Block*>(one)->body);
        break;
      case CommandKind::kIf:
        for (const auto& arm : static_cast<const shell::If*>(one)->arms) {
          script(arm.condition);
          script(arm.body);
        }
        break;
      case CommandKind::kWhile:
      case CommandKind::kUntil:
        script(static_cast<const shell::Loop*>(one)->condition);
        script(static_cast<const shell::Loop*>(one)->body);
        break;
      case CommandKind::kFor:
        script(static_cast<const shell::For*>(one)->body);
        break;
      default:
        break;
    }
  }

  shell::Tree tree_;
  std::string_view text_;
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Whether names in the text may mean functions or aliases.
bool defines(std::string_view text) {
  return has(text, "()") || has(text, "( )") || has(text, "function") || has(text, "alias");
}

std::string replaced(const std::string& text, std::size_t from, std::size_t to,
                     std::string_view by) {
  return text.substr(0, from) + std::string(by) + text.substr(to);
}

// --- a word, spelled otherwise -----------------------------------------------------------------

struct Spot {
  std::size_t from = 0, to = 0;
  std::string word;
};

// A plain word of some command. Which words are assignments to a builtin is left alone.
std::optional<Spot> some_word(const std::string& text, Random& random, bool names_too = true) {
  const Places places(text);
  std::vector<Spot> spots;
  for (const shell::SimpleCommand* command : places.simple) {
    for (std::size_t i = names_too ? 0 : 1; i < command->words.size(); ++i) {
      const Span span = command->words[i].span;
      const std::string_view word = places.slice(span);
      if (is_plain(word)) spots.push_back({span.begin, span.end(), std::string(word)});
    }
  }
  if (spots.empty() || has(text, "alias")) return std::nullopt;
  return one_of(spots, random);
}

using Spell = std::string (*)(const std::string&, Random&);

template <Spell kSpell>
Text respelled(const std::string& text, Random& random) {
  const auto spot = some_word(text, random);
  if (!spot) return std::nullopt;
  return replaced(text, spot->from, spot->to, kSpell(spot->word, random));
}

std::string single(const std::string& word, Random&) { return "'" + word + "'"; }
std::string twofold(const std::string& word, Random&) { return "\"" + word + "\""; }
std::string in_parts(const std::string& word, Random& random) {
  const std::size_t at = below(random, word.size() + 1);
  return word.substr(0, at) + "\"" + word.substr(at) + "\"''";
}
std::string escaped(const std::string& word, Random& random) {
  const std::size_t at = below(random, word.size());
  return word.substr(0, at) + "\\" + word.substr(at);
}
std::string ansi(const std::string& word, Random&) { return "$'" + word + "'"; }
std::string hexadecimal(const std::string& word, Random&) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    out += std::string("\\x") + kDigits[byte / 16] + kDigits[byte % 16];
  }
  return out + "'";
}
std::string broken(const std::string& word, Random& random) {
  const std::size_t at = below(random, word.size() + 1);
  return word.substr(0, at) + "\\\n" + word.substr(at);
}
// `echo -n` prints nothing.
std::string printing(const std::string& word, Random& random) {
  return (word[0] != '-' && below(random, 2) == 0 ? "echo " : "printf %s ") + word;
}
std::string printed(const std::string& word, Random& random) {
  return "$(" + printing(word, random) + ")";
}
std::string in_backquotes(const std::string& word, Random& random) {
  return "`" + printing(word, random) + "`";
}
// A name that the text does not have.
std::string fresh(const std::string& text) {
  for (int i = 1;; ++i)
    if (std::string name = "mm" + std::to_string(i); !has(text, name)) return name;
}

Text by_variable(const std::string& text, Random& random) {
  const auto spot = some_word(text, random);
  if (!spot || has(text, "IFS")) return std::nullopt;
  const std::string name = fresh(text);
  const std::string use = below(random, 2) == 0 ? "$" + name : "\"${" + name + "}\"";
  return name + "=" + spot->word + (below(random, 2) == 0 ? "; " : "\n") +
         replaced(text, spot->from, spot->to, use);
}
Text by_array(const std::string& text, Random& random) {
  const auto spot = some_word(text, random);
  if (!spot) return std::nullopt;
  const std::string name = fresh(text);
  return name + "=(a " + spot->word + ")\n" +
         replaced(text, spot->from, spot->to, "\"${" + name + "[1]}\"");
}
Text by_loop(const std::string& text, Random& random) {
  const auto spot = some_word(text, random);
  if (!spot || has(text, "break") || has(text, "continue")) return std::nullopt;
  const std::string name = fresh(text);
  return "for " + name + " in " + spot->word + "; do\n" +
         replaced(text, spot->from, spot->to, "\"$" + name + "\"") + "\ndone";
}

// --- a command with something around it --------------------------------------------------------

struct Simple {
  std::size_t from = 0, to = 0;  // all of it
  std::size_t name = 0;          // where its first word begins
};

// A simple command that is no builtin, no function and has no here-document.
std::optional<Simple> some_program(const std::string& text, Random& random) {
  if (defines(text) || has(text, "<<")) return std::nullopt;
  const Places places(text);
  std::vector<Simple> all;
  for (const shell::SimpleCommand* command : places.simple) {
    if (command->words.empty()) continue;
    const std::string_view name = places.slice(command->words[0].span);
    if (!is_plain(name) || is_bash_name(name)) continue;
    all.push_back({command->span.begin, command->span.end(), command->words[0].span.begin});
  }
  if (all.empty()) return std::nullopt;
  return one_of(all, random);
}

Text behind_program(const std::string& text, Random& random) {
  constexpr std::string_view kPrograms[] = {
      "env ",        "nice ",   "nice -n 5 ", "timeout 5 ",    "nohup ",
      "stdbuf -oL ", "setsid ", "command ",   "/usr/bin/env ", "exec "};
  const auto found = some_program(text, random);
  if (!found) return std::nullopt;
  const std::string_view program = one_of(kPrograms, random);
  // Behind `exec` nothing follows.
  if (program == "exec " && found->to != text.size()) return std::nullopt;
  return replaced(text, found->name, found->name, program);
}

Text by_function(const std::string& text, Random& random) {
  const auto found = some_program(text, random);
  if (!found) return std::nullopt;
  const std::string name = fresh(text);
  return name + "() { \"$@\"; }\n" + replaced(text, found->name, found->name, name + " ");
}

using Enclose = std::string (*)(const std::string&);
template <Enclose kEnclose>
Text command_in(const std::string& text, Random& random) {
  const auto found = some_program(text, random);
  if (!found) return std::nullopt;
  return replaced(text, found->from, found->to,
                  kEnclose(text.substr(found->from, found->to - found->from)));
}

std::string small_group(const std::string& one) { return "{ " + one + "; }"; }
std::string small_subshell(const std::string& one) { return " ( " + one + " ) "; }
std::string small_or(const std::string& one) { return "{ " + one + " || true; }"; }
std::string small_not(const std::string& one) { return "{ ! " + one + "; }"; }
std::string small_time(const std::string& one) { return "{ true; time " + one + "; }"; }
std::string small_eval(const std::string& one) { return "eval " + quoted(one); }
std::string small_shell(const std::string& one) { return "bash -c " + quoted(one); }
std::string small_errors(const std::string& one) { return one + " 2>&1"; }
std::string small_quiet(const std::string& one) { return one + " >/dev/null"; }
std::string small_kept(const std::string& one) { return "mm_out=$( " + one + " )"; }

// Another shell has none of the variables.
Text command_in_shell(const std::string& text, Random& random) {
  return has(text, "$") || has(text, "`") ? std::nullopt : command_in<small_shell>(text, random);
}

// What its words assign is lost in a shell below.
bool assigns_in_words(const std::string& text) { return has(text, "((") || has(text, ":="); }

Text command_below(const std::string& text, Random& random) {
  return assigns_in_words(text) ? std::nullopt : command_in<small_subshell>(text, random);
}

// Nobody else reads what it prints.
Text command_kept(const std::string& text, Random& random) {
  return assigns_in_words(text) || has(text, "|") || has(text, "time")
             ? std::nullopt
             : command_in<small_kept>(text, random);
}

// --- the whole text with something around it ---------------------------------------------------

template <Enclose kEnclose>
Text all_in(const std::string& text, Random&) {
  // An end of the line would be quoted.
  if (text.ends_with('\\')) return std::nullopt;
  return kEnclose(text);
}

std::string group(const std::string& all) { return "{ " + all + "\n}"; }
std::string subshell(const std::string& all) { return "( " + all + "\n)"; }
std::string or_true(const std::string& all) { return "{ " + all + "\n} || true"; }
std::string then_true(const std::string& all) { return all + "\ntrue"; }
std::string true_first(const std::string& all) { return "true; " + all; }
std::string true_and(const std::string& all) { return "true && { " + all + "\n}"; }
std::string comment_first(const std::string& all) { return "# it's \"said\"\n" + all; }
std::string comment_last(const std::string& all) { return all + "\n# that's all"; }
std::string negated(const std::string& all) { return "! { " + all + "\n}"; }
std::string timed(const std::string& all) { return "true; time { " + all + "\n}"; }
std::string in_if(const std::string& all) { return "if true; then " + all + "\nfi"; }
std::string in_else(const std::string& all) { return "if false; then :; else " + all + "\nfi"; }
std::string as_condition(const std::string& all) { return "if " + all + "\nthen :; fi"; }
std::string in_case(const std::string& all) { return "case a in a) " + all + "\n;; esac"; }
std::string in_for(const std::string& all) { return "for mm_i in 1; do " + all + "\ndone"; }
std::string in_while(const std::string& all) { return "while true; do " + all + "\nbreak; done"; }
std::string in_function(const std::string& all) { return "mm_f() { " + all + "\n}; mm_f"; }
std::string evaluated(const std::string& all) { return "eval " + quoted(all); }
std::string in_bash(const std::string& all) { return "bash -c " + quoted(all); }
std::string substituted(const std::string& all) { return "mm_x=$( " + all + "\n)"; }
std::string said(const std::string& all) { return "echo \"$( " + all + "\n)\""; }
std::string piped(const std::string& all) { return "{ " + all + "\n} | cat"; }
std::string silenced(const std::string& all) { return "{ " + all + "\n} >/dev/null 2>&1"; }
std::string behind(const std::string& all) { return "{ " + all + "\n} & wait"; }
std::string trapped(const std::string& all) { return "trap " + quoted(all) + " EXIT"; }
std::string in_document(const std::string& all) {
  return "cat <<MM_END\n$( " + all + "\n)\nMM_END";
}
std::string into_bash(const std::string& all) { return "bash <<'MM_END'\n" + all + "\nMM_END"; }

// Loops and functions keep what ends them.
template <Enclose kEnclose>
Text without_ends(const std::string& text, Random& random) {
  for (const std::string_view word : {"break", "continue", "return"})
    if (has(text, word)) return std::nullopt;
  return all_in<kEnclose>(text, random);
}
// A function has parameters of its own.
Text all_in_function(const std::string& text, Random& random) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1))
    if (at + 1 < text.size() &&
        std::string_view("@*#{!0123456789").find(text[at + 1]) != std::string_view::npos)
      return std::nullopt;
  if (has(text, "for ") || has(text, "set ") || has(text, "shift")) return std::nullopt;
  // Outside of a function that one fails.
  if (has(text, "local")) return std::nullopt;
  return without_ends<in_function>(text, random);
}
// Where a substitution begins with `time`, that is no keyword for bash.
template <Enclose kEnclose>
Text without_time(const std::string& text, Random& random) {
  return has(text, "time") ? std::nullopt : all_in<kEnclose>(text, random);
}
// In a here-document continued lines are joined, even comments.
template <Enclose kEnclose>
Text without_own_end(const std::string& text, Random& random) {
  if (has(text, "MM_END") || has(text, "time") || has(text, "\\\n")) return std::nullopt;
  return all_in<kEnclose>(text, random);
}

// --- lines -------------------------------------------------------------------------------------

Text continued(const std::string& text, Random& random) {
  const auto spot = some_word(text, random, false);
  if (!spot || spot->from == 0 || text[spot->from - 1] != ' ') return std::nullopt;
  return replaced(text, spot->from, spot->from, "\\\n");
}

// Of several lines one may be left by an error, and where it ends decides what the next one does.
Text split_line(const std::string& text, Random& random) {
  if (has(text, "<<") || has(text, "\n")) return std::nullopt;
  const Places places(text);
  if (places.gaps.empty()) return std::nullopt;
  const auto gap = one_of(places.gaps, random);
  return replaced(text, gap.from, gap.to, "\n");
}

Text and_to_if(const std::string& text, Random& random) {
  if (has(text, "<<")) return std::nullopt;
  const Places places(text);
  std::vector<const shell::AndOr*> all;
  for (const shell::AndOr* chain : places.chains)
    if (chain->steps.size() == 2 && !chain->steps[1].is_or) all.push_back(chain);
  if (all.empty()) return std::nullopt;
  const shell::AndOr* chain = one_of(all, random);
  const Span first = chain->steps[0].command->span, second = chain->steps[1].command->span;
  return replaced(text, first.begin, second.end(),
                  "if " + std::string(places.slice(first)) + "; then " +
                      std::string(places.slice(second)) + "; fi");
}

constexpr std::string_view kPrinted =
    "what a program prints is not written in the text, and only what is written makes a deny fire";

constexpr Transformation kTransformations[] = {
    {"single quotes", respelled<single>},
    {"double quotes", respelled<twofold>},
    {"quotes inside", respelled<in_parts>},
    {"a backslash", respelled<escaped>},
    {"$'…'", respelled<ansi>},
    {"$'\\x…'", respelled<hexadecimal>},
    {"a line continued in a word", respelled<broken>},
    {"a word printed", respelled<printed>, kPrinted},
    {"a word in backquotes", respelled<in_backquotes>, kPrinted},
    {"a variable", by_variable},
    {"an array", by_array},
    {"a loop's variable", by_loop},
    {"behind a program", behind_program},
    {"by a function", by_function},
    {"a command in { }", command_in<small_group>},
    {"a command in ( )", command_below},
    {"a command || true", command_in<small_or>},
    {"! a command", command_in<small_not>},
    {"time a command", command_in<small_time>},
    {"eval a command", command_in<small_eval>},
    {"bash -c a command", command_in_shell},
    {"a command 2>&1", command_in<small_errors>},
    {"a command >/dev/null", command_in<small_quiet>},
    {"a command in $( )", command_kept},
    {"{ }", all_in<group>},
    {"( )", all_in<subshell>},
    {"|| true", all_in<or_true>},
    {"then true", all_in<then_true>},
    {"true;", all_in<true_first>},
    {"true &&", all_in<true_and>},
    {"a comment before", all_in<comment_first>},
    {"a comment behind", all_in<comment_last>},
    {"!", all_in<negated>},
    {"time", all_in<timed>},
    {"if", all_in<in_if>},
    {"else", all_in<in_else>},
    {"a condition", all_in<as_condition>},
    {"case", all_in<in_case>},
    {"for", without_ends<in_for>},
    {"while", without_ends<in_while>},
    {"a function", all_in_function},
    {"eval", all_in<evaluated>},
    {"bash -c", all_in<in_bash>},
    {"$( )", without_time<substituted>},
    {"echo $( )", without_time<said>},
    {"| cat", all_in<piped>},
    {">/dev/null", all_in<silenced>},
    {"&", all_in<behind>},
    {"trap", all_in<trapped>},
    {"a here-document", without_own_end<in_document>},
    {"bash <<", without_own_end<into_bash>},
    {"a line continued", continued},
    {"a line split", split_line},
    {"&& as if", and_to_if},
};

}  // namespace

std::span<const Transformation> transformations() { return kTransformations; }

}  // namespace tollgate::metamorphic
