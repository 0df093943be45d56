// A call's record as a row of the audit.
// What stands alike in the records of a session (who calls, the places, what a rule says) is handed
// to the store as the same text each time, and kept there once.
// INVARIANT: the whole text reads back as the record: call, effects, situation, decision, the peer.
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "core/codec.h"
#include "json/append.h"
#include "server/gate.h"

namespace tollgate::server {
namespace {

constexpr std::size_t kUsualText = 512;

// LIMIT: what has more is copied once for nothing, and seldom comes again.
constexpr std::size_t kMostActs = 16;

using Text = std::shared_ptr<const std::string>;

// Texts of values that come again and again. A value that comes for the first time has none yet, so
// that what comes once does not make the store keep a part for it.
// LIMIT: a slot for each hash; what falls into the slot of another takes its place.
template <class Value>
class Repeats {
 public:
  template <class From, class Write>
  Text text(std::size_t hash, const From& from, Write write) {
    Slot& slot = slots_[hash % slots_.size()];
    if (!slot.value || !slot.value->is(from)) {
      slot.value.emplace(from);
      slot.text = nullptr;
      return nullptr;
    }
    if (slot.text == nullptr) {
      std::string made;
      write(made);
      slot.text = std::make_shared<const std::string>(std::move(made));
    }
    return slot.text;
  }

 private:
  struct Slot {
    std::optional<Value> value;
    Text text;
  };
  std::array<Slot, 256> slots_;
};

std::size_t hash_of_text(const std::string& text) { return std::hash<std::string>()(text); }

struct Caller {
  explicit Caller(const ToolCall& call) : members(members_of(call)) {}
  bool is(const ToolCall& call) const { return members == members_of(call); }
  static std::size_t hash(const ToolCall& call) {
    return hash_of_text(call.session) * 31 + hash_of_text(call.native_tool);
  }

  static std::tuple<const std::string&, const std::string&, const std::string&, const std::string&,
                    const std::string&>
  members_of(const ToolCall& call) {
    return {call.session, call.agent, call.provider, call.native_tool, call.tool};
  }
  std::tuple<std::string, std::string, std::string, std::string, std::string> members;
};

struct Places {
  explicit Places(const Situation& from)
      : base(from.base),
        roots(from.roots),
        cwd(from.cwd),
        home(from.home),
        temporary(from.temporary),
        gate(from.gate),
        path_dirs(from.path_dirs) {}
  bool is(const Situation& other) const {
    return base == other.base && roots == other.roots && cwd == other.cwd && home == other.home &&
           temporary == other.temporary && gate == other.gate && path_dirs == other.path_dirs;
  }
  static std::size_t hash(const Situation& situation) {
    return hash_of_text(situation.base.written) * 31 + hash_of_text(situation.cwd.written);
  }

  Place base;
  std::vector<Place> roots;
  Place cwd;
  Place home;
  std::vector<Place> temporary;
  std::vector<Place> gate;
  std::vector<Place> path_dirs;
};

struct Ground {
  explicit Ground(const Decision& from) : decision(from) {}
  bool is(const Decision& other) const { return decision == other; }
  static std::size_t hash(const Decision& decision) {
    if (decision.reasons.empty()) return 0;
    const Reason& reason = decision.reasons.front();
    return hash_of_text(reason.rule) * 31 + reason.span.size;
  }

  Decision decision;
};

struct Acts {
  explicit Acts(const Effects& from) : effects(from) {}
  bool is(const Effects& other) const { return effects == other; }
  static std::size_t hash(const Effects& effects) {
    std::size_t hash = effects.size();
    if (effects.empty()) return hash;
    hash = hash * 31 + hash_of_text(effects.front().text);
    for (const Word& word : effects.front().argv) hash = hash * 31 + hash_of_text(word.text);
    return hash;
  }

  Effects effects;
};

// Of the thread that records, which is one: there is nothing to lock.
struct Known {
  Repeats<Caller> callers;
  Repeats<Places> places;
  Repeats<Ground> grounds;
  Repeats<Acts> acts;
};

// Adds a text: as a part where it has one, and as it is where not.
template <class Value, class From, class Write>
void put(store::AuditRow& row, Repeats<Value>& repeats, const From& from, Write write) {
  if (Text text = repeats.text(Value::hash(from), from, write))
    row.shared.push_back({.at = row.text.size(), .text = std::move(text)});
  else
    write(row.text);
}

void put_record(store::AuditRow& row, const AuditRecord& record, Known& known) {
  row.text += "{\"call\":";
  append_json(row.text, record.call, Piece::kBefore);
  put(row, known.callers, record.call,
      [&](std::string& out) { append_json(out, record.call, Piece::kRepeated); });
  append_json(row.text, record.call, Piece::kBehind);
  row.text += ",\"effects\":";
  if (record.effects.size() <= kMostActs)
    put(row, known.acts, record.effects,
        [&](std::string& out) { append_json(out, record.effects); });
  else
    append_json(row.text, record.effects);
  row.text += ",\"situation\":";
  append_json(row.text, record.situation, Piece::kBefore);
  put(row, known.places, record.situation,
      [&](std::string& out) { append_json(out, record.situation, Piece::kRepeated); });
  append_json(row.text, record.situation, Piece::kBehind);
  row.text += ",\"decision\":";
  put(row, known.grounds, record.decision,
      [&](std::string& out) { append_json(out, record.decision); });
}

}  // namespace

store::AuditRow audit_row(const AuditRecord& record, const std::string& origin, Millis now,
                          const json::Value& peer) {
  thread_local const auto known = std::make_unique<Known>();
  store::AuditRow row;
  row.at = now;
  row.kind = "call";
  row.session = record.call.session;
  row.agent = record.call.agent;
  row.tool = record.call.tool;
  row.verdict = std::string(name(record.decision.verdict));
  if (!record.decision.reasons.empty()) row.rule = record.decision.reasons[0].rule;
  row.origin = origin;
  row.text.reserve(kUsualText);
  row.shared.reserve(4);
  put_record(row, record, *known);
  if (!peer.is_null()) {
    row.text += ",\"peer\":";
    json::append(row.text, peer);
  }
  row.text += '}';
  return row;
}

}  // namespace tollgate::server
