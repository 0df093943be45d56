// The page's files: for anybody, compressed, named by their content, and unable to load anything
// else.
#include <gtest/gtest.h>

#include "server/page_files.h"
#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

Request page_request(const std::string& method, const std::string& target,
                     std::vector<std::pair<std::string, std::string>> headers = {}) {
  return memory_request(method, target, "", std::move(headers));
}

TEST(Page, EveryFileIsServedToAnybody) {
  TestDaemon gate;
  ASSERT_FALSE(page_files().empty());
  for (const PageFile& file : page_files()) {
    const auto answer = gate.send(page_request("GET", std::string(file.path)));
    SCOPED_TRACE(file.path);
    EXPECT_EQ(answer.status, 200);
    const MemoryExchange& got = *answer.exchange;
    EXPECT_EQ(got.response.body, std::string(file.begin, file.end));
    EXPECT_EQ(got.response.body.substr(0, 2), "\x1f\x8b");  // gzip
    EXPECT_EQ(got.header("Content-Encoding"), "gzip");
    EXPECT_EQ(got.header("Content-Type"), file.type);
    EXPECT_EQ(got.header("ETag"), file.etag);
    EXPECT_EQ(got.header("X-Frame-Options"), "DENY");
    EXPECT_EQ(got.header("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(got.header("Referrer-Policy"), "no-referrer");
    const std::string policy = got.header("Content-Security-Policy");
    EXPECT_EQ(policy.find("default-src 'self'; "), 0u);
    EXPECT_EQ(policy.find("unsafe"), policy.npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), policy.npos);
    EXPECT_NE(policy.find("require-trusted-types-for 'script'"), policy.npos);
    const bool asset = file.path.starts_with("/assets/");
    EXPECT_EQ(got.header("Cache-Control").find("immutable") != std::string::npos, asset);
  }
}

struct Case {
  std::string_view name, method, target, header, value;
  int want;
};
const Case kCases[] = {
    {"the page itself", "GET", "/", "", "", 200},
    {"its head alone", "HEAD", "/", "", "", 200},
    {"nothing is changed here", "POST", "/", "", "", 405},
    {"another file is not there", "GET", "/other.js", "", "", 404},
    {"nor one below it", "GET", "/assets/other.js", "", "", 404},
    {"a way out is no file", "GET", "/assets/..%2findex.html", "", "", 404},
    {"no word on encodings is a yes", "GET", "/", "x", "y", 200},
    {"gzip among others", "GET", "/", "accept-encoding", "br;q=1.0, gzip;q=0.5", 200},
    {"anything", "GET", "/", "accept-encoding", "*", 200},
    {"gzip refused", "GET", "/", "accept-encoding", "gzip;q=0, identity", 406},
    {"another one only", "GET", "/", "accept-encoding", "br", 406},
};

TEST(Page, IsFoundOrNot) {
  TestDaemon gate;
  for (const Case& one : kCases) {
    if (!target_of(one.target)) continue;
    std::vector<std::pair<std::string, std::string>> headers;
    if (!one.header.empty()) headers.emplace_back(one.header, one.value);
    const auto answer = gate.send(
        page_request(std::string(one.method), std::string(one.target), std::move(headers)));
    EXPECT_EQ(answer.status, one.want) << one.name;
    EXPECT_EQ(answer.code().empty(), one.want < 400) << one.name;
  }
}

TEST(Page, IsNotSentAgainToWhoHasIt) {
  TestDaemon gate;
  const std::string etag(page_files().front().etag);
  const std::string path(page_files().front().path);
  const std::string tags[] = {etag, "W/" + etag, "\"x\", " + etag, "*"};
  for (const std::string& tag : tags) {
    const auto answer = gate.send(page_request("GET", path, {{"if-none-match", tag}}));
    EXPECT_EQ(answer.status, 304) << tag;
    EXPECT_EQ(answer.exchange->response.body, "") << tag;
    EXPECT_EQ(answer.exchange->header("ETag"), etag) << tag;
  }
  EXPECT_EQ(gate.send(page_request("GET", path, {{"if-none-match", "\"x\""}})).status, 200);
}

}  // namespace
}  // namespace tollgate::server
