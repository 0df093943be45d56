// Answers by a notice, where the configuration gives one the power: a link that works once, and
// Slack's buttons.
// SAFETY: looking at the link does nothing, because programs look at links; the press does. A
// ticket is spent before the answer is tried, whatever comes of it.
#include <algorithm>

#include "approvals/digest.h"
#include "notify/slack.h"
#include "os/random.h"
#include "server/notice_text.h"
#include "server/notices.h"
#include "server/roles_now.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

enum class Act : std::uint8_t { kAllow, kDeny };

std::string html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

constexpr std::string_view kStyle =
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}"
    "button{font:inherit;padding:.7rem 1.4rem;margin:.5rem .5rem .5rem 0}";

void reply_page(const Visit& visit, int status, const std::string& inside) {
  const std::string nonce = approvals::hexadecimal(os::random_bytes(16).value_or(""));
  Response response;
  response.status = status;
  // Referrers stay on this site: without any, a browser would send the form without an origin.
  response.headers = {{"Content-Type", "text/html; charset=utf-8"},
                      {"Cache-Control", "no-store"},
                      {"Content-Security-Policy", "default-src 'none'; style-src 'nonce-" + nonce +
                                                      "'; form-action 'self'; base-uri 'none'; "
                                                      "frame-ancestors 'none'"},
                      {"X-Frame-Options", "DENY"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "same-origin"}};
  response.body =
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tollgate</title>"
      "<meta name=\"viewport\" content=\"width=device-width\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" "
      "content=\"noindex\"><style nonce=\"" +
      nonce + "\">" + std::string(kStyle) + "</style>" + inside + "</html>\n";
  visit.exchange->reply(std::move(response));
}

std::string problem_page(const Error& error) {
  return "<h1>Not answered</h1><p>" + html(error.message) + ".</p><p>" + html(error.hint) +
         ".</p><p><a href=\"/#/questions\">Open the gate</a></p>";
}

// The credential that a ticket answers as: it must be alive, and an approver's.
const store::Credential* approver_of(const std::vector<store::Credential>& all,
                                     const std::string& name, Millis now) {
  const auto found = std::ranges::find_if(all, [&](const store::Credential& each) {
    return each.name == name && each.revoked == 0 && each.approver &&
           (each.expires == 0 || each.expires > now);
  });
  return found == all.end() ? nullptr : &*found;
}

// The question of a ticket that is good now. Error: link-spent.
Result<store::Question> question_of(const Daemon& daemon, const TicketHolder& holder) {
  std::optional<store::Question> question = daemon.parts.desk.find(holder.question);
  if (!question || !fits(holder, *question)) return Fail(link_spent());
  return std::move(*question);
}

// SAFETY: the secret of Slack's buttons works with Slack's signature alone.
Result<void> may_anybody(const Daemon& daemon, const TicketHolder& holder) {
  const NoticeRoute* route = daemon.notices->route(holder.target);
  if (route == nullptr || route->target->kind == notify::Kind::kSlack) return Fail(link_spent());
  return {};
}

using Answered = std::function<void(const Result<store::Question>&)>;

void answer_by(Daemon& daemon, const std::string& secret, Act act, const std::string& via,
               const std::function<Result<void>(const TicketHolder&)>& may, const Answered& done) {
  if (daemon.notices == nullptr) return done(Fail(link_spent()));
  const Millis now = daemon.parts.loop.now();
  const std::optional<TicketHolder> known = daemon.notices->tickets().find(secret, now);
  if (!known) return done(Fail(link_spent()));
  if (const Result<void> allowed = may(*known); !allowed) return done(Fail(allowed.error()));
  const Result<TicketHolder> holder = daemon.notices->tickets().spend(secret, now);
  if (!holder) return done(Fail(holder.error()));
  const Result<store::Question> question = question_of(daemon, *holder);
  if (!question) return done(question);
  // SAFETY: the configuration may have changed since the notice was sent.
  const NoticeRoute* route = daemon.notices->route(holder->target);
  const bool still = route != nullptr && route->entry.answer &&
                     route->entry.answer->as == holder->approver &&
                     may_carry_answer(*question, *route->entry.answer);
  const std::vector<store::Credential> all = daemon.people.all();
  const store::Credential* as = approver_of(all, holder->approver, now);
  if (!still || as == nullptr)
    return done(Fail({.code = "not-allowed-here",
                      .message = "the approver that this notice answers as may not answer now",
                      .hint = "open the question on the page, and log in there",
                      .where = {}}));
  approvals::Principal by = approvals::principal_of(*as, via + ":" + holder->target);
  by.roles = roles_now(daemon, *as);
  if (act == Act::kDeny) return daemon.gate.deny(holder->question, "denied by a notice", by, done);
  daemon.gate.approve(holder->question, {}, by, done);
}

std::optional<Act> act_in(const std::string& body) {
  if (body == "act=allow") return Act::kAllow;
  if (body == "act=deny") return Act::kDeny;
  return std::nullopt;
}

std::string page_of(const notify::Notice& notice, const TicketHolder& holder) {
  return "<h1>" + html(notice.title) + "</h1><p>" + html(notice.text) + "</p><p>You answer as <b>" +
         html(holder.approver) + "</b>, for this call, once. <a href=\"" + html(notice.link) +
         "\">See the whole call first</a> (needs your login).</p><form method=\"post\"><button "
         "name=\"act\" value=\"allow\">Allow once</button><button name=\"act\" "
         "value=\"deny\">Deny</button></form>";
}

constexpr std::string_view kOver = "This question is over, or its buttons have been used.";
constexpr std::string_view kUsed =
    "These buttons have been used, or are too old. The question still waits: open it to answer.";

// What became of an answer, for those who read the message later.
std::string end_words(const store::Question& question, bool allow) {
  const std::string by =
      question.votes.empty() ? "" : " Answered as " + question.votes.back().approver + ".";
  if (question.state == store::QuestionState::kPending)
    return std::string(allow ? "An allow" : "A deny") + " was counted; others must answer too." +
           by;
  return (question.state == store::QuestionState::kApproved ? "Allowed, once." : "Denied.") + by;
}

// The question that a pressed message is about; nothing where the target was never told of it, or
// it ended long ago.
std::optional<store::Question> pressed_question(const Daemon& daemon, const NoticeRoute& route,
                                                const std::string& id) {
  std::optional<store::Question> question = id.empty() ? std::nullopt : daemon.parts.desk.find(id);
  return question && is_for(route.entry, *question) ? question : std::nullopt;
}

// Says how the question ended, or keeps the place so that it is said then.
void tell_or_keep(Daemon& daemon, const NoticeRoute& route, const notify::SlackPress& press) {
  const std::optional<store::Question> question = pressed_question(daemon, route, press.question);
  if (!question) return;
  if (question->state == store::QuestionState::kPending)
    return daemon.notices->slack_places().keep(
        question->id, {.target = route.target->name, .url = press.reply}, daemon.parts.loop.now());
  daemon.notices->reply_to_slack(
      route, notice_of(*question, daemon.notices->base()),
      {.url = press.reply, .words = slack_words(*question), .whole = true});
}

// What is over loses its buttons and says how it ended; what is not is told to the presser alone.
void tell_failed(Daemon& daemon, const NoticeRoute& route, const notify::SlackPress& press,
                 const Error& error) {
  const bool spent = error.code == "link-spent" || error.code == "already-answered" ||
                     error.code == "unknown-question";
  const std::optional<store::Question> question = pressed_question(daemon, route, press.question);
  const bool open = question && question->state == store::QuestionState::kPending;
  if (!spent || open)
    daemon.notices->reply_to_slack(
        route, {},
        {.url = press.reply,
         .words = spent ? std::string(kUsed) : "Not answered: " + error.message + "."});
  else if (!question)
    daemon.notices->reply_to_slack(
        route, {}, {.url = press.reply, .words = std::string(kOver), .whole = true});
  if (question && (spent || open)) tell_or_keep(daemon, route, press);
}

}  // namespace

void show_ticket(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  const std::optional<TicketHolder> holder =
      daemon.notices == nullptr ? std::nullopt
                                : daemon.notices->tickets().find(visit.arguments[0], now);
  if (!holder || !may_anybody(daemon, *holder))
    return reply_page(visit, 410, problem_page(link_spent()));
  const Result<store::Question> question = question_of(daemon, *holder);
  if (!question) return reply_page(visit, 410, problem_page(question.error()));
  reply_page(visit, 200, page_of(notice_of(*question, daemon.notices->base()), *holder));
}

void answer_by_ticket(Daemon& daemon, Visit visit) {
  const std::optional<Act> act = act_in(visit.request().body);
  if (!act)
    return reply_page(visit, 400, problem_page(malformed_request("send act=allow or act=deny")));
  const auto anybody = [&daemon](const TicketHolder& holder) {
    return may_anybody(daemon, holder);
  };
  answer_by(daemon, visit.arguments[0], *act, "link", anybody,
            [visit](const Result<store::Question>& result) {
              if (!result)
                return reply_page(visit, status_of(result.error().code),
                                  problem_page(result.error()));
              const bool allowed = result->state == store::QuestionState::kApproved;
              const bool open = result->state == store::QuestionState::kPending;
              reply_page(visit, 200,
                         std::string("<h1>") +
                             (open      ? "Counted"
                              : allowed ? "Allowed, once"
                                        : "Denied") +
                             "</h1><p>It is recorded, and this link has ended.</p>");
            });
}

void serve_slack(Daemon& daemon, Visit visit) {
  const Request& request = visit.request();
  const NoticeRoute* route =
      daemon.notices == nullptr ? nullptr : daemon.notices->route(visit.arguments[0]);
  if (route == nullptr || route->target->kind != notify::Kind::kSlack)
    return visit.fail(404, {.code = "unknown-target",
                            .message = "there is no such target",
                            .hint = "name a target of type slack",
                            .where = {}});
  const Millis now = daemon.parts.loop.now();
  if (const Result<void> signed_by_slack = notify::check_slack(
          route->target->secret, request.header("x-slack-request-timestamp").value_or(""),
          request.header("x-slack-signature").value_or(""), request.body, now);
      !signed_by_slack)
    return visit.fail(signed_by_slack.error());
  const Result<notify::SlackPress> press = notify::slack_press(request.body);
  if (!press) return visit.fail(press.error());
  const bool allow = press->action == notify::kSlackAllow;
  // Of the button that opens the card Slack tells as well: the answer is then given on the page.
  if (!allow && press->action != notify::kSlackDeny) {
    tell_or_keep(daemon, *route, *press);
    return visit.reply(200, Value::object());
  }
  const auto may = [target = route->target->name, entry = route->entry,
                    user = press->user](const TicketHolder& holder) -> Result<void> {
    if (holder.target == target && entry.answer && !user.empty() &&
        user == entry.answer->slack_user)
      return {};
    return Fail({.code = "not-allowed-here",
                 .message = "this member of Slack does not answer here",
                 .hint = "`slackUser` of the target says who does",
                 .where = {}});
  };
  // This press says itself what became of it.
  daemon.notices->slack_places().drop(press->question, route->target->name);
  answer_by(daemon, press->ticket, allow ? Act::kAllow : Act::kDeny, "slack", may,
            [&daemon, visit, allow, route = *route,
             press = *press](const Result<store::Question>& result) {
              if (!result) {
                tell_failed(daemon, route, press, result.error());
                return visit.fail(result.error());
              }
              const std::string words = end_words(*result, allow);
              daemon.notices->reply_to_slack(route, notice_of(*result, daemon.notices->base()),
                                             {.url = press.reply, .words = words, .whole = true});
              // What others answer as well is said once they have.
              if (result->state == store::QuestionState::kPending)
                tell_or_keep(daemon, route, press);
              visit.reply(200, Value::object({{"text", text_value(words)}}));
            });
}

}  // namespace tollgate::server
