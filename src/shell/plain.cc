// Texts of plain words and quotes, with pipes, `&&`, `||` and `;` between commands and files to
// read and write: most texts are such. One pass tells them apart from all others, and a second
// makes the tree that the grammar would. SAFETY: whatever could mean anything more is left to the
// reader; this knows no expansion, no other operator, no assignment and no reserved word.
#include <algorithm>
#include <array>
#include <memory>

#include "shell/reader.h"
#include "shell/reserved.h"

namespace tollgate::shell {
namespace {

enum class Sort : std::uint8_t {
  kPlain,    // a character that is only itself
  kPerhaps,  // … unless the word is expanded: then it may be a pattern, a brace, the home directory
  kSingle,
  kDouble,
  kBlank,
  kPipe,
  kAnd,
  kOr,  // of a piece alone: no character is one
  kSemicolon,
  kAngle,
  kOther,  // for the reader
};

constexpr std::array<Sort, 256> kSorts = [] {
  std::array<Sort, 256> sorts = {};
  const auto set = [&](std::string_view characters, Sort sort) {
    for (const char c : characters) sorts[static_cast<unsigned char>(c)] = sort;
  };
  set("?*+@![~{", Sort::kPerhaps);
  set(" \t", Sort::kBlank);
  set("'", Sort::kSingle);
  set("\"", Sort::kDouble);
  set("|", Sort::kPipe);
  set("&", Sort::kAnd);
  set(";", Sort::kSemicolon);
  set("<>", Sort::kAngle);
  set(std::string_view("\0\n()\\`$", 7), Sort::kOther);
  return sorts;
}();

Sort sort_of(char c) { return kSorts[static_cast<unsigned char>(c)]; }

constexpr bool is_operator(Sort sort) { return sort >= Sort::kPipe && sort <= Sort::kSemicolon; }

// A word, an operator behind one, or a redirection, whose target is the next piece.
struct Piece {
  std::uint32_t begin, end;
  Sort sort;                // of a redirection kAngle
  RedirectionOp op;         // of a redirection
  std::int32_t descriptor;  // of a redirection

  Span span() const { return {begin, end - begin}; }
};

// LIMIT: a longer text is the reader's.
constexpr std::size_t kMostPieces = 40;
constexpr std::size_t kMostBytes = 4096;

// Words that are more than a word at the beginning of a command.
constexpr NameSet kWords =
    joined(kReserved, kDeclarers, NameSet({"!", "time", "coproc", "function"}));

bool may_begin(std::string_view word) {
  if (kWords.has(word)) return false;
  return !is_name_start(word[0]) ||
         std::ranges::none_of(word, [](char c) { return c == '=' || c == '['; });
}

class PlainText {
 public:
  explicit PlainText(std::string_view text) : text_(text) {}

  // False where it is something else.
  bool take_apart() {
    if (text_.size() > kMostBytes) return false;
    bool first = true;  // of a command
    for (std::uint32_t at = 0; at < text_.size();) {
      const Sort sort = sort_of(text_[at]);
      if (sort == Sort::kBlank) {
        ++at;
        continue;
      }
      if (count_ + 2 > kMostPieces || sort == Sort::kOther) return false;
      if (is_operator(sort)) {
        if (first || !take_operator(sort, at)) return false;
        first = true;
        continue;
      }
      if (sort == Sort::kAngle ? first || !take_redirection(at, at, -1) : !take_word(at, first))
        return false;
      first = false;
    }
    return count_ > 0 && (!first || pieces_[count_ - 1].sort == Sort::kSemicolon);
  }

  // All nodes of one kind stand in one array, in the order of the text.
  const Script* script(Arena& arena) {
    words_ = arena.room<Word>(count_);
    parts_ = arena.room<Part>(count_ + doubles_);
    if (redirections_count_ > 0) redirections_ = arena.room<Redirection>(redirections_count_);
    if (pipes_ > 0) stages_ = arena.room<PipelineStage>(2 * pipes_);
    if (ands_ > 0) steps_ = arena.room<AndOrStep>(2 * ands_);
    Statement* const statements = arena.room<Statement>(semicolons_ + 1);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < count_; ++i)
      std::construct_at(statements + count++, and_or(i, arena));
    Script* script = arena.make<Script>();
    script->statements = {statements, count};
    script->span = {0, static_cast<std::uint32_t>(text_.size())};
    return script;
  }

 private:
  // ---- the pieces ----

  bool take_operator(Sort sort, std::uint32_t& at) {
    const bool twice = at + 1 < text_.size() && text_[at + 1] == text_[at];
    if (sort == Sort::kPipe && twice) sort = Sort::kOr;
    if (twice != (sort == Sort::kAnd || sort == Sort::kOr)) return false;
    pieces_[count_++] = {at, at + (twice ? 2 : 1), sort, {}, -1};
    at += twice ? 2 : 1;
    ++(sort == Sort::kPipe ? pipes_ : sort == Sort::kSemicolon ? semicolons_ : ands_);
    return true;
  }

  // At the sign; `begin` is where its number is. Only numbers stand behind `>&`.
  bool take_redirection(std::uint32_t begin, std::uint32_t& at, std::int32_t descriptor) {
    const auto look = [&](std::uint32_t place) {
      return place < text_.size() ? text_[place] : '\0';
    };
    RedirectionOp op = text_[at] == '<' ? RedirectionOp::kRead : RedirectionOp::kWrite;
    if (op == RedirectionOp::kWrite && look(at + 1) == '>') op = RedirectionOp::kAppend;
    if (op == RedirectionOp::kWrite && look(at + 1) == '&') op = RedirectionOp::kDuplicateWrite;
    const bool duplicates = op == RedirectionOp::kDuplicateWrite;
    at += op == RedirectionOp::kRead || op == RedirectionOp::kWrite ? 1 : 2;
    if (!duplicates)
      while (sort_of(look(at)) == Sort::kBlank) ++at;
    if (sort_of(look(at)) > Sort::kDouble || count_ + 2 > kMostPieces) return false;
    pieces_[count_++] = {begin, at, Sort::kAngle, op, descriptor};
    ++redirections_count_;
    const std::uint32_t target = at;
    // The number of another redirection is no target.
    if (!take_word(at, false) || pieces_[count_ - 1].begin != target) return false;
    return !duplicates || (at - target == 1 && is_digit(text_[target]));
  }

  bool take_word(std::uint32_t& at, bool first) {
    if (const Sort sort = sort_of(text_[at]); sort == Sort::kSingle || sort == Sort::kDouble)
      return take_quoted(sort, at);
    const std::string_view rest = text_.substr(at);
    if (rest[0] == '#') return false;
    std::size_t size = 0;
    bool perhaps = false;
    Sort sort = Sort::kBlank;  // of what ends it
    for (; size < rest.size(); ++size) {
      sort = sort_of(rest[size]);
      if (sort > Sort::kPerhaps) break;
      perhaps |= sort == Sort::kPerhaps;
    }
    const std::uint32_t begin = at;
    at = static_cast<std::uint32_t>(at + size);
    if (sort != Sort::kBlank && size < rest.size()) {
      if (sort == Sort::kAngle ? first || perhaps : !is_operator(sort)) return false;
      // A number before the sign belongs to it.
      if (sort == Sort::kAngle && is_digit(rest[size - 1]))
        return size == 1 && take_redirection(begin, at, rest[0] - '0');
      // The grammar does not say of such a word that it is plain.
      perhaps |= sort == Sort::kPipe || sort == Sort::kAngle;
    }
    pieces_[count_++] = {begin, at, perhaps ? Sort::kPerhaps : Sort::kPlain, {}, -1};
    return !first || may_begin(rest.substr(0, size));
  }

  static bool ends_word(Sort sort) { return sort == Sort::kBlank || is_operator(sort); }

  // All of a word in one pair of quotes, without anything that is expanded in them.
  bool take_quoted(Sort sort, std::uint32_t& at) {
    const std::size_t close = text_.find(text_[at], at + 1);
    if (close == text_.npos) return false;
    if (close + 1 < text_.size() && !ends_word(sort_of(text_[close + 1]))) return false;
    const std::string_view inside = text_.substr(at + 1, close - at - 1);
    const bool expanded = std::ranges::any_of(inside, [&](char c) {
      return c == '\0' || (sort == Sort::kDouble && (c == '\\' || c == '`' || c == '$'));
    });
    if (expanded) return false;
    const std::uint32_t begin = at;
    at = static_cast<std::uint32_t>(close + 1);
    pieces_[count_++] = {begin, at, sort, {}, -1};
    if (sort == Sort::kDouble) ++doubles_;
    return true;
  }

  // ---- the tree: each leaves `i` at the operator behind what it made, or at the end ----

  const Command* and_or(std::size_t& i, Arena& arena) {
    const Command* const first = pipeline(i, arena);
    if (i == count_ || pieces_[i].sort == Sort::kSemicolon) return first;
    AndOr* list = arena.make<AndOr>();
    list->kind = CommandKind::kAndOr;
    list->steps.items = steps_;
    std::construct_at(steps_++, false, first);
    while (i < count_ && pieces_[i].sort != Sort::kSemicolon) {
      const bool is_or = pieces_[i++].sort == Sort::kOr;
      std::construct_at(steps_++, is_or, pipeline(i, arena));
    }
    list->steps.count = static_cast<std::uint32_t>(steps_ - list->steps.items);
    list->span = {first->span.begin, list->steps.back().command->span.end() - first->span.begin};
    return list;
  }

  const Command* pipeline(std::size_t& i, Arena& arena) {
    const std::uint32_t begin = pieces_[i].begin;
    const Command* const first = simple(i, arena);
    if (i == count_ || pieces_[i].sort != Sort::kPipe) return first;
    Pipeline* line = arena.make<Pipeline>();
    line->kind = CommandKind::kPipeline;
    line->stages.items = stages_;
    std::construct_at(stages_++, first);
    while (i < count_ && pieces_[i].sort == Sort::kPipe) {
      std::construct_at(stages_++, simple(++i, arena));
    }
    line->stages.count = static_cast<std::uint32_t>(stages_ - line->stages.items);
    const auto size = static_cast<std::uint32_t>(text_.size());
    line->span = {begin, (i < count_ ? pieces_[i].begin : size) - begin};
    return line;
  }

  const Command* simple(std::size_t& i, Arena& arena) {
    const std::uint32_t begin = pieces_[i].begin;
    SimpleCommand* simple = arena.make<SimpleCommand>();
    simple->words.items = words_;
    const Redirection* const redirections = redirections_;
    for (; i < count_ && !is_operator(pieces_[i].sort); ++i) {
      if (pieces_[i].sort != Sort::kAngle) {
        std::construct_at(words_++, word_of(pieces_[i]));
        continue;
      }
      const Piece& sign = pieces_[i++];
      std::construct_at(redirections_, sign.op);
      redirections_->descriptor = sign.descriptor;
      redirections_->span = {sign.begin, pieces_[i].end - sign.begin};
      redirections_++->target = word_of(pieces_[i]);
    }
    simple->words.count = static_cast<std::uint32_t>(words_ - simple->words.items);
    if (redirections_ != redirections)
      simple->redirections = {redirections,
                              static_cast<std::uint32_t>(redirections_ - redirections)};
    simple->span = {begin, pieces_[i - 1].end - begin};
    return simple;
  }

  Word word_of(const Piece& piece) {
    Part* const part = parts_;
    parts_ = add_parts(piece, part);
    return {piece.span(), {part, 1}};
  }

  // The part of a word, and what is inside where it is double quotes. Gives the place behind them.
  Part* add_parts(const Piece& piece, Part* part) const {
    const Span span = piece.span();
    std::construct_at(part)->span = span;
    if (piece.sort == Sort::kPlain || piece.sort == Sort::kPerhaps) {
      part->plain = piece.sort == Sort::kPlain;
      part->text = text_.substr(span.begin, span.size);
      return part + 1;
    }
    const std::string_view inside = text_.substr(span.begin + 1, span.size - 2);
    part->kind = piece.sort == Sort::kSingle ? PartKind::kSingle : PartKind::kDouble;
    if (part->kind == PartKind::kSingle) {
      part->text = inside;
    } else if (!inside.empty()) {
      Part* literal = std::construct_at(part + 1);
      literal->span = {span.begin + 1, span.size - 2};
      literal->text = inside;
      part->parts = {literal, 1};
      return part + 2;
    }
    return part + 1;
  }

  std::string_view text_;
  std::array<Piece, kMostPieces> pieces_;  // only the first count_ mean anything
  std::size_t count_ = 0;
  // How many of them are what.
  std::size_t doubles_ = 0, pipes_ = 0, ands_ = 0, semicolons_ = 0, redirections_count_ = 0;
  // Where the next ones go.
  Word* words_ = nullptr;
  Part* parts_ = nullptr;
  Redirection* redirections_ = nullptr;
  PipelineStage* stages_ = nullptr;
  AndOrStep* steps_ = nullptr;
};

}  // namespace

const Script* read_plain(std::string_view text, Arena& arena) {
  PlainText plain(text);
  return plain.take_apart() ? plain.script(arena) : nullptr;
}

}  // namespace tollgate::shell
