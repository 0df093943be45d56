// The tree on one line, for tests: structure in brackets, words with their quotes.
#include "shell/print.h"

namespace tollgate::shell {
namespace {

class Dumper {
 public:
  void script(const Script* script) {
    if (script == nullptr) {
      out_ += "-";
      return;
    }
    bool first = true;
    for (const Statement& statement : script->statements) {
      if (!first) out_ += "; ";
      first = false;
      command(*statement.command);
      if (statement.background) out_ += " &";
    }
  }

  // `errors`: `|&` stands behind it, which is one more redirection.
  void command(const Command& c, bool errors = false) {
    compound(c, errors);
    const bool inside = c.kind == CommandKind::kSimple || c.kind == CommandKind::kCoprocess ||
                        c.kind == CommandKind::kFunction;
    if (!inside) redirections(c, errors);
  }

  void redirections(const Command& c, bool errors) {
    for (const Redirection& each : c.redirections) {
      out_ += ' ';
      redirection(each);
    }
    if (errors) out_ += " 2>&1";
  }

  void compound(const Command& c, bool errors = false) {
    switch (c.kind) {
      case CommandKind::kSimple:
        simple(static_cast<const SimpleCommand&>(c), errors);
        break;
      case CommandKind::kPipeline:
        pipeline(static_cast<const Pipeline&>(c));
        break;
      case CommandKind::kAndOr: {
        bool first = true;
        for (const AndOrStep& step : static_cast<const AndOr&>(c).steps) {
          if (!first) out_ += step.is_or ? " || " : " && ";
          first = false;
          command(*step.command);
        }
        break;
      }
      case CommandKind::kSubshell:
        call("sub", [&] { script(static_cast<const Block&>(c).body); });
        break;
      case CommandKind::kGroup:
        call("group", [&] { script(static_cast<const Block&>(c).body); });
        break;
      case CommandKind::kIf:
        arms(static_cast<const If&>(c).arms, 0);
        break;
      case CommandKind::kWhile:
      case CommandKind::kUntil:
        call(c.kind == CommandKind::kWhile ? "while" : "until", [&] {
          script(static_cast<const Loop&>(c).condition);
          out_ += " ? ";
          script(static_cast<const Loop&>(c).body);
        });
        break;
      case CommandKind::kFor:
      case CommandKind::kSelect:
        call(c.kind == CommandKind::kFor ? "for" : "select", [&] {
          const auto& loop = static_cast<const For&>(c);
          word(loop.name);
          if (!loop.has_words) out_ += " in \"$@\"";
          if (loop.has_words) {
            out_ += " in";
            for (const Word& each : loop.words) {
              out_ += ' ';
              word(each);
            }
          }
          out_ += " : ";
          script(loop.body);
        });
        break;
      case CommandKind::kArithmeticFor:
        call("for", [&] {
          const auto& loop = static_cast<const ArithmeticFor&>(c);
          for (const Arithmetic& part : loop.parts) {
            const std::size_t begin = out_.size();
            numeric(part.text);
            if (out_.size() == begin) out_ += '1';  // which is what nothing means
            out_ += ';';
          }
          out_ += " : ";
          script(loop.body);
        });
        break;
      case CommandKind::kCase:
        call("case", [&] { cases(static_cast<const Case&>(c)); });
        break;
      case CommandKind::kArithmetic:
        call("arith", [&] { numeric(static_cast<const ArithmeticCommand&>(c).expression.text); });
        break;
      case CommandKind::kConditional:
        call("cond", [&] { condition(static_cast<const ConditionalCommand&>(c).condition); });
        break;
      case CommandKind::kFunction:
        call("function", [&] {
          const auto& function = static_cast<const Function&>(c);
          word(function.name);
          out_ += " : ";
          if (function.body == nullptr) return;
          // Any body is a group, as bash prints it.
          const Command& body = *function.body;
          if (body.kind == CommandKind::kGroup) return command(body, errors);
          call("group", [&] { command(body); });
          if (errors) out_ += " 2>&1";
        });
        break;
      case CommandKind::kCoprocess:
        call("coproc", [&] {
          const auto& coprocess = static_cast<const Coprocess&>(c);
          out_ += coprocess.name;
          out_ += " : ";
          if (coprocess.body != nullptr) command(*coprocess.body, errors);
        });
        break;
    }
  }

  // An elif is an if inside an else, as bash prints it.
  void arms(const List<IfArm>& all, std::size_t at) {
    call("if", [&] {
      script(all[at].condition);
      out_ += " ? ";
      script(all[at].body);
      if (at + 1 == all.size()) return;
      out_ += ", ";
      if (all[at + 1].condition == nullptr)
        script(all[at + 1].body);
      else
        arms(all, at + 1);
    });
  }

  void word(const Word& word) { parts(word.parts); }

  std::string take() && { return std::move(out_); }

 private:
  template <class Body>
  void call(std::string_view name, const Body& body) {
    out_ += name;
    out_ += '(';
    body();
    out_ += ')';
  }

  // Blanks at the ends of an expression mean nothing.
  void numeric(const Word& text) {
    const std::size_t begin = out_.size();
    word(text);
    const std::size_t first = out_.find_first_not_of(" \t\n", begin);
    out_.erase(begin, (first == std::string::npos ? out_.size() : first) - begin);
    while (out_.size() > begin &&
           (out_.back() == ' ' || out_.back() == '\n' || out_.back() == '\t'))
      out_.pop_back();
  }

  void simple(const SimpleCommand& c, bool errors) {
    call("cmd", [&] {
      bool first = true;
      const auto comma = [&] {
        if (!first) out_ += ',';
        first = false;
      };
      for (const Assignment& each : c.assignments) {
        comma();
        assignment(each);
      }
      std::size_t declared = 0;
      for (std::size_t i = 0; i < c.words.size(); ++i) {
        comma();
        if (declared < c.declared.size() && c.declared_at[declared] == i)
          assignment(c.declared[declared++]);
        else
          word(c.words[i]);
      }
      for (const Redirection& each : c.redirections) {
        comma();
        redirection(each);
      }
      if (errors) {
        comma();
        out_ += "2>&1";
      }
    });
  }

  void pipeline(const Pipeline& c) {
    if (c.time != TimeMode::kNone) out_ += c.time == TimeMode::kTime ? "time " : "time -p ";
    if (c.negated) out_ += "! ";
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
      command(*c.stages[i].command, c.stages[i].with_errors);
      if (i + 1 < c.stages.size()) out_ += " | ";
    }
  }

  void cases(const Case& c) {
    word(c.subject);
    for (std::size_t i = 0; i < c.arms.size(); ++i) {
      const CaseArm& arm = c.arms[i];
      out_ += ", ";
      bool first = true;
      for (const Word& pattern : arm.patterns) {
        if (!first) out_ += '|';
        first = false;
        word(pattern);
      }
      out_ += " : ";
      script(arm.body);
      // The last arm may end in nothing, which is the same as `;;`.
      if (arm.end == CaseEnd::kFall) out_ += " ;&";
      if (arm.end == CaseEnd::kTest) out_ += " ;;&";
    }
  }

  void condition(const Condition* c) {
    if (c == nullptr) return;
    switch (c->kind) {
      case ConditionKind::kWord:
        out_ += "-n ";  // which is what it means, and what bash prints
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
        // Twice is not at all.
        if (c->first != nullptr && c->first->kind == ConditionKind::kNot)
          return condition(c->first->first);
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

  void assignment(const Assignment& a) {
    out_ += a.name;
    if (a.subscripted) bracketed(a.subscript);
    out_ += a.append ? "+=" : "=";
    if (!a.compound) return word(a.value);
    out_ += '(';
    bool first = true;
    for (const Element& element : a.elements) {
      if (!first) out_ += ' ';
      first = false;
      if (element.subscripted) {
        bracketed(element.subscript);
        out_ += element.append ? "+=" : "=";
      }
      word(element.value);
    }
    out_ += ')';
    word(a.value);
  }

  void bracketed(const Word& inner) {
    out_ += '[';
    word(inner);
    out_ += ']';
  }

  void redirection(const Redirection& r) {
    const bool reads = r.op == RedirectionOp::kRead || r.op == RedirectionOp::kReadWrite ||
                       r.op == RedirectionOp::kDuplicateRead || r.op >= RedirectionOp::kHere;
    const bool both = r.op == RedirectionOp::kBoth || r.op == RedirectionOp::kBothAppend;
    const bool duplicates =
        r.op == RedirectionOp::kDuplicateRead || r.op == RedirectionOp::kDuplicateWrite;
    if (duplicates && r.target.literal() == "-") {  // one thing in two spellings
      if (r.variable.empty())
        out_ += std::to_string(r.descriptor >= 0 ? r.descriptor : reads ? 0 : 1);
      else
        out_ += "{" + std::string(r.variable) + "}";
      out_ += ">&-";
      return;
    }
    if (!r.variable.empty()) {
      out_ += "{" + std::string(r.variable) + "}";
    } else if (!both) {
      // The operator's own descriptor may be written or not.
      const int own = reads ? 0 : 1;
      if (r.descriptor >= 0 && r.descriptor != own) out_ += std::to_string(r.descriptor);
    }
    out_ += spelling(r.op);
    if (r.here == nullptr) return word(r.target);
    out_ += r.here->delimiter;
    out_ += r.here->quoted ? "'" : "";
    bracketed(r.here->body);
    const std::string_view end = r.here->quoted ? "\n']" : "\n]";  // the last line may lack its end
    if (out_.ends_with(end)) out_.erase(out_.size() - end.size(), 1);
  }

  // Quoted characters that stand together are one piece, however each was quoted.
  void parts(const List<Part>& list) {
    bool open = false;
    for (const Part& each : list) {
      const bool quoted = each.kind == PartKind::kSingle || each.kind == PartKind::kAnsi ||
                          each.kind == PartKind::kEscaped;
      if (quoted != open) out_ += '\'';
      open = quoted;
      if (quoted)
        out_ += each.text;
      else
        part(each);
    }
    if (open) out_ += '\'';
  }

  void part(const Part& p) {
    switch (p.kind) {
      case PartKind::kLiteral:
        out_ += p.text;
        break;
      case PartKind::kUnread:
        out_ += "?(";
        parts(p.parts);
        out_ += ')';
        break;
      case PartKind::kEscaped:
      case PartKind::kSingle:
      case PartKind::kAnsi:
        break;  // parts() has them
      case PartKind::kLocale:
      case PartKind::kDouble:
        out_ += '"';
        parts(p.parts);
        out_ += '"';
        break;
      case PartKind::kParameter:
        parameter(p);
        break;
      case PartKind::kCommand:
      case PartKind::kProcessRead:
      case PartKind::kProcessWrite:
        out_ += p.kind == PartKind::kCommand       ? "$("
                : p.kind == PartKind::kProcessRead ? "<("
                                                   : ">(";
        script(p.script);
        out_ += ')';
        break;
      case PartKind::kBackquote:
        out_ += '`';
        script(p.script);
        out_ += '`';
        break;
      case PartKind::kArithmetic:
        out_ += "$((";
        numeric(p.arithmetic->text);
        out_ += "))";
        break;
      case PartKind::kPattern:
        out_ += p.text.substr(0, 1);
        out_ += '(';
        parts(p.parts);
        out_ += ')';
        break;
    }
  }

  void parameter(const Part& part) {
    const Parameter& p = *part.parameter;
    if (!p.braced) {
      out_ += '$';
      out_ += p.name;
      return;
    }
    constexpr std::string_view kOps[] = {"",  "",  "-", "=", "?", "+", "#", "%",
                                         "/", "^", ",", "~", ":", "@", "",  "bad "};
    out_ += "${";
    if (p.op == ParameterOp::kLength) out_ += '#';
    if (p.indirect) out_ += '!';
    out_ += p.name;
    if (p.subscripted) bracketed(p.subscript);
    if (p.colon) out_ += ':';
    out_ += kOps[static_cast<int>(p.op)];
    if (p.doubled) out_ += kOps[static_cast<int>(p.op)];
    if (p.letter != 0) out_ += p.letter;
    word(p.word);
    if (p.has_second) {
      out_ += kOps[static_cast<int>(p.op)];
      word(p.second);
    }
    if (part.script != nullptr) script(part.script);
    out_ += '}';
  }

  std::string out_;
};

}  // namespace

std::string dump(const Script& script) {
  Dumper dumper;
  dumper.script(&script);
  return std::move(dumper).take();
}

std::string dump(const Command& command) {
  Dumper dumper;
  dumper.command(command);
  return std::move(dumper).take();
}

std::string dump(const Word& word) {
  Dumper dumper;
  dumper.word(word);
  return std::move(dumper).take();
}

}  // namespace tollgate::shell
