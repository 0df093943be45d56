// What each kind of target is sent, whole; and what an answer of it means.
#include "notify/messages.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json/json.h"
#include "notify/codes.h"
#include "notify/outlet.h"
#include "notify/secret_file.h"
#include "notify/slack.h"
#include "notify/web_address.h"
#include "os/files.h"

namespace tollgate::notify {
namespace {

Order order_for(Kind kind) {
  Order order;
  order.target = {.name = "team", .kind = kind, .url = "https://hooks.example.com/x"};
  order.target.topic = "gate-3f9c";
  order.notice = {.question = "q1",
                  .agent = "web",
                  .tool = "Bash",
                  .title = "web asks to use Bash",
                  .text = "It would run git. The rule Bash(git push *) asks.",
                  .link = "https://gate.example.com/#/question/q1",
                  .created = 1'700'000'000'000,
                  .expires = 1'700'000'030'000};
  order.delivery = "q1-team";
  order.now = 1'700'000'001'000;
  return order;
}

const Ticket kTicket = {"tgn_secret", "https://gate.example.com/answer/tgn_secret",
                        1'700'000'020'000};

TEST(Ntfy, IsTheDocumentedJson) {
  Order order = order_for(Kind::kNtfy);
  Result<HttpMessage> message = message_of(order, {});
  ASSERT_TRUE(message);
  EXPECT_EQ(message->url, "https://hooks.example.com/x");
  EXPECT_EQ(
      message->body,
      R"({"topic":"gate-3f9c","title":"web asks to use Bash","message":"It would run git. The )"
      R"(rule Bash(git push *) asks.","priority":4,"tags":["tollgate"],"click":"https://gate.)"
      R"(example.com/#/question/q1","actions":[{"action":"view","label":"Open","url":"https:/)"
      R"(/gate.example.com/#/question/q1","clear":true}]})");
  EXPECT_EQ(
      message->headers,
      (std::vector<std::pair<std::string, std::string>>{{"Content-Type", "application/json"}}));
  order.target.secret = "tk_1";
  order.notice.urgent = true;
  message = message_of(order, {});
  EXPECT_EQ(message->headers.back(),
            (std::pair<std::string, std::string>{"Authorization", "Bearer tk_1"}));
  EXPECT_NE(message->body.find(R"("priority":5,"tags":["tollgate","warning"])"), std::string::npos);
}

TEST(Ticket, StandsInANoticeOnlyWhereThereIsOne) {
  for (const Kind kind : {Kind::kNtfy, Kind::kSlack, Kind::kWebhook}) {
    Order order = order_for(kind);
    order.target.secret = "s";
    EXPECT_EQ(message_of(order, {})->body.find("answer"), std::string::npos) << name(kind);
    EXPECT_EQ(message_of(order, {})->body.find("tollgate-allow"), std::string::npos) << name(kind);
    order.ticket = kTicket;
    EXPECT_NE(message_of(order, {})->body.find("tgn_secret"), std::string::npos) << name(kind);
  }
}

TEST(Webhook, IsSignedOverIdTimeAndBody) {
  Order order = order_for(Kind::kWebhook);
  order.target.secret = "whsec_" + base64("a key of the receiver");
  const Result<HttpMessage> message = message_of(order, {});
  ASSERT_TRUE(message);
  EXPECT_EQ(
      message->body,
      R"({"type":"question.asked","timestamp":"2023-11-14T22:13:21.000Z","data":{"id":"q1","agent":)"
      R"("web","tool":"Bash","title":"web asks to use Bash","text":"It would run git. The rule Bash()"
      R"(git push *) asks.","link":"https://gate.example.com/#/question/q1","urgent":false,"created)"
      R"(At":"2023-11-14T22:13:20.000Z","expiresAt":"2023-11-14T22:13:50.000Z"}})");
  const std::string mac =
      hmac_sha256("a key of the receiver", "q1-team.1700000001." + message->body);
  EXPECT_EQ(message->headers, (std::vector<std::pair<std::string, std::string>>{
                                  {"Content-Type", "application/json"},
                                  {"webhook-id", "q1-team"},
                                  {"webhook-timestamp", "1700000001"},
                                  {"webhook-signature", "v1," + base64(mac)}}));
  order.target.secret = "";
  EXPECT_FALSE(message_of(order, {}));
}

TEST(Slack, ShowsPlainTextAndOneButtonThatOpens) {
  Order order = order_for(Kind::kSlack);
  order.notice.title = "<!channel> & web";
  const Result<HttpMessage> message = message_of(order, {});
  ASSERT_TRUE(message);
  EXPECT_EQ(
      message->body,
      R"({"text":"&lt;!channel&gt; &amp; web","unfurl_links":false,"unfurl_media":false,"blocks":[{)"
      R"("type":"section","text":{"type":"plain_text","text":"<!channel> & web\nIt would run git. T)"
      R"(he rule Bash(git push *) asks.","emoji":false}},{"type":"actions","block_id":"q1","elements")"
      R"(:[{"type":"button","text":{"type":"plain_text","text":"Open","emoji":false},"action_id":"tollgate-open",)"
      R"("url":"https://gate.example.com/#/question/q1"}]}]})");
}

TEST(Slack, APressedMessageIsReplacedWithoutItsButtons) {
  Order order = order_for(Kind::kSlack);
  order.target.url = "https://hooks.slack.com/services/T1/B1/x";
  order.ticket.secret = "tgn_1";
  order.reply = {.url = "https://hooks.slack.com/actions/T1/2/y",
                 .words = "Allowed, once. Answered as <ann>.",
                 .whole = true};
  const Result<HttpMessage> message = message_of(order, {});
  ASSERT_TRUE(message);
  EXPECT_EQ(message->url, order.reply.url);
  EXPECT_EQ(
      message->body,
      R"({"text":"Allowed, once. Answered as &lt;ann&gt;.","replace_original":true,"blocks":[{"type":)"
      R"("section","text":{"type":"plain_text","text":"web asks to use Bash\nIt would run git. The rul)"
      R"(e Bash(git push *) asks.","emoji":false}},{"type":"section","text":{"type":"plain_text","text)"
      R"(":"Allowed, once. Answered as <ann>.","emoji":false}}]})");
  order.reply.whole = false;
  EXPECT_EQ(message_of(order, {})->body,
            R"({"text":"Allowed, once. Answered as &lt;ann&gt;.","replace_original":false,)"
            R"("response_type":"ephemeral"})");
}

TEST(Slack, AReplyGoesToTheTargetsOwnPlaceAlone) {
  constexpr std::string_view kTarget = "https://hooks.slack.com/services/T1/B1/x";
  EXPECT_TRUE(may_reply(kTarget, "https://hooks.slack.com/actions/T1/2/y"));
  for (const std::string_view url :
       {"", "x", "http://hooks.slack.com/actions/1", "https://hooks.slack.com:8443/actions/1",
        "https://hooks.slack.com.evil.example/1", "https://hooks.slack.com@evil.example/1",
        "https://evil.example/#https://hooks.slack.com/", "https://127.0.0.1/actions/1",
        "file:///etc/passwd"}) {
    EXPECT_FALSE(may_reply(kTarget, url)) << url;
    Order order = order_for(Kind::kSlack);
    order.target.url = kTarget;
    order.reply = {.url = std::string(url), .words = "x", .whole = true};
    if (!url.empty()) {
      EXPECT_FALSE(message_of(order, {})) << url;
    }
  }
}

// The example of Slack's documentation.
constexpr std::string_view kSecret = "8f742231b10e8888abcd99yyyzzz85a5";
constexpr std::string_view kTime = "1531420618";
constexpr std::string_view kBody =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&"
    "channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&"
    "response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%"
    "2F96rGlfmibIGl"
    "gcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
constexpr std::string_view kSigned =
    "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
constexpr Millis kThen = 1'531'420'618'000;

TEST(SlackSignature, IsThatOfSlacksExample) {
  EXPECT_EQ(slack_signature(kSecret, kTime, kBody), kSigned);
  EXPECT_TRUE(check_slack(kSecret, kTime, kSigned, kBody, kThen));
}

TEST(SlackSignature, RefusesWhatIsNotSlacksOrNotNow) {
  struct Case {
    std::string_view name, secret, time, signature, body;
    Millis now;
  };
  const Case cases[] = {
      {"another secret", "other", kTime, kSigned, kBody, kThen},
      {"no secret at all", "", kTime, kSigned, kBody, kThen},
      {"another body", kSecret, kTime, kSigned, "payload=x", kThen},
      {"another time than was signed", kSecret, "1531420619", kSigned, kBody, kThen},
      {"no signature", kSecret, kTime, "", kBody, kThen},
      {"a signature cut short", kSecret, kTime, kSigned.substr(0, 40), kBody, kThen},
      {"a version that is not known", kSecret, kTime, "v1=a2114d57", kBody, kThen},
      {"older than five minutes", kSecret, kTime, kSigned, kBody, kThen + 300'001},
      {"newer than five minutes", kSecret, kTime, kSigned, kBody, kThen - 300'001},
      {"no time", kSecret, "", kSigned, kBody, kThen},
      {"a time that is no number", kSecret, "1531420618x", kSigned, kBody, kThen},
  };
  for (const Case& each : cases) {
    const Result<void> checked =
        check_slack(each.secret, each.time, each.signature, each.body, each.now);
    ASSERT_FALSE(checked) << each.name;
    EXPECT_EQ(checked.error().code, "bad-signature") << each.name;
  }
}

TEST(SlackPress, IsReadFromTheForm) {
  const Result<SlackPress> press = slack_press(
      "payload=%7B%22type%22%3A%22block_actions%22%2C%22user%22%3A%7B%22id%22%3A%22U1%22%7D%2C"
      "%22actions%22%3A%5B%7B%22action_id%22%3A%22tollgate-allow%22%2C%22block_id%22%3A%22q1%22%2C"
      "%22value%22%3A%22tgn_1%22%7D%5D%7D");
  ASSERT_TRUE(press);
  EXPECT_EQ(press->action, kSlackAllow);
  EXPECT_EQ(press->ticket, "tgn_1");
  EXPECT_EQ(press->user, "U1");
  EXPECT_EQ(press->question, "q1");
  for (const char* body : {"", "payload=", "payload=x", "payload=%7B%7D", "other=%7B%7D",
                           "payload=%7B%22type%22%3A%22view_submission%22%7D"})
    EXPECT_FALSE(slack_press(body)) << body;
}

TEST(Outcome, SaysWhetherToTryAgain) {
  using enum Outcome::Kind;
  struct Case {
    std::string_view name;
    Kind kind;
    int status;
    Outcome::Kind want;
  };
  constexpr Case kCases[] = {
      {"taken", Kind::kWebhook, 200, kDelivered},
      {"made", Kind::kPush, 201, kDelivered},
      {"nothing to say", Kind::kSlack, 204, kDelivered},
      {"somewhere else: not followed", Kind::kWebhook, 302, kRefused},
      {"not found", Kind::kWebhook, 404, kRefused},
      {"a subscription that is gone", Kind::kPush, 410, kGone},
      {"a subscription that was never there", Kind::kPush, 404, kGone},
      {"too much", Kind::kNtfy, 429, kAgain},
      {"broken", Kind::kNtfy, 503, kAgain},
      {"no answer", Kind::kNtfy, 0, kAgain},
      {"forbidden", Kind::kNtfy, 403, kRefused},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(outcome_of(each.kind, HttpReply{.status = each.status}).kind, each.want) << each.name;
  EXPECT_EQ(outcome_of(Kind::kNtfy, HttpReply{.status = 429, .retry_ms = 7'000}).wait, 7'000);
}

TEST(WebAddress, IsReadOneWay) {
  const std::optional<WebAddress> plain = web_address("http://[::1]:8080/a?b=c");
  ASSERT_TRUE(plain);
  EXPECT_EQ(*plain, (WebAddress{false, "::1", 8080, "/a?b=c"}));
  EXPECT_EQ(plain->origin(), "http://[::1]:8080");
  EXPECT_TRUE(plain->is_loopback());
  EXPECT_EQ(*web_address("https://EXAMPLE.com"), (WebAddress{true, "example.com", 443, "/"}));
  EXPECT_EQ(web_address("https://example.com?x")->target, "/?x");
  EXPECT_FALSE(web_address("https://127.0.0.1.example.com")->is_loopback());
  // However it is spelled, it is this machine.
  EXPECT_TRUE(web_address("http://0x7f.1/")->is_loopback());
  for (const char* text :
       {"", "example.com", "ftp://example.com", "https://", "https:///x", "https://a@b.com/",
        "https://a b.com/", "https://a.com:0/", "https://a.com:65536/", "https://a.com:x/",
        "https://a.com/#x", "https://[::1/", "https://[::1]x/", "https://a.com/\r\nX: y"})
    EXPECT_FALSE(web_address(text)) << text;
}

TEST(SecretFile, MustBeOnesOwnAlone) {
  std::string directory = "/tmp/tollgate-notify-XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  const std::string file = directory + "/secret";
  EXPECT_EQ(secret_in(file).error().code, "file-missing");
  ASSERT_TRUE(os::write_atomically(file, "  the secret\n"));
  EXPECT_EQ(secret_in(file).value(), "the secret");
  for (const mode_t mode : {0640u, 0604u, 0620u, 0644u}) {
    ::chmod(file.c_str(), mode);
    EXPECT_EQ(secret_in(file).error().code, "unsafe-secret-file") << mode;
  }
  ASSERT_TRUE(os::write_atomically(file, "\n"));
  EXPECT_EQ(secret_in(file).error().code, "unsafe-secret-file");
  ::unlink(file.c_str());
  ::rmdir(directory.c_str());
}

}  // namespace
}  // namespace tollgate::notify
