// An option is found in a row's text just as in the table that is made of it.
#include "effects/programs/row_text.h"

#include <gtest/gtest.h>

#include <string>

#include "effects/programs/arguments.h"

namespace tollgate {
namespace {

// What is found by a first search, and by the table that a row has when it was asked often.
struct Answers {
  const RowOption* searched;
  const RowOption* listed;
};

class Asked {
 public:
  explicit Asked(std::string_view text) : once_(text), often_(text) {
    for (int i = 0; i < 100; ++i) often_.find("no-such-option-at-all");
  }
  Answers find(std::string_view text, std::string_view name) {
    once_ = RowOptions(text);
    return {once_.find(name), often_.find(name)};
  }

 private:
  RowOptions once_, often_;
};

std::string told(const RowOption* option) {
  if (option == nullptr) return "nothing";
  std::string text(option->names);
  for (const std::string_view part : {option->kind.name, option->second.name})
    text += "|" + std::string(part);
  text += "|" + std::to_string(option->takes) + std::to_string(static_cast<int>(option->kind.kind));
  for (const bool mark :
       {option->two, option->tree, option->follows, option->links, option->anywhere, option->more,
        option->star, option->removes, option->away})
    text += mark ? '1' : '0';
  return text;
}

TEST(RowOptions, every_name_of_every_row_is_found_by_search_as_by_table) {
  constexpr std::string_view kOthers[] = {"a",   "all", "a,all",   "-",  "--",  ":",
                                          "*",   "v,",  ",v",      "n:", "out", "output:write",
                                          "x y", "q",   "\xC3\xA4"};
  for (const ProgramRow& row : all_rows()) {
    Asked asked(row.options);
    const auto check = [&](std::string_view name) {
      const Answers found = asked.find(row.options, name);
      EXPECT_EQ(told(found.searched), told(found.listed)) << row.name << ": " << name;
    };
    for (std::string_view name : kOthers) check(name);
    // Names, their beginnings and ends, and whatever else lies between two letters.
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= row.options.size(); ++at) {
      if (at < row.options.size() &&
          std::string_view(" ,:?;!@&^*/$<").find(row.options[at]) == std::string_view::npos)
        continue;
      const std::string_view piece = row.options.substr(begin, at - begin);
      begin = at + 1;
      if (piece.empty()) continue;
      check(piece);
      check(piece.substr(0, piece.size() - 1));
      check(piece.substr(1));
    }
  }
}

TEST(RowOptions, a_star_counts_where_it_is_a_mark) {
  struct Case {
    std::string_view name, options;
    bool want;
  };
  constexpr Case kCases[] = {
      {"no star", "a,all b:", false},
      {"a mark", "a,all b*", true},
      {"a mark behind a kind", "o:write* b", true},
      {"part of a set", "o:{a,b*} b", false},
      {"part of a set, and a mark later", "o:{a,b*} b c,cc*", true},
      {"nothing", "", false},
  };
  for (const Case& c : kCases) EXPECT_EQ(RowOptions(c.options).has_star(), c.want) << c.name;
}

}  // namespace
}  // namespace tollgate
