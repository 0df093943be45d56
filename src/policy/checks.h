// What must hold of a compiled policy before anyone reads by it.
// Policy::open asks this of every record, or, for a process that reads a few of thousands, leaves
// each record to the PolicyView that reads it: then this is asked there.
// SAFETY: whatever a matcher takes for granted of a record is checked here, and only here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/flat.h"
#include "policy/rule.h"

namespace tollgate {

class PolicyChecks {
 public:
  PolicyChecks(const flat::Header& header, const std::byte* base) : header_(header), base_(base) {}

  // That the sections lie inside, and all that is not many records: asked always, and first.
  bool frame() const;

  // Each is about one record, and may be asked of any index.
  bool rule(std::uint32_t index, std::size_t agents) const;
  bool extra(std::uint32_t index) const;
  bool zone(std::uint32_t index) const;
  bool posting(std::uint32_t index) const;

  // All of them, and that a search in the slots ends.
  bool records(std::size_t agents) const;

 private:
  template <class T>
  const T* at(const flat::Section& section) const {
    return reinterpret_cast<const T*>(base_ + section.offset);
  }
  template <class T>
  bool fits(const flat::Section& section) const;
  bool text(const flat::Text& piece) const {
    return std::uint64_t{piece.offset} + piece.size <= header_.text.count;
  }
  bool holds(std::uint32_t index, std::size_t agents) const;
  bool shape(const flat::RuleRecord& rule) const;
  bool quorum(const flat::Text& approve) const;
  bool slots() const;

  const flat::Header& header_;
  const std::byte* base_;
};

}  // namespace tollgate
