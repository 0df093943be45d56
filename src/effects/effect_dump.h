// One line of text for a list of effects, so that tests compare whole lists at a glance.
// `run(ls)` is a listed program, `run!(git,push)` one that may do more; `...` is a word not known.
// `repository(/w)` is a program that follows the settings of the repository there.
// Guesses are left out unless they are asked for: `guess(/w/a.c)`, `guess?(/w/word)`.
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
  if (is_repository(effect)) return "repository(" + effect.path + effect.why + ")";
  std::string out(effect.guess == Guess::kNone ? name(effect.kind) : "guess");
  if (effect.guess == Guess::kWord) out += '?';
  if (effect.guess == Guess::kProgram) out += '!';
  if (effect.recursive && effect.guess == Guess::kNone) out += "**";
  if (effect.kind == EffectKind::kRun && !effect.listed) out += '!';
  out += '(';
  if (effect.kind == EffectKind::kRun) out += dump_argv(effect);
  out += effect.path + effect.host + effect.target;
  if (!effect.target.empty() && !effect.why.empty()) out += ": ";
  out += effect.why;
  if (!effect.text.empty() && effect.kind != EffectKind::kUnknown) out += ": " + effect.text;
  return out + ')';
}

enum class Guesses { kHide, kShow };

inline std::string dump_effects(const Effects& effects, Guesses guesses = Guesses::kHide) {
  std::string out;
  for (const Effect& effect : effects) {
    if (effect.guess != Guess::kNone && guesses == Guesses::kHide) continue;
    if (!out.empty()) out += ' ';
    out += dump_effect(effect);
  }
  return out;
}

}  // namespace tollgate
