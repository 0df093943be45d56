// The table of constructs, and what makers share: chance, scopes, lists, quoting.
#include "bash/run_maker.h"

#include <algorithm>

#include "bash/run_making.h"

namespace tollgate::bash {
namespace {

using Row = RunMaker::Row;
using enum RunMaker::Sort;

}  // namespace

const Row* RunMaker::rows() {
  static constexpr Row kRows[] = {
      // ---- parts of words ----
      {"plain word", kPart, kS | kP, &RunMaker::plain},
      {"single quotes", kPart, kS | kP, &RunMaker::single_quotes},
      {"double quotes", kPart, kS | kP, &RunMaker::double_quotes},
      {"escape", kPart, kS | kP, &RunMaker::escaped},
      {"ansi quotes", kPart, kS, &RunMaker::ansi_quotes},
      {"locale quotes", kPart, kS, &RunMaker::locale_quotes},
      {"empty quotes", kPart, kS | kP, &RunMaker::empty_quotes},
      {"variable", kPart, kS | kP | kQ | kOften, &RunMaker::plain_variable},
      {"quoted variable", kPart, kS | kP | kOften, &RunMaker::quoted_variable},
      {"default", kPart, kS | kP | kQ, &RunMaker::default_value},
      {"default of an unset variable", kPart, kS | kP | kQ | kOften, &RunMaker::unset_default},
      {"assigned default", kPart, kS | kP | kQ, &RunMaker::assigned_default},
      {"error if unset", kPart, kS | kP | kQ, &RunMaker::error_if_unset},
      {"alternative", kPart, kS | kP | kQ, &RunMaker::alternative},
      {"prefix removal", kPart, kS | kP | kQ, &RunMaker::prefix},
      {"suffix removal", kPart, kS | kP | kQ, &RunMaker::suffix},
      {"replacement", kPart, kS | kQ, &RunMaker::replacement},
      {"replacement of a pattern", kPart, kQ, &RunMaker::pattern_replacement},
      {"substring", kPart, kS | kQ, &RunMaker::substring},
      {"letter case", kPart, kS | kQ, &RunMaker::letter_case},
      {"letter case by pattern", kPart, kS | kQ, &RunMaker::case_pattern},
      {"toggled case", kPart, kS | kQ, &RunMaker::toggle},
      {"transformation", kPart, kS | kQ, &RunMaker::transform},
      {"length", kPart, kS | kP | kQ, &RunMaker::length},
      {"indirection", kPart, kS | kQ, &RunMaker::indirect},
      {"element", kPart, kS | kQ, &RunMaker::element},
      {"all elements", kPart, kS | kQ, &RunMaker::elements},
      {"length of an array", kPart, kS | kQ, &RunMaker::array_length},
      {"slice", kPart, kS | kQ, &RunMaker::slice},
      {"keys", kPart, kQ, &RunMaker::keys},
      {"positional parameter", kPart, kS | kP | kQ, &RunMaker::positional},
      {"all parameters", kPart, kS | kP | kQ, &RunMaker::all_parameters},
      {"joined parameters", kPart, kS | kP | kQ, &RunMaker::joined_parameters},
      {"number of parameters", kPart, kS | kP | kQ, &RunMaker::parameter_count},
      {"command substitution", kPart, kS | kP | kQ, &RunMaker::substitution},
      {"substitution of anything", kPart, kQ, &RunMaker::free_substitution},
      {"backquotes", kPart, kS | kP, &RunMaker::backquotes},
      {"arithmetic", kPart, kS | kP | kQ, &RunMaker::arithmetic},
      {"old arithmetic", kPart, kS | kQ, &RunMaker::old_arithmetic},
      {"brace list", kPart, kS, &RunMaker::brace_list},
      {"brace range", kPart, kS, &RunMaker::brace_range},
      {"tilde", kPart, kS | kP, &RunMaker::tilde},
      {"process substitution", kPart, kS, &RunMaker::process},
      {"glob", kPart, 0, &RunMaker::glob},
      {"extended glob", kPart, 0, &RunMaker::extended_glob},
      {"environment", kPart, kQ, &RunMaker::environment},
      {"output of a program", kPart, kQ, &RunMaker::output},
      {"special parameter", kPart, kQ, &RunMaker::special},
      {"working directory", kPart, kS | kP | kQ, &RunMaker::directory_variable},

      // ---- simple commands and assignments ----
      {"program", kCommand, kS | kP | kOften, &RunMaker::program},
      {"program in a variable", kCommand, kS | kP | kOften, &RunMaker::variable_program},
      {"assignment", kCommand, kS | kP | kOften, &RunMaker::assignment},
      {"number", kCommand, kS | kP, &RunMaker::number_assignment},
      {"assignment for a program", kCommand, kS | kP, &RunMaker::assignment_for_program},
      {"append", kCommand, kS, &RunMaker::append},
      {"array", kCommand, kS, &RunMaker::array},
      {"array append", kCommand, kS, &RunMaker::array_append},
      {"element assignment", kCommand, kS, &RunMaker::element_assignment},
      {"associative array", kCommand, 0, &RunMaker::associative_array},
      {"export", kCommand, kS | kP, &RunMaker::export_variable},
      {"declare", kCommand, kS, &RunMaker::declare},
      {"local", kCommand, kS | kP | kOften, &RunMaker::local},
      {"readonly", kCommand, kS | kP | kM, &RunMaker::readonly},
      {"change of a readonly", kCommand, 0, &RunMaker::change_readonly},
      {"unset", kCommand, kS | kP, &RunMaker::unset},
      {"attribute", kCommand, 0, &RunMaker::attribute},
      {"name reference", kCommand, 0, &RunMaker::name_reference},
      {"readonly and local", kCommand, 0, &RunMaker::readonly_and_local},
      {"given and unset", kCommand, 0, &RunMaker::given_and_unset},
      {"inherited local", kCommand, 0, &RunMaker::inherited_local},
      {"declaration that fails", kCommand, 0, &RunMaker::failing_declaration},
      {"list in a text", kCommand, 0, &RunMaker::list_in_text},

      // ---- functions ----
      {"function", kCommand, kS | kP | kD, &RunMaker::function},
      {"function word", kCommand, kS | kD, &RunMaker::function_word},
      {"function in a subshell", kCommand, kS | kP | kD, &RunMaker::function_in_subshell},
      {"function call", kCommand, kS | kP | kOften, &RunMaker::function_call},
      {"assignment for a function", kCommand, kS, &RunMaker::assignment_for_function},
      {"shadowing function", kCommand, kS | kP, &RunMaker::shadowing_function},
      {"recursion", kCommand, 0, &RunMaker::recursion},
      {"exported function", kCommand, 0, &RunMaker::exported_function},
      {"unset function", kCommand, 0, &RunMaker::unset_function},

      // ---- lists and compound commands ----
      {"pipeline", kCommand, kS | kP | kD | kL, &RunMaker::pipeline},
      {"pipe with errors", kCommand, kS | kD | kL, &RunMaker::pipe_with_errors},
      {"negation", kCommand, kS | kP | kL, &RunMaker::negation},
      {"time", kCommand, kS | kL, &RunMaker::time},
      {"and or", kCommand, kS | kP | kD | kL, &RunMaker::and_or},
      {"background", kCommand, kS | kP | kL, &RunMaker::background},
      {"subshell", kCommand, kS | kP | kD, &RunMaker::subshell},
      {"group", kCommand, kS | kP | kD, &RunMaker::group},
      {"if", kCommand, kS | kP | kD, &RunMaker::if_command},
      {"while", kCommand, kS | kP | kD, &RunMaker::while_command},
      {"until", kCommand, kS | kP | kD, &RunMaker::until_command},
      {"counting loop", kCommand, kD, &RunMaker::counting_loop},
      {"reading loop", kCommand, kD, &RunMaker::reading_loop},
      {"for", kCommand, kS | kP | kD, &RunMaker::for_command},
      {"for without words", kCommand, kS | kP | kD, &RunMaker::for_parameters},
      {"arithmetic for", kCommand, kS | kD, &RunMaker::arithmetic_for},
      {"select", kCommand, kD, &RunMaker::select},
      {"case", kCommand, kS | kP | kD, &RunMaker::case_command},
      {"case that falls through", kCommand, kS | kD, &RunMaker::case_falling},
      {"arithmetic command", kCommand, kS, &RunMaker::arithmetic_command},
      {"conditional", kCommand, kS, &RunMaker::conditional},
      {"regex", kCommand, kS, &RunMaker::regex},
      {"coprocess", kCommand, kS | kD, &RunMaker::coprocess},
      {"abandoned line", kCommand, 0, &RunMaker::abandoned_line},
      {"odd delimiter", kCommand, 0, &RunMaker::odd_delimiter},
      {"text evaluated later", kCommand, kM, &RunMaker::evaluated_later},

      // ---- builtins ----
      {"cd", kCommand, kS | kP, &RunMaker::change_directory},
      {"pushd, popd", kCommand, kS, &RunMaker::push_directory},
      {"shift", kCommand, kS | kP, &RunMaker::shift},
      {"set --", kCommand, kS | kP | kOften, &RunMaker::set_parameters},
      {"set -f", kCommand, kS | kP | kM, &RunMaker::set_no_glob},
      {"set -e", kCommand, kS | kP, &RunMaker::set_errors},
      {"set -o pipefail", kCommand, kS, &RunMaker::set_pipefail},
      {"set +B", kCommand, 0, &RunMaker::set_no_braces},
      {"shopt for globs", kCommand, 0, &RunMaker::shopt_globs},
      {"shopt", kCommand, kS, &RunMaker::shopt_others},
      {"shopt lastpipe", kCommand, 0, &RunMaker::shopt_lastpipe},
      {"eval of text", kCommand, kS | kP | kD, &RunMaker::eval_text},
      {"eval of words", kCommand, kS | kP, &RunMaker::eval_words},
      {"assignment for eval", kCommand, kS | kP, &RunMaker::assignment_for_eval},
      {"trap EXIT", kCommand, kS | kP, &RunMaker::trap_exit},
      {"trap", kCommand, 0, &RunMaker::trap_other},
      {"exec", kCommand, kS | kP, &RunMaker::exec_program},
      {"exec of a redirection", kCommand, kS | kP, &RunMaker::exec_redirection},
      {"command", kCommand, kS | kP, &RunMaker::command_builtin},
      {"command eval", kCommand, kS | kP, &RunMaker::command_eval},
      {"builtin", kCommand, kS, &RunMaker::builtin},
      {"source", kCommand, 0, &RunMaker::source},
      {"alias", kCommand, 0, &RunMaker::alias},
      {"read", kCommand, 0, &RunMaker::read},
      {"mapfile", kCommand, 0, &RunMaker::mapfile},
      {"getopts", kCommand, 0, &RunMaker::getopts},
      {"let", kCommand, kS, &RunMaker::let},
      {"printf -v", kCommand, kS, &RunMaker::print_into},
      {"test", kCommand, kS | kP, &RunMaker::test},
      {"[", kCommand, kS | kP, &RunMaker::bracket},
      {"true, false", kCommand, kS | kP, &RunMaker::true_false},
      {"break, continue", kCommand, kS | kP, &RunMaker::leave_loop},
      {"return", kCommand, kS | kP, &RunMaker::return_early},
      {"exit", kCommand, kS | kP, &RunMaker::exit_early},
      {"wait", kCommand, kS | kP, &RunMaker::wait},
      {"hash", kCommand, 0, &RunMaker::hash},
      {"enable", kCommand, 0, &RunMaker::enable},
      {"type", kCommand, kS, &RunMaker::type},
      {"echo", kCommand, kS | kP, &RunMaker::echo},
      {"printf", kCommand, kS | kP, &RunMaker::printf},
      {"IFS", kCommand, 0, &RunMaker::separators},

      // ---- wrappers ----
      {"env", kCommand, kS | kP, &RunMaker::env},
      {"env with assignments", kCommand, kS | kP, &RunMaker::env_assignment},
      {"env -S", kCommand, kS | kP, &RunMaker::env_split},
      {"timeout", kCommand, kS | kP, &RunMaker::timeout},
      {"nice", kCommand, kS | kP, &RunMaker::nice},
      {"nohup", kCommand, kS | kP, &RunMaker::nohup},
      {"setsid", kCommand, kS | kP, &RunMaker::setsid},
      {"stdbuf", kCommand, kS | kP, &RunMaker::stdbuf},
      {"xargs", kCommand, 0, &RunMaker::xargs},
      {"find -exec", kCommand, 0, &RunMaker::find_exec},
      {"sh -c", kCommand, kS | kP | kD, &RunMaker::sh_c},
      {"bash -c", kCommand, kS | kP | kD, &RunMaker::bash_c},
      {"bash -c with parameters", kCommand, kS | kP, &RunMaker::shell_with_parameters},
      {"bash with input", kCommand, 0, &RunMaker::shell_input},

      // ---- redirections ----
      {"input", kRedirection, kS | kP, &RunMaker::input},
      {"output", kRedirection, kS | kP, &RunMaker::output_file},
      {"append output", kRedirection, kS | kP, &RunMaker::append_output},
      {"clobber", kRedirection, kS | kP, &RunMaker::clobber},
      {"both", kRedirection, kS, &RunMaker::both},
      {"duplicate", kRedirection, kS | kP, &RunMaker::duplicate},
      {"close", kRedirection, kS | kP, &RunMaker::close},
      {"read and write", kRedirection, kS | kP, &RunMaker::read_write},
      {"here-string", kRedirection, kS, &RunMaker::here_string},
      {"here-document", kRedirection, kS | kP, &RunMaker::here_document},
      {"quoted here-document", kRedirection, kS | kP, &RunMaker::quoted_here_document},
      {"here-document with tabs", kRedirection, kS | kP, &RunMaker::tabbed_here_document},
      {"descriptor variable", kRedirection, kS, &RunMaker::descriptor_variable},
      {{}, kPart, 0, nullptr},
  };
  static_assert(std::size(kRows) <= kMaxConstructs);
  return kRows;
}

namespace {

std::size_t count_rows() {
  std::size_t count = 0;
  while (!RunMaker::rows()[count].name.empty()) ++count;
  return count;
}

}  // namespace

std::size_t construct_count() {
  static const std::size_t count = count_rows();
  return count;
}
std::string_view construct_name(std::size_t construct) { return RunMaker::rows()[construct].name; }
bool is_static_construct(std::size_t construct) {
  return (RunMaker::rows()[construct].where & kS) != 0;
}

// ---- the core ----

Made RunMaker::make() {
  static_ = !one_in(3);
  mild_ = !one_in(3);
  depth_ = 2 + static_cast<int>(below(2));
  std::string text;
  // Something to work with.
  for (std::uint32_t n = below(4); n > 0; --n) {
    std::string first;
    switch (below(10)) {
      case 6:
        first = named("function");
        break;
      case 7:
        first = named("unset");
        break;
      case 8:
        first = and_then(named("array"), "element assignment");
        break;
      case 9:
        first = unset_and_used();
        break;
      case 0:
        first = number_assignment();
        break;
      case 1:
        first = and_then(array(), "array append");
        break;
      case 2:
        first = set_parameters();
        break;
      case 3:
        first = "c=" + std::string(mild_ ? "p1" : "p4"), assigned("c", Kind::kProgram);
        break;
      default:
        first = assignment();
    }
    if (!first.empty()) text += first + end();
  }
  text += list(4);
  for (std::size_t n = scope_.functions.size(); n > 0; --n) {
    begin_word();
    const std::string call = named(one_in(3) ? "assignment for a function" : "function call");
    if (!call.empty()) text += call + end();
  }
  if (!one_in(3)) text += last_look() + "\n";
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ') && one_in(2)) text.pop_back();
  return {std::move(text), static_, used_};
}

// Now and then what is seldom possible, where it is.
std::string RunMaker::and_then(const std::string& first, std::string_view name) {
  const std::string next = !first.empty() && one_in(2) ? named(name) : "";
  return next.empty() ? first : first + "; " + next;
}

// Chance alone seldom finds a variable that is not set.
std::string RunMaker::unset_and_used() {
  const std::string set = assignment();
  if (set.empty()) return "";
  const std::string gone = named("unset");
  const std::string used = named("default of an unset variable");
  return set + "; " + (gone.empty() || used.empty() ? "p1" : gone + "; p1 a " + used);
}

// Everything that the script should have left behind.
std::string RunMaker::last_look() {
  std::string text = "p1";
  begin_word();
  for (const Variable& one : scope_.variables) {
    if (!one.single && static_ && ++several_ > 2) continue;
    text += one.kind == Kind::kArray ? " \"${" + one.name + "[@]}\"" : " \"$" + one.name + "\"";
  }
  for (const std::string& name : scope_.unset) text += " ${" + name + "-gone}";
  if (scope_.positional) text += " \"$@\"";
  if (static_) return text;
  constexpr std::string_view kMore[] = {" $x $y", " $n $m", " $z $c", " ${A[@]}", " $@", ""};
  return text + pick(kMore);
}

// One construct of the sort that fits here; the plainest where chance finds none.
std::string RunMaker::construct(Sort sort, unsigned without) {
  for (int tries = 0; tries < 12; ++tries) {
    const std::size_t at = below(static_cast<std::uint32_t>(construct_count()));
    const Row& row = rows()[at];
    if (row.sort != sort || (row.where & without) != 0) {
      --tries;
      continue;
    }
    if (static_ && (row.where & kS) == 0) continue;
    if (posix_ && (row.where & kP) == 0 && (static_ || !one_in(6))) continue;
    if (in_quotes_ && (row.where & kQ) == 0) continue;
    if ((row.where & kD) != 0 && depth_ <= 0) continue;
    if (sort == Sort::kPart && (row.where & kOften) == 0 && one_in(2)) continue;
    std::string text = made_by(at);
    if (!text.empty() && (without & kL) != 0 && (row.where & kM) != 0) return "{ " + text + "; }";
    if (!text.empty()) return text;
  }
  if (sort == Sort::kPart) return plain();
  if (sort == Sort::kRedirection) return "2>&1";
  return program_words();
}

std::string RunMaker::made_by(std::size_t row) {
  const Constructs before = used_;
  const Scope scope = scope_;
  const std::string waiting = pending_;
  --depth_;
  std::string text = (this->*rows()[row].make)();
  ++depth_;
  if (!text.empty()) {
    used_.set(row);
    return text;
  }
  used_ = before;
  scope_ = scope;
  pending_ = waiting;
  return text;
}

std::string RunMaker::named(std::string_view name) {
  for (std::size_t i = 0; i < construct_count(); ++i)
    if (rows()[i].name == name) return made_by(i);
  return "";
}

std::string RunMaker::unit() { return construct(Sort::kCommand, kL); }

std::string RunMaker::end() {
  if (!pending_.empty()) {
    std::string bodies;
    bodies.swap(pending_);
    return "\n" + bodies;
  }
  switch (below(6)) {
    case 0:
      return "\n";
    case 1:
      return " # it's `a comment $(\n";
    case 2:
      return "\n\n";
    default:
      return "; ";
  }
}

std::string RunMaker::blank() { return one_in(24) ? " \\\n" : one_in(12) ? "  " : " "; }

std::string RunMaker::list(std::uint32_t most) {
  std::string out;
  for (std::uint32_t n = 1 + below(most); n > 0; --n) {
    begin_word();
    const std::size_t touched = touched_.size();
    const std::size_t functions = scope_.functions.size();
    const std::string text = command();
    out += text;
    // Where a redirection fails nothing is set, by a function neither.
    const bool defines = scope_.functions.size() > functions && scope_.functions.back().assigns;
    const bool compound = text.find_first_of("({") != text.npos || text.starts_with("coproc");
    const Restored hidden(hidden_, hidden_ || (in_process_ && compound));
    if (!static_ || (touched_.size() == touched && !defines)) out += redirections();
    out += end();
  }
  return out;
}

std::string RunMaker::redirections() {
  std::string out;
  while (one_in(7)) out += blank() + construct(Sort::kRedirection);
  return out;
}

std::string RunMaker::body(std::string_view close) {
  std::string out = one_in(4) ? "\n" : " ";
  const Restored hidden(hidden_, hidden_ || in_process_);
  out += list(2);
  return out + std::string(close);
}

std::string RunMaker::inner_script(std::uint32_t most) {
  std::string waiting;
  waiting.swap(pending_);
  std::string out = list(most);
  pending_.swap(waiting);
  return out;
}

// A text as one word, in one of the ways to quote it.
std::string RunMaker::quoted(const std::string& text) {
  std::string out;
  switch (below(3)) {
    case 0:
      if (!posix_) {
        for (const char c : text)
          out += c == '\n' ? "\\n" : std::string(c == '\'' || c == '\\' ? 1 : 0, '\\') + c;
        return "$'" + out + "'";
      }
      [[fallthrough]];
    case 1:
      for (const char c : text)
        out += std::string(c == '"' || c == '\\' || c == '$' || c == '`' ? 1 : 0, '\\') + c;
      return "\"" + out + "\"";
    default:
      for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
      return "'" + out + "'";
  }
}

// ---- what is known where ----

const RunMaker::Variable* RunMaker::variable(Kind kind, bool single, bool odd) {
  std::vector<const Variable*> fitting;
  for (const Variable& one : scope_.variables)
    if (one.kind == kind && (one.single || (!single && several_ < 2) || !static_) &&
        (!one.odd || (odd && !tame_) || !static_))
      fitting.push_back(&one);
  if (fitting.empty()) return nullptr;
  const Variable* chosen = fitting[below(static_cast<std::uint32_t>(fitting.size()))];
  if (!chosen->single) ++several_;
  odd_ = odd_ || chosen->odd;
  return chosen;
}

std::string RunMaker::name_of(Kind kind, bool single, bool odd) {
  constexpr std::string_view kNames[] = {"x", "y", "z", "n", "c", "A"};
  if (!static_ && one_in(6)) return pick(kNames);
  const Variable* found = variable(kind, single, odd);
  return found == nullptr ? "" : found->name;
}

void RunMaker::assigned(const std::string& name, Kind kind) {
  touched_.push_back(name);
  assigns_ = true;
  std::erase(scope_.unset, name);
  const bool single = !branch_ && several_ == 0;
  for (Variable& one : scope_.variables) {
    if (one.name != name) continue;
    one.kind = kind;
    one.single = single;
    one.odd = odd_;
    return;
  }
  scope_.variables.push_back({name, kind, single, odd_});
}

Made script_of(std::uint64_t seed) {
  constexpr std::uint64_t kContinuedEach = 16;
  Made made = RunMaker(seed).make();
  if (seed % kContinuedEach != 0) return made;
  std::mt19937_64 random(seed);
  for (std::uint64_t n = 1 + random() % 3; n > 0 && !made.text.empty(); --n)
    made.text.insert(random() % made.text.size(), "\\\n");
  made.is_static = false;
  return made;
}

}  // namespace tollgate::bash
