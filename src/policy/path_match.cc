// Path rules against path effects: as written and as it really is.
// SAFETY: deny and ask fire on either spelling, in any letter case, and on what a walk would
// meet; allow needs both spellings below the same anchor, exactly.
#include <algorithm>

#include "base/inline_text.h"
#include "base/text.h"
#include "policy/glob.h"
#include "policy/match.h"
#include "policy/path_pattern.h"

namespace tollgate {

PathPattern path_pattern(std::string_view text) {
  PathPattern result;
  const auto strip_end = [](std::string_view pattern) {
    while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
    return pattern == "/" ? std::string_view() : pattern;
  };
  if (text.starts_with("//")) {
    result.anchor = Anchor::kFilesystem;
    text.remove_prefix(2);
  } else if (text == "~" || text.starts_with("~/")) {
    result.anchor = Anchor::kHome;
    text.remove_prefix(text == "~" ? 1 : 2);
  } else if (text.starts_with('/')) {
    result.anchor = Anchor::kRoots;
    text.remove_prefix(1);
  } else if (text.starts_with("./") || text == ".") {
    text.remove_prefix(text == "." ? 1 : 2);
  } else {
    const std::string_view inner = strip_end(text);
    result.floating = inner.find('/') == inner.npos || inner.starts_with("**/");
  }
  result.pattern = strip_end(text);
  return result;
}

std::string_view literal_prefix(std::string_view pattern) {
  std::size_t slash = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*' || c == '?' || c == '[' || c == '\\') return pattern.substr(0, slash);
    if (c == '/') slash = i;
  }
  return pattern;
}

std::string_view above_pattern(std::string_view path) {
  const std::string_view before =
      path.substr(0, std::min(path.find_first_of("*?[\\"), path.size()));
  return path.substr(0, std::max<std::size_t>(before.rfind('/'), 1));
}

namespace {

bool same(std::string_view a, std::string_view b, bool fold) {
  if (a.size() != b.size()) return false;
  if (a == b || !fold) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

}  // namespace

std::string_view relative_to(std::string_view path, std::string_view base, bool fold_case,
                             bool& inside) {
  inside = false;
  if (base.empty() || path.empty()) return {};
  if (base == "/") {
    inside = path[0] == '/';
    return path.substr(1);
  }
  if (path.size() < base.size() || !same(path.substr(0, base.size()), base, fold_case)) return {};
  if (path.size() == base.size()) {
    inside = true;
    return {};
  }
  if (path[base.size()] != '/') return {};
  inside = true;
  return path.substr(base.size() + 1);
}

namespace {

// Calls `visit` with every place an anchor can stand for, until it says true.
template <class Visit>
bool any_place(Anchor anchor, const Situation& situation, bool tighten, const Visit& visit) {
  static const Place kRootPlace{"/", "/"};
  switch (anchor) {
    case Anchor::kFilesystem:
      return visit(kRootPlace);
    case Anchor::kHome:
      return visit(situation.home);
    case Anchor::kRoots:
      for (const Place& root : situation.roots)
        if (visit(root)) return true;
      return false;
    case Anchor::kBase:
      break;
  }
  if (visit(situation.base)) return true;
  return tighten && situation.cwd != situation.base && visit(situation.cwd);
}

// The same for the names of each of them.
template <class Visit>
bool any_base(Anchor anchor, const Situation& situation, const Visit& visit) {
  return any_place(anchor, situation, true, [&](const Place& place) {
    return visit(std::string_view(place.written)) ||
           (place.real != place.written && visit(std::string_view(place.real)));
  });
}

bool anchored_hit(std::string_view pattern, std::string_view path, std::string_view base) {
  bool inside = false;
  const std::string_view rest = relative_to(path, base, true, inside);
  return inside && path_glob(pattern, rest, Below::kCovered, Fold::kCase);
}

// The pattern somewhere along the path, whatever it stands below.
bool floating_hit(std::string_view pattern, std::string_view path) {
  // One pass: the glob itself tries every depth, and no depth twice.
  if (pattern.starts_with("**/"))
    return path_glob(pattern, path.substr(path.starts_with('/') ? 1 : 0), Below::kCovered,
                     Fold::kCase);
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (at != 0 && path[at - 1] != '/') continue;
    if (path_glob(pattern, path.substr(at), Below::kCovered, Fold::kCase)) return true;
  }
  return false;
}

bool path_hit(const PathPattern& rule, std::string_view path, const Situation& situation) {
  if (path.empty()) return false;
  if (rule.floating) return floating_hit(rule.pattern, path);
  return any_base(rule.anchor, situation,
                  [&](std::string_view base) { return anchored_hit(rule.pattern, path, base); });
}

// True when a walk below `path` could meet the rule: the directory that it spells before its first
// wildcard lies above.
bool reaches_into(const PathPattern& rule, std::string_view path, const Situation& situation) {
  const std::string_view prefix = literal_prefix(rule.pattern);
  return any_base(rule.anchor, situation, [&](std::string_view base) {
    bool inside = false;
    const std::string_view rest = relative_to(path, base, true, inside);
    if (!inside || prefix.empty()) return inside;
    static_cast<void>(relative_to(rest, prefix, true, inside));
    return inside;
  });
}

// True when what the rule names literally lies below `path`, so that a walk from there meets it.
bool lies_below(const PathPattern& rule, std::string_view path, const Situation& situation) {
  if (rule.floating) return false;
  const std::string_view prefix = literal_prefix(rule.pattern);
  if (prefix.empty() && has_wildcard(rule.pattern)) return false;
  return any_base(rule.anchor, situation, [&](std::string_view base) {
    if (base.empty()) return false;
    bool inside = false;
    const bool same = relative_to(base, path, true, inside).empty();
    if (inside) return !same || !prefix.empty();
    // Neither at the place nor above it: perhaps between it and what is named.
    const std::string_view rest = relative_to(path, base, true, inside);
    return inside && !relative_to(prefix, rest, true, inside).empty() && inside;
  });
}

Match walk_hit(const PathPattern& rule, const Effect& effect, const PathLook& look,
               const Situation& situation) {
  if (look.state == PathState::kFile) return Match::kNo;
  // A whole tree may be put where nothing is yet, so this comes before "missing".
  if (lies_below(rule, effect.path, situation)) return Match::kYes;
  if (!look.real.empty() && look.real != effect.path && lies_below(rule, look.real, situation))
    return Match::kYes;
  if (look.state == PathState::kMissing) return Match::kNo;
  if (!rule.floating &&
      (!has_wildcard(rule.pattern) ||
       (!reaches_into(rule, effect.path, situation) && !reaches_into(rule, look.real, situation))))
    return Match::kNo;
  for (const std::string& found : look.below)
    if (path_hit(rule, found, situation)) return Match::kYes;
  if (look.walk_cut) return Match::kYes;
  return look.walked ? Match::kNo : Match::kMaybe;
}

// Names that no pattern spells: only a pattern that covers all below a directory matches them at
// two very different depths.
bool covers_below(std::string_view pattern, std::string_view rest) {
  const std::string start = rest.empty() ? std::string() : std::string(rest) + "/";
  return path_glob(pattern, start + "\1", Below::kExact, Fold::kNo) &&
         path_glob(pattern, start + "\1/\1/\1/\1/\1/\1/\1/\1/\1", Below::kExact, Fold::kNo);
}

}  // namespace

namespace {

// Whether the path lies above or below what the rule names before its first wildcard: no other path
// is one that it matches, nor one from which a walk could meet it.
bool is_near(const PathPattern& rule, std::string_view prefix, std::string_view path,
             const Situation& situation) {
  return any_base(rule.anchor, situation, [&](std::string_view base) {
    bool inside = false;
    const std::string_view rest = relative_to(path, base, true, inside);
    if (!inside) {
      static_cast<void>(relative_to(base, path, true, inside));
      return inside;
    }
    if (prefix.empty() || rest.empty()) return true;
    static_cast<void>(relative_to(rest, prefix, true, inside));
    if (!inside) static_cast<void>(relative_to(prefix, rest, true, inside));
    return inside;
  });
}

}  // namespace

// INVARIANT: true wherever is_near() is, for a rule with one of these prefixes.
bool may_be_near(const PathStarts& starts, std::string_view path, const Situation& situation) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (starts[i] == 0) continue;
    const bool near = any_base(static_cast<Anchor>(i), situation, [&](std::string_view base) {
      bool inside = false;
      const std::string_view rest = relative_to(path, base, true, inside);
      if (inside) return rest.empty() || (starts[i] & start_bit(rest)) != 0;
      static_cast<void>(relative_to(base, path, true, inside));
      return inside;
    });
    if (near) return true;
  }
  return false;
}

Match path_hits(std::string_view specifier, const Effect& effect, const PathLook& look,
                const Situation& situation) {
  const PathPattern rule = path_pattern(specifier);
  if (!rule.floating && !effect.pattern && look.state != PathState::kUnknown) {
    const std::string_view prefix = literal_prefix(rule.pattern);
    if (!is_near(rule, prefix, effect.path, situation) &&
        (look.real == effect.path || !is_near(rule, prefix, look.real, situation)))
      return Match::kNo;
  }
  if (effect.pattern) {
    for (const std::string& found : look.below)
      if (path_hit(rule, found, situation)) return Match::kYes;
    if (path_hit(rule, effect.path, situation)) return Match::kYes;
    if (look.state == PathState::kUnknown || look.walk_cut) return Match::kMaybe;
    if (!effect.recursive) return Match::kNo;
    // Below what it matches nobody looked.
    Effect tree = effect;
    tree.path = above_pattern(effect.path);
    PathLook above = look;
    above.walked = false;
    return walk_hit(rule, tree, above, situation);
  }
  if (path_hit(rule, effect.path, situation)) return Match::kYes;
  if (look.real != effect.path && path_hit(rule, look.real, situation)) return Match::kYes;
  if (look.state == PathState::kUnknown) return Match::kMaybe;
  if (!effect.recursive) return Match::kNo;
  // The rule is about all that lies below.
  InlineText inside;
  inside.append(effect.path);
  inside.append("/\1");
  if (look.state != PathState::kFile && path_hit(rule, inside.view(), situation))
    return Match::kYes;
  return walk_hit(rule, effect, look, situation);
}

bool path_covers(std::string_view specifier, const Effect& effect, const PathLook& look,
                 const Situation& situation) {
  if (look.state == PathState::kUnknown || look.real.empty()) return false;
  const PathPattern rule = path_pattern(specifier);
  return any_place(rule.anchor, situation, false, [&](const Place& place) {
    const auto fits = [&](std::string_view path, std::string_view base) {
      bool inside = false;
      const std::string_view rest = relative_to(path, base, false, inside);
      return inside && path_glob(rule.pattern, rest, Below::kExact, Fold::kNo) &&
             (!effect.recursive || covers_below(rule.pattern, rest));
    };
    if (!effect.pattern) return fits(effect.path, place.written) && fits(look.real, place.real);
    return !look.walk_cut && fits(effect.path, place.written) &&
           std::ranges::all_of(look.below,
                               [&](const std::string& found) { return fits(found, place.real); });
  });
}

}  // namespace tollgate
