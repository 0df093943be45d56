// What parse() takes and refuses, with the exact place of every refusal, and what write() gives.
// Hostile inputs stand beside the plain ones; random values go round in both directions.
// A text that two JSON readers understand differently belongs into kRefused.
#include "json/json.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

namespace tollgate::json {
namespace {

struct GoodCase {
  std::string_view name, text, want;  // want: as write() gives it
};
constexpr GoodCase kGood[] = {
    {"null is a value", "null", "null"},
    {"blanks around a value are fine", " \t\r\n[ 1 , 2 ] \n", "[1,2]"},
    {"members keep their order", R"({"b":1,"a":2})", R"({"b":1,"a":2})"},
    {"nesting is kept", R"({"a":[{"b":[[]]},{}]})", R"({"a":[{"b":[[]]},{}]})"},
    {"an escaped key is the key it spells", R"({"\u0061":1})", R"({"a":1})"},
    {"surrogate pairs become one character", R"("\ud83d\ude00")", "\"\xF0\x9F\x98\x80\""},
    {"a slash may be escaped", R"("\/")", R"("/")"},
    {"controls come back escaped", R"("\u0000\u001f\b\f\n\r\t\"\\")",
     R"("\u0000\u001f\b\f\n\r\t\"\\")"},
    {"keys that differ in case are two keys", R"({"a":1,"A":2})", R"({"a":1,"A":2})"},
    {"the same key in two objects is no duplicate", R"([{"a":1},{"a":2}])", R"([{"a":1},{"a":2}])"},
    {"an empty key is a key", R"({"":1})", R"({"":1})"},
    {"numbers become canonical", "[-0,1.0,1e2,0.10]", "[0,1,100,0.1]"},
};

TEST(Parse, TakesEveryKindOfValue) {
  for (const GoodCase& c : kGood) {
    const Result<Value> got = parse(c.text);
    ASSERT_TRUE(got) << c.name << ": " << render(got.error());
    EXPECT_EQ(write(*got), c.want) << c.name;
  }
}

struct BadCase {
  std::string_view name, text, code, place;
};
constexpr BadCase kRefused[] = {
    {"nothing is no value", "", "json-syntax", "1:1"},
    {"blanks are no value", "  \n ", "json-syntax", "2:2"},
    {"a cut object", R"({"a":)", "json-syntax", "1:6"},
    {"a cut string", R"("abc)", "json-syntax", "1:5"},
    {"a trailing comma", "[1,]", "json-syntax", "1:4"},
    {"a trailing comma in an object", R"({"a":1,})", "json-syntax", "1:8"},
    {"a comment", "[1] // x", "json-syntax", "1:5"},
    {"single quotes", "'a'", "json-syntax", "1:1"},
    {"a bare word", "yes", "json-syntax", "1:1"},
    {"NaN", "NaN", "json-syntax", "1:1"},
    {"Infinity", "[-Infinity]", "json-syntax", "1:3"},
    {"a leading zero", "[01]", "json-syntax", "1:3"},
    {"a plus sign", "+1", "json-syntax", "1:1"},
    {"a point without digits", "[1.]", "json-syntax", "1:4"},
    {"hexadecimal", "0x10", "json-syntax", "1:2"},
    {"a second value", "{} {}", "json-syntax", "1:4"},
    {"garbage on the next line", "{}\nx", "json-syntax", "2:1"},
    {"a NUL after the value", std::string_view("1\0", 2), "json-syntax", "1:2"},
    {"a raw newline in a string", "\"a\nb\"", "json-syntax", "1:3"},
    {"an unknown escape", R"("\x41")", "json-syntax", "1:3"},
    {"a byte order mark", "\xEF\xBB\xBF{}", "json-syntax", "1:1"},
    {"a number beyond a double", "[1, 1e400]", "json-syntax", "1:5"},
    {"a negative number beyond a double", "-1e400", "json-syntax", "1:1"},
    {"an exponent beyond everything", "1e99999999999", "json-syntax", "1:12"},
    {"a duplicate key", R"({"a":1,"b":2,"a":3})", "json-duplicate-key", "1:15"},
    {"a duplicate key spelled with an escape", R"({"a":1,"\u0061":2})", "json-duplicate-key",
     "1:18"},
    {"a duplicate key deep inside", "{\"x\":[\n {\"k\":1,\n  \"k\":1}]}", "json-duplicate-key",
     "3:4"},
    {"an invalid byte", "[\"a\xFF\"]", "json-invalid-utf8", "1:4"},
    {"an overlong form", "\"\xC0\xAF\"", "json-invalid-utf8", "1:2"},
    {"a lone leading surrogate", R"("\ud800")", "json-syntax", "1:8"},
    {"a lone trailing surrogate", R"("\udc00")", "json-invalid-utf8", "1:8"},
};

TEST(Parse, RefusesWithCodeAndPlace) {
  for (const BadCase& c : kRefused) {
    const Result<Value> got = parse(c.text);
    ASSERT_FALSE(got) << c.name << ": " << write(*got);
    EXPECT_EQ(got.error().code, c.code) << c.name;
    EXPECT_EQ(place_name(got.error().where), c.place) << c.name << "\n" << render(got.error());
    EXPECT_FALSE(got.error().hint.empty()) << c.name;
    EXPECT_EQ(got.error().message.find('\n'), std::string::npos) << c.name;
  }
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Parse, StopsAtItsLimits) {
  EXPECT_TRUE(parse(nested(64)));
  EXPECT_EQ(parse(nested(65)).error().code, "json-too-deep");
  EXPECT_EQ(parse(std::string(1'000'000, '[')).error().code, "json-too-deep");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(parse(objects).error().code, "json-too-deep");
  EXPECT_TRUE(parse("[1]", {.max_bytes = 3}));
  EXPECT_EQ(parse("[1] ", {.max_bytes = 3}).error().code, "json-too-large");
  EXPECT_EQ(parse("[[1]]", {.max_depth = 1}).error().code, "json-too-deep");
}

TEST(Parse, ManyMembersStayFast) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"key" + std::to_string(i) + "\":1,";
  const Result<Value> fine = parse(text + "\"last\":1}");
  ASSERT_TRUE(fine);
  EXPECT_EQ(fine->members().size(), 200'001u);
  EXPECT_EQ(parse(text + "\"key77\":1}").error().code, "json-duplicate-key");
}

TEST(Parse, AVeryLongStringIsOneString) {
  const std::string body(3'000'000, 'x');
  const Result<Value> got = parse('"' + body + '"');
  ASSERT_TRUE(got);
  EXPECT_EQ(got->as_string(), body);
}

struct NumberCase {
  std::string_view name, literal, want;
};
constexpr NumberCase kNumbers[] = {
    {"a whole number is itself", "42", "42"},
    {"minus zero is zero", "-0", "0"},
    {"minus zero with a fraction is zero", "-0.00e5", "0"},
    {"a zero fraction goes", "1.0", "1"},
    {"a zero exponent goes", "1e0", "1"},
    {"an exponent is written out", "12E+3", "12000"},
    {"a fraction that an exponent makes whole is whole", "1.25e2", "125"},
    {"trailing zeros go", "0.500", "0.5"},
    {"a negative exponent can leave a whole number", "500e-2", "5"},
    {"digits beyond a double are kept", "123456789012345678901234567890",
     "123456789012345678901234567890"},
    {"the next integer after 2^53 is kept", "9007199254740993", "9007199254740993"},
    {"very long whole numbers use an exponent", "1e300", "1e300"},
    {"negative ones keep the sign", "-1.50", "-1.5"},
    {"a fraction is the shortest that gives the same double", "0.1000000000000000055", "0.1"},
    {"a fraction too fine for a double is gone", "1.00000000000000000000001", "1"},
    {"a small number is written plainly", "1e-4", "0.0001"},
    {"down to six zeros", "0.00000123", "0.00000123"},
    {"a tiny number keeps its exponent", "0.0000001", "1e-7"},
    {"a tiny number of several digits has a point", "-123.45e-12", "-1.2345e-10"},
    {"digits on both sides of the point stay", "12.50", "12.5"},
    {"below the smallest double is zero", "1e-400", "0"},
    {"far below is zero", "-1e-999999999999", "0"},
    {"the smallest double stays", "5e-324", "5e-324"},
    {"beyond a double is nothing", "1e309", ""},
    {"a little beyond is nothing", "1.8e308", ""},
    {"the largest double stays", "1.7976931348623157e308", "17976931348623157e292"},
};

TEST(CanonicalNumber, GivesOneTextForOneNumber) {
  for (const NumberCase& c : kNumbers) {
    EXPECT_EQ(canonical_number(c.literal), c.want) << c.name;
    if (!c.want.empty()) {
      EXPECT_EQ(canonical_number(c.want), c.want) << c.name << ", again";
    }
  }
  EXPECT_EQ(canonical_number(std::string(400, '9')), "");
  EXPECT_EQ(canonical_number("1" + std::string(300, '0')), "1e300");
  EXPECT_EQ(canonical_number(std::string(60, '7')), std::string(60, '7'));
}

TEST(Write, PrettyAndCanonicalForms) {
  const Value value = *parse(R"({"b":[1,{"x":null}],"a":{},"c":[]})");
  EXPECT_EQ(write_pretty(value),
            "{\n  \"b\": [\n    1,\n    {\n      \"x\": null\n    }\n  ],\n  \"a\": {},\n"
            "  \"c\": []\n}\n");
  EXPECT_EQ(canonical(value), R"({"a":{},"b":[1,{"x":null}],"c":[]})");
}

TEST(Write, CanonicalSortsByUtf16Units) {
  // RFC 8785's own example: the smiley needs a surrogate pair and so comes before U+FB33.
  const Value value = *parse(
      "{\"\xE2\x82\xAC\":1,\"\\r\":2,\"\xEF\xAC\xB3\":3,\"1\":4,\"\xF0\x9F\x98\x82\":5,"
      "\"\xC2\x80\":6,\"\xC3\xB6\":7}");
  EXPECT_EQ(canonical(value),
            "{\"\\r\":2,\"1\":4,\"\xC2\x80\":6,\"\xC3\xB6\":7,\"\xE2\x82\xAC\":1,"
            "\"\xF0\x9F\x98\x82\":5,\"\xEF\xAC\xB3\":3}");
}

TEST(Write, QuotesWhatIsNoUtf8WithReplacements) {
  EXPECT_EQ(quote("a\xFF"
                  "b\xC3"),
            "\"a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\"");
  EXPECT_EQ(quote("a\"b\n"), R"("a\"b\n")");
}

class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  Value value(int depth = 0) {
    switch (random_() % (depth > 4 ? 4 : 6)) {
      case 0:
        return Value();
      case 1:
        return Value::boolean(random_() % 2 == 0);
      case 2:
        return Value::number(canonical_number(number()));
      case 3:
        return Value::string(text());
      case 4: {
        Value array = Value::array();
        for (auto i = random_() % 5; i > 0; --i) array.push(value(depth + 1));
        return array;
      }
      default: {
        Value object = Value::object();
        for (auto i = random_() % 5; i > 0; --i) object.set(text(), value(depth + 1));
        return object;
      }
    }
  }

  std::string text() {
    constexpr std::string_view kParts[] = {
        "a", "\"", "\\", "\n", "\x01", "\xC3\xA9", "\xE2\x80\xAE", "\xF0\x9F\x98\x80", "/", "\x7f"};
    std::string out;
    for (auto i = random_() % 6; i > 0; --i) out += kParts[random_() % std::size(kParts)];
    return out;
  }

  std::string number() {
    std::string out = random_() % 2 ? "-" : "";
    out += std::to_string(random_() % 1000);
    if (random_() % 2) out += "." + std::to_string(random_() % 100000);
    if (random_() % 3 == 0) out += "e" + std::to_string(static_cast<int>(random_() % 600) - 320);
    return out;
  }

  unsigned next() { return static_cast<unsigned>(random_()); }

 private:
  std::mt19937 random_;
};

TEST(RoundTrip, WriteThenParseGivesAnEqualValue) {
  RandomValues random(7);
  for (int i = 0; i < 5'000; ++i) {
    const Value value = random.value();
    for (const std::string& text : {write(value), write_pretty(value)}) {
      const Result<Value> back = parse(text);
      ASSERT_TRUE(back) << text << render(back.error());
      EXPECT_EQ(*back, value) << text;
    }
    EXPECT_EQ(canonical(*parse(canonical(value))), canonical(value));
  }
}

TEST(RoundTrip, BrokenTextIsRefusedOrReadTheSameTwice) {
  RandomValues random(11);
  for (int i = 0; i < 5'000; ++i) {
    std::string text = write(random.value());
    for (unsigned n = 1 + random.next() % 3; n > 0 && !text.empty(); --n) {
      const std::size_t at = random.next() % text.size();
      text[at] = static_cast<char>(random.next());
    }
    const Result<Value> got = parse(text);
    if (!got) continue;
    EXPECT_EQ(*parse(write(*got)), *got) << text;
  }
}

TEST(Value, TheWrongKindGivesAnEmptyValue) {
  const Value text = Value::string("x");
  EXPECT_EQ(text.number_text(), "");
  EXPECT_FALSE(text.as_bool());
  EXPECT_TRUE(text.items().empty());
  EXPECT_TRUE(text.members().empty());
  EXPECT_EQ(text.find("a"), nullptr);
  EXPECT_EQ(Value::integer(-3), *parse("-3"));
}

TEST(Value, TakeLeavesNullInThePlace) {
  Value value = Value::object({{"a", Value::array({Value::integer(1)})}, {"b", Value()}});
  EXPECT_EQ(write(value.take("a")), "[1]");
  EXPECT_EQ(write(value), R"({"a":null,"b":null})");
  EXPECT_TRUE(value.take("missing").is_null());
  EXPECT_TRUE(Value::string("a").take("a").is_null());
}

TEST(Value, SetReplacesAndKeepsThePlace) {
  Value object = Value::object();
  object.set("a", Value::integer(1)).set("b", Value()).set("a", Value::string("x"));
  EXPECT_EQ(write(object), R"({"a":"x","b":null})");
}

}  // namespace
}  // namespace tollgate::json
