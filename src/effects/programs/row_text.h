// The two texts of a row, its operands and its options, as things to ask.
// Nothing is kept beside the text: a row is looked up a few times in its life, and then forgotten.
// The grammar stands in row.h; a name that is no kind is kBad, and then no word is understood.
#pragma once

#include <optional>
#include <string_view>

#include "effects/programs/arguments.h"

namespace tollgate {

// One entry of a row's options.
struct Option {
  std::string_view names;
  char takes = 0;  // ':' or '?' or nothing
  std::string_view kind;
  bool two = false;         // a second value follows the first
  std::string_view second;  // the kind of that one
  bool tree = false, follows = false, links = false, anywhere = false, more = false, star = false;

  bool has(std::string_view name) const;
};

// The options of one row.
class Options {
 public:
  explicit Options(std::string_view text);

  bool stops() const { return stops_; }
  bool numbers() const { return numbers_; }
  bool dashes() const { return dashes_; }
  bool globals() const { return globals_; }
  bool pluses() const { return pluses_; }
  bool responds() const { return responds_; }
  bool has_star() const;

  std::optional<Option> find(std::string_view name) const;
  // The same for a name behind two dashes, which may be abbreviated where the row says so.
  std::optional<Option> find_long(std::string_view name) const;

 private:
  std::string_view text_;
  bool abbreviates_ = false, stops_ = false, numbers_ = false, dashes_ = false, globals_ = false,
       pluses_ = false, responds_ = false;
};

// The kinds of a row's operands, one after the other.
class Operands {
 public:
  explicit Operands(std::string_view text);

  // The kind of the next operand; empty when there is none. Copies and their like take the rest.
  std::string_view take();
  bool at_last() const { return text_.find_first_not_of(' ') == text_.npos; }
  bool reached_last() const { return reached_; }
  bool reached() const { return any_; }
  std::string_view now() const { return now_; }
  void advance();
  std::string_view instead() const { return instead_; }
  bool repeats() const { return repeats_; }
  // Whether an operand that must be there is still to come.
  bool lacks() const;

 private:
  std::string_view text_, now_, instead_;
  bool repeats_ = false, reached_ = false, any_ = false;
  bool required_ = false;  // the kind at hand was not taken yet, and must be
};

// Whether the word is one that `{a,b*}` names.
bool fits_set(std::string_view set, std::string_view word);

}  // namespace tollgate
