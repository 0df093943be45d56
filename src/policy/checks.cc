#include "policy/checks.h"

#include "core/verdict.h"

namespace tollgate {

using namespace flat;

template <class T>
bool PolicyChecks::fits(const Section& section) const {
  const std::uint64_t end = section.offset + std::uint64_t{section.count} * sizeof(T);
  return section.offset >= sizeof(Header) && section.offset % 8 == 0 && end <= header_.size;
}

bool PolicyChecks::frame() const {
  if (!fits<char>(header_.text) || !fits<RuleRecord>(header_.rules) ||
      !fits<ExtraRecord>(header_.extras) || !fits<ZoneRecord>(header_.zones) ||
      !fits<OffsetRecord>(header_.offsets) || !fits<Text>(header_.files) ||
      !fits<Posting>(header_.postings) || !fits<Slot>(header_.slots) || !fits<char>(header_.meta))
    return false;
  std::uint32_t previous = 0;
  for (const std::uint32_t end : header_.tight) {
    if (end < previous || end > header_.rules.count) return false;
    previous = end;
  }
  const Text* files = at<Text>(header_.files);
  for (std::uint32_t i = 0; i < header_.files.count; ++i)
    if (!text(files[i])) return false;
  const std::uint32_t size = header_.slots.count;
  return header_.tight[0] == 0 && size >= 2 && (size & (size - 1)) == 0;
}

bool PolicyChecks::rule(std::uint32_t index, std::size_t agents) const {
  return index < header_.rules.count && holds(index, agents);
}

// Without branches, because it is asked of ten thousand.
inline bool PolicyChecks::holds(std::uint32_t index, std::size_t agents) const {
  const RuleRecord& rule = at<RuleRecord>(header_.rules)[index];
  bool fine = text(rule.text);
  fine &= text(rule.specifier);
  fine &= text(rule.tool_name);
  fine &= rule.file < header_.files.count;
  fine &= rule.verdict <= static_cast<std::uint8_t>(Verdict::kDeny);
  fine &= rule.tool_kind <= static_cast<std::uint8_t>(ToolPartKind::kGlob);
  fine &= rule.specifier_kind < kSpecifierKinds;
  fine &= rule.source <= static_cast<std::uint8_t>(ConfigSource::kGrant);
  fine &= rule.extra == kNil || rule.extra < header_.extras.count;
  fine &= rule.agent <= agents;
  // Rules that deny or ask stand first, each among its kind.
  const bool tight = index < header_.tight[kSpecifierKinds];
  fine &= tight == (rule.verdict != static_cast<std::uint8_t>(Verdict::kAllow));
  const std::size_t kind = rule.specifier_kind % kSpecifierKinds;
  bool among = index >= header_.tight[kind];
  among &= index < header_.tight[kind + 1];
  fine &= among || !tight;
  return fine && shape(rule);
}

// What the matchers take for granted of a specifier's text.
inline bool PolicyChecks::shape(const RuleRecord& rule) const {
  const auto kind = static_cast<SpecifierKind>(rule.specifier_kind);
  if (kind == SpecifierKind::kHost)
    return std::string_view(at<char>(header_.text) + rule.specifier.offset, rule.specifier.size)
        .starts_with("domain:");
  return kind == SpecifierKind::kNone || rule.specifier.size > 0;
}

// Votes are counted by what this text says.
inline bool PolicyChecks::quorum(const flat::Text& approve) const {
  return approve.size == 0 ||
         parse_quorums({at<char>(header_.text) + approve.offset, approve.size}).has_value();
}

bool PolicyChecks::extra(std::uint32_t index) const {
  if (index >= header_.extras.count) return false;
  const ExtraRecord& extra = at<ExtraRecord>(header_.extras)[index];
  return text(extra.reason) && text(extra.approve) && quorum(extra.approve) &&
         (extra.zone == kNil || extra.zone < header_.zones.count);
}

bool PolicyChecks::zone(std::uint32_t index) const {
  if (index >= header_.zones.count) return false;
  const ZoneRecord& zone = at<ZoneRecord>(header_.zones)[index];
  return std::uint64_t{zone.first} + zone.count <= header_.offsets.count;
}

bool PolicyChecks::posting(std::uint32_t index) const {
  if (index >= header_.postings.count) return false;
  const Posting& posting = at<Posting>(header_.postings)[index];
  return posting.rule < header_.rules.count &&
         (posting.next == kNil || (posting.next > index && posting.next < header_.postings.count));
}

bool PolicyChecks::slots() const {
  const Slot* slots = at<Slot>(header_.slots);
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < header_.slots.count; ++i) {
    if (slots[i].first == kNil) continue;
    ++used;
    if (slots[i].first >= header_.postings.count) return false;
  }
  return used < header_.slots.count;  // a search ends at an empty slot
}

bool PolicyChecks::records(std::size_t agents) const {
  bool fine = true;
  for (std::uint32_t i = 0; i < header_.rules.count; ++i) fine &= holds(i, agents);
  for (std::uint32_t i = 0; i < header_.extras.count; ++i) fine &= extra(i);
  for (std::uint32_t i = 0; i < header_.zones.count; ++i) fine &= zone(i);
  for (std::uint32_t i = 0; i < header_.postings.count; ++i) fine &= posting(i);
  return fine && slots();
}

}  // namespace tollgate
