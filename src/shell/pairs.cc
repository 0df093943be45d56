// Where a bracket or quote closes, by the rules bash uses when it only looks for the end.
// They differ from the rules for expanding what is inside, so both exist.
// LIMIT: a budget of characters bounds the work whatever the nesting; see too_much().
#include <utility>

#include "shell/nesting.h"
#include "shell/reader.h"

namespace tollgate::shell {
namespace {

std::uint64_t key_of(std::uint32_t from, unsigned sort) {
  return static_cast<std::uint64_t>(from) << 4 | sort;
}

constexpr unsigned kSubstitutionSort = 15;

}  // namespace

std::uint32_t Reader::skip_single(std::uint32_t from, bool escapes) const {
  for (std::uint32_t i = from; i < end_; ++i) {
    if (text_[i] == '\'') return i + 1;
    if (escapes && text_[i] == '\\') ++i;
  }
  return 0;
}

// A command substitution is read, not skipped: nothing less finds its end.
std::uint32_t Reader::skip_substitution(std::uint32_t from) {
  if (const auto* known = known_.find(key_of(from, kSubstitutionSort))) return known->end;
  const std::uint32_t back = at_;
  const Token token = token_;
  const bool has_token = std::exchange(has_token_, false);
  at_ = from;
  const Script* script = read_nested_script();
  const std::uint32_t close = failed_ ? 0 : at_;
  at_ = back;
  token_ = token;
  has_token_ = has_token;
  known_.put(key_of(from, kSubstitutionSort), close, script);
  return close;
}

const Script* Reader::known_script(std::uint32_t from, std::uint32_t& close) const {
  const auto* known = known_.find(key_of(from, kSubstitutionSort));
  if (known == nullptr) return nullptr;
  close = known->end;
  return known->script;
}

// 0 where it was not looked for, or does not close.
std::uint32_t Reader::known_pair(Pair pair, std::uint32_t from) const {
  if (const std::uint32_t end = inner_end(pair, from)) return end;
  const auto* known = known_.find(key_of(from, static_cast<unsigned>(pair)));
  return known == nullptr ? 0 : known->end;
}

std::uint32_t Reader::inner_end(Pair pair, std::uint32_t from) const {
  const auto index = static_cast<std::size_t>(pair);
  if (index >= inner_ends_.size() || from >= inner_ends_[index].size()) return 0;
  return inner_ends_[index][from];
}

std::uint32_t Reader::skip_pair(Pair pair, std::uint32_t from) {
  if (const std::uint32_t end = inner_end(pair, from)) return end;
  const std::uint64_t key = key_of(from, static_cast<unsigned>(pair));
  if (const auto* known = known_.find(key)) return known->end;
  const std::uint32_t close = find_pair(pair, from);
  if (!failed_) known_.put(key, close, nullptr);
  return close;
}

std::uint32_t Reader::find_pair(Pair pair, std::uint32_t from) {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(from);
    return 0;
  }
  constexpr char kOpen[] = {'(', '(', '{', '[', '[', '"', '`'};
  constexpr char kClose[] = {')', ')', '}', ']', ']', '"', '`'};
  const char open = kOpen[static_cast<int>(pair)];
  const char close = kClose[static_cast<int>(pair)];
  const bool quote = open == close;
  const bool counts = pair == Pair::kArithmetic || pair == Pair::kBracket;
  const bool nests = pair == Pair::kBrace || pair == Pair::kSubscript || pair == Pair::kDouble;
  std::vector<std::uint32_t> opened = {from};
  bool dollar = false;    // the character before was a `$`
  bool sideways = false;  // … a `<` or `>`
  for (std::uint32_t i = from; i < end_; ++i) {
    if (shared_.budget == 0) {
      too_much(from);
      return 0;
    }
    --shared_.budget;
    const char c = text_[i];
    const bool was_dollar = std::exchange(dollar, c == '$' && !dollar);
    const bool was_sideways = std::exchange(sideways, (c == '<' || c == '>') && !sideways);
    if (c == '\\') {
      // A continued line is one line: what stands before it is still right before what follows.
      const bool continued = look_at(++i) == '\n';
      dollar = continued && was_dollar;
      sideways = continued && was_sideways;
      continue;
    }
    if (c == close) {
      // Brackets inside brackets close where a later look for them would find it.
      if (open == '(' && opened.size() > 1) {
        std::vector<std::uint32_t>& ends = inner_ends_[static_cast<std::size_t>(pair)];
        if (ends.empty()) ends.resize(text_.size() + 1);
        ends[opened.back()] = i + 1;
      }
      opened.pop_back();
      if (opened.empty()) return i + 1;
      continue;
    }
    std::uint32_t next = 0;
    if (!quote && (c == '\'' || c == '"' || c == '`')) {
      if (c == '\'')
        next = skip_single(i + 1, was_dollar);
      else
        next = skip_pair(c == '"' ? Pair::kDouble : Pair::kBackquote, i + 1);
    } else if (pair == Pair::kDouble && c == '`') {
      next = skip_pair(Pair::kBackquote, i + 1);
    } else if ((nests || counts) && was_dollar && c == '(') {
      const std::uint32_t second = behind_continuations(i + 1);
      next =
          look_at(second) == '(' ? skip_pair(Pair::kArithmetic, second) : skip_substitution(i + 1);
    } else if (nests && was_dollar && c == '{') {
      next = skip_pair(Pair::kBrace, i + 1);
    } else if (nests && was_dollar && c == '[') {
      next = skip_pair(Pair::kBracket, i + 1);
    } else if (nests && !quote && was_sideways && c == '(') {
      next = skip_substitution(i + 1);
    } else {
      // `${` counts only its own kind, and only behind a dollar, which was seen to above.
      if (c == open && pair != Pair::kBrace) opened.push_back(i + 1);
      continue;
    }
    if (next == 0) return 0;
    i = next - 1;
    dollar = sideways = false;
  }
  return 0;
}

}  // namespace tollgate::shell
