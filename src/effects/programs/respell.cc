// Words that a program spells out before it reads them: the letters of tar without a dash, the
// text behind env's -S, and what capsh hands to a shell.
// SAFETY: what is not spelt out here stays as it is, and then no row understands it.
#include <algorithm>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "effects/programs/special.h"

namespace tollgate {
namespace {

using Words = std::vector<Word>;

// LIMIT: words in one; a text with more of them can be anything.
constexpr std::size_t kMostWords = 4096;

// SAFETY: one word of n letters may become n words, so the old text is never copied.
Word like(const Word& word, std::string text) {
  return {.text = std::move(text),
          .span = word.span,
          .known = word.known,
          .rest = word.rest,
          .several = word.several,
          .operand = word.operand,
          .identifier = word.identifier,
          .computed = word.computed,
          .secret = word.secret};
}

Word anything(const Word& word) {
  Word made = like(word, "");
  made.known = false;
  made.rest = Rest::kAnything;
  return made;
}

// `tar cIf PROGRAM FILE`: each letter takes its value from the words behind, in order. A letter
// without a value says the same twice, and one that lacks its value is the last that tar reads.
std::optional<Words> spell_tar(std::span<const Word> argv) {
  if (argv.size() < 2 || !argv[1].known || argv[1].text.empty() || argv[1].text[0] == '-')
    return std::nullopt;
  constexpr std::string_view kValues = "bCfFgHIKLNTVX";
  Words words{argv[0]};
  std::size_t next = 2;
  std::bitset<256> seen;
  for (const char letter : argv[1].text) {
    const bool valued = kValues.find(letter) != kValues.npos;
    const auto bit = static_cast<unsigned char>(letter);
    if (!valued && seen.test(bit)) continue;
    seen.set(bit);
    words.push_back(like(argv[1], std::string("-") + letter));
    if (valued && next == argv.size()) break;
    if (valued) words.push_back(argv[next++]);
  }
  words.insert(words.end(), argv.begin() + static_cast<std::ptrdiff_t>(next), argv.end());
  return words;
}

// The words in a text as env splits it; nothing where env refuses it.
class EnvText {
 public:
  explicit EnvText(const Word& from) : from_(from), rest_(from.text) {}

  std::optional<Words> split() {
    for (; !rest_.empty() && !ended_; rest_.remove_prefix(1)) {
      if (words_.size() > kMostWords) return Words{anything(from_)};
      const char c = rest_[0];
      if (c == '\\') {
        if (!escape()) return std::nullopt;
      } else if (quote_ == 0 && (c == '\'' || c == '"')) {
        quote_ = c;
        begin();
      } else if (c == quote_) {
        quote_ = 0;
      } else if (quote_ == 0 && std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos) {
        finish();
      } else if (quote_ == 0 && c == '#' && !word_) {
        break;
      } else if (quote_ != '\'' && c == '$') {
        // A variable of the environment.
        begin();
        word_->known = false;
        word_->rest = Rest::kAnything;
        rest_.remove_prefix(std::min(rest_.find('}'), rest_.size() - 1));
      } else {
        add(c);
      }
    }
    if (quote_ != 0) return std::nullopt;
    finish();
    return std::move(words_);
  }

 private:
  void begin() {
    if (!word_) word_ = like(from_, "");
  }
  void add(char c) {
    begin();
    if (word_->known) word_->text += c;
  }
  void finish() {
    if (word_) words_.push_back(std::move(*word_));
    word_.reset();
  }

  bool escape() {
    if (rest_.size() < 2) return false;
    const char c = rest_[1];
    if (quote_ == '\'' && c != '\'' && c != '\\') {
      add('\\');
      return true;
    }
    rest_.remove_prefix(1);
    constexpr std::string_view kBlanks = "_tnvfr";
    if (c == 'c') {
      ended_ = true;
    } else if (kBlanks.find(c) != kBlanks.npos) {
      if (quote_ != 0)
        add(" \t\n\v\f\r"[kBlanks.find(c)]);
      else if (c == '_')
        finish();
      else
        add("_\t\n\v\f\r"[kBlanks.find(c)]);
    } else if (std::string_view("\"#$'\\").find(c) != std::string_view::npos) {
      add(c);
    } else {
      return false;
    }
    return true;
  }

  const Word& from_;
  std::string_view rest_;
  Words words_;
  std::optional<Word> word_;
  char quote_ = 0;
  bool ended_ = false;
};

bool is_start_of(std::string_view name, std::string_view option) {
  return !name.empty() && option.starts_with(name);
}

// env with the text behind its first -S in words.
std::optional<Words> spell_env(std::span<const Word> argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string_view text = argv[i].text;
    if (!text.starts_with('-') || text == "--") return std::nullopt;
    const std::size_t option = i;
    std::optional<Word> split, before;
    if (text.starts_with("--")) {
      const std::string_view name = text.substr(2, text.find('=') - 2);
      const bool attached = text.find('=') != text.npos;
      if (is_start_of(name, "split-string") && attached)
        split = like(argv[i], std::string(text.substr(text.find('=') + 1)));
      else if (is_start_of(name, "split-string") && i + 1 < argv.size())
        split = argv[++i];
      else if (!attached && (is_start_of(name, "unset") || is_start_of(name, "chdir") ||
                             is_start_of(name, "argv0")))
        ++i;
    } else {
      const std::size_t value = text.find_first_of("SuCaP", 1);
      if (value == text.npos) continue;
      const bool attached = value + 1 < text.size();
      if (text[value] != 'S') {
        if (!attached) ++i;
        continue;
      }
      if (value > 1) before = like(argv[i], std::string(text.substr(0, value)));
      if (attached)
        split = like(argv[i], std::string(text.substr(value + 1)));
      else if (i + 1 < argv.size())
        split = argv[++i];
    }
    if (!split) continue;
    const auto made = split->known ? EnvText(*split).split() : std::nullopt;
    if (!made) return std::nullopt;
    Words words(argv.begin(), argv.begin() + static_cast<std::ptrdiff_t>(option));
    if (before) words.push_back(std::move(*before));
    words.insert(words.end(), made->begin(), made->end());
    words.insert(words.end(), argv.begin() + static_cast<std::ptrdiff_t>(i) + 1, argv.end());
    return words;
  }
  return std::nullopt;
}

// Behind `--` and `==` stand the words of a shell.
std::optional<Words> spell_capsh(std::span<const Word> argv) {
  const auto end = std::ranges::find_if(
      argv, [](const Word& word) { return word.text == "--" || word.text == "=="; });
  if (end == argv.end()) return std::nullopt;
  Words words{argv[0], like(*end, "--"), like(*end, "bash")};
  words.insert(words.end(), end + 1, argv.end());
  return words;
}

// The program that the one binary is to be.
std::optional<Words> spell_coreutils(std::span<const Word> argv) {
  constexpr std::string_view kProgram = "--coreutils-prog=";
  if (argv.size() < 2 || !argv[1].text.starts_with(kProgram)) return std::nullopt;
  Words words{argv[0], like(argv[1], argv[1].text.substr(kProgram.size()))};
  words.insert(words.end(), argv.begin() + 2, argv.end());
  return words;
}

}  // namespace

std::optional<std::vector<Word>> respelled(std::string_view program, std::span<const Word> argv) {
  if (program == "tar" || program == "gtar" || program == "bsdtar" || program == "gnutar")
    return spell_tar(argv);
  if (program == "coreutils") return spell_coreutils(argv);
  if (program == "capsh") return spell_capsh(argv);
  if (program != "env" && program != "genv") return std::nullopt;
  // LIMIT: texts inside texts.
  constexpr int kMostTexts = 8;
  std::optional<Words> words = spell_env(argv);
  for (int i = 1; words && i < kMostTexts; ++i) {
    auto deeper = spell_env(*words);
    if (!deeper) break;
    words = std::move(deeper);
  }
  return words;
}

bool splits_alike(std::span<const Word> argv) {
  if (argv.size() < 2 || !argv[1].known || argv[1].several) return false;
  std::string_view text = argv[1].text;
  constexpr std::string_view kLong = "--split-string=";
  if (text == "-S") {
    if (argv.size() < 3 || !argv[2].known || argv[2].several) return false;
    text = argv[2].text;
  } else if (text.starts_with("-S")) {
    text.remove_prefix(2);
  } else if (text.starts_with(kLong)) {
    text.remove_prefix(kLong.size());
  } else {
    return false;
  }
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" _./:,+=@%-").find(c) != std::string_view::npos;
  };
  return !text.empty() && text[0] != ' ' && text[0] != '-' && std::ranges::all_of(text, is_plain);
}

}  // namespace tollgate
