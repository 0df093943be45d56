// The two texts of a row, its operands and its options, as things to ask.
// Both are read once and then asked often; views lead into the row's text, which is always there.
// The grammar stands in row.h; a name that is no kind is kBad, and then no word is understood.
#pragma once

#include <cstdint>
#include <forward_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "effects/programs/arguments.h"

namespace tollgate {

// What a value or an operand is.
struct KindText {
  std::string_view name;
  Kind kind = Kind::kBad;  // kSet for `{…}`
};

// One entry of a row's options.
struct RowOption {
  std::string_view names;
  char takes = 0;  // ':', '?', ';' or nothing
  KindText kind;
  bool two = false;  // a second value follows the first
  KindText second;   // the kind of that one
  bool tree = false, follows = false, links = false, anywhere = false, more = false, star = false,
       removes = false, away = false;
};

// The options of one row. A process that reads one command asks for an option or two of a row, and
// finds them in the text; a row that is asked more often gets a table.
// REQUIRES: one thread, as the tree of rows has it.
class RowOptions {
 public:
  explicit RowOptions(std::string_view text);

  bool stops() const { return stops_; }
  bool numbers() const { return numbers_; }
  bool dashes() const { return dashes_; }
  bool globals() const { return globals_; }
  bool pluses() const { return pluses_; }
  bool responds() const { return responds_; }
  bool has_star() const { return has_star_; }

  // The first entry that has this name; null when none does. It lives as long as this.
  const RowOption* find(std::string_view name) const;
  // The same for a name behind two dashes, which may be abbreviated where the row says so.
  const RowOption* find_long(std::string_view name) const;
  // Every entry with a longer name that begins like this.
  std::vector<const RowOption*> beginning_with(std::string_view name) const;

 private:
  class Table;
  struct FreeTable {
    void operator()(Table* table) const;
  };
  static constexpr int kSearches = 8;

  std::string_view read_marks(std::string_view text);
  const RowOption* search(std::string_view name) const;
  const Table& table() const;

  std::string_view text_;  // without the marks
  mutable int searches_ = 0;
  mutable std::forward_list<RowOption> found_;  // by searches
  mutable std::unique_ptr<Table, FreeTable> table_;
  bool abbreviates_ = false, stops_ = false, numbers_ = false, dashes_ = false, globals_ = false,
       pluses_ = false, responds_ = false, has_star_ = false;
};

// The kinds of a row's operands.
class OperandKinds {
 public:
  struct One {
    KindText kind;  // copies and their like take the rest
    bool repeats = false;
    bool required = false;
  };
  explicit OperandKinds(std::string_view text);

  const std::vector<One>& all() const& { return all_; }
  const KindText& instead() const& { return instead_; }  // its name is empty where nothing is said

 private:
  std::vector<One> all_;
  KindText instead_;
};

// The way through the kinds of a row's operands, one after the other.
class Operands {
 public:
  explicit Operands(const OperandKinds& kinds) : kinds_(kinds) { advance(); }

  // The kind of the next operand; its name is empty when there is none.
  const KindText& take() {
    const KindText& kind = now_->kind;
    any_ = true;
    required_ = false;
    reached_ = reached_ || at_last();
    if (!now_->repeats) advance();
    return kind;
  }
  bool at_last() const { return next_ >= kinds_.all().size(); }
  bool reached_last() const { return reached_; }
  bool reached() const { return any_; }
  const KindText& now() const { return now_->kind; }
  void advance() {
    now_ = at_last() ? &kNone : &kinds_.all()[next_++];
    required_ = now_->required;
  }
  const KindText& instead() const& { return kinds_.instead(); }
  bool repeats() const { return now_->repeats; }
  // Whether an operand that must be there is still to come.
  bool lacks() const {
    if (required_) return true;
    for (std::size_t i = next_; i < kinds_.all().size(); ++i)
      if (kinds_.all()[i].required) return true;
    return false;
  }

 private:
  static constexpr OperandKinds::One kNone{};

  const OperandKinds& kinds_;
  const OperandKinds::One* now_ = &kNone;
  std::size_t next_ = 0;
  bool required_ = false;  // the one that is next now
  bool reached_ = false, any_ = false;
};

// Whether the word is one that `{a,b*}` names.
bool fits_set(std::string_view set, std::string_view word);

}  // namespace tollgate
