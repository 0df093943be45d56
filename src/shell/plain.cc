// Texts of plain words and quotes, with nothing but pipes between commands: most texts are such.
// One pass tells them apart from all others, and a second makes the tree that the grammar would.
// SAFETY: whatever could mean anything more is left to the reader; this knows no expansion, no
// operator but `|`, no assignment and no reserved word.
#include <algorithm>
#include <array>

#include "shell/reader.h"
#include "shell/reserved.h"

namespace tollgate::shell {
namespace {

enum class Sort : std::uint8_t {
  kPlain,    // a character that is only itself
  kPerhaps,  // … unless the word is expanded: then it may be a pattern, a brace, the home directory
  kBlank,
  kSingle,
  kDouble,
  kPipe,
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
  set(std::string_view("\0\n&;()<>\\`$", 11), Sort::kOther);
  return sorts;
}();

Sort sort_of(char c) { return kSorts[static_cast<unsigned char>(c)]; }

// A word, or the pipe behind one.
struct Piece {
  std::uint32_t begin, end;
  Sort sort;  // kPlain, kPerhaps, kSingle, kDouble or kPipe

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
      if (count_ == kMostPieces || sort == Sort::kOther) return false;
      Piece& piece = pieces_[count_++];
      piece.begin = at;
      if (sort == Sort::kPipe) {
        if (first) return false;
        first = true;
        ++pipes_;
        piece.sort = sort;
        ++at;
        continue;
      }
      const bool taken = sort == Sort::kSingle || sort == Sort::kDouble ? take_quoted(sort, at)
                                                                        : take_word(at, first);
      if (!taken) return false;
      first = false;
    }
    return !first;
  }

  // All words stand in one array, and so do their parts: what is behind a pipe goes on in it.
  const Script* script(Arena& arena) const {
    Word* word = arena.array<Word>(count_ - pipes_);
    Part* part = arena.array<Part>(count_ - pipes_ + doubles_);
    PipelineStage* stages = pipes_ == 0 ? nullptr : arena.array<PipelineStage>(pipes_ + 1);
    const Command* command = nullptr;
    std::uint32_t stage = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t begin = pieces_[i].begin;
      SimpleCommand* simple = arena.make<SimpleCommand>();
      simple->words.items = word;
      for (; i < count_ && pieces_[i].sort != Sort::kPipe; ++i) {
        *word++ = {pieces_[i].span(), {part, 1}};
        part = add_parts(pieces_[i], part);
      }
      simple->words.count = static_cast<std::uint32_t>(word - simple->words.items);
      simple->span = {begin, pieces_[i - 1].end - begin};
      if (stages != nullptr) stages[stage++] = {simple, false};
      command = simple;
    }
    const auto size = static_cast<std::uint32_t>(text_.size());
    if (stages != nullptr) {
      Pipeline* pipeline = arena.make<Pipeline>();
      pipeline->kind = CommandKind::kPipeline;
      pipeline->stages = {stages, stage};
      pipeline->span = {pieces_[0].begin, size - pieces_[0].begin};
      command = pipeline;
    }
    Statement* statement = arena.make<Statement>();
    statement->command = command;
    Script* script = arena.make<Script>();
    script->statements = {statement, 1};
    script->span = {0, size};
    return script;
  }

 private:
  bool take_word(std::uint32_t& at, bool first) {
    Piece& piece = pieces_[count_ - 1];
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
    if (size < rest.size() && sort != Sort::kBlank) return false;
    piece.sort = perhaps ? Sort::kPerhaps : Sort::kPlain;
    piece.end = at = static_cast<std::uint32_t>(at + size);
    return !first || may_begin(rest.substr(0, size));
  }

  // All of a word in one pair of quotes, without anything that is expanded in them.
  bool take_quoted(Sort sort, std::uint32_t& at) {
    Piece& piece = pieces_[count_ - 1];
    const std::size_t close = text_.find(text_[at], at + 1);
    if (close == text_.npos) return false;
    if (close + 1 < text_.size() && sort_of(text_[close + 1]) != Sort::kBlank) return false;
    const std::string_view inside = text_.substr(at + 1, close - at - 1);
    const bool expanded = std::ranges::any_of(inside, [&](char c) {
      return c == '\0' || (sort == Sort::kDouble && (c == '\\' || c == '`' || c == '$'));
    });
    if (expanded) return false;
    piece.sort = sort;
    piece.end = at = static_cast<std::uint32_t>(close + 1);
    if (sort == Sort::kDouble) ++doubles_;
    return true;
  }

  // The part of a word, and what is inside where it is double quotes. Gives the place behind them.
  Part* add_parts(const Piece& piece, Part* part) const {
    const Span span = piece.span();
    part->span = span;
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
      Part* literal = part + 1;
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
  std::size_t pipes_ = 0, doubles_ = 0;  // among them
};

}  // namespace

const Script* read_plain(std::string_view text, Arena& arena) {
  PlainText plain(text);
  return plain.take_apart() ? plain.script(arena) : nullptr;
}

}  // namespace tollgate::shell
