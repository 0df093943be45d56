// Opening a compiled policy: everything that a later read relies on is checked here, once.
// SAFETY: the bytes may come from a file that anybody wrote; a block that is not exactly what
// compile() could have made is refused, and the caller falls back to reading the sources.
#include "policy/policy.h"

#include <cstring>

#include "policy/flat.h"
#include "policy/meta.h"
#include "policy/policy_view.h"

namespace tollgate {
namespace {

using namespace flat;

std::unexpected<Error> bad(std::string message) {
  return Fail({.code = "bad-snapshot",
               .message = std::move(message),
               .hint = "the compiled policy is ignored and made anew from its sources",
               .where = {}});
}

template <class T>
bool fits(const Header& header, const Section& section) {
  const std::uint64_t end = section.offset + std::uint64_t{section.count} * sizeof(T);
  return section.offset >= sizeof(Header) && section.offset % 8 == 0 && end <= header.size;
}

class Checker {
 public:
  Checker(const Header& header, const std::byte* base) : header_(header), base_(base) {}

  bool sections() const {
    return fits<char>(header_, header_.text) && fits<RuleRecord>(header_, header_.rules) &&
           fits<ExtraRecord>(header_, header_.extras) && fits<ZoneRecord>(header_, header_.zones) &&
           fits<OffsetRecord>(header_, header_.offsets) && fits<Text>(header_, header_.files) &&
           fits<Posting>(header_, header_.postings) && fits<Slot>(header_, header_.slots) &&
           fits<char>(header_, header_.meta);
  }

  bool rules() const {
    const RuleRecord* rules = at<RuleRecord>(header_.rules);
    std::uint32_t previous = 0;
    for (const std::uint32_t end : header_.tight) {
      if (end < previous || end > header_.rules.count) return false;
      previous = end;
    }
    bool fine = header_.tight[0] == 0;
    for (std::uint32_t i = 0; i < header_.rules.count; ++i) {
      const RuleRecord& rule = rules[i];
      fine &= text(rule.text) && text(rule.specifier) && text(rule.tool_name);
      fine &= rule.file < header_.files.count;
      fine &= rule.verdict <= static_cast<std::uint8_t>(Verdict::kDeny);
      fine &= rule.tool_kind <= static_cast<std::uint8_t>(ToolPartKind::kGlob);
      fine &= rule.specifier_kind < kSpecifierKinds;
      fine &= rule.source <= static_cast<std::uint8_t>(ConfigSource::kGrant);
      fine &= rule.extra == kNil || rule.extra < header_.extras.count;
      const bool tight = i < header_.tight[kSpecifierKinds];
      fine &= tight == (rule.verdict != static_cast<std::uint8_t>(Verdict::kAllow));
    }
    for (std::size_t kind = 0; kind < kSpecifierKinds; ++kind)
      for (std::uint32_t i = header_.tight[kind]; i < header_.tight[kind + 1]; ++i)
        fine &= rules[i].specifier_kind == kind;
    return fine && shapes(rules);
  }

  bool rest() const {
    for (const Text *file = at<Text>(header_.files), *end = file + header_.files.count; file != end;
         ++file)
      if (!text(*file)) return false;
    const ExtraRecord* extras = at<ExtraRecord>(header_.extras);
    for (std::uint32_t i = 0; i < header_.extras.count; ++i) {
      if (!text(extras[i].reason) || !text(extras[i].approve)) return false;
      if (extras[i].zone != kNil && extras[i].zone >= header_.zones.count) return false;
    }
    const ZoneRecord* zones = at<ZoneRecord>(header_.zones);
    for (std::uint32_t i = 0; i < header_.zones.count; ++i)
      if (std::uint64_t{zones[i].first} + zones[i].count > header_.offsets.count) return false;
    return true;
  }

  bool index() const {
    const Posting* postings = at<Posting>(header_.postings);
    bool fine = true;
    for (std::uint32_t i = 0; i < header_.postings.count; ++i) {
      fine &= postings[i].rule < header_.rules.count;
      fine &= postings[i].next == kNil ||
              (postings[i].next > i && postings[i].next < header_.postings.count);
    }
    const std::uint32_t size = header_.slots.count;
    if (!fine || size < 2 || (size & (size - 1)) != 0) return false;
    const Slot* slots = at<Slot>(header_.slots);
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (slots[i].first == kNil) continue;
      ++used;
      fine &= slots[i].first < header_.postings.count;
    }
    return fine && used < size;  // a search ends at an empty slot
  }

 private:
  template <class T>
  const T* at(const Section& section) const {
    return reinterpret_cast<const T*>(base_ + section.offset);
  }

  bool text(const Text& piece) const {
    return std::uint64_t{piece.offset} + piece.size <= header_.text.count;
  }

  // What the matchers take for granted of a specifier's text.
  bool shapes(const RuleRecord* rules) const {
    const char* pool = at<char>(header_.text);
    for (std::uint32_t i = 0; i < header_.rules.count; ++i) {
      const auto kind = static_cast<SpecifierKind>(rules[i].specifier_kind);
      const std::string_view specifier(pool + rules[i].specifier.offset, rules[i].specifier.size);
      if (kind == SpecifierKind::kHost && !specifier.starts_with("domain:")) return false;
      if (kind != SpecifierKind::kNone && specifier.empty()) return false;
    }
    return true;
  }

  const Header& header_;
  const std::byte* base_;
};

}  // namespace

Policy::Policy() {
  static const std::shared_ptr<const std::vector<std::byte>> kDenyAll = [] {
    PolicySet set;
    set.broken = Error{.code = "no-policy",
                       .message = "no policy is loaded",
                       .hint = "load one with --config, or run `tollgate init`",
                       .where = {}};
    const Policy made = compile(set);
    return std::make_shared<const std::vector<std::byte>>(made.bytes().begin(), made.bytes().end());
  }();
  Result<Policy> opened = open(*kDenyAll, kDenyAll);
  owner_ = std::move(opened->owner_);
  bytes_ = opened->bytes_;
  broken_ = std::move(opened->broken_);
}

Result<Policy> Policy::open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) {
  if (bytes.size() < sizeof(Header) || reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0)
    return bad("the compiled policy is too short");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (header.magic != kMagic) return bad("this is no compiled policy");
  if (header.version != kVersion)
    return bad("the compiled policy is of version " + std::to_string(header.version) +
               ", and this program reads " + std::to_string(kVersion));
  if (header.size != bytes.size() || header.size % 8 != 0)
    return bad("the compiled policy is cut short or padded");
  const Checker check(header, bytes.data());
  if (!check.sections() || !check.rules() || !check.rest() || !check.index())
    return bad("the compiled policy is damaged");
  const std::string_view meta(reinterpret_cast<const char*>(bytes.data()) + header.meta.offset,
                              header.meta.count);
  std::optional<PolicyMeta> unpacked = unpack_meta(meta);
  if (!unpacked) return bad("the agents of the compiled policy are damaged");
  for (std::uint32_t i = 0; i < header.rules.count; ++i) {
    const auto* rules = reinterpret_cast<const RuleRecord*>(bytes.data() + header.rules.offset);
    if (rules[i].agent > unpacked->agents.size())
      return bad("a rule names an agent that is not there");
  }
  Policy policy{Unopened{}};
  policy.owner_ = std::move(owner);
  policy.bytes_ = bytes;
  policy.agents_ = std::move(unpacked->agents);
  policy.tools_ = std::move(unpacked->tools);
  policy.broken_ = std::move(unpacked->broken);
  return policy;
}

std::size_t Policy::rule_count() const { return PolicyView(*this).size(); }

bool Policy::needs_walk() const { return PolicyView(*this).walks(); }

const AgentPolicy* Policy::agent(std::string_view name) const& {
  for (const AgentPolicy& agent : agents_)
    if (agent.name == name) return &agent;
  return nullptr;
}

PolicyView::PolicyView(const Policy& policy) {
  const std::byte* base = policy.bytes().data();
  header_ = reinterpret_cast<const Header*>(base);
  rules_ = reinterpret_cast<const RuleRecord*>(base + header_->rules.offset);
  extras_ = reinterpret_cast<const ExtraRecord*>(base + header_->extras.offset);
  zones_ = reinterpret_cast<const ZoneRecord*>(base + header_->zones.offset);
  offsets_ = reinterpret_cast<const OffsetRecord*>(base + header_->offsets.offset);
  files_ = reinterpret_cast<const Text*>(base + header_->files.offset);
  postings_ = reinterpret_cast<const Posting*>(base + header_->postings.offset);
  slots_ = reinterpret_cast<const Slot*>(base + header_->slots.offset);
  text_ = reinterpret_cast<const char*>(base + header_->text.offset);
}

RuleView PolicyView::rule(std::uint32_t index) const {
  const RuleRecord& record = rules_[index];
  return {.verdict = static_cast<Verdict>(record.verdict),
          .tool_kind = static_cast<ToolPartKind>(record.tool_kind),
          .specifier_kind = static_cast<SpecifierKind>(record.specifier_kind),
          .kinds = record.kinds,
          .tool_name = text(record.tool_name),
          .specifier = text(record.specifier)};
}

const ExtraRecord* PolicyView::extra(std::uint32_t index) const {
  const std::uint32_t extra = rules_[index].extra;
  return extra == kNil ? nullptr : &extras_[extra];
}

std::string PolicyView::place(std::uint32_t index) const {
  const RuleRecord& record = rules_[index];
  const std::string_view file = text(files_[record.file]);
  std::string place;
  place.reserve(file.size() + 2 * sizeof ":4294967295");  // one allocation, whatever the numbers
  place += file;
  if (record.line != 0) place += ':' + std::to_string(record.line);
  if (record.line != 0 && record.column != 0) place += ':' + std::to_string(record.column);
  return place;
}

bool PolicyView::is_open(const ExtraRecord& extra, std::int64_t now) const {
  if (extra.zone == kNil) return true;
  const ZoneRecord& zone = zones_[extra.zone];
  std::int32_t seconds = zone.count == 0 ? 0 : offsets_[zone.first].seconds;
  for (std::uint32_t i = zone.first; i < zone.first + zone.count && offsets_[i].from <= now; ++i)
    seconds = offsets_[i].seconds;
  const Hours hours{.days = extra.days, .from = extra.from, .to = extra.to, .zone = {}};
  return tollgate::is_open(hours, now, {{.from = 0, .seconds = seconds}});
}

}  // namespace tollgate
