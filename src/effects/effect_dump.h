// One line of text for a list of effects, so that tests compare whole lists at a glance.
// `run(ls)` is a listed program, `run!(git,push)` one that may do more; `...` is a word not known.
// Only tests include it.
#pragma once

#include <string>

#include "core/effect.h"

namespace tollgate {

inline std::string dump_argv(const Effect& effect) {
  std::string out;
  for (const Word& word : effect.argv) {
    if (!out.empty()) out += ',';
    out += word.text + (word.known ? "" : "...");
  }
  return out;
}

inline std::string dump_effect(const Effect& effect) {
  std::string out(name(effect.kind));
  if (effect.recursive) out += "**";
  if (effect.kind == EffectKind::kRun && !effect.listed) out += '!';
  out += '(';
  if (effect.kind == EffectKind::kRun) out += dump_argv(effect);
  out += effect.path + effect.host + effect.target + effect.why;
  if (!effect.text.empty()) out += ": " + effect.text;
  return out + ')';
}

inline std::string dump_effects(const Effects& effects) {
  std::string out;
  for (const Effect& effect : effects) {
    if (!out.empty()) out += ' ';
    out += dump_effect(effect);
  }
  return out;
}

}  // namespace tollgate
