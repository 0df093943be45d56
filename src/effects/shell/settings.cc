#include "effects/shell/settings.h"

#include <algorithm>
#include <iterator>

#include "shell/read.h"

namespace tollgate {
namespace {

using shell::CommandKind;
using shell::Part;
using shell::PartKind;

constexpr std::string_view kSets[] = {"export",   "declare", "typeset", "local",
                                      "readonly", "read",    "mapfile", "unset",
                                      "getopts",  "printf",  "wait",    "readarray"};
constexpr std::string_view kAnything[] = {"source", ".", "alias", "enable"};
constexpr std::string_view kKeeps[] = {"eval",  ":",        "set",   "trap", "exec",
                                       ".",     "source",   "shift", "exit", "return",
                                       "break", "continue", "times"};
constexpr std::string_view kMoves[] = {"cd", "pushd", "popd"};
constexpr std::string_view kPasses[] = {"command", "builtin"};

bool in(std::string_view word, auto& list) {
  return std::ranges::find(list, word) != std::end(list);
}

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word without its quotes; nothing where it is not known from its text.
std::optional<std::string> letters(const shell::Word& word) {
  std::string text;
  for (const Part& part : word.parts) {
    const bool plain = part.kind == PartKind::kLiteral || part.kind == PartKind::kEscaped ||
                       part.kind == PartKind::kSingle || part.kind == PartKind::kAnsi;
    const bool quoted = part.kind == PartKind::kDouble || part.kind == PartKind::kLocale;
    if (plain) {
      text += part.text;
    } else if (quoted) {
      shell::Word inside;
      inside.parts = part.parts;
      const auto more = letters(inside);
      if (!more) return std::nullopt;
      text += *more;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

}  // namespace

bool Settings::counts(std::string_view name) const {
  return std::ranges::find(texts_, name) == texts_.end();
}

void Settings::set_text(std::string_view name) {
  if (name.empty()) return;
  names.emplace_back(name);
  texts_.emplace_back(name);
}

void Settings::look(const shell::Script* script) {
  if (script == nullptr) return;
  for (const shell::Statement& statement : script->statements) look(statement.command);
}

void Settings::look(const shell::Command* command) {
  if (command == nullptr) return;
  for (const shell::Redirection& one : command->redirections) {
    if (!one.variable.empty()) names.emplace_back(one.variable);
    look(one.target);
    if (one.here != nullptr) look(one.here->body);
  }
  switch (command->kind) {
    case CommandKind::kSimple:
      return look_simple(static_cast<const shell::SimpleCommand&>(*command));
    case CommandKind::kPipeline: {
      const auto& line = static_cast<const shell::Pipeline&>(*command);
      for (const shell::PipelineStage& stage : line.stages) look(stage.command);
      return;
    }
    case CommandKind::kAndOr:
      for (const shell::AndOrStep& step : static_cast<const shell::AndOr&>(*command).steps)
        look(step.command);
      return;
    case CommandKind::kGroup:
      return look(static_cast<const shell::Block&>(*command).body);
    case CommandKind::kIf:
      for (const shell::IfArm& arm : static_cast<const shell::If&>(*command).arms) {
        look(arm.condition);
        look(arm.body);
      }
      return;
    case CommandKind::kWhile:
    case CommandKind::kUntil:
      look(static_cast<const shell::Loop&>(*command).condition);
      return look(static_cast<const shell::Loop&>(*command).body);
    case CommandKind::kFor:
    case CommandKind::kSelect: {
      const auto& loop = static_cast<const shell::For&>(*command);
      set_text(loop.name.literal());
      if (command->kind == CommandKind::kSelect) set_text("REPLY");
      for (const shell::Word& word : loop.words) look(word);
      return look(loop.body);
    }
    case CommandKind::kArithmeticFor:
      for (const shell::Arithmetic& part : static_cast<const shell::ArithmeticFor&>(*command).parts)
        look_arithmetic(part.text);
      return look(static_cast<const shell::ArithmeticFor&>(*command).body);
    case CommandKind::kCase:
      look(static_cast<const shell::Case&>(*command).subject);
      for (const shell::CaseArm& arm : static_cast<const shell::Case&>(*command).arms) {
        for (const shell::Word& pattern : arm.patterns) look(pattern);
        look(arm.body);
      }
      return;
    case CommandKind::kArithmetic:
      return look_arithmetic(
          static_cast<const shell::ArithmeticCommand&>(*command).expression.text);
    case CommandKind::kConditional:
      return look(static_cast<const shell::ConditionalCommand&>(*command).condition);
    case CommandKind::kCoprocess:
      set_text("COPROC");
      return set_text(static_cast<const shell::Coprocess&>(*command).name);
    case CommandKind::kFunction:
      anything = true;
      return;
    case CommandKind::kSubshell:
      return;  // what it sets ends with it
  }
}

void Settings::look_assignment(const shell::Assignment& one) {
  const bool number =
      !one.compound && !one.subscripted && !one.append && one.value.parts.size() == 1 &&
      (one.value.parts[0].kind == PartKind::kArithmetic ||
       (one.value.parts[0].kind == PartKind::kLiteral && is_plain_number(one.value.parts[0].text)));
  names.emplace_back(one.name);
  if (!number) texts_.emplace_back(one.name);
  look_arithmetic(one.subscript);
  look(one.value);
  // An integer evaluates what it is given.
  if (const auto text = letters(one.value); text && text->find_first_of("=+-[") != text->npos)
    look_expression(*text);
  for (const shell::Element& element : one.elements) {
    look_arithmetic(element.subscript);
    look(element.value);
  }
}

void Settings::look_simple(const shell::SimpleCommand& command) {
  for (const shell::Assignment& one : command.assignments) {
    look_assignment(one);
    const auto program = command.words.empty() ? std::nullopt : letters(command.words[0]);
    const bool keeps = program && state_.posix && in(*program, kKeeps);
    if (!program || in(*program, kSets) || keeps) continue;
    // Before a program they end with it.
    const auto at = std::ranges::find(names.rbegin(), names.rend(), one.name);
    if (at != names.rend()) names.erase(std::next(at).base());
    const auto text = std::ranges::find(texts_.rbegin(), texts_.rend(), one.name);
    if (text != texts_.rend()) texts_.erase(std::next(text).base());
  }
  for (const shell::Assignment& one : command.declared) look_assignment(one);
  for (const shell::Word& word : command.words) look(word);
  std::size_t at = 0;
  for (; at < command.words.size(); ++at) {
    const auto word = letters(command.words[at]);
    if (!word) {
      // It may be any builtin, unless it is known to be a program.
      const std::string program = at == 0 ? program_in(command.words[at]) : std::string();
      anything = anything || program.empty() || in(program, kSets) || in(program, kKeeps) ||
                 in(program, kAnything) || in(program, kMoves) || in(program, kPasses) ||
                 program == "let" || program == "shopt" || state_.function(program) != nullptr;
      return;
    }
    if (at > 0 && word->starts_with('-')) continue;
    if (!in(*word, kPasses)) break;
  }
  if (at < command.words.size()) look_builtin(command, at);
}

// `$c` with a value that is known; empty for anything else.
std::string Settings::program_in(const shell::Word& word) {
  const shell::List<Part>* parts = &word.parts;
  if (parts->size() == 1 && (*parts)[0].kind == PartKind::kDouble) parts = &(*parts)[0].parts;
  if (parts->size() != 1 || (*parts)[0].parameter == nullptr) return {};
  const shell::Parameter& parameter = *(*parts)[0].parameter;
  const Variable* found = state_.find(parameter.name);
  const bool plain = parameter.op == shell::ParameterOp::kNone && !parameter.indirect &&
                     !parameter.subscripted && found != nullptr && !found->array &&
                     found->value.size() == 1 && found->value[0].known() &&
                     found->value[0].text.find_first_of(" \t\n*?[") == std::string::npos;
  if (!plain || found->value[0].text.empty()) return {};
  programs.push_back(found->name);
  return found->value[0].text;
}

void Settings::look_builtin(const shell::SimpleCommand& command, std::size_t at) {
  const std::string program = letters(command.words[at]).value_or("");
  for (const ShellFunction& function : functions_) {
    if (function.name != program) continue;
    if (std::ranges::find(looked_, function.body) != looked_.end()) continue;
    looked_.push_back(function.body);
    look(function.body);
  }
  if (program == "eval") return look_text(command, at);
  if (program == "set" || program == "shopt") return look_options(command, at);
  if (program == "let")
    for (std::size_t i = at + 1; i < command.words.size(); ++i) {
      const auto text = letters(command.words[i]);
      anything = anything || !text;
      if (text) look_expression(*text);
    }
  parameters = parameters || program == "shift";
  const bool stays =
      program == "cd" && command.words.size() == at + 2 && command.words[at + 1].literal() == ".";
  moves = moves || (in(program, kMoves) && !stays);
  anything = anything || in(program, kAnything);
  // Subscripts in names are evaluated, and so is what an integer is declared with.
  if (in(program, kSets) || program == "test" || program == "[")
    for (std::size_t i = at + 1; i < command.words.size(); ++i)
      if (const auto text = letters(command.words[i]); text)
        if (const std::size_t begin = text->find_first_of("[="); begin != text->npos)
          look_expression(std::string_view(*text).substr(begin + 1));
  if (!in(program, kSets)) return;
  if (program == "read") set_text("REPLY");
  if (program == "mapfile" || program == "readarray") set_text("MAPFILE");
  if (program == "getopts") {
    set_text("OPTARG");
    set_text("OPTIND");
  }
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const auto word = letters(command.words[i]);
    const bool declared = std::ranges::find(command.declared_at, i) != command.declared_at.end();
    if (!word && !declared && program != "printf") anything = true;
    if (!word) continue;
    const std::string_view text = *word;
    set_text(text.substr(0, std::min(text.find_first_of("=+["), text.size())));
    // The name may stand right behind a letter.
    if (text.starts_with('-'))
      for (std::size_t from = 2; from < text.size() && from < 8; ++from)
        set_text(text.substr(from, std::min(text.find('[', from), text.size()) - from));
  }
}

// eval
void Settings::look_text(const shell::SimpleCommand& command, std::size_t at) {
  std::string text;
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const auto word = letters(command.words[i]);
    if (!word) {
      anything = true;
      return;
    }
    if (*word != "--") text += *word + " ";
  }
  // LIMIT: texts in texts.
  constexpr std::size_t kMost = 8;
  if (trees_.size() >= kMost) {
    anything = true;
    return;
  }
  trees_.push_back(shell::read(text));
  look(&trees_.back().script());
}

// set, shopt
void Settings::look_options(const shell::SimpleCommand& command, std::size_t at) {
  constexpr std::string_view kHarmless[] = {"pipefail",     "errexit",   "nounset",
                                            "xtrace",       "verbose",   "inherit_errexit",
                                            "checkwinsize", "huponexit", "noglob"};
  const bool sets = letters(command.words[at]) == "set";
  for (std::size_t i = at + 1; i < command.words.size(); ++i) {
    const auto word = letters(command.words[i]);
    if (!word) {
      anything = true;
    } else if (word->size() > 1 && (word->starts_with('-') || word->starts_with('+'))) {
      if (*word == "--" && sets) {
        // Behind it nothing is an option.
        parameters = true;
        return;
      }
      // Without patterns a word may be its own letters, and that it may be in any case.
      options = options || (sets && word->find_first_not_of("efuxvo-+") != word->npos);
    } else if (sets || !in(*word, kHarmless)) {
      // The name of an option, unless it is a parameter.
      const auto before = letters(command.words[i - 1]);
      const bool named = before && before->size() > 1 && before->ends_with('o') &&
                         (before->starts_with('-') || before->starts_with('+'));
      if (sets && named && in(*word, kHarmless)) continue;
      if (sets)
        parameters = true;
      else
        options = true;
    }
  }
}

void Settings::look(const shell::Word& word) {
  for (const Part& part : word.parts) look(part);
}

void Settings::look(const Part& part) {
  if (part.parameter != nullptr) {
    const shell::Parameter& parameter = *part.parameter;
    if (parameter.op == shell::ParameterOp::kAssign) set_text(parameter.name);
    look_arithmetic(parameter.subscript);
    if (parameter.op == shell::ParameterOp::kSubstring) {
      look_arithmetic(parameter.word);
      look_arithmetic(parameter.second);
    }
    look(parameter.word);
    look(parameter.second);
  }
  if (part.arithmetic != nullptr) look_arithmetic(part.arithmetic->text);
  for (const Part& inner : part.parts) look(inner);
}

void Settings::look(const shell::Condition* condition) {
  if (condition == nullptr) return;
  look(condition->first);
  look(condition->second);
  constexpr std::string_view kNumeric[] = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"};
  const bool numeric = in(condition->op, kNumeric);
  for (const shell::Word* word : {&condition->left, &condition->right}) {
    if (numeric)
      look_arithmetic(*word);
    else
      look(*word);
  }
}

namespace {

constexpr char kExpanded = '\1';  // stands for what an expansion leaves in arithmetic

// Whether what stands before `at` in arithmetic is given a value there, or may be.
bool is_assigned(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t before = text.find_last_not_of(" \t\n", begin == 0 ? text.npos : begin - 1);
  if (begin > 0 && before != text.npos && before > 0) {
    const std::string_view step = text.substr(before - 1, 2);
    if (step == "++" || step == "--") return true;
  }
  std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t\n", end), text.size()));
  if (rest.starts_with('[') || rest.starts_with("++") || rest.starts_with("--")) return true;
  for (const std::string_view op : {"<<", ">>", "+", "-", "*", "/", "%", "&", "^", "|"}) {
    if (!rest.starts_with(op)) continue;
    rest.remove_prefix(op.size());
    return rest.starts_with('=');
  }
  return rest.starts_with('=') && !rest.starts_with("==");
}

}  // namespace

// Names that it gives a value. What a variable holds may give some, too: see `evaluated`.
void Settings::look_arithmetic(const shell::Word& word) {
  std::string text;
  for (const Part& part : word.parts) {
    const bool quoted = part.kind == PartKind::kDouble && part.parts.size() == 1 &&
                        part.parts[0].kind == PartKind::kLiteral;
    if (part.kind == PartKind::kLiteral)
      text += part.text;
    else if (quoted)
      text += part.parts[0].text;
    else
      text += kExpanded;
    look(part);
  }
  look_expression(text);
}

void Settings::look_expression(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto belongs = [](char c) { return is_name_letter(c) || c == kExpanded; };
    std::size_t end = begin;
    while (end < text.size() && belongs(text[end])) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    const std::string name(text.substr(begin, end - begin));
    const bool assigned = is_assigned(text, begin, end);
    if (name.find(kExpanded) != name.npos)
      anything = anything || assigned;
    else if (assigned)
      names.push_back(name);
    else
      evaluated.push_back(name);
    begin = end;
  }
}

}  // namespace tollgate
