#include "explain/effect_words.h"

#include <algorithm>

#include "base/text.h"
#include "explain/layout.h"

namespace tollgate {

const std::string* EffectWords::main_text() const {
  const json::Value* main = main_.empty() ? nullptr : record_.call.input.find(main_);
  return main == nullptr ? nullptr : &main->as_string();
}

std::vector<Span> EffectWords::deciding_spans() const {
  const Decision& decision = record_.decision;
  std::vector<Span> spans;
  for (const Reason& reason : decision.reasons)
    if (reason.verdict == decision.verdict && has_place(reason.span)) spans.push_back(reason.span);
  if (spans.empty())
    for (const Reason& reason : decision.reasons)
      if (has_place(reason.span)) spans.push_back(reason.span);
  return spans;
}

bool EffectWords::is_deciding(std::uint32_t index) const {
  const Effects& all = record_.effects;
  const Effect& effect = all[index];
  const std::vector<Span> spans = deciding_spans();
  if (!has_place(effect.span) || std::ranges::find(spans, effect.span) == spans.end()) return false;
  if (effect.kind != EffectKind::kRun)
    return effect.owner >= all.size() || all[effect.owner].span != effect.span;
  return std::ranges::none_of(all, [&](const Effect& inner) {
    return inner.owner == index && inner.kind == EffectKind::kRun && inner.span == effect.span;
  });
}

std::size_t EffectWords::depth_of(const Effect& effect) const {
  const Effects& all = record_.effects;
  std::size_t depth = 0;
  for (std::uint32_t at = effect.owner; at < all.size() && depth < 12; at = all[at].owner) ++depth;
  return depth;
}

std::string EffectWords::object_of(const Effect& effect) const {
  std::string out;
  switch (effect.kind) {
    case EffectKind::kRun:
      for (const Word& word : effect.argv) out += (out.empty() ? "" : " ") + word_of(word);
      break;
    case EffectKind::kReach:
      out = is_configured_home(effect) ? "what " + effect.target + " is configured for"
            : effect.host.empty()      ? "a host that cannot be told"
                                       : effect.host;
      break;
    case EffectKind::kUnknown:
      out = effect.why;
      break;
    case EffectKind::kMcp:
    case EffectKind::kAgent:
    case EffectKind::kApp:
      out = effect.target;
      break;
    case EffectKind::kSearch:
      out = "the web";
      break;
    case EffectKind::kPerson:
      out = "a person must answer";
      break;
    default:
      out = effect.path.empty() ? unknown_path(effect) : near_path(effect.path, here_);
      if (effect.recursive) out += " and all below";
      if (effect.path.empty()) out += "  (not known)";
  }
  return out;
}

std::string EffectWords::word_of(const Word& word) const {
  constexpr std::string_view kPlain = "_@%+=:,./~-^{}[]";
  if (!word.known && (word.rest == Rest::kPattern || word.rest == Rest::kJoined)) return word.text;
  if (!word.known) {
    const std::string written = written_at(word.span);
    return written.empty() ? word.text + "…" : written;
  }
  const bool plain = !word.text.empty() && std::ranges::all_of(word.text, [&](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80 || kPlain.find(c) != kPlain.npos;
  });
  if (plain) return word.text;
  std::string out = "'";
  for (const char c : word.text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// "" where nothing is written that a shell would expand: the word comes from somewhere else.
std::string EffectWords::written_at(Span span) const {
  const std::string* text = main_text();
  if (text == nullptr) return "";
  const std::string_view written = slice(*text, span);
  const char* expands = written.starts_with('\'') ? "" : "$`<>*?[~{";
  if (written.starts_with('"')) expands = "$`";
  return written.find_first_of(expands) == written.npos ? "" : std::string(written);
}

std::string EffectWords::unknown_path(const Effect& effect) const {
  const std::string written = written_at(effect.span);
  return written.empty() ? "…" : written;
}

}  // namespace tollgate
