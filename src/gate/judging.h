// One judgement in the making: what matched, what covers each effect, what is told about it.
// Its steps are in judge.cc, judge_floors.cc, judge_cover.cc and judge_settling.cc, the telling in
// judge_telling.cc.
// INVARIANT: a judge lives for one call, and everything it refers to outlives it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/judge.h"

namespace tollgate {

// How an effect came to be covered; the order is the order of telling.
enum class Cover : std::uint8_t { kNot, kQuiet, kMode, kRule, kOwner };

// A list that lives on the stack until it grows.
class RuleList {
 public:
  void add(std::uint32_t rule) {
    if (size_ < inline_.size())
      inline_[size_++] = rule;
    else
      more_.push_back(rule);
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < size_; ++i) visit(inline_[i]);
    for (const std::uint32_t rule : more_) visit(rule);
  }

 private:
  std::array<std::uint32_t, 32> inline_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> more_;
};

// A mark for each of a number of effects, on the stack where these are few.
class Marks {
 public:
  void clear(std::size_t count) {
    if (count > few_.size())
      many_.assign(count, 0);
    else
      std::fill_n(few_.begin(), count, char{0});
  }
  void set(std::size_t index) { (many_.empty() ? few_[index] : many_[index]) = 1; }
  bool has(std::size_t index) const { return (many_.empty() ? few_[index] : many_[index]) != 0; }

 private:
  std::array<char, 64> few_;
  std::vector<char> many_;
};

// A rule that counts besides those of the policy: one that is only tried, or a grant.
struct Extra {
  const Rule* rule;
  const Granted* grant;  // nothing: of the overlay
};

struct Covered {
  Cover how = Cover::kNot;
  std::uint32_t rule = kNoRule;
  std::uint32_t extra = kNoRule;
};

class Judge {
 public:
  Judge(const Policy& policy, const AgentPolicy& agent, const Scene& scene,
        const DecideOptions& options, const Overlay* overlay, Decision& decision, Grounds& grounds)
      : policy_(policy),
        view_(policy),
        agent_(agent),
        scene_(scene),
        options_(options),
        overlay_(overlay),
        plain_(scene),
        decision_(decision),
        result_(grounds) {
    agent_index_ = static_cast<std::uint16_t>(&agent - policy.agents().data() + 1);
    list_extra();
  }

  void run();

 private:
  // ---- modes ----
  Mode effective_mode() const;
  Answerer effective_answer() const;

  // ---- rules ----
  void list_extra();
  bool holds_here(const Granted& grant) const;
  bool counts(std::uint32_t rule) const;
  bool holds_now(std::uint32_t rule, Verdict& verdict) const;
  bool is_too_vague(std::uint32_t rule, std::uint32_t index) const;
  void add_tight(std::uint32_t rule, std::uint32_t effect, Match match);
  void match_rules();
  void match_extra();

  // ---- step 2: deny ----
  bool denied();
  bool is_network_free() const { return agent_.network.allowed && !agent_.network.limited; }
  std::optional<Reason> outside_network(Verdict wanted) const;

  // ---- steps 3 and 4: what makes it at least ask ----
  std::vector<Reason> floors_of();
  bool is_named_exactly(std::uint32_t index) const;
  Covered permitted_blindly(std::uint32_t index) const;
  Covered run_permitted_blindly(std::uint32_t run) const;
  bool is_ruled(std::uint32_t index) const;
  bool is_spelt(std::uint32_t index) const;
  std::optional<Answerer> own_answer(const Hit& hit) const;
  void note_answer(const Hit& hit);
  bool is_settled(std::uint32_t index) const;
  std::optional<Reason> beyond_limit() const;

  // ---- step 5: read-only ----
  bool declared_quiet() const;
  bool is_owners_noise(std::uint32_t run) const;
  bool has_hidden_text() const;
  static bool shows_no_secret(const Effect& run, const Word& word);
  bool is_no_option(std::uint32_t run, const Word& word) const;
  bool is_another_program(std::uint32_t index) const;
  bool is_quiet(std::uint32_t index) const;

  // ---- step 6: mode ----
  bool plan_denies();
  bool mode_covers(std::uint32_t index) const;
  bool does_more_than_edit(std::uint32_t run) const;
  bool is_inside(std::uint32_t index, const std::vector<Place>& places) const;

  // ---- step 7: allow rules ----
  bool allows(std::uint32_t rule, std::uint32_t index) const;
  Covered rule_covers(std::uint32_t index);
  bool owner_covers(std::uint32_t index, std::uint32_t owner, const Covered& how) const;
  bool covers_behind(std::uint32_t owner, const Covered& how, const Effect& inner) const;
  std::vector<char> transparent_runs() const;
  bool runs_only_quiet(std::uint32_t wrapper) const;
  bool is_wrappers_own(std::uint32_t index, const std::vector<char>& wrappers) const;
  bool cover_all();
  void note_open(std::span<const Covered> covered);
  void allow_reasons(std::span<const Covered> covered);

  // ---- step 8 and the answerer ----
  void asked();
  Answerer settle_answer();
  void answered(Verdict verdict, std::string text);
  const Rule* tried(const Hit& hit) const;
  std::vector<Quorum> quorum_of(const Hit& hit) const;
  OnTimeout on_timeout_of(const Hit& hit) const;
  void tell_settling(Answerer answer);

  // ---- telling ----
  bool answer_is_sessions() const;
  ConfigSource source_of(const Hit& hit) const;
  Reason reason_of(const Hit& hit) const;
  std::string doubt_of(const Hit& hit) const;
  static std::string_view tell(Verdict list);
  // Who set the mode that counts: the file, the session or command line, or the client itself.
  bool mode_is_agents() const { return result_.mode == agent_.mode.value; }
  std::string mode_place() const;
  ConfigSource mode_source() const;
  Reason mode_reason(Verdict verdict, std::string text, Span span) const;
  void quiet_reason(std::string_view text);
  void no_rule_reasons();
  void add_default(std::string text, Span span);
  bool rides_on_open(std::uint32_t index) const;
  std::uint32_t telling_effect(std::uint32_t index) const;
  std::string why_open(std::uint32_t index) const;
  std::string why_loud(std::uint32_t index) const;
  void finish(Verdict verdict);

  const Policy& policy_;
  const PolicyView view_;
  const AgentPolicy& agent_;
  const Scene& scene_;
  const DecideOptions& options_;
  const Overlay* overlay_;
  std::vector<Extra> extra_;  // what Hit::extra and Covered::extra count in
  std::uint16_t agent_index_ = 0;
  RuleList call_allows_;
  std::array<RuleList, 4> effect_allows_;  // of the first effects; most calls have no more
  std::optional<Answerer> rule_answer_;    // the strictest that a rule names
  bool agent_answers_ = false;             // some ground leaves it to the agent's answerer
  mutable Marks noisy_, beyond_edits_;     // by run, once they are known
  mutable std::optional<std::pair<std::uint32_t, Covered>> blindly_;  // the run asked about last
  mutable bool hidden_ = false, hidden_known_ = false;
  mutable bool noise_known_ = false, edits_known_ = false;
  GateDoubt gate_doubt_ = GateDoubt::kSome;  // until against_gate() says otherwise
  bool settling_ = false;                // effects that a rule's own yes is about count as covered
  std::span<const std::uint32_t> open_;  // effects that nothing covers, in order
  std::uint32_t first_open_ = 0;         // enough for a verdict
  std::vector<std::uint32_t> all_open_;  // in full detail
  const PlainRuns plain_;
  Decision& decision_;
  Grounds& result_;
};

}  // namespace tollgate
