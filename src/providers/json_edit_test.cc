// One item more or less, and every other byte as it was.
#include "providers/json_edit.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace tollgate::providers {
namespace {

JsonText read(const std::string& text) {
  Result<JsonText> document = read_json(text, "f.json", JsonForm::kWithComments);
  EXPECT_TRUE(document) << text;
  return document.value_or(JsonText{});
}

TEST(JsonEdit, AddsToAListAsTheTextIsLaidOut) {
  struct Case {
    const char *name, *before, *after;
  };
  const Case cases[] = {
      {"an empty object gets lines", "{}\n",
       "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n"},
      {"an empty list gets a line", "{\n\t\"a\": {\n\t\t\"b\": []\n\t}\n}\n",
       "{\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1\n\t\t]\n\t}\n}\n"},
      {"a list on one line stays on it", R"({"x": 1, "a": {"b": [7, 8]}})",
       R"({"x": 1, "a": {"b": [7, 8, 1]}})"},
      {"a list on lines gets one more", "{\"a\": {\"b\": [\n    7\n  ]}, \"z\": 0}",
       "{\"a\": {\"b\": [\n    7,\n    1\n  ]}, \"z\": 0}"},
      {"a comment behind the last stays behind it",
       "{\n  \"a\": {\n    \"b\": [\n      7 // seven\n    ]\n  }\n}\n",
       "{\n  \"a\": {\n    \"b\": [\n      7, // seven\n      1\n    ]\n  }\n}\n"},
      {"a comment behind the last on its line does not swallow it",
       "{\"a\": {\"b\": [7 // seven\n]}}", "{\"a\": {\"b\": [7, // seven\n1\n]}}"},
      {"a comment in an empty list stays",
       "{\n  \"a\": {\n    \"b\": [\n      // none yet\n    ]\n  }\n}\n",
       "{\n  \"a\": {\n    \"b\": [\n      // none yet\n      1\n    ]\n  }\n}\n"},
      {"lines end as they did", "{\r\n    \"x\": 1\r\n}\r\n",
       "{\r\n    \"x\": 1,\r\n    \"a\": {\r\n        \"b\": [\r\n            1\r\n        ]\r\n   "
       " "
       "}\r\n}\r\n"},
      {"brackets in strings and comments are text",
       "{\"x\": \"}]//\", /* }] */ \"a\": {\"b\": [2]}}",
       "{\"x\": \"}]//\", /* }] */ \"a\": {\"b\": [2, 1]}}"},
  };
  constexpr std::string_view kPath[] = {"a", "b"};
  for (const Case& each : cases) {
    const auto got = append_item(read(each.before), "f.json", kPath, json::Value::integer(1));
    ASSERT_TRUE(got) << each.name;
    EXPECT_EQ(*got, each.after) << each.name;
  }
}

TEST(JsonEdit, RefusesWhatIsNoListWithItsPlace) {
  struct Case {
    const char *name, *text, *place;
  };
  const Case cases[] = {
      {"an object on the way that is none", "{\n  \"a\": 3\n}", "f.json:2:8"},
      {"a list at the end that is none", "{\"a\": {\"b\": {}}}", "f.json:1:13"},
  };
  constexpr std::string_view kPath[] = {"a", "b"};
  for (const Case& each : cases) {
    const auto got = append_item(read(each.text), "f.json", kPath, json::Value::integer(1));
    ASSERT_FALSE(got) << each.name;
    EXPECT_EQ(got.error().code, "settings-shape") << each.name;
    EXPECT_EQ(place_name(got.error().where), each.place) << each.name;
  }
}

TEST(JsonEdit, RemovesAChildAndWhatIsEmptyAfterThat) {
  struct Case {
    const char *name, *before;
    std::vector<std::size_t> steps;
    const char* after;
  };
  const Case cases[] = {
      {"the first of a line", "{\"a\": [1, 2, 3]}", {0, 0}, "{\"a\": [2, 3]}"},
      {"one in the middle", "{\"a\": [1, 2, 3]}", {0, 1}, "{\"a\": [1, 3]}"},
      {"the last of a line", "{\"a\": [1, 2, 3]}", {0, 2}, "{\"a\": [1, 2]}"},
      {"a whole line",
       "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
       {1},
       "{\n  \"a\": 1,\n  \"c\": 3\n}\n"},
      {"the last line", "{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", {1}, "{\n  \"a\": 1 // one\n}\n"},
      {"a carriage return alone ends no line",
       "{\n  \"a\": 1,\n  \"b\": 2\r}\n",
       {1},
       "{\n  \"a\": 1\n\r}\n"},
      {"lists that would be empty go as well",
       "{\"x\": 0, \"a\": {\"b\": [1]}}",
       {1, 0, 0},
       "{\"x\": 0}"},
      {"the only one leaves an empty object", "{\n  \"a\": [1]\n}\n", {0, 0}, "{}\n"},
      {"a comment beside it stays", "{\n  // mine\n  \"a\": 1\n}\n", {0}, "{\n  // mine\n  \n}\n"},
  };
  for (const Case& each : cases)
    EXPECT_EQ(remove_child(read(each.before), each.steps), each.after) << each.name;
}

TEST(JsonEdit, SaysWhereATextIsNoJson) {
  struct Case {
    const char *name, *text, *code;
    JsonForm form;
    const char* place;
  };
  const Case cases[] = {
      {"a comma too many", "{\n  \"a\": 1,\n}\n", "json-syntax", JsonForm::kPlain, "f.json:3:1"},
      {"a comment where there may be none", "{ // x\n}", "json-syntax", JsonForm::kPlain,
       "f.json:1:3"},
      {"a key twice", "{\"a\": 1, \"a\": 2}", "json-duplicate-key", JsonForm::kPlain, "f.json:1:"},
      {"a comment that does not end", "{}\n/* x", "json-syntax", JsonForm::kWithComments,
       "f.json:2:1"},
      {"a list instead of an object", "\n[]", "settings-shape", JsonForm::kPlain, "f.json:2:1"},
  };
  for (const Case& each : cases) {
    const auto got = read_json(each.text, "f.json", each.form);
    ASSERT_FALSE(got) << each.name;
    EXPECT_EQ(got.error().code, each.code) << each.name;
    EXPECT_TRUE(place_name(got.error().where).starts_with(each.place))
        << each.name << ": " << place_name(got.error().where);
  }
}

}  // namespace
}  // namespace tollgate::providers
