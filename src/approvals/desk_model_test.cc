// The desk against a plain model of it: random asks, retries, answers, failures and crashes.
// The model knows what was asked and said; the store knows what is durable. After every step the
// two and all that anybody was told must agree.
// `TOLLGATE_SEED` repeats a run, `TOLLGATE_LONG=1` makes it longer than its
// 100,000 steps.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "approvals/desk.h"
#include "approvals/scripted_store.h"

namespace tollgate::approvals {
namespace {

using store::QuestionState;

// A call as the model knows it: who waits, and what it has heard.
struct Call {
  Ticket ticket;
  bool has_id = false;
  bool waits = true;  // it has not left, and no crash has cut it off
  int heard = 0;
  bool open = false;  // it heard an answer that is neither delivered nor left
  bool approved = false;
};

// What the model knows of a question: whatever may have ended it, and how it ended.
struct Fate {
  std::set<std::string> allowed_by, denied_by;
  bool cancel_wanted = false, session_ended = false;
  Millis gone_since = 0;        // the first time that nobody waited
  bool used = false;            // of a call without an id: a call has had the approval
  std::optional<Question> end;  // as it was first seen in the store
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) { start(); }

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      step();
      check();
    }
    finish();
  }

  int asked = 0, joined = 0, refused = 0, kept_answers = 0, late_answers = 0, failures = 0,
      crashes = 0, ends = 0, taken_over = 0;

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  bool chance(int percent) { return pick(100) < static_cast<std::size_t>(percent); }

  void start() {
    desk_ = std::make_unique<Desk>(store_, queue_.post());
    desk_->listen([this](Notice notice, const Question& question) { hear(notice, question); });
  }

  void step() {
    const std::size_t what = pick(100);
    if (what < 22) return ask();
    if (what < 32) return answer();
    if (what < 38) return leave();
    if (what < 41) return cancel();
    if (what < 47) return deliver();
    if (what < 50) return pass_time();
    if (what < 52) return other_call();
    if (what < 53 && chance(20)) return end_session();
    if (what < 54 && chance(15)) return crash();
    if (what < 77) return static_cast<void>(queue_.run_one());
    answer_batch(!chance(12));
  }

  void answer_batch(bool works) {
    if (store_.batches.empty()) return;
    const auto* added = std::get_if<store::AddQuestion>(&store_.batches.front().changes[0]);
    const std::string id = added == nullptr ? "" : added->question.id;
    store_.answer_one(works);
    if (works) return;
    ++failures;
    if (!id.empty()) queue_.follow([this, id] { lost_.insert(id); });
  }

  Question some_question() {
    Question question;
    question.session = "s" + std::to_string(pick(2));
    question.agent = "a";
    ToolCall& call = question.asked.call;
    const std::size_t id = pick(12);
    call.id = id < 3 ? "" : id < 8 ? "c" + std::to_string(pick(6)) : "n" + std::to_string(++fresh_);
    call.session = question.session;
    call.tool = "Bash";
    call.input =
        json::Value::object({{"command", json::Value::integer(static_cast<int>(pick(3)))}});
    question.digest = digest_of(call);
    question.expires = chance(30) ? 0 : now_ + 1 + static_cast<Millis>(pick(90'000));
    return question;
  }

  void ask() {
    const Question question = some_question();
    const std::size_t number = calls_.size();
    calls_.push_back({});
    calls_[number].has_id = !question.asked.call.id.empty();
    const std::set<std::string> expected = expected_joins(question);
    const Result<Ticket> ticket =
        desk_->ask(question, now_, [this, number](const Question& heard) { hear(number, heard); });
    if (!ticket) {
      ++refused;
      calls_.pop_back();
      EXPECT_EQ(ticket.error().code, "too-many-questions");
      EXPECT_GE(open_of(question.session), kMaxPendingOfSession);
      return;
    }
    calls_[number].ticket = *ticket;
    ++(ticket->joined ? joined : asked);
    if (calls_[number].has_id && expected.empty()) check_taken_over(question, *ticket, number);
    if (calls_[number].has_id && !expected.empty()) {
      EXPECT_TRUE(ticket->joined && expected.contains(ticket->question));
    }
    if (ticket->joined) cut_off_.erase(ticket->question);
    if (ticket->joined) return;
    EXPECT_LE(open_of(question.session), kMaxPendingOfSession);
    by_key_[key_of(question)].push_back(ticket->question);
    session_of_[ticket->question] = question.session;
    fates_[ticket->question] = {};
  }

  // A question whose call a crash cut off is taken over by the same call with another id, once.
  void check_taken_over(const Question& question, const Ticket& ticket, std::size_t number) {
    const auto fits = [&](const std::string& id) {
      const Question& kept = store_.all_questions.at(id);
      return kept.session == question.session && kept.digest == question.digest;
    };
    if (!ticket.joined) {
      for (const std::string& id : cut_off_)
        EXPECT_FALSE(fits(id) && desk_->find(id) && is_joinable(id) &&
                     desk_->find(id)->state == QuestionState::kPending)
            << "it was there to be taken over";
      return;
    }
    ASSERT_TRUE(cut_off_.contains(ticket.question) && fits(ticket.question));
    for (std::size_t i = 0; i < calls_.size(); ++i)
      EXPECT_FALSE(i != number && calls_[i].ticket.question == ticket.question &&
                   (calls_[i].open || (calls_[i].waits && calls_[i].heard == 0)))
          << "somebody has it";
    for (auto& [key, ids] : by_key_) std::erase(ids, ticket.question);
    by_key_[key_of(question)].push_back(ticket.question);
    ++taken_over;
  }

  static std::string key_of(const Question& question) {
    return question.session + " " + question.asked.call.id + " " + question.digest;
  }

  // The questions one of which a call with an id must be given, by what is written and on its way.
  std::set<std::string> expected_joins(const Question& question) {
    std::set<std::string> fitting;
    for (const std::string& id : by_key_[key_of(question)])
      if (is_joinable(id)) fitting.insert(id);
    return fitting;
  }

  bool is_joinable(const std::string& id) {
    const auto known = desk_->find(id);
    const bool is_void = fates_[id].session_ended;
    if (!known) return on_its_way(id) && !is_void;
    const bool in_time = now_ < known->settlement.at + 120'000;
    switch (known->state) {
      case QuestionState::kPending:
        return !is_void;
      case QuestionState::kApproved:
        return !is_void && in_time;
      case QuestionState::kDenied:
      case QuestionState::kExpired:
        return in_time;
      case QuestionState::kCancelled:
        return false;
    }
    return false;
  }

  bool on_its_way(const std::string& id) const {
    return !lost_.contains(id) && !created_.contains(id);
  }

  // Questions of a session that are open or on their way to the store.
  std::size_t open_of(const std::string& session) {
    std::size_t count = 0;
    for (const auto& [id, of] : session_of_) {
      if (of != session) continue;
      const auto known = desk_->find(id);
      if (known ? known->state == QuestionState::kPending : on_its_way(id)) ++count;
    }
    return count;
  }

  void answer() {
    const std::vector<Question> open = desk_->pending();
    std::string id = "unknown";
    if (!open.empty() && !chance(10))
      id = open[pick(open.size())].id;
    else if (!fates_.empty())
      id = std::next(fates_.begin(), static_cast<int>(pick(fates_.size())))->first;
    const std::string who = "p" + std::to_string(pick(1'000'000));
    const bool allow = chance(60);
    const bool was_known = desk_->find(id).has_value();
    if (fates_.contains(id)) (allow ? fates_[id].allowed_by : fates_[id].denied_by).insert(who);
    const std::size_t number = ++answers_;
    waiting_answers_.insert(number);
    AnswerRequest request;
    request.allow = allow;
    const Principal by{.approver = who, .person = who, .roles = {}, .via = "page", .session = {}};
    desk_->answer(id, request, by, now_, [=, this](const Result<Question>& result) {
      EXPECT_EQ(waiting_answers_.erase(number), 1u) << "an answer is told once";
      if (!result) {
        const std::string& code = result.error().code;
        if (code == "already-answered") {
          ++late_answers;
          EXPECT_NE(store_.all_questions.at(id).state, QuestionState::kPending);
        } else if (code == "unknown-question") {
          EXPECT_FALSE(was_known);
        } else {
          EXPECT_EQ(code, "store-unavailable");
        }
        return;
      }
      ++kept_answers;
      const Question& kept = store_.all_questions.at(id);
      EXPECT_EQ(kept.state, allow ? QuestionState::kApproved : QuestionState::kDenied);
      EXPECT_EQ(kept.settlement.by, who) << "an answer that was taken stands";
    });
  }

  Call* some_call(bool (*fits)(const Call&)) {
    if (calls_.empty()) return nullptr;
    for (int tries = 0; tries < 30; ++tries) {
      const std::size_t last = std::min<std::size_t>(calls_.size(), 60);
      Call& call = calls_[calls_.size() - 1 - pick(last)];
      if (fits(call)) return &call;
    }
    return nullptr;
  }

  void leave() {
    Call* call = some_call([](const Call& one) { return one.waits; });
    if (call == nullptr) return;
    call->waits = call->open = false;
    note_gone(call->ticket.question);
    desk_->leave(call->ticket, now_);
  }

  void note_gone(const std::string& id) {
    Fate& fate = fates_[id];
    if (fate.gone_since == 0) fate.gone_since = now_;
  }

  void cancel() {
    Call* call = some_call([](const Call& one) { return one.waits && one.heard == 0; });
    if (call == nullptr) return;
    call->waits = false;
    note_gone(call->ticket.question);
    fates_[call->ticket.question].cancel_wanted = true;
    desk_->cancel(call->ticket, now_, "");
  }

  void deliver() {
    Call* call = some_call([](const Call& one) { return one.open; });
    if (call == nullptr) return;
    // One word says it of all calls that were told of this question.
    for (Call& other : calls_) {
      if (other.ticket.question != call->ticket.question || !other.open) continue;
      other.open = false;
      use(other);
    }
    desk_->delivered(call->ticket.question, now_);
  }

  // A call without an id has run by its approval: that happens once.
  void use(const Call& call) {
    if (call.has_id || !call.approved) return;
    EXPECT_FALSE(fates_[call.ticket.question].used) << "one yes ran two calls";
    fates_[call.ticket.question].used = true;
  }

  void pass_time() {
    now_ += static_cast<Millis>(chance(10) ? pick(150'000) : pick(8'000));
    const auto next = desk_->next_deadline();
    if (!next || *next <= now_ || chance(20)) desk_->tick(now_);
  }

  void other_call() { desk_->note_other_call("s" + std::to_string(pick(2)), "another digest"); }

  void end_session() {
    const std::string session = "s" + std::to_string(pick(2));
    for (const auto& [id, of] : session_of_)
      if (of == session) fates_[id].session_ended = true;
    desk_->end_session(session, now_, "over");
  }

  // kill -9: some of what was handed over has reached the disk, and nobody has heard of it.
  void crash() {
    ++crashes;
    for (std::size_t n = pick(store_.batches.size() + 1); n > 0; --n) store_.answer_one();
    desk_.reset();
    queue_.clear();
    store_.batches.clear();
    waiting_answers_.clear();
    for (Call& call : calls_) {
      if (call.open) use(call);  // the client may have got it
      call.waits = call.open = false;
    }
    for (auto& [id, fate] : fates_) {
      fate.session_ended = false;  // who restarts ends its sessions anew
      (store_.all_questions.contains(id) ? created_ : lost_).insert(id);
      note_gone(id);
    }
    start();
    desk_->restore(store_.load(now_, 120'000)->questions, now_);
    cut_off_.clear();
    for (const Question& open : desk_->pending())
      if (!open.asked.call.id.empty()) cut_off_.insert(open.id);
    // The id that the disk has is the one that counts now.
    for (auto& [key, ids] : by_key_)
      std::erase_if(ids, [&](const std::string& id) {
        const auto kept = store_.all_questions.find(id);
        return kept != store_.all_questions.end() && key_of(kept->second) != key;
      });
    for (const auto& [id, kept] : store_.all_questions) {
      std::vector<std::string>& ids = by_key_[key_of(kept)];
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
  }

  void hear(Notice notice, const Question& question) {
    const auto kept = store_.all_questions.find(question.id);
    ASSERT_NE(kept, store_.all_questions.end()) << "nobody hears of what is not kept";
    if (notice == Notice::kCreated) created_.insert(question.id);
    if (notice == Notice::kResolved || notice == Notice::kTimeout) {
      EXPECT_EQ(kept->second.state, question.state);
    }
  }

  void hear(std::size_t number, const Question& heard) {
    Call& call = calls_[number];
    EXPECT_TRUE(call.waits) << "one that left is not called";
    EXPECT_EQ(++call.heard, 1) << "a call is told once";
    EXPECT_NE(heard.state, QuestionState::kPending);
    if (heard.settlement.by == "store-unavailable") {
      EXPECT_EQ(heard.state, QuestionState::kDenied);
      call.waits = false;
      return;
    }
    const Question& kept = store_.all_questions.at(heard.id);
    EXPECT_EQ(kept.state, heard.state) << "nobody hears of an end that is not durable";
    EXPECT_EQ(kept.settlement, heard.settlement);
    call.open = true;
    call.approved = heard.state == QuestionState::kApproved;
    if (call.has_id || !call.approved) return;
    EXPECT_TRUE(kept.spent) << "spent before it is told";
    EXPECT_FALSE(fates_[heard.id].used) << "one yes for two calls";
    for (const Call& other : calls_)
      EXPECT_FALSE(&other != &call && other.open && other.ticket.question == heard.id)
          << "two calls have one yes";
  }

  // One end for each question, and one that somebody brought about.
  void check() {
    for (auto& [id, fate] : fates_) {
      const auto kept = store_.all_questions.find(id);
      if (kept == store_.all_questions.end() || kept->second.state == QuestionState::kPending) {
        EXPECT_FALSE(fate.end) << "an end does not go away";
        continue;
      }
      const Question& question = kept->second;
      if (fate.end) {
        EXPECT_EQ(fate.end->state, question.state) << "a question ends once";
        EXPECT_EQ(fate.end->settlement, question.settlement);
        continue;
      }
      ++ends;
      fate.end = question;
      check_cause(question, fate);
    }
  }

  static void check_cause(const Question& question, const Fate& fate) {
    const std::string& by = question.settlement.by;
    switch (question.state) {
      case QuestionState::kApproved:
        EXPECT_TRUE(fate.allowed_by.contains(by));
        break;
      case QuestionState::kDenied:
        EXPECT_TRUE(fate.denied_by.contains(by));
        break;
      case QuestionState::kExpired:
        EXPECT_NE(question.expires, 0);
        EXPECT_GE(question.settlement.at, question.expires);
        break;
      case QuestionState::kCancelled:
        EXPECT_TRUE((by == "agent" && fate.cancel_wanted) || by == "session" ||
                    (by == "agent-gone" && fate.gone_since != 0 &&
                     question.settlement.at >= fate.gone_since + 60'000))
            << by;
        break;
      case QuestionState::kPending:
        break;
    }
  }

  void rest() {
    do queue_.run();
    while (store_.answer_one());
  }

  // Everything comes to rest: who waits for what is open waits on, all others have heard.
  void finish() {
    rest();
    check();
    EXPECT_TRUE(waiting_answers_.empty()) << "every answer is told of";
    const auto open = [this] {
      std::set<std::string> ids;
      for (const Question& question : desk_->pending()) ids.insert(question.id);
      return ids;
    };
    const std::set<std::string> still = open();
    for (const Call& call : calls_)
      if (call.waits) {
        EXPECT_EQ(call.heard, still.contains(call.ticket.question) ? 0 : 1);
      }
    desk_->end_session("s0", now_ + 2'000, "the end");
    desk_->end_session("s1", now_ + 2'000, "the end");
    desk_->tick(now_ + 2'000);
    rest();
    EXPECT_EQ(desk_->pending_count(), 0u);
    for (const Call& call : calls_)
      if (call.waits) {
        EXPECT_EQ(call.heard, 1);
      }
    desk_->tick(now_ + 200'000);
    EXPECT_FALSE(desk_->next_deadline()) << "nothing is left in memory";
  }

  std::mt19937_64 random_;
  Millis now_ = 1'000'000;
  int fresh_ = 0;
  ScriptedStore store_;
  PostQueue queue_;
  std::unique_ptr<Desk> desk_;
  std::vector<Call> calls_;
  std::map<std::string, Fate> fates_;
  std::map<std::string, std::vector<std::string>> by_key_;
  std::map<std::string, std::string> session_of_;
  std::set<std::string> cut_off_;  // open at the last crash, and nobody has come back for it
  std::set<std::string> lost_;     // never reached the store
  std::set<std::string> created_;  // are in the store, and the desk knows
  std::set<std::size_t> waiting_answers_;
  std::size_t answers_ = 0;
};

TEST(DeskModel, HoldsOverRandomSequences) {
  const char* given = std::getenv("TOLLGATE_SEED");
  const bool is_long = std::getenv("TOLLGATE_LONG") != nullptr;
  const std::uint64_t first =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  int ends = 0, crashes = 0, late = 0, joined = 0, failures = 0, taken_over = 0;
  for (std::uint64_t seed = first; seed < first + (is_long ? 400 : 67); ++seed) {
    Model model(seed);
    model.run(1'500);
    ASSERT_FALSE(testing::Test::HasFailure()) << "TOLLGATE_SEED=" << seed;
    ends += model.ends;
    crashes += model.crashes;
    late += model.late_answers;
    joined += model.joined;
    taken_over += model.taken_over;
    failures += model.failures;
  }
  // The sequences reach what they are meant to reach.
  EXPECT_GT(ends, 500);
  EXPECT_GT(crashes, 3);
  EXPECT_GT(late, 20);
  EXPECT_GT(joined, 200);
  EXPECT_GT(taken_over, 0);
  EXPECT_GT(failures, 200);
}

}  // namespace
}  // namespace tollgate::approvals
