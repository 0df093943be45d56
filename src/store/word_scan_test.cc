// That the fast way to a record's words gives the same as the plain one, or nothing.
#include "store/word_scan.h"

#include <gtest/gtest.h>

#include "json/json.h"
#include "store/words.h"

namespace tollgate::store {
namespace {

// What words_of() gives for it, which the scan must give too.
std::string plain(const std::string& text) { return words_of(json::parse(text).value()); }

std::string call_of(const std::string& call, const std::string& decision) {
  return R"({"call":)" + call + R"(,"effects":[{"kind":"run","text":"a \"b"}],"situation":{)" +
         R"("now":17,"base":"/home/{me}","gate":["/a]","\\"],"paths":[{}]},"decision":)" +
         decision + R"(,"peer":{"address":"127.0.0.1","tls":false}})";
}

const std::string kReasons =
    R"~({"verdict":"allow","reasons":[{"kind":"rule","rule":"Bash(make *)","source":"x:1",)~"
    R"("text":"tests may run","span":[0,4],"verdict":"allow"},{"kind":"default","rule":"",)"
    R"("source":"","text":"no rule","span":[0,0],"verdict":"ask"}],"layer":"gate"})";

struct Case {
  std::string_view name;
  std::string call;
  std::string decision = kReasons;
};
const Case kCases[] = {
    {"a command", R"({"tool":"Bash","input":{"command":"make test"},"cwd":"/home"})"},
    {"a reason of the agent", R"({"tool":"B","input":{"a":"b"},"stated_reason":"to ship"})"},
    {"texts at any depth", R"({"input":{"a":[1,-2.5e3,true,null,"x",{"b":"y","c":["z",[]]}]}})"},
    {"texts with escapes", R"({"input":{"a":"q\" b\\ n\n t\t r\r s\/ b\b f\f","b":"\\"}})"},
    {"letters of more bytes", "{\"input\":{\"a\":\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac\"}}"},
    {"empty texts", R"({"input":{"a":"","b":"x","c":""}})"},
    {"nothing to search", R"({"tool":"Bash"})", R"({"verdict":"deny"})"},
    {"no reasons", R"({"input":{}})", R"({"reasons":[]})"},
    {"an input that is a text", R"({"input":"ls"})"},
    {"an input that is a number", R"({"input":7})"},
};

TEST(WordScan, GivesWhatThePlainWayGives) {
  for (const Case& each : kCases) {
    const std::string text = call_of(each.call, each.decision);
    EXPECT_EQ(scanned_words(text), plain(text)) << each.name;
  }
}

TEST(WordScan, CutsWhereThePlainWayCuts) {
  for (const std::size_t more : {0u, 1u, 2u, 3u}) {
    std::string letters(kMostWords - more, 'a');
    for (int i = 0; i < 4; ++i) letters += "\xe2\x82\xac";
    const std::string text =
        call_of(R"({"input":{"a":")" + letters + R"(","b":"late"}})", kReasons);
    EXPECT_EQ(scanned_words(text), plain(text)) << more;
  }
}

// These are read by the plain way: the words would stand in another order, or it is no call.
TEST(WordScan, LeavesAsideWhatItDoesNotKnow) {
  const std::string call = R"({"tool":"Bash","input":{"command":"ls"}})";
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  const std::string kTexts[] = {
      R"({"act":"add","names":["ann"]})",
      "\"plain\"",
      "null",
      "",
      R"({"call":)" + call + "}",
      R"({"decision":)" + kReasons + R"(,"call":)" + call + "}",
      call_of(R"({"stated_reason":"why","input":{}})", kReasons),
      call_of(call, R"({"reasons":[{"text":"no","rule":"x"}]})"),
      call_of(call, R"({"reasons":"none"})"),
      call_of(R"({"input":{"a":"\u00e4"}})", kReasons),
      call_of(R"({"inp\u0075t":{"a":"b"}})", kReasons),
      call_of(R"({"input":)" + deep + "}", kReasons),
      call_of("[]", kReasons),
      call_of(call, kReasons) + " ",
      "{ \"call\":" + call + R"(,"decision":)" + kReasons + "}",
  };
  for (const std::string& text : kTexts) EXPECT_EQ(scanned_words(text), std::nullopt) << text;
}

// Wherever a text breaks off it is nobody's record.
TEST(WordScan, GivesNothingForAPieceOfARecord) {
  const std::string text = call_of(kCases[3].call, kReasons);
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(scanned_words(text.substr(0, size)), std::nullopt) << size;
}

}  // namespace
}  // namespace tollgate::store
