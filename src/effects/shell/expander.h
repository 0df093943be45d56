// Words of a shell text to the words that a program gets, as bash expands them.
// What cannot be known stays in the word as such: its known beginning, and what may follow.
// A word that may be one of several becomes several ways, each complete in itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "effects/shell/state.h"
#include "shell/tree.h"

namespace tollgate {

// What the expander asks of the one who follows the text.
class Runner {
 public:
  virtual ~Runner() = default;
  // Runs the script of $(…), `…`, <(…) or >(…) and says what it prints.
  virtual Possible output_of(const shell::Part& part) = 0;
  // Something that cannot be followed and may run or set anything.
  virtual void cannot_follow(std::string why, Span span) = 0;
  // The same for text that is known: what it runs is read as well.
  virtual void runs_text(std::string why, std::string_view text, Span span) = 0;
  // The shell may end here, because a variable is not set.
  virtual void may_end() = 0;
  // Something may fail here, and then neither its command runs nor the rest of its line.
  virtual void may_fail() = 0;
  // LIMIT: whether a value of that size may still be used.
  virtual bool affords(std::size_t bytes) = 0;
  // A variable is set in the midst of an expansion.
  virtual void assigns(std::string_view name, Value value, Span span) = 0;
  // Whether setting it may be an error.
  virtual bool is_fixed(std::string_view name) const = 0;
};

// LIMIT: ways that one word may have.
inline constexpr std::size_t kMaxWordWays = 64;

class Expander {
 public:
  using Fields = std::vector<Word>;

  Expander(ShellState& state, Runner& runner, std::string_view home, Span pinned)
      : state_(state), runner_(runner), home_(home), pinned_(pinned) {}

  // Every way in which the word becomes words; never empty.
  std::vector<Fields> fields(const shell::Word& word);
  // All of a word that is one piece of plain text, and so one word; nothing for any other.
  static std::optional<std::string_view> plain_text(const shell::Word& word);
  // The word as one text, without splitting and patterns.
  Value value(const shell::Word& word);
  // The same, where `~` also counts behind a colon.
  Value assigned(const shell::Word& word);
  // The word as a pattern: what is quoted in it has backslashes.
  Value pattern(const shell::Word& word);
  // The same as value() where no `~` counts: here-documents, subscripts, offsets.
  Value plain(const shell::Word& word);

  // Looks through arithmetic for what it would run; sets what it assigns.
  Possible arithmetic(const shell::Arithmetic& expression);
  // The same for text that is evaluated although it stands in a plain word. `perhaps`: it is one of
  // several texts, or may not be come to.
  std::optional<std::int64_t> evaluate(std::string_view text, Span span, bool perhaps = false);
  // A word that a builtin takes for the name of a variable, perhaps with a subscript.
  void name_with_subscript(const Word& word);

  // The elements of an array where all of them are known, else null.
  const std::vector<Value>* elements_of(std::string_view name) const;
  // What is known of a variable by name.
  Value variable(std::string_view name) const;
  std::string home() const;

 private:
  enum class Quoted { kNo, kYes };
  // kPlain: as kText, and `~` is only a letter.
  enum class How { kFields, kText, kAssigned, kPattern, kPlain };
  enum class Standing { kSet, kUnset, kPerhaps };

  // One way to expand a word, while it is made.
  struct Building {
    Fields done;
    std::string text;     // of the field at hand
    std::string pattern;  // the same with backslashes before what is quoted, once it matters
    bool begun = false;   // the field exists, even if it is empty
    bool star = false, bracket = false, closed = false;  // active `*` or `?`, `[`, and `]` behind
    bool whole_pattern = false;  // the field is exactly one value that is a pattern
    std::size_t literal = 0;     // size of text before the first active letter
    Rest rest = Rest::kNothing;
    bool several = false, operand = false, number = false, code = false;
    bool identifier = false, computed = false, secret = false;
    bool joined = false;  // a pattern with more text around it
    std::string behind;   // an identifier
  };
  using Ways = std::vector<Building>;

  std::vector<Fields> fields_without_braces(const shell::Word& word, Span span, bool assigns);
  bool add_letters_of(const shell::List<shell::Part>& parts, Quoted quoted, Building& way) const;
  std::vector<Fields> fields_of(const shell::List<shell::Part>& parts, Span span);
  Ways expand(const shell::List<shell::Part>& parts, How how);
  Value text_of(const shell::Word& word, How how);
  void add_parts(const shell::List<shell::Part>& parts, Quoted quoted);
  void add_part(const shell::Part& part, Quoted quoted);
  std::size_t add_tilde(const shell::List<shell::Part>& parts);
  void add_literal(std::string_view text);
  void add_home(std::string_view prefix);
  void add_with_tildes(std::string_view text, bool last);
  void add_operand(const shell::Word& word, Quoted quoted);
  void add_chosen(const Value& own, bool other, const shell::Word& word, Quoted quoted);
  void add_quoted(std::string_view text);
  void add_value(const Value& value, Quoted quoted);
  void add_listed(std::span<const Value> values);
  void add_list(std::span<const Value> values, char kind, Quoted quoted);
  void add_anything(Quoted quoted);
  void add_parameter(const shell::Parameter& parameter, Span span, Quoted quoted);

  static void letter(Building& way, char c, bool active);
  static void letters(Building& way, std::string_view text, bool active);
  static void join_pattern(Building& way, std::string_view pattern);
  static void degrade(Building& way);
  static void put(Building& way, const Possible& one, bool split);
  void split(Building& way, const Possible& one) const;
  void next_field(Building& way) const;
  void end_field(Building& way) const;
  Word word_of(const Building& way) const;

  Value parameter_value(const shell::Parameter& parameter, Span span);
  Standing standing(const shell::Parameter& parameter);
  Standing standing_of(const shell::Parameter& parameter) const;
  bool takes_own(const Possible& one, const shell::Parameter& parameter, Standing standing) const;
  bool takes_other(const Possible& one, const shell::Parameter& parameter, Standing standing) const;
  Value plain_value(const shell::Parameter& parameter, Span span);
  Value indirect_value(const shell::Parameter& parameter, Span span);
  Value cut(const Value& value, const shell::Parameter& parameter);
  Value replaced(const Value& value, const shell::Parameter& parameter);
  Value cased(const Value& value, const shell::Parameter& parameter);
  Value transformed(const Value& whole, const shell::Parameter& parameter);
  std::optional<std::vector<Value>> slice_of(const shell::Parameter& parameter, long first,
                                             std::optional<long> length) const;
  Value part_of(const Value& value, const shell::Parameter& parameter, Span span);
  std::optional<long> offset(const shell::Word& word, Span span);
  std::optional<long> evaluated_offset(const shell::Word& word, Span span);
  const Variable* array_of(const shell::Parameter& parameter) const;

  ShellState& state_;
  Runner& runner_;
  std::string_view home_;
  Span pinned_;
  Ways ways_;
  How how_ = How::kFields;
  bool assigns_ = false;  // the word at hand looks like an assignment
};

// The number in the name of a substituted file is not known, so that no piece of the name is.
bool names_substitution(std::string_view text);

}  // namespace tollgate
