// From a command's operands to effects on paths, by the meaning its row gives them.
// A command that may run in one of several directories touches its operands in each of them.
// SAFETY: an operand that cannot be placed is an Unknown of that command.
#include <optional>
#include <utility>

#include "effects/commands/program.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

enum class Depth { kItself, kTree };

class Writer {
 public:
  Writer(const Surroundings& around, Effects& out) : around_(around), out_(out) {}

  void add(EffectKind kind, const ProgramOperand& operand, Depth depth) {
    for (const std::string& directory : around_.directories) {
      const Tilde tilde = operand.tilde ? Tilde::kHome : Tilde::kLiteral;
      auto located = locate(operand.text, {directory, around_.home, tilde});
      if (!located) {
        push(unknown(std::move(located).error(), operand.span));
        continue;
      }
      Effect effect = path_effect(kind, std::move(*located), operand.span);
      effect.recursive = depth == Depth::kTree;
      push(std::move(effect));
    }
  }

 private:
  void push(Effect effect) {
    effect.by = EffectBy::kOperand;
    effect.owner = around_.owner;
    out_.push_back(std::move(effect));
  }

  const Surroundings& around_;
  Effects& out_;
};

// `source` as it is called inside the directory `target`; nothing for `.`, `..` and `/`.
std::optional<ProgramOperand> inside(const ProgramOperand& target, std::string_view source) {
  while (source.ends_with('/')) source.remove_suffix(1);
  const std::string_view name = base_name(source);
  if (target.text.empty() || name.empty() || name == "." || name == "..") return std::nullopt;
  const std::string_view slash = target.text.ends_with('/') ? "" : "/";
  return ProgramOperand{target.text + std::string(slash) + std::string(name), target.span,
                        target.tilde};
}

// True where the operand can only be a directory that is there already.
bool is_directory(const ProgramOperand& target) {
  const std::string_view name = base_name(target.text);
  return target.text.ends_with('/') || name == "." || name == ".." ||
         (target.tilde && target.text == "~");
}

// Where copies or moves end up: at the target, inside it, or either when that cannot be known.
void add_target(EffectKind kind, const ProgramArguments& arguments,
                std::span<const ProgramOperand> sources, const ProgramOperand& target, Depth depth,
                Writer& writer) {
  const bool directory = arguments.into || sources.size() > 1 || is_directory(target);
  bool all_inside = directory;
  for (const ProgramOperand& source : sources) {
    if (arguments.exact) break;
    if (const auto place = inside(target, source.text))
      writer.add(kind, *place, depth);
    else
      all_inside = false;
  }
  if (arguments.exact || !all_inside) writer.add(kind, target, depth);
}

bool add_transfer(const ProgramArguments& arguments, EffectKind source_kind, EffectKind target_kind,
                  Writer& writer) {
  std::span<const ProgramOperand> sources = arguments.operands;
  ProgramOperand target = arguments.target;
  if (!arguments.into) {
    if (sources.size() < 2) return false;
    target = sources.back();
    sources = sources.first(sources.size() - 1);
  }
  const bool moves = source_kind == EffectKind::kRename;
  // A whole directory may be moved, and then it is a tree that arrives.
  const Depth depth = arguments.recursive || moves ? Depth::kTree : Depth::kItself;
  for (const ProgramOperand& source : sources) {
    writer.add(EffectKind::kRead, source, depth);
    if (moves) writer.add(EffectKind::kRename, source, depth);
    // Through a link its target is changed under another name.
    if (arguments.links) writer.add(EffectKind::kWrite, source, depth);
  }
  add_target(arguments.links ? EffectKind::kLink : target_kind, arguments, sources, target, depth,
             writer);
  return true;
}

// False where `%n` would set a variable of the shell.
bool is_harmless_format(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    i = format.find_first_not_of("#0+- '123456789*.hlLjzt", i + 1);
    if (i == std::string_view::npos) return true;
    if (format[i] == 'n') return false;
  }
  return true;
}

}  // namespace

bool add_operand_effects(const ProgramRow& row, const ProgramArguments& arguments,
                         const Surroundings& around, Effects& out) {
  Writer writer(around, out);
  const Depth depth = arguments.recursive ? Depth::kTree : Depth::kItself;
  for (const ProgramOperand& read : arguments.reads)
    writer.add(EffectKind::kRead, read, Depth::kItself);
  auto each = [&](EffectKind kind, std::size_t from = 0) {
    for (std::size_t i = from; i < arguments.operands.size(); ++i)
      writer.add(kind, arguments.operands[i], depth);
  };
  switch (row.operands) {
    case Operands::kNone:
      return arguments.operands.empty();
    case Operands::kText:
      return true;
    case Operands::kFormat:
      return arguments.operands.empty() || is_harmless_format(arguments.operands[0].text);
    case Operands::kClock:
      for (const ProgramOperand& operand : arguments.operands)
        if (!operand.text.starts_with('+')) return false;
      return true;
    case Operands::kRead:
      for (const ProgramOperand& operand : arguments.operands)
        if (operand.text != "-") writer.add(EffectKind::kRead, operand, depth);
      return true;
    case Operands::kList:
      if (arguments.operands.empty()) writer.add(EffectKind::kRead, {".", {}, false}, depth);
      each(EffectKind::kRead);
      return true;
    case Operands::kCreate:
      each(EffectKind::kCreate);
      return true;
    case Operands::kDelete:
      each(EffectKind::kDelete);
      return true;
    case Operands::kCopy:
      return add_transfer(arguments, EffectKind::kRead, EffectKind::kWrite, writer);
    case Operands::kMove:
      return add_transfer(arguments, EffectKind::kRename, EffectKind::kRename, writer);
    case Operands::kMode: {
      const bool copies_mode = !arguments.reads.empty();
      each(EffectKind::kMode, copies_mode ? 0 : 1);
      return copies_mode || arguments.operands.size() > 1;
    }
    case Operands::kOwn: {
      const std::string verb = arguments.operands.empty() ? "" : arguments.operands[0].text;
      if (verb == "check") each(EffectKind::kRead, 1);
      return verb == "eval" || verb == "explain" || verb == "check";
    }
  }
  return false;
}

}  // namespace tollgate
