// Where a rule is filed. Each kind of specifier has a function that lists the literal parts a
// call must hold for the rule to match; compile() takes the rarest of them.
#include "policy/index.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15;

// Up to seven characters as the first bytes of a number, without a call for so few.
std::uint64_t tail_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  };
  const std::size_t size = text.size();
  if (size == 0) return 0;
  if (size < 4) return byte(0) | byte(size / 2) | byte(size - 1);
  std::uint32_t first = 0, last = 0;
  std::memcpy(&first, text.data(), 4);
  std::memcpy(&last, text.data() + size - 4, 4);
  return first | std::uint64_t{last} << (8 * (size - 4));
}

std::uint64_t mixed(std::uint64_t h, std::string_view text) {
  h ^= text.size() * kMultiplier;
  while (text.size() >= 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, text.data(), 8);
    h = (h ^ chunk) * kMultiplier;
    h ^= h >> 32;
    text.remove_prefix(8);
  }
  h = (h ^ tail_of(text)) * kMultiplier;
  return h ^ (h >> 29);
}

Key folded(std::uint64_t h) { return static_cast<Key>(h ^ (h >> 32)); }

// Adds a gram key for every three characters that stand together in the literal runs of a word.
template <class Add>
void each_gram(std::string_view pattern, std::string_view wildcards, const Add& add) {
  std::string run;
  const auto flush = [&] {
    for (std::size_t i = 0; i + kGramSize <= run.size(); ++i)
      add(std::string_view(run).substr(i, kGramSize));
    run.clear();
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      run += pattern[++i];
    } else if (wildcards.find(pattern[i]) != wildcards.npos) {
      flush();
      if (pattern[i] == '[') return;  // a set may close anywhere; what follows is not certain
    } else {
      run += pattern[i];
    }
  }
  flush();
}

void file_tool(const RuleView& rule, RuleKeys& keys) {
  switch (rule.tool_kind) {
    case ToolPartKind::kAll:
      keys.any.push_back({KeySort::kAlways, key(KeySort::kAlways)});
      return;
    case ToolPartKind::kServer:
      keys.any.push_back({KeySort::kServer, key(KeySort::kServer, rule.tool_name)});
      return;
    case ToolPartKind::kNamespace:
      keys.any.push_back({KeySort::kNamespace, key(KeySort::kNamespace, rule.tool_name)});
      return;
    case ToolPartKind::kGlob:
      each_gram(rule.tool_name, "*", [&](std::string_view gram) {
        keys.any.push_back({KeySort::kToolGram, gram_key(gram_base(KeySort::kToolGram), gram)});
      });
      if (keys.any.empty()) keys.any.push_back({KeySort::kAlways, key(KeySort::kAlways)});
      return;
    case ToolPartKind::kName:
    case ToolPartKind::kKinds:
      break;
  }
  const bool by_name = rule.tool_kind == ToolPartKind::kName;
  const unsigned kinds = rule.kinds;
  constexpr unsigned kLast = static_cast<unsigned>(ToolKind::kOther);
  for (unsigned kind = 0; kind <= kLast; ++kind) {
    if (!(kinds >> kind & 1)) continue;
    const char text = static_cast<char>('a' + kind);
    keys.all.push_back({KeySort::kFamily, key(KeySort::kFamily, std::string_view(&text, 1))});
  }
  // A rule about one tool in no family is filed under its name alone.
  constexpr unsigned kNamedOnly = kind_bit(ToolKind::kHelper) | kind_bit(ToolKind::kPerson) |
                                  kind_bit(ToolKind::kMcp) | kind_bit(ToolKind::kApp) |
                                  kind_bit(ToolKind::kOther);
  if (by_name && (kinds & ~kNamedOnly) == 0) keys.all.clear();
  if (by_name) keys.any.push_back({KeySort::kTool, key(KeySort::kTool, rule.tool_name)});
}

void file_command(const RuleView& rule, RuleKeys& keys) {
  const std::vector<std::string_view> words = all_words(rule.specifier);
  const bool starred = has_star(words[0]);
  std::string program = starred ? std::string() : unescaped(words[0]);
  if (program.starts_with('/')) program.erase(0, program.rfind('/') + 1);
  const bool home = program.starts_with('~');
  const bool any_program = starred || home;
  // Three letters that stand together stand so wherever the word is written, also attached.
  const auto add_letters = [&](std::string_view word) {
    each_gram(word, "*", [&](std::string_view gram) {
      if (any_program)
        keys.any.push_back({KeySort::kGram, gram_key(gram_base(KeySort::kGram), gram)});
      else
        keys.any.push_back(
            {KeySort::kProgramGram, gram_key(gram_base(KeySort::kProgramGram, program), gram)});
    });
  };
  const auto add_word = [&](std::string_view word) {
    if (word.empty() || word == "*" || word.starts_with('~')) return;
    if (has_star(word)) return add_letters(word);
    const std::string text = unescaped(word);
    if (any_program)
      keys.any.push_back({KeySort::kWord, key(KeySort::kWord, text)});
    else
      keys.any.push_back({KeySort::kProgramWord, key(KeySort::kProgramWord, program, text)});
  };
  // Read as a command, a deny or ask may find its options in another shape, never its operands.
  if (rule.verdict == Verdict::kAllow) {
    for (std::size_t i = 1; i < words.size(); ++i) add_word(words[i]);
  } else {
    const CommandParts parts = command_parts(words);
    for (std::string_view word : parts.operands) {
      // Where the program is open it may be one whose first word is a bundle of options, and the
      // words behind that are their values.
      if (!any_program)
        add_word(word);
      else if (words.size() > 1 && word.data() != words[1].data() && !word.starts_with('~'))
        add_letters(word);
    }
    for (std::string_view value : parts.values) add_letters(value);
  }
  if (!keys.any.empty()) return;
  if (any_program)
    keys.any.push_back({KeySort::kAlways, key(KeySort::kAlways)});
  else
    keys.any.push_back({KeySort::kProgram, key(KeySort::kProgram, program)});
}

void file_path(const RuleView& rule, RuleKeys& keys) {
  const PathPattern path = path_pattern(rule.specifier);
  if (!path.floating) {
    const std::string prefix = lower(literal_prefix(path.pattern));
    Key k = path_root_key(path.anchor);
    std::uint8_t depth = 0;
    if (!prefix.empty()) {
      for (std::string_view component : split(prefix, '/')) {
        if (depth == kMaxPrefixDepth) break;
        k = extend(k, component);
        ++depth;
      }
    }
    keys.any.push_back({KeySort::kPathPrefix, k, depth, static_cast<std::uint8_t>(path.anchor),
                        start_bit(prefix)});
    if (prefix.size() == path.pattern.size()) return;
  }
  const std::string pattern = lower(path.pattern);
  for (std::string_view part : split(pattern, '/')) {
    if (part.empty() || part == "**") continue;
    if (!has_wildcard(part)) {
      keys.any.push_back({KeySort::kPathWord, key(KeySort::kPathWord, unescaped(part))});
      continue;
    }
    each_gram(part, "*?[", [&](std::string_view gram) {
      keys.any.push_back({KeySort::kPathGram, gram_key(gram_base(KeySort::kPathGram), gram)});
    });
  }
  if (keys.any.empty()) keys.any.push_back({KeySort::kAlways, key(KeySort::kAlways)});
}

void file_host(const RuleView& rule, RuleKeys& keys) {
  std::string_view host = rule.specifier_kind == SpecifierKind::kHost
                              ? rule.specifier.substr(7)
                              : url_parts(rule.specifier).host;
  if (host.starts_with("*.")) host.remove_prefix(2);
  if (host == "*")
    keys.any.push_back({KeySort::kAlways, key(KeySort::kAlways)});
  else
    keys.any.push_back({KeySort::kHost, key(KeySort::kHost, host)});
}

void file_arguments(const RuleView& rule, RuleKeys& keys) {
  const LiteralArgument literal = literal_argument(rule.specifier);
  if (rule.tool_kind != ToolPartKind::kName || literal.name.empty()) {
    file_tool(rule, keys);
    return;
  }
  keys.any.push_back({KeySort::kArgument, key(KeySort::kArgument, rule.tool_name, literal.name,
                                              unescaped(literal.pattern))});
  keys.all.push_back(
      {KeySort::kArgumentName, key(KeySort::kArgumentName, rule.tool_name, literal.name)});
}

}  // namespace

Key key(KeySort sort, std::string_view a, std::string_view b, std::string_view c) {
  std::uint64_t h = mixed(static_cast<std::uint64_t>(sort) * kMultiplier + 1, a);
  if (!b.empty()) h = mixed(h + 2, b);
  if (!c.empty()) h = mixed(h + 3, c);
  return folded(h);
}

std::uint64_t gram_base(KeySort sort, std::string_view first) {
  return mixed(static_cast<std::uint64_t>(sort) * kMultiplier + 7, first);
}

Key gram_key(std::uint64_t base, std::string_view gram) {
  const std::uint64_t letters =
      static_cast<std::uint64_t>(static_cast<unsigned char>(gram[0])) |
      static_cast<std::uint64_t>(static_cast<unsigned char>(gram[1])) << 8 |
      static_cast<std::uint64_t>(static_cast<unsigned char>(gram[2])) << 16;
  const std::uint64_t h = (base ^ letters) * kMultiplier;
  return folded(h ^ (h >> 29));
}

Key extend(Key parent, std::string_view component) {
  return folded(mixed(parent * kMultiplier + 5, component));
}

Key path_root_key(Anchor anchor) {
  const char text = static_cast<char>('0' + static_cast<int>(anchor));
  return key(KeySort::kPathPrefix, std::string_view(&text, 1));
}

LiteralArgument literal_argument(std::string_view packed) {
  while (!packed.empty()) {
    const std::size_t name_end = packed.find('\0');
    const std::size_t pattern_end = packed.find('\0', name_end + 1);
    if (name_end == packed.npos || pattern_end == packed.npos) return {};
    const std::string_view pattern = packed.substr(name_end + 1, pattern_end - name_end - 1);
    if (!has_star(pattern)) return {packed.substr(0, name_end), pattern};
    packed.remove_prefix(pattern_end + 1);
  }
  return {};
}

void list_keys_of(const RuleView& rule, RuleKeys& keys) {
  switch (rule.specifier_kind) {
    case SpecifierKind::kNone:
    case SpecifierKind::kTemplate:
      file_tool(rule, keys);
      break;
    case SpecifierKind::kShell:
      file_command(rule, keys);
      break;
    case SpecifierKind::kPath:
      file_path(rule, keys);
      break;
    case SpecifierKind::kHost:
    case SpecifierKind::kUrl:
      file_host(rule, keys);
      break;
    case SpecifierKind::kArguments:
      file_arguments(rule, keys);
      break;
    case SpecifierKind::kAgentType:
      if (has_star(rule.specifier))
        file_tool(rule, keys);
      else
        keys.any.push_back(
            {KeySort::kAgentType, key(KeySort::kAgentType, unescaped(rule.specifier))});
      break;
  }
}

}  // namespace tollgate
