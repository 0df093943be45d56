// Grows the tree of a program's rows, and keeps the rows that were read.
#include "effects/programs/branch.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "effects/programs/arguments.h"

namespace tollgate {
namespace {

std::string_view word_of(std::string_view name, std::size_t index) {
  for (; index > 0; --index) name.remove_prefix(std::min(name.find(' ') + 1, name.size()));
  return name.substr(0, name.find(' '));
}

// The word as one of these names spells it out; empty when it only fits a star.
std::string_view spelled_in(std::string_view names, std::string_view word) {
  while (true) {
    const std::size_t bar = names.find('|');
    if (names.substr(0, bar) == word) return names.substr(0, bar);
    if (bar == names.npos) return {};
    names.remove_prefix(bar + 1);
  }
}

}  // namespace

Branch::Branch(const Rows& rows, std::size_t level) : level_(level) {
  for (const ProgramRow* row : rows) {
    const RowShape shape = shape_of(*row);
    if (shape.words > level)
      longer_.push_back(row);
    else if (!shape.head)
      own_.push_back({row});
    else if (head_.row == nullptr)
      head_.row = row;
  }
}

Branch* Branch::of(std::string_view program) {
  const auto [rows, place] = rows_of(program);
  if (rows.empty()) return nullptr;
  thread_local std::array<std::unique_ptr<Branch>, kMostPlaces> branches;
  std::unique_ptr<Branch>& branch = branches[place];
  if (!branch) branch = std::make_unique<Branch>(Rows(rows.begin(), rows.end()), 1);
  return branch.get();
}

const ReadRow* Branch::head() { return head_.row == nullptr ? nullptr : &read(head_); }

const ReadRow& Branch::read(Lazy& lazy) {
  thread_local std::unordered_map<const ProgramRow*, std::unique_ptr<const ReadRow>> rows;
  if (lazy.read == nullptr) {
    std::unique_ptr<const ReadRow>& kept = rows[lazy.row];
    if (!kept) kept = std::make_unique<const ReadRow>(*lazy.row);
    lazy.read = kept.get();
  }
  return *lazy.read;
}

// The rows that may go on with the word.
const Branch::Rows& Branch::rows_for(std::string_view word) {
  if (searches_ < kSearches) {
    ++searches_;
    return longer_;
  }
  if (spelled_.empty() && starred_.empty()) {
    for (const ProgramRow* row : longer_) {
      std::string_view names = word_of(row->name, level_);
      if (names.find('*') != names.npos) starred_.push_back(row);
      while (true) {
        const std::size_t bar = names.find('|');
        spelled_.push_back(names.substr(0, bar));
        if (bar == names.npos) break;
        names.remove_prefix(bar + 1);
      }
    }
    std::ranges::sort(spelled_);
  }
  return std::ranges::binary_search(spelled_, word) ? longer_ : starred_;
}

Branch* Branch::next(std::string_view word, std::unique_ptr<Branch>& made) {
  if (const auto known = next_.find(word); known != next_.end()) return known->second.get();
  if (longer_.empty()) return nullptr;
  Rows rows;
  std::string_view spelled;
  const std::uint16_t hash = second_word_hash(word);
  for (const ProgramRow* row : rows_for(word)) {
    const std::uint16_t second = shape_of(*row).second;
    if (level_ == 1 && second != 0 && second != hash) continue;
    const std::string_view names = word_of(row->name, level_);
    if (!name_fits(names, word)) continue;
    rows.push_back(row);
    if (spelled.empty()) spelled = spelled_in(names, word);
  }
  if (rows.empty()) return nullptr;
  auto branch = std::make_unique<Branch>(rows, level_ + 1);
  if (!spelled.empty() && spelled.find('*') == spelled.npos)
    return next_.emplace(spelled, std::move(branch)).first->second.get();
  made = std::move(branch);
  return made.get();
}

}  // namespace tollgate
