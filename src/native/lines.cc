// Rules in the order they are written; the built-in blocked paths as one line.
#include "native/lines.h"

#include <algorithm>

#include "core/names.h"

namespace tollgate::native {
namespace {

std::string place_of(const Rule& rule) {
  if (rule.where.file.empty() || rule.where.file == "built-in") return "built-in";
  if (rule.where.line == 0) return rule.where.file;
  return rule.where.file + ":" + std::to_string(rule.where.line) + ":" +
         std::to_string(rule.where.column);
}

bool is_default(const Rule& rule) {
  return rule.source == ConfigSource::kDefault && rule.specifier_kind == SpecifierKind::kPath &&
         rule.verdict == Verdict::kDeny;
}

}  // namespace

void add_rules(Compiled& out, const Plan& plan, const std::function<Held(const Rule&)>& held) {
  bool has_default = false;
  Held blocked{Holder::kNative, ""};
  for (const Rule* rule : plan.rules()) {
    Held each = held(*rule);
    if (is_default(*rule)) {
      if (!has_default || each.holder > blocked.holder) blocked = std::move(each);
      has_default = true;
      continue;
    }
    out.rules.push_back({.rule = rule->text,
                         .list = std::string(name(rule->verdict)),
                         .where = place_of(*rule),
                         .holder = each.holder,
                         .note = std::move(each.note)});
  }
  if (has_default)
    out.rules.push_back({.rule = "the default blocked paths",
                         .list = "deny",
                         .where = "built-in",
                         .holder = blocked.holder,
                         .note = std::move(blocked.note)});
}

void add_grounds(Compiled& out, const Plan& plan, const Grounds& grounds) {
  const auto add = [&](std::string what, const Held& held) {
    out.rules.push_back({.rule = std::move(what),
                         .list = "built-in",
                         .where = "",
                         .holder = held.holder,
                         .note = held.note});
  };
  add("tools outside " + plan.agent().ceiling.from, grounds.ceiling);
  add("effects outside " + plan.agent().ceiling.from, grounds.beyond);
  add("tools in no table", grounds.unlisted);
  add("sensitive places", grounds.sensitive);
  add("guarded paths", grounds.guarded);
  add("breakers", grounds.breakers);
  if (plan.agent().network.limited || !plan.agent().network.allowed)
    add(plan.agent().network.allowed ? "allowedHosts" : "allowNetwork", grounds.hosts);
  add("the gate itself", grounds.gate_itself);
  add("what no rule speaks of", grounds.unspoken);
}

Grounds grounds_by(Holder holder, std::string note) {
  const Held held{holder, std::move(note)};
  return {held, held, held, held, held, held, held, held, held};
}

}  // namespace tollgate::native
