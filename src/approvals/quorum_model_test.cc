// Questions of several people against a plain model: random thresholds, votes, clocks, restarts.
// The store keeps up here (desk_model_test.cc lets it fail), so that after every step each question
// must stand exactly as the model says. The model knows people and moments, and counts from the
// beginning each time.
// `TOLLGATE_SEED` repeats a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "approvals/desk.h"
#include "approvals/scripted_store.h"

namespace tollgate::approvals {
namespace {

using store::QuestionState;

constexpr int kSteps = 100'000;
constexpr int kStepsOfRun = 2'000;
constexpr Millis kKeepGone = 60'000;

struct Person {
  std::string name;
  std::vector<std::string> roles;
};
const std::vector<Person>& people() {
  static const std::vector<Person> all = {{"ann", {"lead"}},
                                          {"bob", {"lead"}},
                                          {"cid", {"security"}},
                                          {"dee", {"lead", "security"}},
                                          {"eve", {}},
                                          {"olga", {"lead", "security"}},
                                          {"zoe", {"security", "x"}}};
  return all;
}
constexpr std::string_view kMaker = "olga";

struct Cast {
  Person person;
  bool allow;
  Millis at;
};

// A question as the model has it.
struct Known {
  std::vector<std::vector<Quorum>> rules;  // empty: one person of any
  Millis created = 0, again = 0, expires = 0, gone = 0;
  bool escalates = false, escalated = false;
  std::vector<Cast> votes;
  QuestionState state = QuestionState::kPending;
  Millis use_until = 0;

  bool counts(const Cast& vote, const Quorum& threshold) const {
    const bool wants_others = threshold.any > 1 || !threshold.of.empty();
    if (vote.person.name == kMaker && wants_others) return false;
    if (threshold.after_ms > 0 && vote.at - created < threshold.after_ms) return false;
    const Millis round = vote.at < again ? created : again;
    if (threshold.within_ms > 0 && vote.at - round >= threshold.within_ms) return false;
    for (const std::string& role : threshold.of)
      if (std::ranges::count(vote.person.roles, role) > 0) return true;
    return threshold.of.empty();
  }
  bool is_met(const Quorum& threshold) const {
    std::set<std::string> names;
    for (const Cast& vote : votes)
      if (vote.allow && counts(vote, threshold)) names.insert(vote.person.name);
    return names.size() >= static_cast<std::size_t>(threshold.any);
  }
  std::vector<std::vector<Quorum>> wanted() const {
    return rules.empty() ? std::vector<std::vector<Quorum>>{{Quorum{}}} : rules;
  }

  void let_time_pass(Millis now) {
    if (state != QuestionState::kPending) return;
    if (expires != 0 && now >= expires) {
      if (!escalates || escalated) {
        state = QuestionState::kExpired;
        return;
      }
      escalated = true;
      expires = now + (expires - created);
      again = now;
    } else if (gone != 0 && now >= gone + kKeepGone) {
      state = QuestionState::kCancelled;
    }
  }

  std::string answer(const Cast& vote) {
    let_time_pass(vote.at);
    if (state == QuestionState::kPending) let_time_pass(vote.at);  // it was put again, and is gone
    if (state != QuestionState::kPending) return "already-answered";
    if (!may_vote(vote)) return "answer-not-counted";
    votes.push_back(vote);
    settle(vote.at);
    return "";
  }
  bool may_vote(const Cast& vote) const {
    bool new_somewhere = false;
    for (const Cast& other : votes)
      if (other.person.name == vote.person.name && (!vote.allow || !other.allow)) return false;
    if (!vote.allow) return true;
    for (const auto& rule : wanted())
      for (const Quorum& threshold : rule) {
        bool before = false;
        for (const Cast& other : votes)
          before |= other.person.name == vote.person.name && counts(other, threshold);
        new_somewhere |= counts(vote, threshold) && !before;
      }
    return new_somewhere;
  }
  void settle(Millis now) {
    std::set<std::string> against;
    for (const Cast& vote : votes)
      if (!vote.allow) against.insert(vote.person.name);
    bool all = true;
    Millis use = 0;
    for (const auto& rule : wanted()) {
      const Quorum* met = nullptr;
      for (const Quorum& threshold : rule) {
        if (against.size() >= static_cast<std::size_t>(threshold.deny))
          state = QuestionState::kDenied;
        if (met == nullptr && is_met(threshold)) met = &threshold;
      }
      all &= met != nullptr;
      if (met != nullptr && met->expires_ms > 0)
        use = use == 0 ? met->expires_ms : std::min(use, met->expires_ms);
    }
    if (state != QuestionState::kPending || !all) return;
    state = QuestionState::kApproved;
    use_until = now + (use > 0 ? use : 120'000);
  }
};

class QuorumModel {
 public:
  explicit QuorumModel(std::uint64_t seed) : random_(seed) { start(); }

  void run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      step();
      compare();
    }
  }

  std::map<QuestionState, int> ends;
  std::map<std::string, int> answers;
  int crashes = 0, escalated = 0, later = 0;

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  bool chance(int percent) { return pick(100) < static_cast<std::size_t>(percent); }

  void start() {
    DeskOptions options;
    options.makers = [](const Question&) { return std::vector<std::string>{std::string(kMaker)}; };
    options.on_timeout = [this](const Question& question, Millis at) -> std::optional<Question> {
      if (!known_.at(question.id).escalates || question.context.find("escalated") != nullptr)
        return std::nullopt;
      Question next = question;
      next.context.set("escalated", json::Value::integer(at));
      next.expires = at + (question.expires - question.created);
      return next;
    };
    desk_ = std::make_unique<Desk>(store_, queue_.post(), options);
  }
  void rest() {
    do queue_.run();
    while (store_.answer_one());
  }

  void step() {
    const std::size_t what = pick(100);
    if (what < 18 && open_.size() < 12) return ask();
    if (what < 22) return ask_again();
    if (what < 78) return answer();
    if (what < 98) return pass_time();
    crash();
  }

  Quorum some_threshold() {
    Quorum out;
    out.any = 1 + static_cast<int>(pick(3));
    if (chance(60)) out.of.emplace_back(chance(50) ? "lead" : "security");
    if (chance(20)) out.of.emplace_back("x");
    out.deny = 1 + static_cast<int>(pick(2));
    if (chance(40)) out.within_ms = 5'000 + static_cast<Millis>(pick(30'000));
    if (out.within_ms > 0 && chance(50)) out.after_ms = out.within_ms / 2;
    if (chance(40)) out.expires_ms = 1'000 + static_cast<Millis>(pick(9'000));
    return out;
  }

  void ask() {
    Known known;
    for (std::size_t rule = pick(3); rule > 0; --rule) {
      known.rules.emplace_back();
      for (std::size_t n = 1 + pick(3); n > 0; --n) {
        known.rules.back().push_back(some_threshold());
        known.rules.back().back().or_else = known.rules.back().size() > 1;
      }
    }
    known.created = known.again = now_;
    known.expires = chance(20) ? 0 : now_ + 1 + static_cast<Millis>(pick(40'000));
    known.escalates = chance(40);
    Question question;
    question.session = "s" + std::to_string(++asked_);  // no limit is reached
    question.agent = question.session;
    question.asked.call.id = "c";
    question.asked.call.session = question.session;
    question.asked.call.tool = "Bash";
    question.asked.call.input = json::Value::object({});
    for (const auto& rule : known.rules)
      question.asked.decision.quorums.insert(question.asked.decision.quorums.end(), rule.begin(),
                                             rule.end());
    question.digest = digest_of(question.asked.call);
    question.expires = known.expires;
    question.context = json::Value::object();
    const Result<Ticket> ticket = desk_->ask(question, now_, [](const Question&) {});
    rest();
    ASSERT_TRUE(ticket);
    known_[ticket->question] = known;
    questions_[ticket->question] = std::move(question);
    open_.push_back(ticket->question);
  }

  // The same call comes back: it joins what is open.
  void ask_again() {
    look_at_clock();
    const std::string id = some_open();
    if (id.empty() || known_.at(id).state != QuestionState::kPending) return;
    const Result<Ticket> ticket = desk_->ask(questions_.at(id), now_, [](const Question&) {});
    rest();
    ASSERT_TRUE(ticket && ticket->question == id);
    known_.at(id).gone = 0;
  }

  std::string some_open() { return open_.empty() ? "" : open_[pick(open_.size())]; }

  void answer() {
    const std::string id = some_open();
    if (id.empty()) return;
    const Cast vote{.person = people()[pick(people().size())], .allow = chance(85), .at = now_};
    const bool before = known_.at(id).escalated;
    const std::string want = known_.at(id).answer(vote);
    escalated += known_.at(id).escalated != before ? 1 : 0;
    std::string got = "nothing";
    desk_->answer(id, {.allow = vote.allow},
                  {.approver = vote.person.name + std::to_string(pick(3)),
                   .person = vote.person.name,
                   .roles = vote.person.roles,
                   .via = "page",
                   .session = {}},
                  now_,
                  [&](const Result<Question>& result) { got = result ? "" : result.error().code; });
    rest();
    EXPECT_EQ(got, want) << id;
    ++answers[want];
  }

  void pass_time() {
    now_ += static_cast<Millis>(chance(10) ? pick(40'000) : pick(4'000));
    if (chance(30)) {
      ++later;
      return;  // nobody looks at the clock for now
    }
    look_at_clock();
  }

  // Twice: whatever was put again may be gone by now as well.
  void look_at_clock() {
    for (int i = 0; i < 2; ++i) {
      desk_->tick(now_);
      rest();
      for (const std::string& id : open_) known_.at(id).let_time_pass(now_);
    }
  }

  void crash() {
    ++crashes;
    desk_.reset();
    queue_.clear();
    store_.batches.clear();
    start();
    desk_->restore(store_.load(now_, 120'000)->questions, now_);
    rest();
    for (const std::string& id : open_)
      if (known_.at(id).state == QuestionState::kPending) known_.at(id).gone = now_;
    look_at_clock();
  }

  void compare() {
    for (const std::string& id : open_) {
      const Known& want = known_.at(id);
      const Question& got = store_.all_questions.at(id);
      ASSERT_EQ(got.state, want.state) << id;
      ASSERT_EQ(got.votes.size(), want.votes.size()) << id;
      ASSERT_EQ(got.expires, want.expires) << id;
      if (want.state == QuestionState::kApproved) {
        ASSERT_EQ(got.settlement.use_until, want.use_until);
      }
      if (const auto held = desk_->find(id)) {
        ASSERT_EQ(*held, got) << "memory and store";
      } else {
        ASSERT_NE(want.state, QuestionState::kPending);
      }
    }
    std::erase_if(open_, [&](const std::string& id) {
      const QuestionState state = known_.at(id).state;
      if (state == QuestionState::kPending || chance(80)) return false;
      ++ends[state];
      return true;
    });
  }

  std::mt19937_64 random_;
  Millis now_ = 1'000'000;
  int asked_ = 0;
  ScriptedStore store_;
  PostQueue queue_;
  std::unique_ptr<Desk> desk_;
  std::map<std::string, Known> known_;
  std::map<std::string, Question> questions_;
  std::vector<std::string> open_;  // and those that ended a moment ago
};

TEST(QuorumModel, StandsAsCountedByHandOverHundredThousandSteps) {
  const char* given = std::getenv("TOLLGATE_SEED");
  const std::uint64_t first =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::map<QuestionState, int> ends;
  std::map<std::string, int> answers;
  int crashes = 0, escalated = 0;
  for (std::uint64_t run = 0; run < kSteps / kStepsOfRun; ++run) {
    QuorumModel model(first + run);
    model.run(kStepsOfRun);
    ASSERT_FALSE(testing::Test::HasFailure()) << "TOLLGATE_SEED=" << first + run;
    for (const auto& [state, count] : model.ends) ends[state] += count;
    for (const auto& [code, count] : model.answers) answers[code] += count;
    crashes += model.crashes;
    escalated += model.escalated;
  }
  // The sequences reach what they are meant to reach.
  EXPECT_GT(ends[QuestionState::kApproved], 500);
  EXPECT_GT(ends[QuestionState::kDenied], 500);
  EXPECT_GT(ends[QuestionState::kExpired], 500);
  EXPECT_GT(ends[QuestionState::kCancelled], 20);
  EXPECT_GT(answers["answer-not-counted"], 1'000);
  EXPECT_GT(answers["already-answered"], 1'000);
  EXPECT_GT(crashes, 500);
  EXPECT_GT(escalated, 20);
}

}  // namespace
}  // namespace tollgate::approvals
