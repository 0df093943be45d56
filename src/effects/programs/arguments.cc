// Tells options from operands the way the program itself does: bundles, attached values,
// abbreviations where the row says so, subcommands with options before them.
// SAFETY: whatever the row does not know turns `understood` off; words are never dropped silently.
#include "effects/programs/arguments.h"

#include <algorithm>

#include "effects/programs/branch.h"

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
  Parser(std::span<const Word> argv, MadeWords& made, ProgramArguments& out)
      : argv_(argv), made_(made), out_(out) {}

  // From `at` to the first operand; false when an option is not understood.
  bool heads(const RowOptions& options, std::size_t& at) {
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

  void leaf(const ReadRow& read, const RowOptions* global, std::size_t at) {
    const ProgramRow& row = read.row;
    const RowOptions& options = read.options;
    options_ = &options;
    global_ = options.globals() ? global : nullptr;
    Operands operands(read.operands);
    operands_ = &operands;
    safe_ = row.does == ProgramDoes::kSafe;
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
        if (!word.known && !word.several && word.text.starts_with('-') && behind_letter(word))
          continue;
        if (!word.known && may_hold_option(word)) {
          if (word.text.starts_with("--") && word.text.find('=') != std::string::npos) {
            option(word);
            continue;
          }
          // SAFETY: a pattern that matches no name stands as it is written: `-i*` is an option.
          const bool written = word.text.starts_with('-');
          if (!safe_ &&
              (written || word.rest != Rest::kPattern || !names_files(operands.now().kind)))
            not_understood();
        }
      }
      operand(word);
      if (options.stops()) ended_ = true;
    }
    // What stands in does so for the last kind, where no operand was left for it.
    const bool by_itself = operands.instead().kind != Kind::kBad;
    if (by_itself ? !operands.reached() : !operands.reached_last())
      if (!operands.instead().name.empty()) stand_in(operands);
    if (!rest_taken_ && operands.lacks()) not_understood();
    if (!star_ && options.has_star()) fits_ = star_before(options, at);
    operands_ = nullptr;
  }

  bool fits() const { return fits_; }

 private:
  // Kinds of which the look says what a pattern matches, so that the judge can tell options.
  static bool names_files(Kind kind) {
    return kind >= Kind::kRead && kind <= Kind::kLink && kind != Kind::kFill;
  }

  // An option with a star that stands before the subcommand.
  bool star_before(const RowOptions& options, std::size_t at) const {
    if (!options.globals()) return false;
    return std::ranges::any_of(argv_.subspan(1, at - 1), [&](const Word& word) {
      if (!word.known || !word.text.starts_with("--")) return false;
      const RowOption* found = options.find(std::string_view(word.text).substr(2));
      return found != nullptr && found->star;
    });
  }

  static bool may_be_dashed(const Word& word) {
    return word.known ? word.text.starts_with('-') : may_be_option(word);
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
    const bool script = operands_ != nullptr && operands_->now().kind == Kind::kScript;
    add(script ? Kind::kScript : Kind::kRead, made_.emplace_front(std::move(file)), {});
  }

  void stand_in(Operands& operands) {
    const KindText& instead = operands.instead();
    at_ = argv_.size();
    if (instead.kind != Kind::kBad) {
      add(instead.kind, made_.emplace_front(std::string(), argv_[0].span), {});
      return;
    }
    while (!operands.at_last()) operands.advance();
    const Kind kind = operands.now().kind;
    // The directory to fill may be an option's value.
    if (kind == Kind::kFill &&
        std::ranges::find(out_.bound, kind, &Bound::kind) != out_.bound.end())
      return;
    add(kind, made_.emplace_front(std::string(instead.name), argv_[0].span), {});
  }

  void add(Kind kind, const Word& word, std::string_view option, bool behind = false) {
    out_.bound.push_back({kind, behind, at_, option, word});
  }

  void not_understood() { out_.understood = false; }

  void operand(const Word& word) {
    if (operands_->now().kind == Kind::kAssign) {
      const std::size_t equals = word.text.find('=');
      if (equals != std::string::npos && equals > 0) {
        add(Kind::kAssign, word, {});
        return;
      }
      operands_->advance();
      if (!word.known && word.text.empty()) not_understood();
    }
    if (word.several && !operands_->repeats()) not_understood();
    const KindText& kind = operands_->take();
    if (kind.name.empty()) return not_understood();
    bind(kind, word, {});
  }

  void bind(const KindText& what, const Word& word, std::string_view option) {
    const Kind kind = what.name.empty() ? Kind::kText : what.kind;
    switch (kind) {
      case Kind::kSet:
        if (!word.known || !fits_set(what.name, word.text)) not_understood();
        add(Kind::kSet, word, option);
        return;
      case Kind::kBad:
        not_understood();
        break;
      case Kind::kRev:
      case Kind::kRevTree:
        // Behind `--` git takes some such words for options again.
        if (behind_ && option.empty() && word.text.starts_with('-')) not_understood();
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
    add(kind, word, option, behind_ && option.empty());
  }

  void option(const Word& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--")) return long_option(word);
    // A name written with its dash is the whole word.
    const std::size_t equals = text.find('=');
    if (const RowOption* found = lookup(text)) return use(*found, text, word, std::nullopt);
    if (equals != text.npos)
      if (const RowOption* found = lookup(text.substr(0, equals));
          found != nullptr && found->takes != 0)
        return use(*found, text.substr(0, equals), word, text.substr(equals + 1));
    if (options_->numbers() && text.find_first_not_of("0123456789", 1) == text.npos) return;
    bundle(word);
  }

  const RowOption* lookup(std::string_view name) const {
    if (const RowOption* found = options_->find(name)) return found;
    return global_ != nullptr ? global_->find(name) : nullptr;
  }
  const RowOption* lookup_long(std::string_view name) const {
    if (name.size() < 2) return nullptr;
    if (const RowOption* found = options_->find_long(name)) return found;
    return global_ != nullptr ? global_->find_long(name) : nullptr;
  }

  void long_option(const Word& word) {
    const std::string_view body = std::string_view(word.text).substr(2);
    const std::size_t equals = body.find('=');
    const RowOption* found = lookup_long(body.substr(0, equals));
    if (found == nullptr)
      found =
          lookup(std::string_view(word.text).substr(0, equals == body.npos ? equals : equals + 2));
    if (found == nullptr) return resembling(body.substr(0, equals), equals, word);
    if (equals != body.npos && found->takes == 0) return not_understood();
    use(*found, whole_name(*found, body.substr(0, equals)), word,
        equals == body.npos ? std::nullopt : std::optional(body.substr(equals + 1)));
  }

  // The name that an abbreviation stands for.
  static std::string_view whole_name(const RowOption& option, std::string_view name) {
    std::string_view names = option.names;
    while (true) {
      const std::size_t comma = std::min(names.find(','), names.size());
      if (comma > 1 && names.starts_with(name)) return names.substr(0, comma);
      if (comma == names.size()) return name;
      names.remove_prefix(comma + 1);
    }
  }

  // Where the program may take a beginning for the whole name, every option that begins so counts
  // for the rules that forbid.
  void resembling(std::string_view name, std::size_t equals, const Word& word) {
    not_understood();
    if (name.empty()) return;
    for (const RowOptions* options : {options_, global_}) {
      if (options == nullptr) continue;
      for (const RowOption* option : options->beginning_with(name)) {
        std::optional<std::string_view> attached;
        if (equals != std::string_view::npos)
          attached = std::string_view(word.text).substr(equals + 3);
        suspect(*option, whole_name(*option, name), word, attached);
      }
    }
  }

  // What an option would come to, where it is not sure that it is one.
  void suspect(const RowOption& option, std::string_view name, const Word& word,
               std::optional<std::string_view> attached) {
    out_.recursive |= option.tree;
    out_.removes |= option.removes;
    out_.anywhere |= option.anywhere;
    out_.away |= option.away;
    const Kind kind = option.kind.kind;
    if (option.takes == 0 || option.two || option.kind.name.empty() || is_quiet(kind)) return;
    if (!attached && (option.takes == '?' || at_ + 1 >= argv_.size())) return;
    const Word& value = attached ? part_of(word, *attached) : argv_[at_ + 1];
    for (std::size_t i = out_.bound.size(); i > 0 && out_.bound[i - 1].at == at_; --i)
      if (out_.bound[i - 1].kind == kind && out_.bound[i - 1].word == value) return;
    add(kind, value, name);
  }

  static bool is_quiet(Kind kind) {
    return kind == Kind::kText || kind == Kind::kNumber || kind == Kind::kSet ||
           kind == Kind::kBad || kind == Kind::kDir || kind == Kind::kCommand ||
           kind == Kind::kLent;
  }

  void bundle(const Word& word) {
    const std::string_view text = word.text;
    for (std::size_t i = 1; i < text.size(); ++i) {
      const RowOption* found = lookup(text.substr(i, 1));
      if (found == nullptr) return behind_unknown(word, i + 1);
      if (found->takes != 0) {
        const std::string_view rest = text.substr(i + 1);
        return use(*found, text.substr(i, 1), word,
                   rest.empty() ? std::nullopt : std::optional(rest));
      }
      if (!word.known && i + 1 == text.size()) not_understood();
      use(*found, text.substr(i, 1), word, std::nullopt);
    }
  }

  // A letter that the row does not have may be an option without a value, and then so are the
  // letters behind it.
  void behind_unknown(const Word& word, std::size_t from) {
    not_understood();
    const std::string_view text = word.text;
    for (std::size_t i = from; i < text.size(); ++i) {
      const RowOption* found = lookup(text.substr(i, 1));
      if (found == nullptr) continue;
      const std::string_view rest = text.substr(i + 1);
      suspect(*found, text.substr(i, 1), word, rest.empty() ? std::nullopt : std::optional(rest));
      if (found->takes == ':' || found->takes == ';') return;
    }
  }

  // A short option with its value in one word, of which only the value is not known.
  bool behind_letter(const Word& word) {
    const std::string_view text = word.text;
    if (text.size() == 1 && word.identifier && options_->numbers()) return true;
    if (text.size() < 2 || text[1] == '-' || (text.size() > 2 && lookup(text) != nullptr))
      return false;
    const RowOption* found = lookup(text.substr(1, 1));
    if (found == nullptr || found->takes == 0) return false;
    // SAFETY: where nothing follows, the value is the next word, and what stands there is no
    // option and no operand.
    const bool may_be_next = text.size() == 2 && found->takes != '?';
    const bool at_most_lost = found->kind.kind == Kind::kNumber ||
                              (safe_ && at_ + 1 < argv_.size() && !may_be_dashed(argv_[at_ + 1]));
    if (may_be_next && !(word.identifier && at_most_lost)) not_understood();
    use(*found, text.substr(1, 1), word, text.substr(2));
    return true;
  }

  void use(const RowOption& option, std::string_view name, const Word& word,
           std::optional<std::string_view> attached) {
    out_.recursive |= option.tree;
    out_.follows |= option.follows;
    out_.links |= option.links;
    out_.anywhere |= option.anywhere;
    out_.away |= option.away;
    out_.removes |= option.removes;
    out_.more |= option.more;
    star_ |= option.star;
    while (name.starts_with('-')) name.remove_prefix(1);
    if (name == "T" || name == "no-target-directory") out_.exact = true;
    if (option.takes == 0) return;
    if (option.two) return attached ? not_understood() : two_values(option, name);
    if (attached) {
      // Every name that a pattern of file names matches is this very option, with some text.
      const Kind kind = option.kind.name.empty() ? Kind::kText : option.kind.kind;
      const bool same =
          word.rest == Rest::kPattern && (kind == Kind::kText || kind == Kind::kFilter);
      const bool harmless = same || (safe_ && word.rest == Rest::kPattern);
      if (word.several && may_hold_option(word) && !harmless) not_understood();
      return bind(option.kind, part_of(word, *attached), name);
    }
    if (option.takes == '?') return;
    if (at_ + 1 >= argv_.size() || argv_[at_ + 1].several) return not_understood();
    if (option.takes == ';' && may_be_dashed(argv_[at_ + 1])) return;
    ++at_;
    if (options_->responds() && argv_[at_].text.starts_with('@')) response(argv_[at_]);
    const Kind kind = option.kind.kind;
    if (kind == Kind::kCommand || kind == Kind::kLent) {
      add(kind, argv_[at_], name);
      rest_taken_ = true;
      return;
    }
    // Some programs take such a word for the next option after all.
    if (!option.kind.name.empty() && kind != Kind::kText && kind != Kind::kNumber &&
        argv_[at_].text.size() > 1 && argv_[at_].text[0] == '-')
      not_understood();
    bind(option.kind, argv_[at_], name);
  }

  const Word& part_of(const Word& word, std::string_view text) {
    Word& part = made_.emplace_front(std::string(text), word.span, word.known, word.rest);
    part.several = word.several;
    part.operand = word.operand;
    part.identifier = word.identifier;
    part.computed = word.computed;
    part.secret = word.secret;
    return part;
  }

  // Both stand in words of their own.
  void two_values(const RowOption& option, std::string_view name) {
    for (const KindText& kind : {option.kind, option.second}) {
      if (at_ + 1 >= argv_.size() || argv_[at_ + 1].several) return not_understood();
      bind(kind, argv_[++at_], name);
    }
  }

  std::span<const Word> argv_;
  MadeWords& made_;
  ProgramArguments& out_;
  const RowOptions* options_ = nullptr;
  const RowOptions* global_ = nullptr;
  Operands* operands_ = nullptr;
  std::size_t at_ = 0;
  bool ended_ = false;
  bool behind_ = false;  // `--` was seen
  bool rest_taken_ = false;
  bool star_ = false;
  bool fits_ = true;
  bool safe_ = false;  // no option of the row does more
};

// Empty; its memory is the next attempt's, and the next command's.
std::vector<Bound>& spare() {
  thread_local std::vector<Bound> bound;
  return bound;
}

class Choice {
 public:
  Choice(std::span<const Word> argv, MadeWords& made)
      : argv_(argv),
        made_(made),
        options_(std::ranges::any_of(argv.subspan(1), [](const Word& word) {
          return word.text.starts_with('-') || word.text.starts_with('+');
        })) {}

  // `before` holds what the options so far came to.
  // A row with more words of its own says more, so it is tried first.
  std::optional<ProgramArguments> look(Branch& branch, std::size_t at,
                                       const ProgramArguments& before, const RowOptions* global) {
    auto best = deeper(branch, at, before, global);
    if (best && best->understood) return best;
    bool own = false;
    for (std::size_t i = 0; i < branch.own(); ++i) {
      const ReadRow& read = branch.own(i);
      if (!options_ && read.options.has_star()) continue;  // it would not fit
      ProgramArguments now = before;
      if (now.bound.empty()) now.bound.swap(spare());
      if (argv_.size() > at) now.bound.reserve(argv_.size());
      now.row = &read.row;
      Parser parser(argv_, made_, now);
      parser.leaf(read, global, at);
      const bool fits = parser.fits();
      if (fits && now.understood) return now;
      if (fits && (!best || own))
        best = std::move(now);
      else
        drop(now, best.has_value() || !before.bound.empty());
      own = own || fits;
    }
    return best;
  }

 private:
  // An attempt that came to nothing. `others`: some of the words that were made are not its own.
  void drop(ProgramArguments& attempt, bool others) {
    let_go(attempt);
    if (!others) made_.clear();
  }

  std::optional<ProgramArguments> deeper(Branch& branch, std::size_t at,
                                         const ProgramArguments& before, const RowOptions* global) {
    if (!branch.goes_on()) return std::nullopt;
    static const RowOptions kNone{std::string_view()};
    const ReadRow* head = branch.head();
    const RowOptions& options = head != nullptr     ? head->options
                                : global != nullptr ? *global
                                                    : kNone;
    ProgramArguments now = before;
    Parser(argv_, made_, now).heads(options, at);
    if (at >= argv_.size() || !argv_[at].known || argv_[at].several) return std::nullopt;
    std::unique_ptr<Branch> made;
    if (Branch* next = branch.next(argv_[at].text, made))
      if (auto found = look(*next, at + 1, now, &options)) return found;
    // No such subcommand is known, but what stood before it is.
    if (head == nullptr) return std::nullopt;
    now.row = &head->row;
    now.understood = false;
    return now;
  }

  std::span<const Word> argv_;
  MadeWords& made_;
  bool options_;  // some word may be an option
};

}  // namespace

std::optional<ProgramArguments> read_arguments(std::string_view program, std::span<const Word> argv,
                                               MadeWords& made) {
  Branch* branch = Branch::of(program);
  if (branch == nullptr) return std::nullopt;
  return Choice(argv, made).look(*branch, 1, {}, nullptr);
}

void let_go(ProgramArguments& arguments) {
  // LIMIT: words for which memory is kept.
  constexpr std::size_t kMost = 64;
  arguments.bound.clear();
  if (arguments.bound.capacity() <= kMost) spare().swap(arguments.bound);
}

}  // namespace tollgate
