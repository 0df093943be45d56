#include "bash/checking.h"

#include <algorithm>
#include <chrono>
#include <span>

#include "effects/effect_dump.h"
#include "shell/read.h"

namespace tollgate::bash {

Finding unsound(const Judged& judgement, const Runs& runs) {
  const auto is_xargs = [](const Effect& effect) {
    return effect.kind == EffectKind::kRun && effect.argv[0].text == "xargs";
  };
  const bool xargs = std::ranges::any_of(judgement.effects, is_xargs);
  for (const Run& run : runs) {
    // Without a command it prints what it reads.
    if (xargs && run[0] == "echo") continue;
    if (judgement.verdict == Verdict::kAllow && standing(run) != Standing::kAllowed)
      return {Fault::kUncovered, run[0]};
    if ((judgement.verdict == Verdict::kAllow || judgement.lenient == Verdict::kAllow) &&
        foreseen(run, judgement.effects) == Foreseen::kNot)
      return {Fault::kUnforeseen, run[0]};
  }
  return {};
}

Finding muddled(const Judged& judgement, const Runs& runs) {
  for (const Effect& effect : judgement.effects)
    // A path without a letter is asked about on purpose.
    if (effect.kind == EffectKind::kUnknown && effect.why != "the path `` cannot be placed")
      return {Fault::kMuddled, "unknown: " + effect.why};
  for (const Run& run : runs) {
    const Foreseen how = foreseen(run, judgement.effects);
    if (how == Foreseen::kNot) return {Fault::kMuddled, "unforeseen"};
    if (how == Foreseen::kRoughly) return {Fault::kMuddled, "roughly"};
  }
  return {};
}

namespace {

// Where the words and signs of a text begin, for a first rough cut.
std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  bool in_word = false;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter || !in_word) pieces.emplace_back();
    pieces.back() += c;
    in_word = letter;
  }
  return pieces;
}

std::string joined(const std::vector<std::string>& pieces, const std::vector<bool>& gone) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (!gone[i]) text += pieces[i];
  return text;
}

using Gone = std::vector<bool>;

Gone both(Gone one, const Gone& other) {
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = one[i] || other[i];
  return one;
}

// As many of these as can go together with what is gone already.
void merge(std::span<const Gone> more, const std::vector<std::string>& pieces, const Bad& bad,
           Gone& gone) {
  if (more.empty()) return;
  Gone all = gone;
  for (const Gone& one : more) all = both(std::move(all), one);
  if (bad({joined(pieces, all)})[0]) {
    gone = std::move(all);
  } else if (more.size() > 1) {
    merge(more.first(more.size() / 2), pieces, bad, gone);
    merge(more.subspan(more.size() / 2), pieces, bad, gone);
  }
}

// Takes away whatever runs of `size` pieces can go.
bool take_away(std::vector<std::string>& pieces, std::size_t size, const Bad& bad) {
  std::vector<Gone> ways;
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < pieces.size(); at += size) {
    ways.emplace_back(pieces.size(), false);
    for (std::size_t i = at; i < std::min(at + size, pieces.size()); ++i) ways.back()[i] = true;
    texts.push_back(joined(pieces, ways.back()));
  }
  const std::vector<bool> still = bad(texts);
  std::vector<Gone> good;
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (still[i]) good.push_back(ways[i]);
  if (good.empty()) return false;
  Gone gone(pieces.size(), false);
  merge(good, pieces, bad, gone);
  std::vector<std::string> left;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (!gone[i]) left.push_back(pieces[i]);
  const bool less = left.size() < pieces.size();
  pieces = std::move(left);
  return less;
}

}  // namespace

std::string shrunk(std::string text, const Bad& bad) {
  for (const bool rough : {true, false}) {
    std::vector<std::string> pieces;
    if (rough)
      pieces = pieces_of(text);
    else
      for (const char c : text) pieces.emplace_back(1, c);
    for (std::size_t size = rough ? pieces.size() / 2 : 2; size > 0;)
      if (!take_away(pieces, size, bad)) size /= 2;
    text = joined(pieces, std::vector<bool>(pieces.size(), false));
  }
  return text;
}

std::string smallest(StubWorld& world, const std::string& script, const Finding& finding) {
  const bool muddle = finding.fault == Fault::kMuddled;
  const auto same = [&](const Finding& other) {
    return other.fault == finding.fault && (!muddle || other.cause == finding.cause);
  };
  // What the gate says rules most of them out before anything is run.
  const auto possible = [&](const Judged& judgement) {
    if (!muddle)
      return judgement.verdict == Verdict::kAllow || judgement.lenient == Verdict::kAllow;
    return !finding.cause.starts_with("unknown") || same(muddled(judgement, {}));
  };
  // LIMIT: a smaller script is a help and no more.
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  return shrunk(script, [&](const std::vector<std::string>& texts) {
    std::vector<bool> bad(texts.size(), false);
    if (std::chrono::steady_clock::now() > patience) return bad;
    std::vector<std::string> run;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (shell::read(texts[i]).refused() || !possible(judged(texts[i], world.directory(i))))
        continue;
      of.push_back(i);
      run.push_back(texts[i]);
    }
    if (run.empty()) return bad;
    world.start(run, Outside::kOne, Start::kForked);
    const std::vector<Runs> ran = world.finish();
    std::vector<Runs> other;
    if (muddle) {
      world.start(run, Outside::kOther, Start::kForked);
      other = world.finish();
    }
    for (std::size_t i = 0; i < run.size(); ++i) {
      const Judged judgement = judged(run[i], world.directory(i));
      // LIMIT: a loop that never ends explains nothing.
      constexpr std::size_t kMostRuns = 60;
      if (ran[i].size() > kMostRuns) continue;
      bad[of[i]] = muddle
                       ? !ran[i].empty() && ran[i] == other[i] && same(muddled(judgement, ran[i]))
                       : same(unsound(judgement, ran[i]));
    }
    return bad;
  });
}

std::string report(StubWorld& world, const std::string& script) {
  const Judged judgement = judged(script, world.directory(0));
  const Runs runs = world.run(script);
  constexpr std::string_view kVerdicts[] = {"allow", "ask", "deny"};
  return "--- script\n" + script + "\n--- ran\n" + shown(runs) + "\n--- foreseen (" +
         std::string(kVerdicts[static_cast<int>(judgement.verdict)]) + ", lenient " +
         std::string(kVerdicts[static_cast<int>(judgement.lenient)]) + ")\n" +
         dump_effects(judgement.effects) + "\n";
}

}  // namespace tollgate::bash
