// Tells options from operands the way the program itself does: bundles, attached values,
// abbreviations where the row says so, subcommands with options before them.
// SAFETY: whatever the row does not know turns `understood` off; words are never dropped silently.
#include "effects/programs/arguments.h"

#include <algorithm>

#include "effects/programs/row_text.h"

namespace tollgate {
namespace {

bool is_number(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9') return !text.empty() && text == "inf";
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == ':' || c == ',' || c == '%';
  });
}

// Goes through the words by one row, or by the options of a head row up to the subcommand.
class Parser {
 public:
  Parser(std::span<const Word> argv, ProgramArguments& out) : argv_(argv), out_(out) {}

  // From `at` to the first operand; false when an option is not understood.
  bool heads(const Options& options, std::size_t& at) {
    options_ = &options;
    for (at_ = at; at_ < argv_.size(); ++at_) {
      if (!argv_[at_].known && argv_[at_].text.find('=') == std::string::npos) break;
      if (!is_option(argv_[at_])) break;
      if (argv_[at_].text == "--") {
        ++at_;
        break;
      }
      option(argv_[at_]);
    }
    at = at_;
    return out_.understood;
  }

  void leaf(const ProgramRow& row, const Options& options, const Options* global, std::size_t at) {
    options_ = &options;
    global_ = options.globals() ? global : nullptr;
    Operands operands(row.operands);
    operands_ = &operands;
    for (at_ = at; at_ < argv_.size() && !rest_taken_; ++at_) {
      const Word& word = argv_[at_];
      if (options.responds() && word.text.starts_with('@')) {
        response(word);
        continue;
      }
      if (!ended_ && !options.dashes()) {
        if (word.known && word.text == "--") {
          ended_ = behind_ = true;
          continue;
        }
        if (word.known && is_option(word)) {
          option(word);
          continue;
        }
        if (!word.known && may_be_option(word) && row.does != ProgramDoes::kSafe) {
          const bool named = word.text.starts_with('-');
          if (named && word.text.starts_with("--") && word.text.find('=') != std::string::npos) {
            option(word);
            continue;
          }
          if (word.rest != Rest::kPattern || !names_files(operands.now())) not_understood();
        }
      }
      operand(word);
      if (options.stops()) ended_ = true;
    }
    // What stands in does so for the last kind, where no operand was left for it.
    const bool by_itself = kind_named(operands.instead()) != Kind::kBad;
    if (by_itself ? !operands.reached() : !operands.reached_last())
      if (!operands.instead().empty()) stand_in(operands);
    if (!rest_taken_ && operands.lacks()) not_understood();
    if (!star_ && options.has_star()) fits_ = false;
  }

  bool fits() const { return fits_; }

 private:
  // Kinds of which the look says what a pattern matches, so that the judge can tell options.
  static bool names_files(std::string_view kind) {
    const Kind named = kind_named(kind);
    return named >= Kind::kRead && named <= Kind::kLink && named != Kind::kFill;
  }

  bool is_option(const Word& word) const {
    return word.text.size() > 1 &&
           (word.text[0] == '-' || (word.text[0] == '+' && options_->pluses()));
  }

  // A file with more words: what they say is not known.
  void response(const Word& word) {
    Word file = word;
    file.text.erase(0, 1);
    out_.more = true;
    out_.bound.push_back({Kind::kRead, std::move(file), {}, at_});
  }

  void stand_in(Operands& operands) {
    const std::string_view instead = operands.instead();
    if (const Kind kind = kind_named(instead); kind != Kind::kBad) {
      out_.bound.push_back({kind, {.text = {}, .span = argv_[0].span}, {}, argv_.size()});
      return;
    }
    while (!operands.at_last()) operands.advance();
    const Kind kind = kind_named(operands.now());
    out_.bound.push_back(
        {kind, {.text = std::string(instead), .span = argv_[0].span}, {}, argv_.size()});
  }

  void not_understood() { out_.understood = false; }

  void operand(const Word& word) {
    if (operands_->now() == "assign") {
      const std::size_t equals = word.text.find('=');
      if (equals != std::string::npos && equals > 0) {
        out_.bound.push_back({Kind::kAssign, word, {}, at_});
        return;
      }
      operands_->advance();
      if (!word.known && word.text.empty()) not_understood();
    }
    if (word.several && !operands_->repeats()) not_understood();
    const std::string_view name = operands_->take();
    if (name.empty()) return not_understood();
    bind(name, word, {});
  }

  void bind(std::string_view name, const Word& word, std::string_view option) {
    if (name.starts_with('{')) {
      if (!word.known || !fits_set(name, word.text)) not_understood();
      out_.bound.push_back({Kind::kSet, word, option, at_});
      return;
    }
    const Kind kind = name.empty() ? Kind::kText : kind_named(name);
    switch (kind) {
      case Kind::kBad:
        not_understood();
        break;
      case Kind::kNumber:
        if (word.known ? !is_number(word.text) : option.empty()) not_understood();
        break;
      case Kind::kCommand:
      case Kind::kLent:
      case Kind::kShellRest:
      case Kind::kLentShellRest:
      case Kind::kFind:
      case Kind::kDd:
      case Kind::kTest:
        if (option.empty()) rest_taken_ = true;
        break;
      default:
        break;
    }
    out_.bound.push_back({kind, word, option, at_, behind_ && option.empty()});
  }

  void option(const Word& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--")) return long_option(word);
    // A name written with its dash is the whole word.
    const std::size_t equals = text.find('=');
    if (auto found = lookup(text)) return use(*found, text, word, std::nullopt);
    if (equals != text.npos)
      if (auto found = lookup(text.substr(0, equals)); found && found->takes != 0)
        return use(*found, text.substr(0, equals), word, text.substr(equals + 1));
    if (options_->numbers() && text.find_first_not_of("0123456789", 1) == text.npos) return;
    bundle(word);
  }

  std::optional<Option> lookup(std::string_view name) const {
    if (auto found = options_->find(name)) return found;
    return global_ != nullptr ? global_->find(name) : std::nullopt;
  }
  std::optional<Option> lookup_long(std::string_view name) const {
    if (name.size() < 2) return std::nullopt;
    if (auto found = options_->find_long(name)) return found;
    return global_ != nullptr ? global_->find_long(name) : std::nullopt;
  }

  void long_option(const Word& word) {
    const std::string_view body = std::string_view(word.text).substr(2);
    const std::size_t equals = body.find('=');
    auto found = lookup_long(body.substr(0, equals));
    if (!found)
      found =
          lookup(std::string_view(word.text).substr(0, equals == body.npos ? equals : equals + 2));
    if (!found) return not_understood();
    if (equals != body.npos && found->takes == 0) return not_understood();
    use(*found, body.substr(0, equals), word,
        equals == body.npos ? std::nullopt : std::optional(body.substr(equals + 1)));
  }

  void bundle(const Word& word) {
    const std::string_view text = word.text;
    for (std::size_t i = 1; i < text.size(); ++i) {
      const auto found = lookup(text.substr(i, 1));
      if (!found) return not_understood();
      if (found->takes != 0) {
        const std::string_view rest = text.substr(i + 1);
        return use(*found, text.substr(i, 1), word,
                   rest.empty() ? std::nullopt : std::optional(rest));
      }
      if (!word.known && i + 1 == text.size()) not_understood();
      use(*found, text.substr(i, 1), word, std::nullopt);
    }
  }

  void use(const Option& option, std::string_view name, const Word& word,
           std::optional<std::string_view> attached) {
    out_.recursive |= option.tree;
    out_.follows |= option.follows;
    out_.links |= option.links;
    out_.anywhere |= option.anywhere;
    out_.more |= option.more;
    star_ |= option.star;
    while (name.starts_with('-')) name.remove_prefix(1);
    if (name == "T" || name == "no-target-directory") out_.exact = true;
    if (option.takes == 0) return;
    if (option.two) return attached ? not_understood() : two_values(option, name);
    if (attached) {
      Word value = word;
      value.text = *attached;
      return bind(option.kind, value, name);
    }
    if (option.takes == '?') return;
    if (at_ + 1 >= argv_.size() || argv_[at_ + 1].several) return not_understood();
    ++at_;
    if (options_->responds() && argv_[at_].text.starts_with('@')) response(argv_[at_]);
    if (kind_named(option.kind) == Kind::kCommand || kind_named(option.kind) == Kind::kLent) {
      out_.bound.push_back({kind_named(option.kind), argv_[at_], name, at_});
      rest_taken_ = true;
      return;
    }
    // Some programs take such a word for the next option after all.
    if (!option.kind.empty() && option.kind != "text" && argv_[at_].text.size() > 1 &&
        argv_[at_].text[0] == '-' && kind_named(option.kind) != Kind::kNumber)
      not_understood();
    bind(option.kind, argv_[at_], name);
  }

  // Both stand in words of their own.
  void two_values(const Option& option, std::string_view name) {
    for (const std::string_view kind : {option.kind, option.second}) {
      if (at_ + 1 >= argv_.size() || argv_[at_ + 1].several) return not_understood();
      bind(kind, argv_[++at_], name);
    }
  }

  std::span<const Word> argv_;
  ProgramArguments& out_;
  const Options* options_ = nullptr;
  const Options* global_ = nullptr;
  Operands* operands_ = nullptr;
  std::size_t at_ = 0;
  bool ended_ = false;
  bool behind_ = false;  // `--` was seen
  bool rest_taken_ = false;
  bool star_ = false;
  bool fits_ = true;
};

std::size_t words_in(std::string_view name) {
  return 1 + static_cast<std::size_t>(std::ranges::count(name, ' '));
}

std::string_view word_of(std::string_view name, std::size_t index) {
  for (; index > 0; --index) name.remove_prefix(std::min(name.find(' ') + 1, name.size()));
  return name.substr(0, name.find(' '));
}

bool is_head(const ProgramRow& row) {
  return row.operands == "sub" || row.operands.starts_with("sub ");
}

using Rows = std::vector<const ProgramRow*>;

class Choice {
 public:
  explicit Choice(std::span<const Word> argv) : argv_(argv) {}

  // `level` words of the names are settled; `before` holds what the options so far came to.
  // A row with more words of its own says more, so it is tried first.
  std::optional<ProgramArguments> look(const Rows& rows, std::size_t level, std::size_t at,
                                       const ProgramArguments& before, const Options* global) {
    const auto head = std::ranges::find_if(
        rows, [&](const ProgramRow* row) { return words_in(row->name) == level && is_head(*row); });
    auto best = deeper(rows, level, at, before, head == rows.end() ? nullptr : *head, global);
    if (best && best->understood) return best;
    bool own = false;
    for (const ProgramRow* row : rows) {
      if (words_in(row->name) != level || is_head(*row)) continue;
      ProgramArguments now = before;
      now.row = row;
      const Options options(row->options);
      Parser parser(argv_, now);
      parser.leaf(*row, options, global, at);
      if (!parser.fits()) continue;
      if (now.understood) return now;
      if (!best || own) best = std::move(now);
      own = true;
    }
    return best;
  }

 private:
  std::optional<ProgramArguments> deeper(const Rows& rows, std::size_t level, std::size_t at,
                                         const ProgramArguments& before, const ProgramRow* head,
                                         const Options* global) {
    const bool any = std::ranges::any_of(
        rows, [&](const ProgramRow* row) { return words_in(row->name) > level; });
    if (!any) return std::nullopt;
    const Options own(head != nullptr ? head->options : std::string_view());
    const Options& options = head != nullptr || global == nullptr ? own : *global;
    ProgramArguments now = before;
    Parser(argv_, now).heads(options, at);
    if (at >= argv_.size() || !argv_[at].known || argv_[at].several) return std::nullopt;
    Rows next_rows;
    for (const ProgramRow* row : rows)
      if (words_in(row->name) > level && name_fits(word_of(row->name, level), argv_[at].text))
        next_rows.push_back(row);
    if (next_rows.empty()) {
      // No such subcommand is known, but what stood before it is.
      if (head == nullptr) return std::nullopt;
      now.row = head;
      now.understood = false;
      return now;
    }
    return look(next_rows, level + 1, at + 1, now, &options);
  }

  std::span<const Word> argv_;
};

}  // namespace

std::optional<ProgramArguments> read_arguments(std::string_view program,
                                               std::span<const Word> argv) {
  const auto rows = rows_of(program);
  if (rows.empty()) return std::nullopt;
  return Choice(argv).look(Rows(rows.begin(), rows.end()), 1, 1, {}, nullptr);
}

}  // namespace tollgate
