// One pass over the text: what is searched is gathered, everything else only stepped over.
// Members of a call, a decision and a reason come in the order of core/field_tables.h, so that the
// words stand in the right order by themselves.
#include "store/word_scan.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>

#include "base/text.h"
#include "store/words.h"

namespace tollgate::store {
namespace {

// LIMIT: an input that is nested deeper is left to words_of().
constexpr int kMostDepth = 64;

constexpr std::array<std::string_view, 2> kOfRecord{"call", "decision"};
constexpr std::array<std::string_view, 2> kOfCall{"input", "stated_reason"};
constexpr std::array<std::string_view, 1> kOfDecision{"reasons"};
constexpr std::array<std::string_view, 2> kOfReason{"rule", "text"};

// INVARIANT: each of these moves behind what it has read, or gives false, and then it is all over.
class Scan {
 public:
  explicit Scan(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::optional<std::string> words() {
    if (!record() || at_ != end_ || !is_valid_utf8(words_)) return std::nullopt;
    if (words_.size() > kMostWords) words_.resize(valid_utf8_prefix({words_.data(), kMostWords}));
    return std::move(words_);
  }

 private:
  using Each = bool (Scan::*)();

  bool record() {
    constexpr std::array<Each, 2> kTake{&Scan::call, &Scan::decision};
    // A record without one of them is an event, of which all texts are searched.
    return members(kOfRecord, kTake) == std::ssize(kOfRecord);
  }
  bool call() {
    constexpr std::array<Each, 2> kTake{&Scan::gather, &Scan::gather};
    return members(kOfCall, kTake) >= 0;
  }
  bool decision() {
    constexpr std::array<Each, 1> kTake{&Scan::reasons};
    return members(kOfDecision, kTake) >= 0;
  }
  bool reasons() {
    return items([this] { return reason(); });
  }
  bool reason() {
    constexpr std::array<Each, 2> kTake{&Scan::gather, &Scan::gather};
    return members(kOfReason, kTake) >= 0;
  }

  // An object whose named members are taken, each once and in this order; how many there were, -1
  // where it is anything else.
  int members(std::span<const std::string_view> names, std::span<const Each> take) {
    if (!step('{')) return -1;
    if (step('}')) return 0;
    int taken = 0;
    std::size_t next = 0;
    do {
      std::string_view name;
      if (!key(name)) return -1;
      std::size_t place = 0;
      while (place < names.size() && names[place] != name) ++place;
      if (place == names.size()) {
        if (!skip()) return -1;
        continue;
      }
      if (place < next || !(this->*take[place])()) return -1;
      next = place + 1;
      ++taken;
    } while (step(','));
    return step('}') ? taken : -1;
  }

  template <class Take>
  bool items(Take take) {
    if (!step('[')) return false;
    if (step(']')) return true;
    do {
      if (!take()) return false;
    } while (step(','));
    return step(']');
  }

  // All texts of a value, each on a line of its own.
  bool gather() {
    if (at_ == end_) return false;
    if (*at_ == '"') {
      if (!words_.empty()) words_ += '\n';
      return text();
    }
    if (*at_ != '{' && *at_ != '[') return skip();
    if (++depth_ > kMostDepth) return false;
    const bool whole = *at_ == '[' ? items([this] { return gather(); }) : gather_members();
    --depth_;
    return whole;
  }
  bool gather_members() {
    if (!step('{')) return false;
    if (step('}')) return true;
    do {
      std::string_view name;
      if (!key(name) || !gather()) return false;
    } while (step(','));
    return step('}');
  }

  bool text() {
    ++at_;
    for (;;) {
      const char* const from = at_;
      while (at_ != end_ && *at_ != '"' && *at_ != '\\') ++at_;
      words_.append(from, at_);
      if (at_ == end_) return false;
      if (*at_++ == '"') return true;
      if (at_ == end_) return false;
      switch (*at_++) {
        case '"':
        case '\\':
        case '/':
          words_ += at_[-1];
          break;
        case 'n':
          words_ += '\n';
          break;
        case 't':
          words_ += '\t';
          break;
        case 'r':
          words_ += '\r';
          break;
        case 'b':
          words_ += '\b';
          break;
        case 'f':
          words_ += '\f';
          break;
        default:
          return false;  // by its number: seldom, and for a real parser
      }
    }
  }

  // One without an escape, and its colon.
  bool key(std::string_view& name) {
    if (at_ == end_ || *at_ != '"') return false;
    const char* const from = at_ + 1;
    if (!skip_text()) return false;
    name = std::string_view(from, static_cast<std::size_t>(at_ - 1 - from));
    return name.find('\\') == name.npos && step(':');
  }

  // Steps over a value without looking at more than where it ends.
  bool skip() {
    int open = 0;
    const char* const from = at_;
    while (at_ != end_) {
      switch (*at_) {
        case '"':
          if (!skip_text()) return false;
          break;
        case '{':
        case '[':
          ++open;
          ++at_;
          break;
        case '}':
        case ']':
          if (open == 0) return at_ != from;
          --open;
          ++at_;
          break;
        case ',':
          if (open == 0) return at_ != from;
          ++at_;
          break;
        default:
          ++at_;
          continue;
      }
      if (open == 0) return true;
    }
    return false;
  }

  bool skip_text() {
    const char* from = ++at_;
    for (;;) {
      const auto* quote =
          static_cast<const char*>(std::memchr(from, '"', static_cast<std::size_t>(end_ - from)));
      if (quote == nullptr) return false;
      const char* before = quote;
      while (before != at_ && before[-1] == '\\') --before;
      from = quote + 1;
      if ((quote - before) % 2 != 0) continue;
      at_ = from;
      return true;
    }
  }

  bool step(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  const char* at_;
  const char* const end_;
  int depth_ = 0;
  std::string words_;
};

}  // namespace

std::optional<std::string> scanned_words(std::string_view record) { return Scan(record).words(); }

}  // namespace tollgate::store
