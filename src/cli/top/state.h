// All that the dashboard knows: what the daemon said, and what the person is looking at.
// Pure values; model.h changes them, draw.h shows them.
// INVARIANT: a question is answered only as it stands on the screen, whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/call_lines.h"
#include "cli/top/form.h"
#include "cli/top/picture.h"
#include "json/value.h"
#include "os/local_time.h"

namespace tollgate::cli::top {

using Millis = std::int64_t;

// LIMIT: a question that came to the screen by itself takes no yes before it has stood there so
// long: the key may have been meant for something else.
inline constexpr Millis kSettleMs = 500;
// LIMIT: an ended question stays so long, or as long as it is looked at.
inline constexpr Millis kKeepEndedMs = 60'000;
inline constexpr Size kLeastSize = {.rows = 12, .columns = 44};

enum class View { kQuestions, kSessions, kHistory };
enum class Link { kConnecting, kLive, kLost };

struct Question {
  std::string id;
  json::Value brief;  // as lists have it, the latest
  json::Value whole;  // null until it came
  bool fetching = false;
  Millis ended_at = 0;  // by our clock
  std::string sending;  // what we are saying about it
  std::string said;     // what we said and the daemon has recorded
  std::string problem;  // what it said instead

  bool is_open() const;
};

// The lines of what is looked at, and which of them are in the window.
struct Reader {
  std::string about;  // what `lines` were made of
  std::vector<Line> lines;
  std::size_t call_end = 0;  // lines up to here are the call and why it is asked about
  std::size_t top = 0;
  std::size_t seen = 0;  // lines that have been in the window, from the first on
};

struct Sessions {
  bool loaded = false;
  std::vector<json::Value> list;  // in the order of the tree
  std::vector<int> depths;
  std::string chosen;  // its id
};

struct History {
  bool loaded = false;
  std::vector<json::Value> rows;  // newest first
  bool complete = false;
  json::Value record;  // how its chain stands; null until that is known
  std::string grep, verdict;
  std::size_t chosen = 0;
  std::optional<json::Value> row;       // the one that is open, whole
  std::optional<json::Value> replayed;  // what today's policy says to it
};

struct State {
  Size size;
  Millis now = 0;     // our clock, from anywhere
  Millis offset = 0;  // what must be added to it to get the daemon's
  View view = View::kQuestions;
  Link link = Link::kConnecting;
  Millis link_since = 0;
  std::string link_why;
  json::Value me;
  os::LocalTime (*local_time)(std::int64_t seconds) = os::utc_time;  // the person's clock

  std::vector<Question> questions;  // oldest first, ended ones where they stood
  std::string chosen;               // the id of the one that is looked at
  Millis chosen_at = 0;
  bool chosen_by_key = false;
  bool sure = false;  // the next yes counts although not all of the call was looked at
  Folds folds = Folds::kCounted;
  Reader reader;

  Sessions sessions;
  History history;
  std::optional<Form> form;
  bool help = false;
  std::string notice;
  bool notice_is_bad = false;
  Millis notice_until = 0;
  std::uint64_t bells = 0;  // how often something new has come
  bool over = false;        // the person wants to leave
};

// A member's text, raw.
const std::string& text_of(const json::Value& value, std::string_view name);

// Milliseconds since 1970 of a moment as the daemon writes it; nothing where it is none.
std::optional<Millis> moment_ms(std::string_view text);
// The same by the person's clock; as it is where it is none.
os::LocalTime local_moment(const State& state, const std::string& text);

Question* question_of(State& state, std::string_view id);
const Question* question_of(const State& state, std::string_view id);
const Question* chosen_question(const State& state);
std::size_t open_count(const State& state);

// Whether a yes to the chosen question would count now; what is missing, "" for nothing.
std::string not_yet(const State& state);

// Whether a rule could settle what asks, so that more than this call can be allowed.
bool is_teachable(const Question& question);
bool is_escalation(const Question& question);
// Whether it can be told more than yes or no: a plan cannot.
bool takes_reply(const Question& question);

}  // namespace tollgate::cli::top
