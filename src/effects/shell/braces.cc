// A group is the first `{` that has its `}` and either a comma at its own level or `..` in it.
// What does not make a group stays as it is written.
#include "effects/shell/braces.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace tollgate {
namespace {

// LIMIT: words that one word may become, and letters that are written down for them.
constexpr std::size_t kMaxWords = 256;
constexpr std::size_t kMaxLetters = 65'536;
constexpr std::size_t kItemLetters = 16;  // what an item costs, in letters

// The ends of `{a..e}` and `{1..9..2}`.
struct Range {
  long first = 0, last = 0, step = 1;
  bool letters = false;
  std::size_t width = 0;  // of numbers that are padded with zeros
};

std::optional<long> number(std::string_view text) {
  long value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool is_padded(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0';
}

bool is_letter(std::string_view text) {
  return text.size() == 1 &&
         ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

std::optional<Range> range_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) return std::nullopt;
  const std::string_view first = text.substr(0, dots);
  std::string_view last = text.substr(dots + 2);
  Range range;
  if (const std::size_t more = last.find(".."); more != last.npos) {
    const auto step = number(last.substr(more + 2));
    if (!step) return std::nullopt;
    range.step = std::abs(*step);
    if (range.step == 0) range.step = 1;
    last = last.substr(0, more);
  }
  if (is_letter(first) && is_letter(last)) {
    range.letters = true;
    range.first = static_cast<unsigned char>(first[0]);
    range.last = static_cast<unsigned char>(last[0]);
    return range;
  }
  const auto from = number(first), to = number(last);
  if (!from || !to) return std::nullopt;
  range.first = *from;
  range.last = *to;
  if (is_padded(first) || is_padded(last)) range.width = std::max(first.size(), last.size());
  return range;
}

std::string item(const Range& range, long value) {
  if (range.letters) return {static_cast<char>(value)};
  std::string digits = std::to_string(std::abs(value));
  const std::size_t sign = value < 0 ? 1 : 0;
  if (digits.size() + sign < range.width) digits.insert(0, range.width - sign - digits.size(), '0');
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace

bool Braces::has_brace(const shell::List<shell::Part>& parts) {
  return std::ranges::any_of(parts, [](const shell::Part& part) {
    return part.kind == shell::PartKind::kLiteral && part.text.find('{') != part.text.npos;
  });
}

std::optional<Braces::Group> Braces::first_group(const Atoms& atoms) {
  // One pass with a stack: a group closes with its own brace, and the outermost, first one counts.
  struct Open {
    std::size_t at;
    std::vector<std::size_t> commas;
  };
  std::vector<Open> open;
  std::optional<Group> found;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const char letter = atoms[i].letter;
    if (letter == '{') {
      open.push_back({i, {}});
    } else if (letter == ',' && !open.empty()) {
      open.back().commas.push_back(i);
    } else if (letter == '}' && !open.empty()) {
      Group group{open.back().at, i, std::move(open.back().commas)};
      open.pop_back();
      const bool good = !group.commas.empty() || is_sequence(atoms, group);
      if (good && (!found || group.open < found->open)) found = std::move(group);
      if (found && open.empty()) return found;
    }
  }
  return found;
}

// A `}` without a comma before it closes nothing, and a later one may still close the group.
bool Braces::has_odd_group(const Atoms& atoms) {
  // LIMIT: braces that are only letters.
  constexpr int kMost = 32;
  int odd = 0;
  for (std::size_t open = 0; open < atoms.size(); ++open) {
    if (atoms[open].letter != '{') continue;
    int level = 0, commas = 0;
    bool passed = false;
    for (std::size_t i = open + 1; i < atoms.size(); ++i) {
      const char letter = atoms[i].letter;
      const bool dots = letter == '.' && i + 1 < atoms.size() && atoms[i + 1].letter == '.';
      if (letter == '{') ++level;
      if ((letter == ',' || dots) && level == 0) ++commas;
      if (letter != '}') continue;
      if (level > 0) {
        --level;
      } else if (commas > 0) {
        if (passed) return true;
        break;
      } else {
        passed = true;
      }
    }
    // Without an end it was looked for up to the end of the word.
    if (++odd > kMost && atoms.size() > 1024) return true;
  }
  return false;
}

bool Braces::is_sequence(const Atoms& atoms, const Group& group) {
  std::string text;
  for (std::size_t i = group.open + 1; i < group.close; ++i) {
    if (atoms[i].part != nullptr || text.size() > 80) return false;
    text += atoms[i].letter;
  }
  return range_of(text).has_value();
}

std::vector<Braces::Atoms> Braces::sequence(const Atoms& atoms, const Group& group) {
  std::string text;
  for (std::size_t i = group.open + 1; i < group.close; ++i) text += atoms[i].letter;
  const Range range = *range_of(text);
  std::vector<Atoms> out;
  const long step = range.first <= range.last ? range.step : -range.step;
  const auto length =
      static_cast<unsigned long>(range.last) - static_cast<unsigned long>(range.first);
  const unsigned long items =
      (step > 0 ? length : 0 - length) / static_cast<unsigned long>(range.step);
  if (items >= kMaxWords) {
    made_ = 5 * kMaxWords;
    return out;
  }
  letters_ += kItemLetters * (items + 1);
  for (unsigned long i = 0; i <= items; ++i) {
    const long value = range.first + static_cast<long>(i) * step;
    if (++made_ > kMaxWords) return out;
    const std::string& kept = texts_.emplace_back(item(range, value));
    Atoms letters;
    for (const char& letter : kept) letters.push_back({letter, nullptr, &letter});
    out.push_back(std::move(letters));
  }
  return out;
}

std::vector<Braces::Atoms> Braces::items(const Atoms& atoms, const Group& group) {
  std::vector<Atoms> out;
  std::size_t begin = group.open + 1;
  for (std::size_t i = 0; i <= group.commas.size(); ++i) {
    const std::size_t end = i < group.commas.size() ? group.commas[i] : group.close;
    const Atoms inner(atoms.begin() + static_cast<std::ptrdiff_t>(begin),
                      atoms.begin() + static_cast<std::ptrdiff_t>(end));
    for (Atoms& way : ways(inner)) out.push_back(std::move(way));
    begin = end + 1;
    if (made_ > kMaxWords) break;
  }
  return out;
}

std::vector<Braces::Atoms> Braces::ways(const Atoms& atoms) {
  letters_ += kItemLetters;
  if (++made_ > kMaxWords) return {};
  const auto group = first_group(atoms);
  if (!group) return {atoms};
  const std::vector<Atoms> middle =
      group->commas.empty() ? sequence(atoms, *group) : items(atoms, *group);
  const std::vector<Atoms> behind =
      ways({atoms.begin() + static_cast<std::ptrdiff_t>(group->close) + 1, atoms.end()});
  std::vector<Atoms> out;
  for (const Atoms& one : middle)
    for (const Atoms& rest : behind) {
      letters_ += group->open + one.size() + rest.size();
      if (letters_ > kMaxLetters) made_ = 5 * kMaxWords;
      if (++made_ > 4 * kMaxWords) return out;
      Atoms whole(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(group->open));
      whole.insert(whole.end(), one.begin(), one.end());
      whole.insert(whole.end(), rest.begin(), rest.end());
      out.push_back(std::move(whole));
    }
  if (out.size() > kMaxWords) made_ = 5 * kMaxWords;
  return out;
}

Braces::Parts Braces::parts_of(const Atoms& atoms) {
  Parts parts;
  const char* end = nullptr;  // where the literal at hand ends
  for (const Atom& atom : atoms) {
    if (atom.part != nullptr) {
      parts.push_back(*atom.part);
      end = nullptr;
    } else if (end != nullptr && atom.place == end) {
      parts.back().text = {parts.back().text.data(), parts.back().text.size() + 1};
      ++end;
    } else {
      shell::Part part;
      part.text = {atom.place, 1};
      parts.push_back(part);
      end = atom.place + 1;
    }
  }
  return parts;
}

// `$${a,b}`: bash sees `${` before it sees `$$`, and then neither.
bool Braces::has_false_expansion(const shell::List<shell::Part>& parts) {
  bool behind_dollar = false;
  for (const shell::Part& part : parts) {
    if (behind_dollar && part.kind == shell::PartKind::kLiteral && part.text.starts_with('{'))
      return true;
    behind_dollar =
        part.parameter != nullptr && !part.parameter->braced && part.parameter->name == "$";
  }
  return false;
}

std::optional<std::vector<Braces::Parts>> Braces::expand(const shell::List<shell::Part>& parts) {
  if (has_false_expansion(parts)) return std::nullopt;
  Atoms atoms;
  for (const shell::Part& part : parts) letters_ += part.text.size();
  if (letters_ > kMaxLetters) return std::nullopt;
  for (const shell::Part& part : parts) {
    if (part.kind == shell::PartKind::kLiteral)
      for (const char& letter : part.text) atoms.push_back({letter, nullptr, &letter});
    else
      atoms.push_back({0, &part, nullptr});
  }
  if (has_odd_group(atoms)) return std::nullopt;
  // Bash counts the braces inside ${…} here, and where it ends by other rules later.
  for (const shell::Part& part : parts)
    if (part.parameter != nullptr && has_brace(part.parameter->word.parts)) return std::nullopt;
  const std::vector<Atoms> all = ways(atoms);
  if (made_ > kMaxWords) return std::nullopt;
  std::vector<Parts> words;
  for (const Atoms& way : all) words.push_back(parts_of(way));
  return words;
}

}  // namespace tollgate
