// PolicySet to the flat block: rules in their runs, texts pooled, keys filed, postings chained.
// Rules are put into one canonical order first, so that shuffled input compiles to equal bytes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/flat.h"
#include "policy/index.h"
#include "policy/meta.h"
#include "policy/policy.h"

namespace tollgate {
namespace {

using namespace flat;

// Texts, each distinct one kept once; a specifier that stands in its rule's text is shared.
class TextPool {
 public:
  Text add(std::string_view text) {
    if (text.empty()) return {};
    const Text place{static_cast<std::uint32_t>(bytes_.size()),
                     static_cast<std::uint32_t>(text.size())};
    bytes_.append(text);
    return place;
  }
  Text share(std::string_view text) {
    if (text.empty()) return {};
    const auto [found, fresh] = shared_.try_emplace(std::string(text));
    if (fresh) found->second = add(text);
    return found->second;
  }
  // `part` as a piece of `whole`, which is already here.
  Text within(Text whole, std::string_view text, std::string_view part) {
    if (part.empty() || text.empty()) return {};
    // Names stand at the front and specifiers just before the closing bracket.
    std::size_t at = text.npos;
    if (text.starts_with(part))
      at = 0;
    else if (text.substr(0, text.size() - 1).ends_with(part))
      at = text.size() - 1 - part.size();
    else
      at = text.find(part);
    if (at == text.npos) return add(part);
    return {whole.offset + static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(part.size())};
  }
  const std::string& bytes() const& { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<std::string, Text> shared_;
};

std::size_t rank(const Rule& rule) {
  return rule.verdict == Verdict::kAllow ? kSpecifierKinds
                                         : static_cast<std::size_t>(rule.specifier_kind);
}

// Deny and ask by kind of specifier, then allow; within that by text and place.
bool canonical_less(const Rule& a, const Rule& b) {
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (const int order = a.text.compare(b.text); order != 0) return order < 0;
  const auto rest = [](const Rule& rule) {
    return std::make_tuple(rule.verdict, rule.source, std::string_view(rule.agent),
                           std::string_view(rule.where.file), rule.where.line, rule.where.column,
                           rule.expires, std::string_view(rule.reason));
  };
  return rest(a) < rest(b);
}

// A rule's place in the canonical order by its first characters, so that most comparisons need not
// look at the rules themselves.
struct SortKey {
  static constexpr std::size_t kCharacters = 23;
  std::array<std::uint64_t, 3> first = {};  // rank, then the characters
  std::uint32_t rule = 0;
};

SortKey sort_key(const Rule& rule, std::uint32_t index) {
  std::array<char, SortKey::kCharacters + 1> bytes = {static_cast<char>(rank(rule))};
  rule.text.copy(bytes.data() + 1, SortKey::kCharacters);
  SortKey key{std::bit_cast<decltype(SortKey::first)>(bytes), index};
  if constexpr (std::endian::native == std::endian::little)
    for (std::uint64_t& word : key.first) word = std::byteswap(word);
  return key;
}

// How often each key occurs, roughly: keys that share a counter only look commoner than they are.
class Rarity {
 public:
  void count(Key k) {
    std::uint16_t& n = counts_[k & (kCounters - 1)];
    if (n != 0xffff) ++n;
  }
  std::uint16_t of(Key k) const { return counts_[k & (kCounters - 1)]; }

 private:
  static constexpr std::size_t kCounters = 1u << 16;
  std::vector<std::uint16_t> counts_ = std::vector<std::uint16_t>(kCounters);
};

// Where the keys of which one is needed begin and end among a rule's entries.
struct KeyParts {
  std::size_t any = 0, end = 0;
};

struct Filed {
  Key key;
  std::uint32_t rule;
};

// Stable. Keys are hashes, so a few rounds over their digits beat comparing them with each other.
void sort_by_key(std::vector<Filed>& filed) {
  constexpr unsigned kBits = 11;
  constexpr Key kMask = (1u << kBits) - 1;
  std::vector<Filed> sorted(filed.size());
  for (unsigned shift = 0; shift < 32; shift += kBits) {
    std::array<std::uint32_t, kMask + 2> begin = {};
    for (const Filed& each : filed) ++begin[(each.key >> shift & kMask) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const Filed& each : filed) sorted[begin[each.key >> shift & kMask]++] = each;
    filed.swap(sorted);
  }
}

class Compiler {
 public:
  explicit Compiler(const PolicySet& set) : set_(set) {
    for (std::size_t i = 0; i < set.agents.size(); ++i)
      agent_index_.try_emplace(set.agents[i].name, static_cast<std::uint16_t>(i + 1));
  }

  std::vector<std::byte> run() {
    std::vector<SortKey> keys;
    keys.reserve(set_.rules.size());
    // SAFETY: an allow for an agent that does not exist must not become everybody's.
    for (std::uint32_t i = 0; i < set_.rules.size(); ++i)
      if (set_.rules[i].verdict != Verdict::kAllow || set_.rules[i].agent.empty() ||
          agent_index(set_.rules[i].agent) != 0)
        keys.push_back(sort_key(set_.rules[i], i));
    std::ranges::sort(keys, [&](const SortKey& a, const SortKey& b) {
      for (std::size_t i = 0; i < a.first.size(); ++i)
        if (a.first[i] != b.first[i]) return a.first[i] < b.first[i];
      return canonical_less(set_.rules[a.rule], set_.rules[b.rule]);
    });
    order_.reserve(keys.size());
    for (const SortKey& key : keys) order_.push_back(key.rule);
    for (const Zone& zone : set_.zones) add_zone(zone);
    rules_.reserve(order_.size());
    entries_.reserve(order_.size() * 8);
    parts_.reserve(order_.size());
    // Rules are large and lie apart: each is looked at once, and fetched some turns before.
    for (std::size_t i = 0; i < order_.size(); ++i) {
      constexpr std::size_t kAhead = 4;
      if (i + kAhead < order_.size()) fetch(set_.rules[order_[i + kAhead]]);
      add_rule(set_.rules[order_[i]]);
      list_keys(set_.rules[order_[i]]);
    }
    file_rules();
    chain();
    return assemble();
  }

 private:
  static void fetch(const Rule& rule) {
    constexpr std::size_t kLine = 64;
    const auto* bytes = reinterpret_cast<const char*>(&rule);
    for (std::size_t at = 0; at < sizeof(Rule); at += kLine) __builtin_prefetch(bytes + at);
  }

  void add_zone(const Zone& zone) {
    zone_index_[zone.name] = static_cast<std::uint32_t>(zones_.size());
    zones_.push_back({static_cast<std::uint32_t>(offsets_.size()),
                      static_cast<std::uint32_t>(zone.offsets.size())});
    for (const Zone::Offset& offset : zone.offsets)
      offsets_.push_back({offset.from, offset.seconds, 0});
  }

  std::uint16_t file_index(const std::string& file) {
    // Most rules stand in the same file as the one before.
    if (last_file_ != file_index_.end() && last_file_->first == file) return last_file_->second;
    const auto [found, fresh] =
        file_index_.try_emplace(file, static_cast<std::uint16_t>(files_.size()));
    if (fresh) files_.push_back(text_.share(file));
    last_file_ = found;
    return found->second;
  }

  std::uint16_t agent_index(const std::string& agent) const {
    if (agent.empty()) return 0;
    const auto found = agent_index_.find(agent);
    return found == agent_index_.end() ? 0 : found->second;
  }

  void add_rule(const Rule& rule) {
    RuleRecord record;
    record.text = text_.add(rule.text);
    record.specifier = text_.within(record.text, rule.text, rule.specifier);
    record.tool_name = text_.within(record.text, rule.text, rule.tool.name);
    record.line = rule.where.line;
    record.column = rule.where.column;
    record.file = file_index(rule.where.file);
    record.kinds = kinds_of(rule.tool);
    record.agent = agent_index(rule.agent);
    record.verdict = static_cast<std::uint8_t>(rule.verdict);
    record.tool_kind = static_cast<std::uint8_t>(rule.tool.kind);
    record.specifier_kind = static_cast<std::uint8_t>(rule.specifier_kind);
    record.source = static_cast<std::uint8_t>(rule.source);
    record.extra = add_extra(rule);
    rules_.push_back(record);
    if (rule.verdict != Verdict::kAllow) ++header_.tight[record.specifier_kind + 1];
    note_walks(rule);
  }

  // Rules of one tool follow each other, so most need no look-up.
  std::uint16_t kinds_of(const ToolPart& tool) {
    if (last_tool_ == nullptr || last_tool_->kind != tool.kind || last_tool_->kinds != tool.kinds ||
        last_tool_->name != tool.name) {
      last_kinds_ = kinds_named_by(tool);
      last_tool_ = &tool;
    }
    return last_kinds_;
  }

  void note_walks(const Rule& rule) {
    if (rule.verdict == Verdict::kAllow || rule.specifier_kind != SpecifierKind::kPath) return;
    const PathPattern path = path_pattern(rule.specifier);
    const std::string_view prefix = literal_prefix(path.pattern);
    if (path.floating || prefix.size() != path.pattern.size()) header_.walks = 1;
    if (path.floating) header_.floats = 1;
    constexpr std::uint32_t kAnywhere = 0xffffffff;
    header_.tight_starts[static_cast<std::size_t>(path.anchor)] |=
        prefix.empty() ? kAnywhere : start_bit(prefix);
  }

  std::uint32_t add_extra(const Rule& rule) {
    if (rule.reason.empty() && !rule.hours && rule.approve.empty() && !rule.answer &&
        !rule.on_timeout && rule.expires == 0)
      return kNil;
    ExtraRecord extra;
    extra.reason = text_.share(rule.reason);
    extra.approve = text_.share(format_quorums(rule.approve));
    extra.expires = rule.expires;
    if (rule.hours) {
      const auto zone = zone_index_.find(rule.hours->zone);
      extra.zone = zone == zone_index_.end() ? utc_zone() : zone->second;
      extra.days = rule.hours->days;
      extra.from = rule.hours->from;
      extra.to = rule.hours->to;
    }
    if (rule.answer) extra.answer = static_cast<std::uint8_t>(*rule.answer);
    if (rule.on_timeout) extra.on_timeout = static_cast<std::uint8_t>(*rule.on_timeout);
    extras_.push_back(extra);
    return static_cast<std::uint32_t>(extras_.size() - 1);
  }

  std::uint32_t utc_zone() {
    add_zone({.name = "UTC", .offsets = {{.from = 0, .seconds = 0}}});
    return zone_index_["UTC"];
  }

  // Everything that the rule last added could be filed under.
  void list_keys(const Rule& rule) {
    keys_.any.clear();
    keys_.all.clear();
    list_keys_of(view_of(rule, rules_.back().kinds), keys_);
    for (const RuleKeys::Entry& entry : keys_.any) rarity_.count(entry.key);
    entries_.insert(entries_.end(), keys_.all.begin(), keys_.all.end());
    parts_.push_back({entries_.size(), entries_.size() + keys_.any.size()});
    entries_.insert(entries_.end(), keys_.any.begin(), keys_.any.end());
  }

  void file_rules() {
    filed_.reserve(order_.size() * 2);
    std::size_t at = 0;
    for (std::uint32_t rule = 0; rule < parts_.size(); ++rule) {
      for (; at < parts_[rule].any; ++at) file(entries_[at], rule);
      const auto any = std::span(entries_).subspan(at, parts_[rule].end - at);
      at = parts_[rule].end;
      if (any.empty()) continue;
      const RuleKeys::Entry& rarest = *std::ranges::min_element(
          any, {}, [&](const RuleKeys::Entry& entry) { return rarity_.of(entry.key); });
      file(rarest, rule);
      if (rarest.sort == KeySort::kArgument) file_argument_name(rule);
    }
  }

  // One posting for each argument name that a tool's literal values are filed under.
  void file_argument_name(std::uint32_t rule) {
    const Rule& source = set_.rules[order_[rule]];
    const LiteralArgument literal = literal_argument(source.specifier);
    const Key names = key(KeySort::kArgumentNames, source.tool.name);
    const Key name = key(KeySort::kArgumentName, source.tool.name, literal.name);
    if (!argument_names_.emplace(name, true).second) return;
    file({KeySort::kArgumentNames, names}, rule);
  }

  void file(const RuleKeys::Entry& entry, std::uint32_t rule) {
    filed_.push_back({entry.key, rule});
    header_.features |= feature(entry.sort);
    if (entry.sort != KeySort::kPathPrefix) return;
    header_.path_depths[entry.anchor] |= 1u << entry.depth;
    header_.key_starts[entry.anchor] |= entry.start;
  }

  // Postings of one key become one list that runs forward; slots hash with linear probing.
  void chain() {
    sort_by_key(filed_);
    std::size_t size = 16;
    while (size < filed_.size() * 2) size *= 2;
    slots_.resize(size);
    postings_.resize(filed_.size());
    for (std::size_t i = 0; i < filed_.size(); ++i) {
      const bool more = i + 1 < filed_.size() && filed_[i + 1].key == filed_[i].key;
      postings_[i] = {filed_[i].rule, more ? static_cast<std::uint32_t>(i + 1) : kNil};
      if (i > 0 && filed_[i - 1].key == filed_[i].key) continue;
      std::size_t slot = filed_[i].key & (size - 1);
      while (slots_[slot].first != kNil) slot = (slot + 1) & (size - 1);
      slots_[slot] = {filed_[i].key, static_cast<std::uint32_t>(i)};
    }
  }

  template <class T>
  Section append(std::vector<std::byte>& block, const T* items, std::size_t count) const {
    while (block.size() % 8 != 0) block.push_back(std::byte{0});
    const Section section{static_cast<std::uint32_t>(block.size()),
                          static_cast<std::uint32_t>(count)};
    const auto* begin = reinterpret_cast<const std::byte*>(items);
    block.insert(block.end(), begin, begin + count * sizeof(T));
    return section;
  }

  std::vector<std::byte> assemble() {
    std::partial_sum(header_.tight.begin(), header_.tight.end(), header_.tight.begin());
    const std::string meta = pack_meta(set_);
    std::vector<std::byte> block(sizeof(Header));
    block.reserve(sizeof(Header) + text_.bytes().size() + rules_.size() * sizeof(RuleRecord) +
                  postings_.size() * sizeof(Posting) + slots_.size() * sizeof(Slot) + meta.size() +
                  4096);
    header_.rules = append(block, rules_.data(), rules_.size());
    header_.extras = append(block, extras_.data(), extras_.size());
    header_.zones = append(block, zones_.data(), zones_.size());
    header_.offsets = append(block, offsets_.data(), offsets_.size());
    header_.files = append(block, files_.data(), files_.size());
    header_.postings = append(block, postings_.data(), postings_.size());
    header_.slots = append(block, slots_.data(), slots_.size());
    header_.meta = append(block, meta.data(), meta.size());
    header_.text = append(block, text_.bytes().data(), text_.bytes().size());
    while (block.size() % 8 != 0) block.push_back(std::byte{0});
    header_.size = static_cast<std::uint32_t>(block.size());
    std::memcpy(block.data(), &header_, sizeof(Header));
    return block;
  }

  const PolicySet& set_;
  std::unordered_map<std::string, std::uint16_t> agent_index_;  // plus one
  std::vector<std::uint32_t> order_;
  Header header_;
  TextPool text_;
  std::vector<RuleRecord> rules_;
  const ToolPart* last_tool_ = nullptr;
  std::uint16_t last_kinds_ = 0;
  std::vector<ExtraRecord> extras_;
  std::vector<ZoneRecord> zones_;
  std::vector<OffsetRecord> offsets_;
  std::vector<Text> files_;
  RuleKeys keys_;                         // of one rule, kept for its memory
  std::vector<RuleKeys::Entry> entries_;  // of all rules, one after the other
  std::vector<KeyParts> parts_;           // by rule
  Rarity rarity_;
  std::vector<Filed> filed_;
  std::vector<Posting> postings_;
  std::vector<Slot> slots_;
  std::map<std::string, std::uint32_t> zone_index_;
  std::map<std::string, std::uint16_t> file_index_;
  std::map<std::string, std::uint16_t>::const_iterator last_file_ = file_index_.end();
  std::unordered_map<Key, bool> argument_names_;
};

}  // namespace

Policy compile(const PolicySet& set) {
  // SAFETY: a rule names its agent by 16 bits; one agent more and an allow would change hands.
  if (set.agents.size() >= 0xffff) return Policy();
  auto block = std::make_shared<std::vector<std::byte>>(Compiler(set).run());
  const std::span<const std::byte> bytes(*block);
  Result<Policy> policy = Policy::open(bytes, std::move(block));
  return policy ? std::move(*policy) : Policy();
}

}  // namespace tollgate
