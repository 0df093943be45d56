// One line a node: what it is, and the text it was read from. Substitutions stand below the
// command whose words hold them.
#include "cli/shell_tree.h"

#include "base/span.h"
#include "explain/layout.h"
#include "shell/print.h"
#include "shell/read.h"

namespace tollgate::cli {
namespace {

using shell::Command;
using shell::CommandKind;

std::string_view name_of(CommandKind kind) {
  constexpr std::string_view kNames[] = {
      "command", "pipeline", "list",   "subshell", "group",      "if",        "while",    "until",
      "for",     "for ((",   "select", "case",     "arithmetic", "condition", "function", "coproc"};
  return kNames[static_cast<std::size_t>(kind)];
}

class TreeLines {
 public:
  explicit TreeLines(std::string_view text) : text_(text) {}

  void script(const shell::Script& script, int depth) {
    for (const shell::Statement& statement : script.statements) {
      if (statement.background) line(depth, "background", {});
      command(statement.command, depth + (statement.background ? 1 : 0));
    }
  }

  std::string take() { return std::move(out_); }

  void line(int depth, std::string_view what, Span span) {
    out_.append(static_cast<std::size_t>(depth) * 2, ' ');
    out_ += what;
    // LIMIT: a long piece of text is shown by its beginning.
    constexpr std::size_t kShown = 100;
    if (!span.empty()) out_ += "  " + visible_start(std::string(slice(text_, span)), kShown);
    out_ += '\n';
  }

 private:
  // Of a text that was refused a part may be missing.
  void command(const Command* given, int depth) {
    if (given == nullptr) return;
    const Command& node = *given;
    line(depth, name_of(node.kind), node.span);
    const int in = depth + 1;
    for (const shell::Redirection& one : node.redirections) {
      line(in, "redirection", one.span);
      word(one.target, in + 1);
      if (one.here != nullptr) word(one.here->body, in + 1);
    }
    switch (node.kind) {
      case CommandKind::kSimple: {
        const auto& simple = static_cast<const shell::SimpleCommand&>(node);
        for (const shell::Assignment& one : simple.assignments) {
          line(in, "assignment", one.span);
          word(one.value, in + 1);
        }
        for (const shell::Word& one : simple.words) {
          line(in, "word", one.span);
          word(one, in + 1);
        }
        break;
      }
      case CommandKind::kPipeline:
        for (const auto& stage : static_cast<const shell::Pipeline&>(node).stages)
          command(stage.command, in);
        break;
      case CommandKind::kAndOr:
        for (const auto& step : static_cast<const shell::AndOr&>(node).steps)
          command(step.command, in);
        break;
      case CommandKind::kSubshell:
      case CommandKind::kGroup:
        below(static_cast<const shell::Block&>(node).body, in);
        break;
      case CommandKind::kIf:
        for (const auto& arm : static_cast<const shell::If&>(node).arms) {
          below(arm.condition, in);
          below(arm.body, in + 1);
        }
        break;
      case CommandKind::kWhile:
      case CommandKind::kUntil:
        below(static_cast<const shell::Loop&>(node).condition, in);
        below(static_cast<const shell::Loop&>(node).body, in + 1);
        break;
      case CommandKind::kFor:
      case CommandKind::kSelect:
        for (const auto& one : static_cast<const shell::For&>(node).words) {
          line(in, "word", one.span);
          word(one, in + 1);
        }
        below(static_cast<const shell::For&>(node).body, in + 1);
        break;
      case CommandKind::kArithmeticFor:
        below(static_cast<const shell::ArithmeticFor&>(node).body, in);
        break;
      case CommandKind::kCase:
        for (const auto& arm : static_cast<const shell::Case&>(node).arms) below(arm.body, in);
        break;
      case CommandKind::kFunction:
        command(static_cast<const shell::Function&>(node).body, in);
        break;
      case CommandKind::kCoprocess:
        command(static_cast<const shell::Coprocess&>(node).body, in);
        break;
      case CommandKind::kArithmetic:
      case CommandKind::kConditional:
        break;
    }
  }

  void below(const shell::Script* body, int depth) {
    if (body != nullptr) script(*body, depth);
  }

  // Only what is more than letters.
  void word(const shell::Word& node, int depth) { parts(node.parts, depth); }
  void parts(const shell::List<shell::Part>& list, int depth) {
    for (const shell::Part& part : list) {
      parts(part.parts, depth);
      if (part.parameter != nullptr) {
        line(depth, "parameter", part.span);
        word(part.parameter->word, depth + 1);
        word(part.parameter->second, depth + 1);
      }
      if (part.arithmetic != nullptr) line(depth, "arithmetic", part.span);
      if (part.script != nullptr) {
        line(depth, "substitution", part.span);
        // The text of backquotes is read by itself, so its places are not places here.
        if (part.kind == shell::PartKind::kBackquote)
          line(depth + 1, shell::dump(*part.script), {});
        else
          script(*part.script, depth + 1);
      }
    }
  }

  std::string_view text_;
  std::string out_;
};

}  // namespace

std::string shell_tree(std::string_view text) {
  const shell::Tree tree = shell::read(text);
  TreeLines lines(tree.text());
  lines.script(tree.script(), 0);
  if (tree.refused()) lines.line(0, "refused: " + tree.refusal().message, tree.refusal().span);
  return lines.take();
}

}  // namespace tollgate::cli
