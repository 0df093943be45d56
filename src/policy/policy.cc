// Opening a compiled policy, and reading it record by record.
// SAFETY: the bytes may come from a file that anybody wrote; a block that is not exactly what
// compile() could have made is refused, and the caller falls back to reading the sources.
#include "policy/policy.h"

#include <cstring>

#include "policy/checks.h"
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

Result<Policy> Policy::open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                            PolicyCheck check) {
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
  const PolicyChecks checks(header, bytes.data());
  if (!checks.frame()) return bad("the compiled policy is damaged");
  const std::string_view meta(reinterpret_cast<const char*>(bytes.data()) + header.meta.offset,
                              header.meta.count);
  std::optional<PolicyMeta> unpacked = unpack_meta(meta);
  if (!unpacked) return bad("the agents of the compiled policy are damaged");
  if (check == PolicyCheck::kWhole && !checks.records(unpacked->agents.size()))
    return bad("the compiled policy is damaged");
  Policy policy{Unopened{}};
  policy.owner_ = std::move(owner);
  policy.bytes_ = bytes;
  policy.checked_ = check;
  policy.agents_ = std::move(unpacked->agents);
  policy.tools_ = std::move(unpacked->tools);
  policy.broken_ = std::move(unpacked->broken);
  return policy;
}

void Policy::note_damage() const {
  if (!broken_) broken_ = bad("the compiled policy is damaged").error();
}

std::size_t Policy::rule_count() const { return PolicyView(*this).size(); }

bool Policy::needs_walk() const { return PolicyView(*this).walks(); }

const AgentPolicy* Policy::agent(std::string_view name) const& {
  for (const AgentPolicy& agent : agents_)
    if (agent.name == name) return &agent;
  return nullptr;
}

PolicyView::PolicyView(const Policy& policy)
    : policy_(policy), as_read_(policy.checked() == PolicyCheck::kAsRead) {
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

PolicyChecks PolicyView::checks() const {
  return {*header_, reinterpret_cast<const std::byte*>(header_)};
}

bool PolicyView::is_posting(std::uint32_t index) const {
  if (!as_read_ || checks().posting(index)) return true;
  policy_.note_damage();
  return false;
}

const RuleRecord& PolicyView::checked_record(std::uint32_t index) const {
  // A rule about everything, in which nothing leads anywhere.
  static constexpr RuleRecord kDamaged{.verdict = static_cast<std::uint8_t>(Verdict::kDeny)};
  if (checks().rule(index, policy_.agents().size())) return rules_[index];
  policy_.note_damage();
  return kDamaged;
}

RuleView PolicyView::rule(std::uint32_t index) const {
  const RuleRecord& record = this->record(index);
  return {.verdict = static_cast<Verdict>(record.verdict),
          .tool_kind = static_cast<ToolPartKind>(record.tool_kind),
          .specifier_kind = static_cast<SpecifierKind>(record.specifier_kind),
          .kinds = record.kinds,
          .tool_name = text(record.tool_name),
          .specifier = text(record.specifier)};
}

const ExtraRecord* PolicyView::extra(std::uint32_t index) const {
  const std::uint32_t extra = record(index).extra;
  if (extra == kNil) return nullptr;
  if (!as_read_ || checks().extra(extra)) return &extras_[extra];
  policy_.note_damage();
  return nullptr;
}

std::string PolicyView::place(std::uint32_t index) const {
  const RuleRecord& record = this->record(index);
  // Only the record that stands in for a damaged one can name a file that is not there.
  const std::string_view file =
      record.file < header_->files.count ? text(files_[record.file]) : std::string_view();
  std::string place;
  place.reserve(file.size() + 2 * sizeof ":4294967295");  // one allocation, whatever the numbers
  place += file;
  if (record.line != 0) place += ':' + std::to_string(record.line);
  if (record.line != 0 && record.column != 0) place += ':' + std::to_string(record.column);
  return place;
}

bool PolicyView::is_open(const ExtraRecord& extra, std::int64_t now) const {
  if (extra.zone == kNil) return true;
  if (as_read_ && !checks().zone(extra.zone)) {
    policy_.note_damage();
    return false;
  }
  const ZoneRecord& zone = zones_[extra.zone];
  std::int32_t seconds = zone.count == 0 ? 0 : offsets_[zone.first].seconds;
  for (std::uint32_t i = zone.first; i < zone.first + zone.count && offsets_[i].from <= now; ++i)
    seconds = offsets_[i].seconds;
  const Hours hours{.days = extra.days, .from = extra.from, .to = extra.to, .zone = {}};
  return tollgate::is_open(hours, now, {{.from = 0, .seconds = seconds}});
}

}  // namespace tollgate
