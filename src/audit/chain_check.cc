// Each row is held to the digest that was kept with the row before it, so that one changed row is
// one fault and what lies behind it is still looked at.
// SAFETY: a fault is never taken back by what comes later.
#include "audit/chain_check.h"

#include <algorithm>
#include <map>
#include <utility>

#include "audit/members.h"
#include "base/moment_text.h"
#include "json/json.h"

namespace tollgate {
namespace {

// LIMIT: who changes one name changes every row that has it; the first places are enough.
constexpr std::size_t kMostFaults = 100;

std::string rows_text(std::int64_t first, std::int64_t last) {
  if (first == last) return "row " + std::to_string(first);
  return "rows " + std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

ChainCheck::ChainCheck(ChainStart start, std::vector<Anchor> anchors)
    : start_(std::move(start)),
      anchors_(std::move(anchors)),
      before_(start_.before),
      expected_(start_.first),
      founded_(start_.first <= 1 || start_.is_slice) {
  report_.store = start_.store;
  tell_replaced();
  std::erase_if(anchors_, [this](const Anchor& each) { return each.store != start_.store; });
  std::ranges::stable_sort(anchors_, {}, &Anchor::number);
  report_.head = before_;
  // What was removed cannot be held to anything any more, but for the last of it.
  while (next_anchor_ < anchors_.size() && anchors_[next_anchor_].number < start_.first - 1)
    ++next_anchor_;
  if (start_.first > 1) hold_to_anchors(start_.first - 1, before_);
  if (start_.first == 1 && start_.before != genesis_of(start_.store))
    fault(ChainFaultKind::kBeginning, 1, 1, "the first row is of another store");
}

// SAFETY: a store that is new has a chain that fits. That there was another one before it, only
// heads of that one can tell.
void ChainCheck::tell_replaced() {
  if (start_.place.empty()) return;
  std::map<std::string, const Anchor*> last_of;
  for (const Anchor& each : anchors_) {
    if (each.store == start_.store || each.place != start_.place) continue;
    const Anchor*& last = last_of[each.store];
    if (last == nullptr || last->number <= each.number) last = &each;
  }
  for (const auto& [store, last] : last_of)
    fault(ChainFaultKind::kReplaced, 1, last->number,
          "another store (" + store + ") lay here, up to its row " + std::to_string(last->number) +
              " of " + moment_text(last->at) + ", by a head kept in " + last->from +
              ": it was replaced, and its rows are not in this one");
}

void ChainCheck::row(const LoggedRow& row) {
  ++report_.rows;
  if (report_.first == 0) report_.first = row.number;
  if (row.number < expected_) {
    fault(ChainFaultKind::kOrder, row.number, row.number,
          "row " + std::to_string(row.number) + " stands behind row " +
              std::to_string(expected_ - 1));
    return;
  }
  if (row.number > expected_) {
    fault(ChainFaultKind::kMissing, expected_, row.number - 1,
          rows_text(expected_, row.number - 1) + (row.number - 1 > expected_ ? " are" : " is") +
              " missing");
    known_ = false;
  }
  link(row);
  hold_to_anchors(row.number, row.digest);
  before_ = row.digest;
  known_ = true;
  expected_ = row.number + 1;
  report_.last = row.number;
  report_.head = row.digest;
}

void ChainCheck::link(const LoggedRow& row) {
  if (!row.problem.empty())
    return fault(ChainFaultKind::kUnreadable, row.number, row.number,
                 "row " + std::to_string(row.number) + " cannot be read: " + row.problem);
  // Behind a gap nothing says what the row followed.
  if (known_ && link_of(before_, row) != row.digest)
    return fault(ChainFaultKind::kChanged, row.number, row.number, "");
  read_act(row);
}

// Rows of the chain's own: it was begun late, or its beginning was removed by the rule.
void ChainCheck::read_act(const LoggedRow& row) {
  if (row.kind() != "chain" && row.kind() != "retention") return;
  const Result<json::Value> act = json::parse(row.record());
  if (!act) return;
  const std::int64_t last = integer_in(*act, "last");
  if (row.kind() == "chain") {
    if (text_in(*act, "act") == "chained") report_.chained_late = last;
    return;
  }
  if (text_in(*act, "act") != "removed") return;
  report_.removed = std::max(report_.removed, last);
  const std::int64_t before = integer_in(*act, "before");
  if (last != start_.first - 1 || text_in(*act, "digest") != text_of(start_.before) || before < 0)
    return;
  founded_ = true;
  report_.removed_before = before;
  report_.removed_at = row.at;
}

// SAFETY: whoever writes a row of `retention` says how old the rows were. A head says when one of
// them was the last, so that those behind it are younger.
void ChainCheck::hold_removed_to_anchors() {
  const std::int64_t removed = start_.first - 1;
  if (!founded_ || start_.is_slice) return;
  for (const Anchor& anchor : anchors_) {
    if (anchor.number >= removed) return;  // also where nothing was
    if (anchor.at < report_.removed_before) continue;
    return fault(ChainFaultKind::kBeginning, anchor.number + 1, removed,
                 rows_text(anchor.number + 1, removed) + " went by `retention` as older than " +
                     moment_text(report_.removed_before) + ", and a head kept in " + anchor.from +
                     " says that they came after " + moment_text(anchor.at));
  }
}

void ChainCheck::hold_to_anchors(std::int64_t number, const Digest& digest) {
  for (; next_anchor_ < anchors_.size() && anchors_[next_anchor_].number <= number;
       ++next_anchor_) {
    const Anchor& anchor = anchors_[next_anchor_];
    // The row of that number was missing, which is a fault already.
    if (anchor.number < number) continue;
    if (anchor.digest == digest) {
      report_.attested = number;
      report_.by = anchor;
      continue;
    }
    const std::int64_t first = std::max(report_.attested + 1, start_.first);
    fault(ChainFaultKind::kAnchor, std::min(first, number), number,
          rows_text(std::min(first, number), number) +
              ": not what the head says that was kept in " + anchor.from + " at " +
              moment_text(anchor.at));
  }
}

ChainReport ChainCheck::finish(std::int64_t last) {
  if (!founded_)
    fault(ChainFaultKind::kBeginning, 1, start_.first - 1,
          rows_text(1, start_.first - 1) + (start_.first > 2 ? " are" : " is") +
              " missing, and no row of `retention` says that the rule removed them");
  hold_removed_to_anchors();
  std::int64_t known = last;
  std::string says = "the store itself says";
  if (!anchors_.empty() && anchors_.back().number > std::max(known, expected_ - 1)) {
    known = anchors_.back().number;
    says = "a head kept in " + anchors_.back().from + " at " + moment_text(anchors_.back().at) +
           " says";
  }
  if (known >= expected_)
    fault(ChainFaultKind::kEnd, expected_, known,
          rows_text(expected_, known) + (known > expected_ ? " are" : " is") +
              " missing at the end: " + says + " that there were " + std::to_string(known));
  return report_;
}

void ChainCheck::fault(ChainFaultKind kind, std::int64_t first, std::int64_t last,
                       std::string text) {
  std::vector<ChainFault>& faults = report_.faults;
  if (kind == ChainFaultKind::kChanged) {
    if (!faults.empty() && faults.back().kind == kind && faults.back().last + 1 == first) {
      faults.back().last = last;
      first = faults.back().first;
    } else if (faults.size() < kMostFaults) {
      faults.push_back({.kind = kind, .first = first, .last = last, .text = {}});
    } else {
      ++report_.more_faults;
      return;
    }
    faults.back().text = rows_text(first, last) + (first == last ? " does" : " do") +
                         " not follow from what stands before: changed, put in, or put elsewhere";
    return;
  }
  if (faults.size() >= kMostFaults) {
    ++report_.more_faults;
    return;
  }
  faults.push_back({.kind = kind, .first = first, .last = last, .text = std::move(text)});
}

}  // namespace tollgate
