// Reading a compiled policy: rules as views, and the index as a question.
// Lives no longer than the Policy it looks at. Nothing in here allocates.
// SAFETY: where the policy was not checked as a whole when it was opened, each record is when it is
// read; one that is damaged makes the policy a broken one, under which every call is denied.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "policy/checks.h"
#include "policy/flat.h"
#include "policy/index.h"
#include "policy/match.h"
#include "policy/policy.h"

namespace tollgate {

class PolicyView {
 public:
  explicit PolicyView(const Policy& policy);

  std::uint32_t size() const { return header_->rules.count; }
  RuleView rule(std::uint32_t index) const;
  const flat::RuleRecord& record(std::uint32_t index) const {
    return as_read_ ? checked_record(index) : rules_[index];
  }
  Verdict verdict(std::uint32_t index) const { return static_cast<Verdict>(record(index).verdict); }
  const flat::ExtraRecord* extra(std::uint32_t index) const;
  std::string_view text(flat::Text text) const { return {text_ + text.offset, text.size}; }
  std::string place(std::uint32_t index) const;  // file:line:column

  // Whether the rule's hours and expiry let it count now.
  bool is_open(const flat::ExtraRecord& extra, std::int64_t now) const;

  // Deny and ask rules with this kind of specifier are those from first to last (exclusive).
  std::uint32_t tight_begin(SpecifierKind kind) const {
    return header_->tight[static_cast<std::size_t>(kind)];
  }
  std::uint32_t tight_end(SpecifierKind kind) const {
    return header_->tight[static_cast<std::size_t>(kind) + 1];
  }
  std::uint32_t tight_end() const { return header_->tight[flat::kSpecifierKinds]; }
  bool walks() const { return header_->walks != 0; }
  bool has(KeySort sort) const { return has_any(feature(sort)); }
  bool has_any(std::uint32_t features) const { return (header_->features & features) != 0; }
  std::uint32_t path_depths(Anchor anchor) const {
    return header_->path_depths[static_cast<std::size_t>(anchor)];
  }

  // Whether a prefix of one component or more is a key, and begins with the letter that `rest`
  // does.
  bool may_be_key(Anchor anchor, std::string_view rest) const {
    return (header_->key_starts[static_cast<std::size_t>(anchor)] & start_bit(rest)) != 0;
  }
  // False when no deny or ask about paths speaks of the path, nor of anything below or above it.
  bool may_be_tight(std::string_view path, const Situation& situation) const {
    return header_->floats != 0 || may_be_near(header_->tight_starts, path, situation);
  }

  // Calls `visit(rule)` for everything filed under the key.
  template <class Visit>
  void look_up(Key key, const Visit& visit) const {
    const std::uint32_t mask = header_->slots.count - 1;
    std::uint32_t left = mask;  // a table without an empty slot must not be searched for ever
    for (std::uint32_t slot = key & mask; slots_[slot].first != flat::kNil;
         slot = (slot + 1) & mask) {
      if (slots_[slot].key != key) {
        if (left-- == 0) return policy_.note_damage();
        continue;
      }
      for (std::uint32_t at = slots_[slot].first; at != flat::kNil && is_posting(at);
           at = postings_[at].next)
        visit(postings_[at].rule);
      return;
    }
  }

 private:
  PolicyChecks checks() const;
  const flat::RuleRecord& checked_record(std::uint32_t index) const;
  bool is_posting(std::uint32_t index) const;

  const Policy& policy_;
  bool as_read_;
  const flat::Header* header_;
  const flat::RuleRecord* rules_;
  const flat::ExtraRecord* extras_;
  const flat::ZoneRecord* zones_;
  const flat::OffsetRecord* offsets_;
  const flat::Text* files_;
  const flat::Posting* postings_;
  const flat::Slot* slots_;
  const char* text_;
};

}  // namespace tollgate
