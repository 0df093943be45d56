// Glob matching with one remembered star: on a mismatch the last star takes one character more.
// Earlier stars never need to be retried, which is what keeps this bounded.
// The classes of characters that a star may take are the only difference between the kinds.
#include "policy/glob.h"

#include <cstddef>

#include "base/text.h"

namespace tollgate {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

char folded(char c, Fold fold) { return fold == Fold::kCase ? lower(c) : c; }

// Reads one pattern character at `p`, which may be escaped. Gives the position after it.
std::size_t literal_at(std::string_view pattern, std::size_t p, char& c) {
  if (pattern[p] == '\\' && p + 1 < pattern.size()) {
    c = pattern[p + 1];
    return p + 2;
  }
  c = pattern[p];
  return p + 1;
}

// Reads a `[…]` set at `p`; kNone when it is not closed, and then `[` stands for itself.
std::size_t set_at(std::string_view pattern, std::size_t p, char c, Fold fold, bool& hit) {
  std::size_t i = p + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool first = true; i < pattern.size(); first = false) {
    if (pattern[i] == ']' && !first) {
      hit = found != negated;
      return i + 1;
    }
    char low = 0;
    i = literal_at(pattern, i, low);
    char high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']')
      i = literal_at(pattern, i + 1, high);
    const char x = folded(c, fold);
    if (folded(low, fold) <= x && x <= folded(high, fold)) found = true;
  }
  return kNone;
}

// The loop that every kind with a plain `*` shares. `step(p, c)` gives the place behind what the
// pattern has at `p` when that is `c`, else kNone; `ends(t)` says whether the text may end at `t`.
template <class Step, class Ends>
bool star_match(std::string_view pattern, std::string_view text, const Step& step,
                const Ends& ends) {
  std::size_t p = 0, t = 0, star = kNone, resume = 0;
  while (true) {
    if (p == pattern.size()) {
      if (ends(t)) return true;
    } else if (pattern[p] == '*') {
      star = ++p;
      resume = t;
      continue;
    } else if (t < text.size()) {
      if (const std::size_t next = step(p, text[t]); next != kNone) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star == kNone || resume >= text.size()) return false;
    p = star;
    t = ++resume;
  }
}

}  // namespace

bool ends_open(std::string_view pattern) {
  if (!pattern.ends_with(" *")) return false;
  std::size_t slashes = 0;
  while (slashes + 2 < pattern.size() && pattern[pattern.size() - 3 - slashes] == '\\') ++slashes;
  return slashes % 2 == 0;
}

bool command_glob(std::string_view pattern, std::string_view text) {
  const bool open_end = ends_open(pattern);
  if (open_end) pattern.remove_suffix(2);
  const auto step = [&](std::size_t p, char have) {
    char c = 0;
    const std::size_t next = literal_at(pattern, p, c);
    const bool boundary = c == ' ' && next == p + 1;
    return have == (boundary ? kWordEnd : c) ? next : kNone;
  };
  return star_match(pattern, text, step, [&](std::size_t t) {
    return t == text.size() || (open_end && text[t] == kWordEnd);
  });
}

bool plain_glob(std::string_view pattern, std::string_view text) {
  const auto step = [&](std::size_t p, char have) {
    char c = 0;
    const std::size_t next = literal_at(pattern, p, c);
    return have == c ? next : kNone;
  };
  return star_match(pattern, text, step, [&](std::size_t t) { return t == text.size(); });
}

bool component_glob(std::string_view pattern, std::string_view name, Fold fold) {
  const auto step = [&](std::size_t p, char have) {
    if (pattern[p] == '?') return p + 1;
    if (pattern[p] == '[') {
      bool hit = false;
      const std::size_t next = set_at(pattern, p, have, fold, hit);
      if (next != kNone) return hit ? next : kNone;
    }
    char c = 0;
    const std::size_t next = literal_at(pattern, p, c);
    return folded(c, fold) == folded(have, fold) ? next : kNone;
  };
  return star_match(pattern, name, step, [&](std::size_t t) { return t == name.size(); });
}

namespace {

// The component that starts at `from`; `after` is where the next one starts, or past the end.
std::string_view component(std::string_view path, std::size_t from, std::size_t& after) {
  const std::size_t slash = path.find('/', from);
  after = slash == kNone ? path.size() + 1 : slash + 1;
  return path.substr(from, (slash == kNone ? path.size() : slash) - from);
}

}  // namespace

bool path_glob(std::string_view pattern, std::string_view path, Below below, Fold fold) {
  // Positions past the end mean that all components are used up.
  std::size_t p = pattern.empty() ? 1 : 0, t = path.empty() ? 1 : 0;
  std::size_t star = kNone, resume = 0;
  while (true) {
    if (p > pattern.size()) {
      if (t > path.size() || below == Below::kCovered) return true;
    } else {
      std::size_t next_p = 0;
      const std::string_view want = component(pattern, p, next_p);
      if (want == "**") {
        star = p = next_p;
        resume = t;
        continue;
      }
      if (t <= path.size()) {
        std::size_t next_t = 0;
        if (component_glob(want, component(path, t, next_t), fold)) {
          p = next_p;
          t = next_t;
          continue;
        }
      }
    }
    if (star == kNone || resume > path.size()) return false;
    std::size_t next = 0;
    component(path, resume, next);
    p = star;
    t = resume = next;
  }
}

bool value_glob(std::string_view pattern, std::string_view value) {
  // Two remembered stars: the last `*`, which a slash stops, and the last `**`, which it does not.
  std::size_t p = 0, t = 0;
  std::size_t star = kNone, star_resume = 0, deep = kNone, deep_resume = 0;
  while (true) {
    if (p == pattern.size()) {
      if (t == value.size()) return true;
    } else if (pattern[p] == '*') {
      if (p + 1 < pattern.size() && pattern[p + 1] == '*') {
        deep = p += 2;
        deep_resume = t;
        star = kNone;
      } else {
        star = ++p;
        star_resume = t;
      }
      continue;
    } else if (t < value.size()) {
      char c = 0;
      const std::size_t next = literal_at(pattern, p, c);
      if (value[t] == c) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star != kNone && star_resume < value.size() && value[star_resume] != '/') {
      p = star;
      t = ++star_resume;
    } else if (deep != kNone && deep_resume < value.size()) {
      p = deep;
      t = ++deep_resume;
      star = kNone;
    } else {
      return false;
    }
  }
}

namespace {

template <class IsWanted>
bool holds_unescaped(std::string_view pattern, const IsWanted& is_wanted) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (is_wanted(pattern[i]))
      return true;
  }
  return false;
}

}  // namespace

bool has_wildcard(std::string_view pattern) {
  return holds_unescaped(pattern, [](char c) { return c == '*' || c == '?' || c == '['; });
}
bool has_star(std::string_view pattern) {
  return holds_unescaped(pattern, [](char c) { return c == '*'; });
}

std::string unescaped(std::string_view pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size();) {
    char c = 0;
    i = literal_at(pattern, i, c);
    text += c;
  }
  return text;
}

}  // namespace tollgate
