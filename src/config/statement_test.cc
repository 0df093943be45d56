// From nodes to JSON: what a plain word of a file means as a value.
#include "config/statement.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace tollgate::config {
namespace {

struct Case {
  std::string_view name, text, want;
};

TEST(Statement, NodesAreJsonAsYamlMeansThem) {
  constexpr Case kCases[] = {
      {"a whole number", "3", "3"},
      {"a negative number", "-3", "-3"},
      {"a fraction", "1.5", "1.5"},
      {"an exponent", "25e-1", "2.5"},
      {"a plus sign adds nothing", "+2", "2"},
      {"a point may begin a number", "-.5", "-0.5"},
      {"a point may end a number", "2.", "2"},
      {"a hexadecimal number", "0x1F", "31"},
      {"an octal number", "0o17", "15"},
      {"a number beyond 64 bits keeps its digits", "123456789012345678901",
       "123456789012345678901"},
      {"a number in quotes is text", "\"1.5\"", "\"1.5\""},
      {"leading zeros are text: two readers differ", "010", "\"010\""},
      {"underscores are text", "1_000", "\"1_000\""},
      {"what JSON cannot say is text", ".inf", "\".inf\""},
      {"a point is a path", ".", "\".\""},
      {"two points are a path", "..", "\"..\""},
      {"a point before an exponent is text", ".e5", "\".e5\""},
      {"a version is text", "1.2.3", "\"1.2.3\""},
      {"a date is text", "2026-03-02", "\"2026-03-02\""},
      {"two signs are text", "+-1", "\"+-1\""},
      {"yes is true", "yes", "true"},
      {"Off is false", "Off", "false"},
      {"True is true", "True", "true"},
      {"yes in quotes is text", "'yes'", "\"yes\""},
      {"nothing is null", "~", "null"},
      {"an empty text is text", "''", "\"\""},
      {"lists and mappings", "[1, {a: no}]", "[1,{\"a\":false}]"},
  };
  for (const Case& one : kCases) {
    std::vector<Diagnostic> out;
    const Document document = read_yaml("v: " + std::string(one.text) + "\n", "t.yaml", out);
    ASSERT_TRUE(out.empty()) << one.name;
    EXPECT_EQ(json::write(json_of(*document.root().find("v"))), one.want) << one.name;
  }
}

}  // namespace
}  // namespace tollgate::config
