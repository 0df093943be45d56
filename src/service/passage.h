// One call on its way through the gate, with room for a wait in the middle.
// open() judges it at every level of its chain and says whose word is missing; whoever waits for
// that word holds the Passage and no thread; close() looks and judges again, and ends it.
// A value for one thread at a time. Passages on different threads may share levels and policies
// (not one that is checked as it is read) and a RealWorld.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/approver.h"
#include "service/chain.h"

namespace tollgate {

class Passage {
 public:
  // Levels from the asking session to the top; none at all, or more than kMaxLevels, is a deny.
  static Passage open(Levels levels, World& world, const ToolCall& call,
                      Above above = Above::kNobody);
  static Passage open(std::vector<Level> levels, World& world, const ToolCall& call);

  // Whose word is missing. kNothing: the record has the final answer.
  Needs needs() const { return needs_; }
  // Of kParent: the session whose agent may answer.
  const std::string& parent() const& { return parent_; }
  const std::string& parent() const&& = delete;

  // The call, what it would do, the asking session's look, and the decision of the whole chain:
  // what to show and to store.
  const AuditRecord& record() const& { return record_; }
  AuditRecord record() && { return std::move(record_); }

  // The levels that were judged, and the record of one by itself: its own look, its own decision.
  // That is what a grant for its agent is made from.
  std::size_t judged() const { return 1 + above_records_.size(); }
  AuditRecord at(std::size_t level) const;
  const std::vector<Level>& levels() const& { return *levels_; }
  const std::vector<Level>& levels() const&& = delete;

  // The chain as it stands now, where policies, modes or grants changed during the wait; close()
  // judges by it. REQUIRES: the same sessions.
  void renew(Levels levels);

  // For a long wait: only what the answer is compared with. wake() needs the call, its effects and
  // its look again.
  class Rest;
  Rest rest() &&;
  static Passage wake(Rest rest, AuditRecord asked);

  // Takes the answer of whoever needs() named. A yes holds only where nothing is asked now that was
  // not asked then (`world-changed`); a changed input is judged anew, and what is denied, needs the
  // word of others, or hits a breaker anew stays denied (`changed-input`). Where the record is an
  // ask again, needs() says whose, and close() may be called again. Without a question nothing
  // happens.
  void close(Answer answer, World& world);

  // Whether a rule leaves it to the parent after so long without an answer (`onTimeout: forward`).
  bool goes_on_after(std::int64_t waited_ms) const;
  // Judges again: what goes on goes up as with `answer: forward`, and any other ask whose own time
  // is over is denied. An ask that is left is for those above, for what is left of their time.
  void forward(World& world, std::int64_t waited_ms);

 private:
  Passage(Levels levels, Above above) : levels_(std::move(levels)), above_(above) {}

  void judge(World& world, const ToolCall& call);
  void judge_levels(World& world, const ToolCall& call);
  void fail(const ToolCall& call, std::string_view why);
  void close_changed(Decision approved, json::Value input, World& world);
  bool asks_more_than(const Passage& before) const;
  bool asks_others_than(const Passage& before) const;
  const Decision& own(std::size_t level) const {
    if (level > 0) return above_records_[level - 1].decision;
    return own_ ? *own_ : record_.decision;
  }
  void put_first(std::string rule, std::string text);
  void pass_on(Decision& decision) const;

  Levels levels_;
  Above above_;
  AuditRecord record_;
  std::optional<Decision> own_;  // of the asking level by itself; nothing where it is the record's
  std::vector<AuditRecord> above_records_;  // of the levels above it
  Needs needs_ = Needs::kNothing;
  std::string parent_;
  std::optional<std::int64_t> waited_ms_;  // of one that goes on after its time
};

class Passage::Rest {
 private:
  friend class Passage;

  Levels levels_;
  Above above_ = Above::kNobody;
  Verdict verdict_ = Verdict::kDeny;
  Needs needs_ = Needs::kNothing;
  std::vector<Quorum> quorums_;
  std::vector<Decision> own_;  // of every level that was judged
  std::string parent_;
  std::optional<std::int64_t> waited_ms_;
};

}  // namespace tollgate
