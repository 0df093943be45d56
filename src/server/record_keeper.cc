#include "server/record_keeper.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/moment_text.h"
#include "json/json.h"
#include "os/appended_file.h"
#include "os/clock.h"
#include "os/journal.h"
#include "server/notices.h"

namespace tollgate::server {
namespace {

using json::Value;
using store::Millis;

constexpr Millis kRemovalEvery = 60'000;

}  // namespace

void RecordKeeper::restore(const std::vector<std::pair<std::string, std::string>>& settings,
                           Millis now, Millis boot, const std::string& start) {
  const Result<std::vector<store::AuditRow>> newest = parts_.store.audit({.limit = 1});
  // SAFETY: where it cannot be read nothing is old for now.
  constexpr Millis kLongAgo = 1;
  const Millis at = !newest ? kLongAgo : newest->empty() ? 0 : newest->front().at;
  age_.restore(settings, {.now = now, .boot = boot, .name = start, .newest = at});
}

void RecordKeeper::tick(Millis now, Millis boot) {
  // The time of day may have been set back.
  next_anchor_ = std::min(next_anchor_, now + parts_.policies.settings().anchor.every_ms);
  next_removal_ = std::min(next_removal_, now + kRemovalEvery);
  if (now >= next_anchor_ && !anchoring_) anchor(now);
  if (now >= next_removal_ && !removing_) remove_old(now, boot);
}

void RecordKeeper::anchor(Millis now) {
  const config::AnchorPlaces where = parts_.policies.settings().anchor;
  next_anchor_ = now + where.every_ms;
  anchoring_ = true;
  struct Work {
    Result<store::RecordState> state = store::RecordState();
    config::AnchorPlaces where;
    std::vector<Place> places;
  };
  const auto work = std::make_shared<Work>();
  parts_.loop.work([this, work] { work->state = parts_.store.record_state(); },
                   [this, work, where, now] {
                     anchoring_ = false;
                     if (!work->state || work->state->last == 0) return;
                     work->where = without(where, work->state->last);
                     const Anchor head = head_of(*work->state, now);
                     if (!work->where.notify.empty()) send(head, work->where.notify);
                     if (!work->where.journal && work->where.file.empty()) return;
                     anchoring_ = true;
                     parts_.loop.work([work, head] { work->places = put(head, work->where); },
                                      [this, work] {
                                        anchoring_ = false;
                                        for (Place& place : work->places) settle(std::move(place));
                                      });
                   });
}

config::AnchorPlaces RecordKeeper::without(config::AnchorPlaces where, std::int64_t number) const {
  const auto has = [&](std::string_view name) {
    const auto known = std::ranges::find(places_, name, &Place::name);
    return known != places_.end() && known->number >= number;
  };
  if (has("journal")) where.journal = false;
  if (has("file")) where.file.clear();
  if (sending_ || has("webhook")) where.notify.clear();
  return where;
}

Anchor RecordKeeper::head_of(const store::RecordState& state, Millis now) const {
  return {.store = state.store,
          .place = parts_.place,
          .number = state.last,
          .digest = state.head,
          .at = now,
          .from = {}};
}

std::vector<RecordKeeper::Place> RecordKeeper::put(const Anchor& head,
                                                   const config::AnchorPlaces& where) {
  std::vector<Place> places;
  const std::string line = anchor_line(head);
  if (where.journal) {
    const std::array<os::JournalField, 5> fields = {{{"MESSAGE", line},
                                                     {"PRIORITY", "6"},
                                                     {"SYSLOG_IDENTIFIER", "tollgate"},
                                                     {"TOLLGATE_STORE", head.store},
                                                     {"TOLLGATE_PLACE", head.place}}};
    const Result<void> written = os::write_journal(fields);
    places.push_back({.name = "journal",
                      .number = head.number,
                      .at = head.at,
                      .why = written ? "" : written.error().message,
                      .weak = {}});
  }
  if (!where.file.empty()) {
    const Result<os::AppendedFile> file = os::append_there(where.file, line + "\n");
    places.push_back(
        {.name = "file",
         .number = head.number,
         .at = head.at,
         .why = file ? "" : file.error().message,
         .weak = file ? weakness_of({.append_only = file->append_only, .own = file->own}) : ""});
  }
  return places;
}

void RecordKeeper::send(const Anchor& head, const std::string& target) {
  Place place{.name = "webhook", .number = head.number, .at = head.at, .why = {}, .weak = {}};
  const NoticeRoute* route = parts_.route(target);
  if (route == nullptr || !route->target->problem.empty()) {
    place.why =
        route == nullptr ? "`notify` has no webhook `" + target + "`" : route->target->problem;
    return settle(std::move(place));
  }
  sending_ = true;
  parts_.sender.send({.target = *route->target,
                      .subscription = {},
                      .notice = {},
                      .ticket = {},
                      .delivery = "head-" + std::to_string(head.number),
                      .now = head.at,
                      .head = anchor_value(head),
                      .reply = {}},
                     [this, &loop = parts_.loop, place](notify::Outcome outcome) {
                       loop.post([this, place, outcome = std::move(outcome)]() mutable {
                         sending_ = false;
                         if (outcome.kind != notify::Outcome::Kind::kDelivered)
                           place.why = outcome.why;
                         settle(std::move(place));
                       });
                     });
}

// Says once that a place does not work, does again, or attests nothing.
void RecordKeeper::settle(Place place) {
  auto known = std::ranges::find(places_, place.name, &Place::name);
  const bool fresh = known == places_.end();
  if (fresh) known = places_.insert(known, Place{place.name, 0, 0, {}, {}});
  if (place.why != known->why && !place.why.empty())
    parts_.log("no head of the record to the " + place.name + ": " + place.why);
  if (place.why.empty() && !known->why.empty())
    parts_.log("heads of the record reach the " + place.name + " again");
  if (place.weak != known->weak && !place.weak.empty())
    parts_.log("heads of the record go to a " + place.name + ", but " + place.weak);
  if (!place.why.empty()) {
    place.number = known->number;
    place.at = known->at;
  }
  *known = std::move(place);
}

void RecordKeeper::remove_old(Millis now, Millis boot) {
  const Millis keep = parts_.policies.settings().retention_ms;
  next_removal_ = now + kRemovalEvery;
  const Millis measured = age_.look(now, boot, keep > 0 ? keep : INT64_MAX);
  if (age_.is_due()) {
    const auto [name, text] = age_.kept();
    parts_.store.submit({store::PutSetting{name, text}}, store::Durability::kGrouped,
                        [](const Result<void>&) {});
  }
  if (keep <= 0) return;
  removing_ = true;
  const auto more = std::make_shared<bool>(false);
  parts_.loop.work(
      [this, more, before = measured - keep, now, removed = removed_] {
        const Result<store::RecordState> was = parts_.store.record_state();
        if (!was) return;
        if (!store::submit_and_wait(parts_.store, {store::RemoveAudit{.before = before, .at = now}},
                                    store::Durability::kGrouped))
          return;
        const Result<store::RecordState> is = parts_.store.record_state();
        *more = is && is->first > was->first;
        // What no row has any more goes once there is nothing left to remove.
        if (!*more && removed) static_cast<void>(parts_.store.compact());
      },
      [this, more] {
        removing_ = false;
        removed_ = *more;
        if (*more) next_removal_ = 0;
      });
}

void RecordKeeper::last_words() {
  const Result<store::RecordState> state = parts_.store.record_state();
  if (!state || state->last == 0) return;
  const config::AnchorPlaces where = without(parts_.policies.settings().anchor, state->last);
  for (Place& place : put(head_of(*state, os::now_milliseconds()), where)) settle(std::move(place));
}

Value RecordKeeper::value(const store::RecordState& state) const {
  Value places = Value::array();
  for (const Place& place : places_) {
    Value each = Value::object({{"to", Value::string(place.name)},
                                {"number", Value::integer(place.number)},
                                {"at", Value::string(moment_text(place.at))}});
    if (!place.why.empty()) each.set("why", Value::string(place.why));
    if (!place.weak.empty()) each.set("weak", Value::string(place.weak));
    places.push(std::move(each));
  }
  const Millis lag =
      state.waiting_since == 0 ? 0 : std::max<Millis>(parts_.loop.now() - state.waiting_since, 0);
  return Value::object({{"store", Value::string(state.store)},
                        {"first", Value::integer(state.first)},
                        {"last", Value::integer(state.last)},
                        {"head", Value::string(text_of(state.head))},
                        {"words", Value::object({{"to", Value::integer(state.worded)},
                                                 {"lagMs", Value::integer(lag)}})},
                        {"anchored", std::move(places)}});
}

}  // namespace tollgate::server
