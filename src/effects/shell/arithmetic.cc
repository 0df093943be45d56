// Arithmetic: computed where every name in it is known, looked through for code in any case.
// Bash evaluates what a variable holds, and a subscript in that can run commands.
// SAFETY: a name whose value is not known to be a number, and any `$` or backquote that comes out
// of a value, is told to the runner.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "effects/shell/expander.h"

namespace tollgate {
namespace {

// LIMIT: values inside values, and parentheses.
constexpr int kMaxDepth = 24;
// LIMIT: operators inside operators.
constexpr int kMaxLevels = 256;

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

using Number = std::optional<std::int64_t>;  // nothing: some number

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

struct Operator {
  std::string_view text;
  int binds;
};
// Longer ones first.
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2},  {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8},
    {">>", 8}, {"**", 11}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},
    {"+", 9},  {"-", 9},   {"*", 10}, {"/", 10}, {"%", 10},
};

// What the evaluation needs to know of variables.
class Names {
 public:
  virtual ~Names() = default;
  // What a value holds is evaluated in its turn; `perhaps`: bash may not come to it.
  virtual Number value_of(std::string_view name, int depth, bool perhaps) = 0;
  virtual void set(std::string_view name, Number value, bool perhaps) = 0;
  // Any of the elements, whichever the subscript means.
  virtual void use_element(std::string_view name, int depth) = 0;
  // Whether a subscript may be text that is not evaluated.
  virtual bool may_be_map(std::string_view name) const = 0;
  virtual void set_element(std::string_view name) = 0;
  virtual void runs_code(std::string_view text) = 0;
  // Something stands here that is not followed.
  virtual void lost() = 0;
  // The evaluation may end here with an error.
  virtual void may_fail() = 0;
  bool failed() const { return failed_; }

 protected:
  bool failed_ = false;  // since this began; what stands behind may not be evaluated
};

// Stands for an expansion that is some number.
constexpr char kSomeNumber = '\x01';

// Recursive descent over text whose expansions are done.
class Evaluation {
 public:
  Evaluation(std::string_view text, Names& names, int depth, bool perhaps)
      : text_(text), names_(names), depth_(depth), perhaps_(perhaps) {}

  Number run() {
    if (text_.find_first_of("$`") != text_.npos) names_.runs_code(text_);
    const Number value = list();
    blanks();
    if (!failed_ && at_ == text_.size()) return value;
    names_.may_fail();
    touch_names();
    return std::nullopt;
  }

 private:
  // SAFETY: bash may take what is an error here, and any name in it may be used or set.
  void touch_names() {
    const bool told = text_.find_first_of("$`") != text_.npos;
    for (std::size_t begin = 0; begin < text_.size();) {
      at_ = begin;
      const std::string_view name = take_name();
      begin += std::max<std::size_t>(name.size(), 1);
      if (name.empty() || (name[0] >= '0' && name[0] <= '9')) continue;
      if (!told) names_.use_element(name, depth_);
      names_.set(name, std::nullopt, true);
    }
  }

  Number too_deep() {
    names_.lost();
    return fail();
  }

  void set(std::string_view name, Number value) {
    names_.set(name, value, perhaps_ || names_.failed());
  }

  void blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '"'))
      ++at_;
  }
  bool take(std::string_view token) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != token[0]) return false;
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  Number fail() {
    failed_ = true;
    names_.may_fail();
    return std::nullopt;
  }

  Number list() {
    Number value = choice();
    while (!failed_ && take(",")) value = choice();
    return value;
  }

  Number choice() {
    blanks();
    assignable_ = at_;
    return conditional();
  }

  // The same where no assignment may stand.
  Number conditional() {
    if (++levels_ > kMaxLevels) return too_deep();
    const Number value = conditional_inside();
    --levels_;
    return value;
  }

  Number conditional_inside() {
    const Number condition = binary(1);
    blanks();
    if (failed_ || !take("?")) return condition;
    const bool outer = std::exchange(perhaps_, true);
    const Number yes = choice();
    if (!take(":")) return fail();
    const Number no = conditional();
    perhaps_ = outer;
    if (!condition) return std::nullopt;
    return *condition != 0 ? yes : no;
  }

  const Operator* next_operator() {
    blanks();
    if (at_ >= text_.size() || text_[at_] == ')' || text_[at_] == ',') return nullptr;
    const std::string_view rest = text_.substr(at_);
    for (const Operator& op : kOperators) {
      if (!rest.starts_with(op.text)) continue;
      const std::string_view behind = rest.substr(op.text.size());
      const bool assigns = behind.starts_with('=') && op.text != "<" && op.text != ">" &&
                           op.text != "==" && op.text != "!=" && op.text != "<=" && op.text != ">=";
      return assigns ? nullptr : &op;
    }
    return nullptr;
  }

  Number binary(int least) {
    if (++levels_ > kMaxLevels) return too_deep();
    const Number value = binary_inside(least);
    --levels_;
    return value;
  }

  Number binary_inside(int least) {
    Number left = unary();
    while (!failed_) {
      const Operator* op = next_operator();
      if (op == nullptr || op->binds < least) return left;
      at_ += op->text.size();
      const bool outer = std::exchange(perhaps_, perhaps_ || op->binds <= 2);
      const bool right_first = op->text == "**";
      const Number right = binary(right_first ? op->binds : op->binds + 1);
      perhaps_ = outer;
      left = applied(op->text, left, right);
    }
    return left;
  }

  Number applied(std::string_view op, Number left, Number right) {
    const bool divides = op == "/" || op == "%";
    if (divides && (!right || *right == 0)) names_.may_fail();
    if (op == "**" && (!right || *right < 0)) names_.may_fail();
    return left && right ? apply(op, *left, *right) : std::nullopt;
  }

  static Number apply(std::string_view op, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    if (op == "||") return a != 0 || b != 0;
    if (op == "&&") return a != 0 && b != 0;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "&") return a & b;
    if (op == "+") return wrapped(ua + ub);
    if (op == "-") return wrapped(ua - ub);
    if (op == "*") return wrapped(ua * ub);
    if ((op == "/" || op == "%") && (b == 0 || b == -1)) {
      if (b == 0) return std::nullopt;
      return op == "/" ? wrapped(0 - ua) : 0;
    }
    if (op == "/") return a / b;
    if (op == "%") return a % b;
    if ((op == "<<" || op == ">>") && (b < 0 || b > 62)) return std::nullopt;
    if (op == "<<") return wrapped(ua << ub);
    if (op == ">>") return a >> b;
    if (op == "**") {
      if (b < 0 || b > 64) return std::nullopt;
      std::uint64_t value = 1;
      for (std::int64_t i = 0; i < b; ++i) value *= ua;
      return wrapped(value);
    }
    return std::nullopt;
  }

  Number unary() {
    if (++nested_ > kMaxDepth) return too_deep();
    const Number value = unary_inside();
    --nested_;
    return value;
  }

  Number unary_inside() {
    blanks();
    if (at_ < text_.size() && text_[at_] == '(') return primary();
    for (const std::string_view step : {"++", "--"}) {
      const std::size_t before = at_;
      if (!take(step)) continue;
      blanks();
      if (at_ < text_.size() && is_name_letter(text_[at_]) &&
          (text_[at_] < '0' || text_[at_] > '9')) {
        const std::string_view name = take_name();
        if (subscript(name)) {
          if (failed_) return std::nullopt;
          names_.use_element(name, depth_);
          names_.set_element(name);
          return std::nullopt;
        }
        Number value = names_.value_of(name, depth_, perhaps_);
        if (value)
          value = wrapped(static_cast<std::uint64_t>(*value) + (step == "++" ? 1u : ~0ull));
        set(name, value);
        return value;
      }
      at_ = before;
      break;
    }
    if (take("+")) return unary();
    if (take("-")) {
      const Number value = unary();
      return value ? Number(wrapped(0 - static_cast<std::uint64_t>(*value))) : std::nullopt;
    }
    if (take("~")) {
      const Number value = unary();
      return value ? Number(~*value) : std::nullopt;
    }
    blanks();
    if (text_.substr(at_).starts_with('!') && !text_.substr(at_).starts_with("!=")) {
      ++at_;
      const Number value = unary();
      return value ? Number(*value == 0) : std::nullopt;
    }
    return primary();
  }

  Number primary() {
    blanks();
    if (take("(")) {
      const Number value = list();
      return take(")") ? value : fail();
    }
    if (at_ < text_.size() && text_[at_] == kSomeNumber) return some_number();
    if (at_ >= text_.size() || !is_name_letter(text_[at_])) return fail();
    if (text_[at_] >= '0' && text_[at_] <= '9') return number();
    // SAFETY: bash takes an assignment only of a name that no operator stands before; any other is
    // an error, and then nothing is set.
    const bool assignable = at_ == assignable_;
    const std::string_view name = take_name();
    if (at_ < text_.size() && text_[at_] == kSomeNumber) return too_deep();  // part of a name
    if (subscript(name)) {
      if (failed_) return std::nullopt;  // then every name in it is looked at
      const bool steps = take("++") || take("--");
      const auto op = steps || !assignable ? std::nullopt : assignment();
      if (!op || !op->empty()) names_.use_element(name, depth_);
      if (op) choice();
      if (steps || op) names_.set_element(name);
      return std::nullopt;
    }
    for (const std::string_view step : {"++", "--"}) {
      if (!take(step)) continue;
      const Number value = names_.value_of(name, depth_, perhaps_);
      set(name,
          value ? Number(wrapped(static_cast<std::uint64_t>(*value) + (step == "++" ? 1u : ~0ull)))
                : std::nullopt);
      return value;
    }
    // A number may be negative, and is then taken with the sign before it: `x--1`.
    constexpr char kNegative[] = {'-', kSomeNumber};
    if (text_.substr(at_).starts_with(std::string_view(kNegative, 2))) {
      names_.value_of(name, depth_, true);
      names_.set(name, std::nullopt, true);
    }
    const auto op = assignable ? assignment() : std::nullopt;
    // The old value is the one before whatever stands behind the sign.
    const Number old = op && op->empty() ? Number() : names_.value_of(name, depth_, perhaps_);
    if (!op) return old;
    Number value = choice();
    if (!op->empty()) value = applied(*op, old, value);
    set(name, value);
    return value;
  }

  // `=` and its like; the operator before the sign.
  std::optional<std::string_view> assignment() {
    blanks();
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with('=') && !rest.starts_with("==")) {
      ++at_;
      return std::string_view();
    }
    for (const std::string_view op : {"<<", ">>", "+", "-", "*", "/", "%", "&", "^", "|"}) {
      if (!rest.starts_with(op) || !rest.substr(op.size()).starts_with('=')) continue;
      at_ += op.size() + 1;
      return op;
    }
    return std::nullopt;
  }

  std::string_view take_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_letter(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool subscript(std::string_view name) {
    if (at_ >= text_.size() || text_[at_] != '[') return false;
    ++at_;
    const bool outer = std::exchange(perhaps_, perhaps_ || names_.may_be_map(name));
    const Number index = list();
    perhaps_ = outer;
    if (!take("]")) fail();
    // One before the first element is an error.
    if (!index || *index < 0) names_.may_fail();
    return true;
  }

  // With digits or letters beside it, it is another number, or none.
  Number some_number() {
    while (at_ < text_.size() && (text_[at_] == kSomeNumber || is_name_letter(text_[at_]))) ++at_;
    if (at_ < text_.size() && text_[at_] == '#') return number_behind();
    return std::nullopt;
  }

  Number number_behind() {
    do ++at_;
    while (at_ < text_.size() && (text_[at_] == kSomeNumber || is_name_letter(text_[at_])));
    names_.may_fail();  // the base or a digit may be none
    return std::nullopt;
  }

  Number number() {
    const std::string_view digits = take_name();
    if (at_ < text_.size() && text_[at_] == kSomeNumber) {
      names_.may_fail();
      return some_number();
    }
    if (at_ < text_.size() && text_[at_] == '#') {
      ++at_;
      while (at_ < text_.size() && (text_[at_] == kSomeNumber || is_name_letter(text_[at_]))) ++at_;
      names_.may_fail();  // the base or a digit may be none
      return std::nullopt;
    }
    std::uint64_t base = 10;
    std::string_view rest = digits;
    if (rest.starts_with("0x") || rest.starts_with("0X")) {
      base = 16;
      rest.remove_prefix(2);
    } else if (rest.starts_with('0')) {
      base = 8;
    }
    std::uint64_t value = 0;
    for (const char c : rest) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : 99;
      if (static_cast<std::uint64_t>(digit) >= base) return fail();
      value = value * base + static_cast<std::uint64_t>(digit);
    }
    return wrapped(value);
  }

  std::string_view text_;
  Names& names_;
  int depth_;
  int nested_ = 0, levels_ = 0;
  std::size_t at_ = 0;
  std::size_t assignable_ = 0;  // where a name would stand that may be assigned to
  bool failed_ = false;
  bool perhaps_;  // what stands here may not be evaluated at all
};

// Variables as the state has them.
class StateNames : public Names {
 public:
  StateNames(Expander& expander, ShellState& state, Runner& runner, Span span)
      : expander_(expander), state_(state), runner_(runner), span_(span) {}

  Number value_of(std::string_view name, int depth, bool perhaps) override {
    return evaluated(expander_.variable(name), name, depth, perhaps);
  }

  void use_element(std::string_view name, int depth) override {
    const std::vector<Value>* const elements = expander_.elements_of(name);
    if (elements == nullptr) {
      value_of(name, depth, true);
      return;
    }
    // What is evaluated may set further variables.
    for (const Value& value : std::vector<Value>(*elements)) evaluated(value, name, depth, true);
  }

  bool may_be_map(std::string_view name) const override {
    const Variable* const found = state_.find(name);
    return (found != nullptr && (found->map || found->cased)) || name == "BASH_CMDS" ||
           name == "BASH_ALIASES";
  }

  // Whichever it is, the element 0 may still be unset.
  void set_element(std::string_view name) override {
    if (runner_.is_fixed(name)) may_fail();
    runner_.assigns(name, unknown_value(), span_);
    Variable& set = state_.entry(name);
    set.array = set.indexed = true;
    set.elements_known = false;
    set.elements.clear();
  }

  void set(std::string_view name, Number value, bool perhaps) override {
    // It is an error then, and nothing behind it is evaluated.
    if (runner_.is_fixed(name)) {
      may_fail();
      perhaps = true;
    }
    const Value old = perhaps ? expander_.variable(name) : Value();
    Possible one = a_number();
    if (value) one = {.text = std::to_string(*value), .number = true};
    const Variable* const before = perhaps ? state_.find(name) : nullptr;
    const bool may_stay_unset = before != nullptr && (before->unset || before->perhaps);
    runner_.assigns(name, {one}, span_);
    // What it may still be was not given to it now.
    if (perhaps) add_possibilities(state_.entry(name).value, old);
    if (may_stay_unset || (perhaps && before == nullptr)) state_.entry(name).perhaps = true;
  }

  void lost() override { runner_.cannot_follow("arithmetic that is not followed", span_); }

  void may_fail() override {
    failed_ = true;
    runner_.may_fail();
  }

  void runs_code(std::string_view text) override {
    runner_.runs_text("arithmetic runs what a value holds", text, span_);
  }

 private:
  Number evaluated(const Value& held, std::string_view name, int depth, bool perhaps) {
    perhaps = perhaps || held.size() > 1;
    Number result;
    bool first = true;
    for (const Possible& one : held) {
      Number value;
      if (one.known()) {
        if (one.text.empty())
          value = 0;
        else if (depth < kMaxDepth && one.text.size() < 4096 &&
                 runner_.affords(64 + one.text.size()))
          value = Evaluation(one.text, *this, depth + 1, perhaps).run();
        else
          runs_code(one.text);
      } else if (!one.number) {
        runner_.cannot_follow("arithmetic evaluates what `" + std::string(name) + "` holds", span_);
      }
      result = first || result == value ? value : std::nullopt;
      first = false;
    }
    return result;
  }

  Expander& expander_;
  ShellState& state_;
  Runner& runner_;
  Span span_;
};

}  // namespace

std::optional<std::int64_t> Expander::evaluate(std::string_view text, Span span, bool perhaps) {
  // LIMIT: longer expressions are not followed.
  constexpr std::size_t kLongest = 16'384;
  StateNames names(*this, state_, runner_, span);
  if (text.size() > kLongest) {
    names.lost();
    names.runs_code(text);
    return std::nullopt;
  }
  return Evaluation(text, names, 0, perhaps).run();
}

Possible Expander::arithmetic(const shell::Arithmetic& expression) {
  const Span span = expression.text.span;
  std::string text;
  bool exact = true;
  const auto add = [&](const auto& self, const shell::List<shell::Part>& parts) -> void {
    for (const shell::Part& part : parts) {
      if (part.kind == shell::PartKind::kDouble || part.kind == shell::PartKind::kLocale) {
        self(self, part.parts);
        continue;
      }
      if (part.kind == shell::PartKind::kLiteral) {
        text += part.text;
        continue;
      }
      shell::Word one;
      one.parts = {&part, 1};
      const Value values = value(one);
      if (values.size() == 1 && values[0].known()) {
        text += values[0].text;
        continue;
      }
      exact = false;
      for (const Possible& possible : values) {
        if (possible.number || (possible.known() && is_plain_number(possible.text))) continue;
        if (possible.known()) evaluate(possible.text, span, true);
        runner_.cannot_follow("arithmetic evaluates a value that is not known", span);
      }
      text += kSomeNumber;
    }
  };
  add(add, expression.text.parts);
  const Number result = evaluate(text, span);
  // What is not known may be what it is divided by.
  const bool risky = text.find_first_of("/%#") != text.npos || text.find("**") != text.npos;
  if (!exact && (risky || !result)) runner_.may_fail();
  if (!exact || !result) return a_number();
  return {.text = std::to_string(*result), .number = true};
}

void Expander::name_with_subscript(const Word& word) {
  const std::size_t bracket = word.text.find('[');
  if (!word.known) {
    runner_.cannot_follow("the name of a variable that is not known is evaluated", word.span);
  } else if (bracket != word.text.npos) {
    std::string_view subscript = std::string_view(word.text).substr(bracket + 1);
    if (subscript.ends_with(']')) subscript.remove_suffix(1);
    if (subscript == "@" || subscript == "*") return;
    // Of a map, and of what is not set, it is not evaluated.
    const ShellState untaken = state_;
    evaluate(subscript, word.span);
    state_.join(untaken);
  }
}

}  // namespace tollgate
