#include "effects/shell/documents.h"

#include <algorithm>

namespace tollgate {
namespace {

using shell::Command;
using shell::CommandKind;

// `inside` is false for the commands of the script itself.
using Fits = bool (*)(const Command& command, bool inside);

bool any_command(const shell::Script* script, bool inside, Fits fits);

bool any_command(const Command* command, bool inside, Fits fits) {
  if (command == nullptr) return false;
  if (fits(*command, inside)) return true;
  const auto either = [&](const shell::Script* one, const shell::Script* other) {
    return any_command(one, true, fits) || any_command(other, true, fits);
  };
  switch (command->kind) {
    case CommandKind::kSimple:
    case CommandKind::kArithmetic:
    case CommandKind::kConditional:
      return false;
    case CommandKind::kPipeline:
      return std::ranges::any_of(
          static_cast<const shell::Pipeline*>(command)->stages,
          [&](const auto& stage) { return any_command(stage.command, inside, fits); });
    case CommandKind::kAndOr:
      return std::ranges::any_of(
          static_cast<const shell::AndOr*>(command)->steps,
          [&](const auto& step) { return any_command(step.command, inside, fits); });
    case CommandKind::kSubshell:
    case CommandKind::kGroup:
      return any_command(static_cast<const shell::Block*>(command)->body, true, fits);
    case CommandKind::kIf:
      return std::ranges::any_of(static_cast<const shell::If*>(command)->arms,
                                 [&](const auto& arm) { return either(arm.condition, arm.body); });
    case CommandKind::kWhile:
    case CommandKind::kUntil:
      return either(static_cast<const shell::Loop*>(command)->condition,
                    static_cast<const shell::Loop*>(command)->body);
    case CommandKind::kFor:
    case CommandKind::kSelect:
      return any_command(static_cast<const shell::For*>(command)->body, true, fits);
    case CommandKind::kArithmeticFor:
      return any_command(static_cast<const shell::ArithmeticFor*>(command)->body, true, fits);
    case CommandKind::kCase:
      return std::ranges::any_of(
          static_cast<const shell::Case*>(command)->arms,
          [&](const auto& arm) { return any_command(arm.body, true, fits); });
    case CommandKind::kFunction:
      return any_command(static_cast<const shell::Function*>(command)->body, true, fits);
    case CommandKind::kCoprocess:
      return any_command(static_cast<const shell::Coprocess*>(command)->body, true, fits);
  }
  return false;
}

bool any_command(const shell::Script* script, bool inside, Fits fits) {
  return script != nullptr &&
         std::ranges::any_of(script->statements, [&](const shell::Statement& statement) {
           return any_command(statement.command, inside, fits);
         });
}

bool has_document(const Command& command, bool inside) {
  const auto is_document = [](const shell::Redirection& one) { return one.here != nullptr; };
  return inside && std::ranges::any_of(command.redirections, is_document);
}

bool has_escape(const shell::Assignment& assignment) {
  return std::ranges::any_of(assignment.elements, [](const shell::Element& element) {
    return std::ranges::any_of(element.value.parts, [](const shell::Part& part) {
      return part.kind == shell::PartKind::kEscaped;
    });
  });
}

bool escapes_element(const Command& command, bool) {
  if (command.kind != CommandKind::kSimple) return false;
  const auto& simple = static_cast<const shell::SimpleCommand&>(command);
  return std::ranges::any_of(simple.assignments, has_escape) ||
         std::ranges::any_of(simple.declared, has_escape);
}

}  // namespace

bool hides_document(const shell::Script& script) {
  return any_command(&script, false, has_document);
}

bool misreads_elements(const shell::Script& script) {
  return any_command(&script, false, escapes_element);
}

}  // namespace tollgate
