// Everyday commands, changed at random: half of them no longer mean anything, and all are read to
// their end and decided. A word in quotes is judged as it is without them, whatever became of the
// words around it.
// A fresh seed is printed each time; TOLLGATE_SEED repeats it, TOLLGATE_ROUNDS says how often each
// command is changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cli/case_file.h"
#include "effects/effects.h"
#include "explain/call_text.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kRounds = 1;
#else
constexpr std::uint64_t kRounds = 12;
#endif
constexpr std::size_t kMostReports = 20;

std::optional<std::uint64_t> setting(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TOLLGATE_SOURCE_DIR) / "tests/decisions/everyday"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

using Words = std::vector<std::string>;

// At blanks alone: what a quote holds together comes apart.
Words words_of(const std::string& text) {
  Words words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::string text_of(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

class Mangler {
 public:
  Mangler(std::uint64_t seed, Words pool) : random_(seed), pool_(std::move(pool)) {}

  std::size_t below(std::size_t count) { return random_() % count; }

  std::string mangled(const std::string& text, const std::string& other) {
    Words words = words_of(text);
    for (std::size_t changes = 1 + below(3); changes > 0 && !words.empty(); --changes)
      change(words, other);
    return text_of(words);
  }

  // The same word said otherwise.
  std::string quoted(const std::string& word) {
    switch (below(4)) {
      case 0:
        return "'" + word + "'";
      case 1:
        return '"' + word + '"';
      case 2:
        return "\\" + word;
      default: {
        const std::size_t at = below(word.size() + 1);
        return word.substr(0, at) + "''" + word.substr(at);
      }
    }
  }

 private:
  void change(Words& words, const std::string& other) {
    constexpr std::string_view kOdd = "-=/.*?[]{}~$'\"\\;|&<>()#!@:,+%^ \t\n01a";
    const std::size_t at = below(words.size());
    const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
    std::string& word = words[at];
    switch (below(9)) {
      case 0:
        words.erase(place);
        break;
      case 1:
        words.insert(place, pool_[below(pool_.size())]);
        break;
      case 2:
        word = pool_[below(pool_.size())];
        break;
      case 3:
        words.push_back(std::string(word));
        break;
      case 4:
        if (word.size() > 1) word.erase(below(word.size()), 1);
        break;
      case 5:
        word.insert(below(word.size() + 1), 1, kOdd[below(kOdd.size())]);
        break;
      case 6:
        word = quoted(word);
        break;
      case 7:
        std::swap(word, words[below(words.size())]);
        break;
      default: {  // the end of another command
        const Words end = words_of(other);
        words.resize(at + 1);
        if (!end.empty())
          words.insert(words.end(), end.begin() + static_cast<std::ptrdiff_t>(below(end.size())),
                       end.end());
      }
    }
  }

  std::mt19937_64 random_;
  Words pool_;
};

// Letters that are only themselves, in quotes or not.
bool is_plain(const std::string& word) {
  return std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:,%").find(c) != std::string_view::npos;
  });
}

// A simple command of nothing but such words, so that each behind the first is an argument.
bool is_plain(const Words& words) {
  constexpr std::string_view kMore[] = {"time",  "if",     "then", "else", "elif",   "fi",
                                        "case",  "esac",   "for",  "do",   "done",   "while",
                                        "until", "select", "in",   "time", "coproc", "function"};
  return words.size() > 1 && std::ranges::find(kMore, words[0]) == std::end(kMore) &&
         std::ranges::all_of(words, [](const std::string& word) { return is_plain(word); });
}

class CaseJudge {
 public:
  explicit CaseJudge(const cli::CaseFile& file)
      : file_(file), world_(file.world), policy_(compile(file.policy.set)) {}

  Verdict verdict(const cli::DecisionCase& one, const std::string& text) {
    Result<json::Value> input = input_of(one.tool, text, policy_.tools());
    if (!input) return Verdict::kDeny;
    ToolCall call = call_of(one.tool, std::move(*input));
    call.cwd = one.cwd;
    const Effects effects = effects_of(call, policy_.tools(), file_.plan.home);
    LookPlan plan = file_.plan;
    plan.walk = policy_.needs_walk();
    const Situation situation = world_.look(call, effects, plan);
    return decide(policy_, call, effects, situation).verdict;
  }

 private:
  const cli::CaseFile& file_;
  FixedWorld world_;
  Policy policy_;
};

TEST(Mangled, EveryTextIsDecidedAndNoQuoteLoosensIt) {
  std::vector<cli::CaseFile> files;
  Words pool;
  std::vector<std::string> texts;
  for (const fs::path& path : case_files()) {
    files.push_back(cli::read_case_file(path, path.filename()));
    for (const cli::DecisionCase& one : files.back().cases) {
      if (one.tool != "Bash" || one.input) continue;
      texts.push_back(one.text);
      for (std::string& word : words_of(one.text)) pool.push_back(std::move(word));
    }
  }
  ASSERT_GT(texts.size(), 1000u);
  const std::uint64_t seed = setting("TOLLGATE_SEED").value_or(std::random_device{}());
  std::cout << "TOLLGATE_SEED=" << seed << "\n" << std::flush;
  const std::uint64_t rounds = setting("TOLLGATE_ROUNDS").value_or(kRounds);
  Mangler mangler(seed, std::move(pool));
  std::size_t decided = 0, quoted = 0, loosened = 0;
  for (const cli::CaseFile& file : files) {
    CaseJudge judge(file);
    for (const cli::DecisionCase& one : file.cases) {
      if (one.tool != "Bash" || one.input) continue;
      for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::string text = mangler.mangled(one.text, texts[mangler.below(texts.size())]);
        Verdict verdict = Verdict::kDeny;
        ASSERT_NO_THROW(verdict = judge.verdict(one, text)) << text;
        ++decided;
        Words words = words_of(text);
        if (verdict == Verdict::kAllow || !is_plain(words)) continue;
        std::string& word = words[1 + mangler.below(words.size() - 1)];
        word = mangler.quoted(word);
        ++quoted;
        Verdict other = Verdict::kDeny;
        ASSERT_NO_THROW(other = judge.verdict(one, text_of(words))) << text_of(words);
        if (other >= verdict || ++loosened > kMostReports) continue;
        ADD_FAILURE() << "looser in quotes:\n" << text << "\n" << text_of(words);
      }
    }
  }
  std::cout << "decided " << decided << ", with a word in quotes " << quoted << ", loosened "
            << loosened << "\n";
  EXPECT_EQ(loosened, 0u);
  // Else the changes are so wild that nothing is compared.
  EXPECT_GT(quoted, decided / 20);
}

}  // namespace
}  // namespace tollgate
