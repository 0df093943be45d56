#include "server/notices.h"

#include <algorithm>

#include "notify/slack.h"
#include "server/notice_receipts.h"
#include "server/notice_text.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;
using notify::Receipt;
using notify::ReceiptState;

constexpr std::string_view kPrefix = "notice:";

bool is_end(ReceiptState state) {
  return state == ReceiptState::kDelivered || state == ReceiptState::kFailed;
}

store::AuditRow receipt_row(const std::string& question, const Receipt& receipt) {
  store::AuditRow row;
  row.at = receipt.at;
  row.kind = "notice";
  row.question = question;
  row.origin = "daemon";
  row.record = Value::object({{"target", text_value(receipt.target)},
                              {"state", text_value(word(receipt.state))},
                              {"tries", Value::integer(receipt.tries)}});
  if (!receipt.device.empty()) row.record.set("device", text_value(receipt.device));
  if (!receipt.why.empty()) row.record.set("why", text_value(receipt.why));
  return row;
}

}  // namespace

Notices::Notices(NoticeParts parts)
    : parts_(std::move(parts)),
      shelf_(parts_.store,
             [&loop = parts_.loop](std::function<void()> work) { loop.post(std::move(work)); }),
      courier_(parts_.sender,
               [&loop = parts_.loop](std::function<void()> work) { loop.post(std::move(work)); },
               {.prepare = [this](notify::Order& order) { prepare(order); },
                .gone = [this](const notify::Subscription& ended) { shelf_.drop(ended.endpoint); },
                .changed = [this](const std::string& question) { changed(question); }}) {}

void Notices::configure(std::vector<NoticeRoute> routes, std::string base) {
  while (base.ends_with('/')) base.pop_back();
  base_ = std::move(base);
  routes_ = std::move(routes);
}

void Notices::restore(const std::vector<std::pair<std::string, std::string>>& settings) {
  shelf_.restore(settings);
  std::map<std::string, std::vector<Receipt>> known;
  for (const auto& [name, text] : settings)
    if (name.starts_with(kPrefix)) {
      const std::string question = name.substr(kPrefix.size());
      on_disk_.insert(question);
      known[question] = kept_receipts(text);
    }
  for (const store::Question& question : parts_.desk.pending()) {
    told_[question.id] = known[question.id];
    announce(question, known[question.id]);
    if (question.seen != 0) courier_.seen(question.id, parts_.loop.now());
  }
  for (const auto& [question, receipts] : known)
    if (const auto open = parts_.desk.find(question);
        !open || open->state != store::QuestionState::kPending)
      forget(question);
}

void Notices::question_changed(approvals::Notice notice, const store::Question& question) {
  switch (notice) {
    case approvals::Notice::kCreated:
      // It goes on after its time: people are told once more.
      courier_.ended(question.id);
      return announce(question, {});
    case approvals::Notice::kSeen:
      return courier_.seen(question.id, parts_.loop.now());
    case approvals::Notice::kResolved:
    case approvals::Notice::kTimeout:
      courier_.ended(question.id);
      tell_slack(question);
      return forget(question.id);
    default:
      return;
  }
}

// What a parent's agent settles is nobody's to be told.
void Notices::announce(const store::Question& question, const std::vector<Receipt>& known) {
  if (routes_.empty() || !question.for_session.empty() ||
      question.state != store::QuestionState::kPending)
    return;
  std::vector<notify::Stop> stops;
  for (const NoticeRoute& route : routes_)
    if (is_for(route.entry, question)) add_stops(route, stops);
  if (stops.empty()) return;
  courier_.announce(notice_of(question, base_), stops, parts_.loop.now(), known);
}

void Notices::add_stops(const NoticeRoute& route, std::vector<notify::Stop>& stops) {
  if (route.target->kind != notify::Kind::kPush) {
    stops.push_back(
        {.target = route.target, .device = {}, .subscription = {}, .after = route.entry.after_ms});
    return;
  }
  const std::vector<std::string>& people = route.entry.people;
  for (const auto& [device, owner] : shelf_.live(parts_.people.all(), parts_.loop.now()))
    if (people.empty() || std::ranges::find(people, owner.person) != people.end())
      stops.push_back({.target = route.target,
                       .device = owner.name,
                       .subscription = device.subscription,
                       .after = route.entry.after_ms});
}

// SAFETY: without a word of the configuration for just this rule, a notice opens the card and no
// more.
void Notices::prepare(notify::Order& order) {
  const NoticeRoute* found = route(order.target.name);
  if (found == nullptr || !found->entry.answer) return;
  const std::optional<store::Question> question = parts_.desk.find(order.notice.question);
  if (!question || !may_carry_answer(*question, *found->entry.answer)) return;
  Result<notify::Ticket> ticket =
      tickets_.make(*question, order.target.name, *found->entry.answer, base_, parts_.loop.now());
  if (ticket) order.ticket = std::move(*ticket);
}

void Notices::changed(const std::string& question) {
  dirty_.insert(question);
  std::vector<Receipt>& before = told_[question];
  std::vector<Receipt> now = courier_.receipts(question);
  std::vector<store::Change> batch;
  for (const Receipt& each : now) {
    if (!is_end(each.state) || std::ranges::find(before, each) != before.end()) continue;
    Tally& tally = tallies_[each.target];
    ++(each.state == ReceiptState::kDelivered ? tally.delivered : tally.failed);
    tally.why = each.why;
    tally.at = each.at;
    batch.emplace_back(store::AppendAudit{receipt_row(question, each)});
  }
  before = std::move(now);
  if (batch.empty()) return;
  // With its row, so that after a kill what the record calls delivered is not sent again.
  put_receipts(question, batch);
  parts_.store.submit(std::move(batch), store::Durability::kGrouped, [](Result<void>) {});
}

void Notices::put_receipts(const std::string& question, std::vector<store::Change>& batch) {
  const std::vector<Receipt> receipts = courier_.receipts(question);
  if (receipts.empty()) return;
  batch.emplace_back(store::PutSetting{std::string(kPrefix) + question, kept_text(receipts)});
  on_disk_.insert(question);
}

void Notices::write_receipts() {
  std::vector<store::Change> batch;
  for (const std::string& question : dirty_) put_receipts(question, batch);
  dirty_.clear();
  if (!batch.empty())
    parts_.store.submit(std::move(batch), store::Durability::kGrouped, [](Result<void>) {});
}

void Notices::forget(const std::string& question) {
  tickets_.drop(question);
  told_.erase(question);
  dirty_.erase(question);
  if (on_disk_.erase(question) == 0) return;
  std::vector<store::Change> batch;
  batch.emplace_back(store::PutSetting{std::string(kPrefix) + question, ""});
  parts_.store.submit(std::move(batch), store::Durability::kGrouped, [](Result<void>) {});
}

void Notices::tick(Millis now) {
  courier_.tick(now);
  tickets_.tick(now);
  slack_places_.tick(now);
  write_receipts();
}

void Notices::reply_to_slack(const NoticeRoute& route, notify::Notice notice,
                             notify::SlackReply reply) {
  if (!notify::may_reply(route.target->url, reply.url)) return;
  parts_.sender.send({.target = *route.target,
                      .subscription = {},
                      .notice = std::move(notice),
                      .ticket = {},
                      .delivery = {},
                      .now = parts_.loop.now(),
                      .reply = std::move(reply)},
                     [](const notify::Outcome&) {});
}

// A message that somebody pressed a button of says how its question ended, wherever that was.
void Notices::tell_slack(const store::Question& question) {
  for (const SlackPlace& place : slack_places_.take(question.id, parts_.loop.now()))
    if (const NoticeRoute* found = route(place.target); found != nullptr)
      reply_to_slack(*found, notice_of(question, base_),
                     {.url = place.url, .words = slack_words(question), .whole = true});
}

const NoticeRoute* Notices::route(const std::string& name) const {
  const auto found = std::ranges::find_if(
      routes_, [&](const NoticeRoute& each) { return each.target->name == name; });
  return found == routes_.end() ? nullptr : &*found;
}

const NoticeRoute* Notices::route_of(notify::Kind kind) const {
  const auto found = std::ranges::find_if(
      routes_, [&](const NoticeRoute& each) { return each.target->kind == kind; });
  return found == routes_.end() ? nullptr : &*found;
}

Value Notices::targets_value() const {
  Value list = Value::array();
  for (const NoticeRoute& route : routes_) {
    const std::string& problem = route.target->problem;
    const auto found = tallies_.find(route.target->name);
    const Tally tally = found == tallies_.end() ? Tally{} : found->second;
    Value each =
        Value::object({{"name", text_value(route.target->name)},
                       {"type", text_value(notify::name(route.target->kind))},
                       {"state", text_value(problem.empty() ? "ready" : "unusable")},
                       {"afterMs", Value::integer(route.entry.after_ms)},
                       {"answers", Value::boolean(route.entry.answer.has_value())},
                       {"delivered", Value::integer(static_cast<std::int64_t>(tally.delivered))},
                       {"failed", Value::integer(static_cast<std::int64_t>(tally.failed))},
                       {"lastAt", moment_value(tally.at)}});
    const std::string& why = problem.empty() ? tally.why : problem;
    if (!why.empty()) each.set("why", text_value(why));
    list.push(std::move(each));
  }
  return list;
}

void Notices::try_target(const std::string& name, const std::function<void(Result<Value>)>& done) {
  const NoticeRoute* found = route(name);
  if (found == nullptr)
    return done(Fail({.code = "unknown-target",
                      .message = "`notify` has no target `" + name + "`",
                      .hint = "GET /api/notices lists them",
                      .where = {}}));
  std::vector<notify::Stop> stops;
  add_stops(*found, stops);
  if (stops.empty())
    return done(Value::object(
        {{"state", text_value("failed")}, {"why", text_value("no device has subscribed")}}));
  notify::Notice notice;
  notice.agent = "Tollgate";
  notice.tool = "notice";
  notice.title = "A notice to try this target";
  notice.text = "Nobody asks anything. Questions will arrive like this one.";
  notice.link = base_ + "/#/questions";
  notice.created = parts_.loop.now();
  for (const notify::Stop& stop : stops)
    parts_.sender.send(
        {.target = *stop.target,
         .subscription = stop.subscription,
         .notice = notice,
         .ticket = {},
         .delivery = "try-" + std::to_string(notice.created) + "-" + stop.target->name,
         .now = notice.created},
        [&loop = parts_.loop, done, last = &stop == &stops.back()](notify::Outcome outcome) {
          if (!last) return;
          loop.post([done, outcome = std::move(outcome)] {
            const bool good = outcome.kind == notify::Outcome::Kind::kDelivered;
            done(Value::object({{"state", text_value(good ? "delivered" : "failed")},
                                {"why", text_value(outcome.why)}}));
          });
        });
}

}  // namespace tollgate::server
