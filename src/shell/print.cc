// The tree as shell text. What bash reads again, or not at all, is written as it was.
// Bodies of here-documents follow the line that announces them, inside $( ) too.
// INVARIANT: read(print(tree)) dumps as the tree does; the generator and the fuzzer hold it to
// that.
#include "shell/print.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tollgate::shell {
namespace {

// In the order of RedirectionOp.
constexpr std::string_view kSpellings[] = {"<",  ">",  ">>",  ">|", "<>", "<&",
                                           ">&", "&>", "&>>", "<<", "<<", "<<<"};

class Printer {
 public:
  void script(const Script& script) {
    for (const Statement& statement : script.statements) {
      command(*statement.command);
      if (statement.background) out_ += " &";
      if (statement.newline || &statement == &script.statements.back())
        end_line();
      else
        out_ += statement.background ? " " : "; ";
    }
  }

  void word(const Word& word) { parts(word.parts); }

  std::string take() && { return std::move(out_); }

 private:
  // A newline, and the bodies that wait for one.
  void end_line() {
    out_ += '\n';
    std::vector<const HereDocument*> waiting;
    waiting.swap(pending_);
    for (const HereDocument* each : waiting) {
      out_ += each->text;
      out_ += each->delimiter;
      out_ += '\n';
    }
  }

  void parts(const List<Part>& list) {
    for (const Part& each : list) part(each);
  }

  void part(const Part& part) {
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kPattern:
      case PartKind::kUnread:
        out_ += part.text;
        break;
      case PartKind::kEscaped:
        out_ += '\\';
        out_ += part.text;
        break;
      case PartKind::kSingle:
        out_ += '\'';
        out_ += part.text;
        out_ += '\'';
        break;
      case PartKind::kAnsi:
        ansi(part.text);
        break;
      case PartKind::kLocale:
        out_ += '$';
        [[fallthrough]];
      case PartKind::kDouble:
        out_ += '"';
        parts(part.parts);
        out_ += '"';
        break;
      case PartKind::kParameter:
        parameter(part);
        break;
      case PartKind::kCommand:
        substitution("$(", part);
        break;
      case PartKind::kProcessRead:
        substitution("<(", part);
        break;
      case PartKind::kProcessWrite:
        substitution(">(", part);
        break;
      case PartKind::kBackquote:
        out_ += '`';
        out_ += part.text;
        out_ += '`';
        break;
      case PartKind::kArithmetic:
        out_ += part.arithmetic->old_style ? "$[" : "$((";
        parts(part.arithmetic->text.parts);
        out_ += part.arithmetic->old_style ? "]" : "))";
        break;
    }
  }

  void ansi(std::string_view text) {
    out_ += "$'";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '\\' || c == '\'') {
        out_ += '\\';
        out_ += c;
      } else if (byte < 0x20 || byte >= 0x7f) {
        out_ += '\\';
        for (const int shift : {6, 3, 0}) out_ += static_cast<char>('0' + (byte >> shift & 7));
      } else {
        out_ += c;
      }
    }
    out_ += '\'';
  }

  static bool is_timed(const Script& script) {
    if (script.statements.empty()) return false;
    const Command* first = script.statements[0].command;
    if (first->kind == CommandKind::kAndOr)
      first = static_cast<const AndOr*>(first)->steps[0].command;
    return first->kind == CommandKind::kPipeline &&
           static_cast<const Pipeline*>(first)->time != TimeMode::kNone;
  }

  void substitution(std::string_view open, const Part& part) {
    out_ += open;
    if (!part.text.empty()) {  // read apart
      out_ += part.text;
    } else if (part.script != nullptr) {
      // Only behind a newline `time` is a reserved word there.
      out_ += is_timed(*part.script) ? '\n' : ' ';
      std::vector<const HereDocument*> outer;
      outer.swap(pending_);
      script(*part.script);
      outer.swap(pending_);
    }
    out_ += ')';
  }

  void parameter(const Part& part) {
    const Parameter& p = *part.parameter;
    if (!p.braced) {
      out_ += '$';
      out_ += p.name;
      return;
    }
    out_ += "${";
    if (p.op == ParameterOp::kBad) {
      out_ += part.text;
      out_ += '}';
      return;
    }
    if (p.op == ParameterOp::kLength) out_ += '#';
    if (p.indirect) out_ += '!';
    out_ += p.name;
    if (p.subscripted) {
      out_ += '[';
      parts(p.subscript.parts);
      out_ += ']';
    }
    operation(p);
    out_ += '}';
  }

  void operation(const Parameter& p) {
    const auto mark = [&](std::string_view once) {
      out_ += once;
      if (p.doubled) out_ += once;
      parts(p.word.parts);
    };
    const auto value = [&](char c) {
      if (p.colon) out_ += ':';
      out_ += c;
      parts(p.word.parts);
    };
    switch (p.op) {
      case ParameterOp::kNone:
      case ParameterOp::kLength:
      case ParameterOp::kBad:
        break;
      case ParameterOp::kDefault:
        return value('-');
      case ParameterOp::kAssign:
        return value('=');
      case ParameterOp::kError:
        return value('?');
      case ParameterOp::kAlternative:
        return value('+');
      case ParameterOp::kPrefix:
        return mark("#");
      case ParameterOp::kSuffix:
        return mark("%");
      case ParameterOp::kUpper:
        return mark("^");
      case ParameterOp::kLower:
        return mark(",");
      case ParameterOp::kToggle:
        return mark("~");
      case ParameterOp::kReplace:
        out_ += p.doubled ? "//" : "/";
        if (p.letter != 0) out_ += p.letter;
        parts(p.word.parts);
        if (p.has_second) {
          out_ += '/';
          parts(p.second.parts);
        }
        break;
      case ParameterOp::kSubstring:
        out_ += ':';
        parts(p.word.parts);
        if (p.has_second) {
          out_ += ':';
          parts(p.second.parts);
        }
        break;
      case ParameterOp::kTransform:
        out_ += '@';
        out_ += p.letter;
        break;
      case ParameterOp::kNames:
        out_ += p.letter;
        break;
    }
  }

  void assignment(const Assignment& a) {
    out_ += a.name;
    if (a.subscripted) {
      out_ += '[';
      parts(a.subscript.parts);
      out_ += ']';
    }
    out_ += a.append ? "+=" : "=";
    if (!a.compound) return word(a.value);
    out_ += '(';
    bool first = true;
    for (const Element& element : a.elements) {
      if (!first) out_ += ' ';
      first = false;
      if (element.subscripted) {
        out_ += '[';
        parts(element.subscript.parts);
        out_ += element.append ? "]+=" : "]=";
      }
      word(element.value);
    }
    out_ += ')';
    for (const Part& behind : a.value.parts) parts(behind.parts);
  }

  void redirection(const Redirection& r) {
    if (r.descriptor >= 0) out_ += std::to_string(r.descriptor);
    if (!r.variable.empty()) out_ += "{" + std::string(r.variable) + "}";
    out_ += spelling(r.op);
    out_ += ' ';
    if (r.here == nullptr) return word(r.target);
    pending_.push_back(r.here);
    delimiter(*r.here);
  }

  void delimiter(const HereDocument& here) {
    if (!here.quoted) {
      out_ += here.delimiter;
      return;
    }
    out_ += '\'';
    for (const char c : here.delimiter) {
      if (c == '\'')
        out_ += "'\\''";
      else
        out_ += c;
    }
    out_ += '\'';
  }

  void redirections(const Command& command) {
    for (const Redirection& each : command.redirections) {
      out_ += ' ';
      redirection(each);
    }
  }

  // A body that begins on a line of its own.
  void block(const Script* body) {
    end_line();
    if (body != nullptr) script(*body);
  }

  void command(const Command& c) {
    switch (c.kind) {
      case CommandKind::kSimple:
        return simple(static_cast<const SimpleCommand&>(c));
      case CommandKind::kPipeline:
        return pipeline(static_cast<const Pipeline&>(c));
      case CommandKind::kAndOr: {
        bool first = true;
        for (const AndOrStep& step : static_cast<const AndOr&>(c).steps) {
          if (!first) out_ += step.is_or ? " || " : " && ";
          first = false;
          command(*step.command);
        }
        return;
      }
      case CommandKind::kSubshell:
        out_ += '(';
        block(static_cast<const Block&>(c).body);
        out_ += ')';
        break;
      case CommandKind::kGroup:
        out_ += '{';
        block(static_cast<const Block&>(c).body);
        out_ += '}';
        break;
      case CommandKind::kIf: {
        bool first = true;
        for (const IfArm& arm : static_cast<const If&>(c).arms) {
          if (arm.condition != nullptr) {
            out_ += first ? "if" : "elif";
            block(arm.condition);
            out_ += "then";
          } else {
            out_ += "else";
          }
          first = false;
          block(arm.body);
        }
        out_ += "fi";
        break;
      }
      case CommandKind::kWhile:
      case CommandKind::kUntil: {
        const auto& loop = static_cast<const Loop&>(c);
        out_ += c.kind == CommandKind::kWhile ? "while" : "until";
        block(loop.condition);
        out_ += "do";
        block(loop.body);
        out_ += "done";
        break;
      }
      case CommandKind::kFor:
      case CommandKind::kSelect: {
        const auto& loop = static_cast<const For&>(c);
        out_ += c.kind == CommandKind::kFor ? "for " : "select ";
        word(loop.name);
        if (loop.has_words) {
          out_ += " in";
          for (const Word& each : loop.words) {
            out_ += ' ';
            word(each);
          }
        }
        end_line();
        out_ += "do";
        block(loop.body);
        out_ += "done";
        break;
      }
      case CommandKind::kArithmeticFor: {
        const auto& loop = static_cast<const ArithmeticFor&>(c);
        out_ += "for ((";
        for (int i = 0; i < 3; ++i) {
          if (i > 0) out_ += ';';
          parts(loop.parts[i].text.parts);
        }
        out_ += "))";
        end_line();
        out_ += "do";
        block(loop.body);
        out_ += "done";
        break;
      }
      case CommandKind::kCase:
        cases(static_cast<const Case&>(c));
        break;
      case CommandKind::kArithmetic:
        out_ += "((";
        parts(static_cast<const ArithmeticCommand&>(c).expression.text.parts);
        out_ += "))";
        break;
      case CommandKind::kConditional:
        out_ += "[[ ";
        condition(static_cast<const ConditionalCommand&>(c).condition);
        out_ += " ]]";
        break;
      case CommandKind::kFunction: {
        const auto& function = static_cast<const Function&>(c);
        if (function.keyword) out_ += "function ";
        word(function.name);
        out_ += " () ";  // apart, or the end of the name could make a pattern of the brackets
        if (function.body != nullptr) command(*function.body);
        return;
      }
      case CommandKind::kCoprocess: {
        const auto& coprocess = static_cast<const Coprocess&>(c);
        out_ += "coproc ";
        if (!coprocess.name.empty()) out_ += std::string(coprocess.name) + " ";
        if (coprocess.body != nullptr) command(*coprocess.body);
        return;
      }
    }
    redirections(c);
  }

  // In the order in which all of it stood: a redirection in front keeps a word from being a
  // reserved one or an assignment.
  void simple(const SimpleCommand& c) {
    const auto begin = [](const auto& list, std::size_t at) {
      return at < list.size() ? list[at].span.begin : kBehind;
    };
    std::size_t assigned = 0, words = 0, redirected = 0, declared = 0;
    const std::size_t count = c.assignments.size() + c.words.size() + c.redirections.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_ += ' ';
      const std::uint64_t next_word = begin(c.words, words);
      const std::uint64_t next_redirection = begin(c.redirections, redirected);
      if (begin(c.assignments, assigned) <= std::min(next_word, next_redirection)) {
        assignment(c.assignments[assigned++]);
      } else if (next_redirection < next_word) {
        redirection(c.redirections[redirected++]);
      } else if (declared < c.declared.size() && c.declared_at[declared] == words) {
        ++words;
        assignment(c.declared[declared++]);
      } else {
        word(c.words[words++]);
      }
    }
  }
  static constexpr std::uint64_t kBehind = ~std::uint64_t{0};

  void pipeline(const Pipeline& c) {
    if (c.time == TimeMode::kTime) out_ += "time ";
    if (c.time == TimeMode::kPosix) out_ += "time -p -- ";
    if (c.negated) out_ += "! ";
    if (c.stages.empty() && c.time == TimeMode::kNone && !c.negated) out_ += "! ! ";
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
      command(*c.stages[i].command);
      if (i + 1 < c.stages.size()) out_ += c.stages[i].with_errors ? " |& " : " | ";
    }
  }

  void cases(const Case& c) {
    out_ += "case ";
    word(c.subject);
    out_ += " in";
    end_line();
    for (const CaseArm& arm : c.arms) {
      out_ += '(';
      bool first = true;
      for (const Word& pattern : arm.patterns) {
        if (!first) out_ += '|';
        first = false;
        word(pattern);
      }
      out_ += ')';
      block(arm.body);
      constexpr std::string_view kEnds[] = {";;", ";&", ";;&", ";;"};
      out_ += kEnds[static_cast<int>(arm.end)];
      end_line();
    }
    out_ += "esac";
  }

  void condition(const Condition* c) {
    if (c == nullptr) return;
    switch (c->kind) {
      case ConditionKind::kWord:
        return word(c->left);
      case ConditionKind::kUnary:
        out_ += c->op;
        out_ += ' ';
        return word(c->left);
      case ConditionKind::kBinary:
        word(c->left);
        out_ += ' ';
        out_ += c->op;
        out_ += ' ';
        return word(c->right);
      case ConditionKind::kNot:
        out_ += "! ";
        return condition(c->first);
      case ConditionKind::kAnd:
      case ConditionKind::kOr:
        condition(c->first);
        out_ += c->kind == ConditionKind::kAnd ? " && " : " || ";
        return condition(c->second);
      case ConditionKind::kGroup:
        out_ += "( ";
        condition(c->first);
        out_ += " )";
        return;
    }
  }

  std::string out_;
  std::vector<const HereDocument*> pending_;
};

}  // namespace

std::string print(const Script& script) {
  Printer printer;
  printer.script(script);
  return std::move(printer).take();
}

std::string_view spelling(RedirectionOp op) { return kSpellings[static_cast<int>(op)]; }

std::string print(const Word& word) {
  Printer printer;
  printer.word(word);
  return std::move(printer).take();
}

}  // namespace tollgate::shell
