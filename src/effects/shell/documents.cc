#include "effects/shell/documents.h"

#include <algorithm>

namespace tollgate {
namespace {

using shell::Command;
using shell::CommandKind;

bool has_document(const shell::Script* script, bool inside);

bool has_document(const Command* command, bool inside) {
  if (command == nullptr) return false;
  const auto is_document = [](const shell::Redirection& one) { return one.here != nullptr; };
  if (inside && std::ranges::any_of(command->redirections, is_document)) return true;
  const auto either = [](const shell::Script* one, const shell::Script* other) {
    return has_document(one, true) || has_document(other, true);
  };
  switch (command->kind) {
    case CommandKind::kSimple:
    case CommandKind::kArithmetic:
    case CommandKind::kConditional:
      return false;
    case CommandKind::kPipeline:
      return std::ranges::any_of(
          static_cast<const shell::Pipeline*>(command)->stages,
          [&](const auto& stage) { return has_document(stage.command, inside); });
    case CommandKind::kAndOr:
      return std::ranges::any_of(
          static_cast<const shell::AndOr*>(command)->steps,
          [&](const auto& step) { return has_document(step.command, inside); });
    case CommandKind::kSubshell:
    case CommandKind::kGroup:
      return has_document(static_cast<const shell::Block*>(command)->body, true);
    case CommandKind::kIf:
      return std::ranges::any_of(static_cast<const shell::If*>(command)->arms,
                                 [&](const auto& arm) { return either(arm.condition, arm.body); });
    case CommandKind::kWhile:
    case CommandKind::kUntil:
      return either(static_cast<const shell::Loop*>(command)->condition,
                    static_cast<const shell::Loop*>(command)->body);
    case CommandKind::kFor:
    case CommandKind::kSelect:
      return has_document(static_cast<const shell::For*>(command)->body, true);
    case CommandKind::kArithmeticFor:
      return has_document(static_cast<const shell::ArithmeticFor*>(command)->body, true);
    case CommandKind::kCase:
      return std::ranges::any_of(static_cast<const shell::Case*>(command)->arms,
                                 [](const auto& arm) { return has_document(arm.body, true); });
    case CommandKind::kFunction:
      return has_document(static_cast<const shell::Function*>(command)->body, true);
    case CommandKind::kCoprocess:
      return has_document(static_cast<const shell::Coprocess*>(command)->body, true);
  }
  return false;
}

bool has_document(const shell::Script* script, bool inside) {
  return script != nullptr &&
         std::ranges::any_of(script->statements, [&](const shell::Statement& statement) {
           return has_document(statement.command, inside);
         });
}

}  // namespace

bool hides_document(const shell::Script& script) { return has_document(&script, false); }

}  // namespace tollgate
