#include "cli/top/state.h"

#include <algorithm>

#include "base/text.h"
#include "cli/gate_client.h"

namespace tollgate::cli::top {

bool Question::is_open() const { return text_of(brief, "state") == "pending"; }

const std::string& text_of(const json::Value& value, std::string_view name) {
  return member_of(value, name).as_string();
}

std::optional<Millis> moment_ms(std::string_view text) {
  if (text.size() != 24 || text[19] != '.' || text[23] != 'Z') return std::nullopt;
  const std::optional<long long> seconds = utc_seconds(std::string(text.substr(0, 19)) + "Z");
  if (!seconds) return std::nullopt;
  Millis part = 0;
  for (const char c : text.substr(20, 3)) {
    if (c < '0' || c > '9') return std::nullopt;
    part = part * 10 + (c - '0');
  }
  return *seconds * 1000 + part;
}

os::LocalTime local_moment(const State& state, const std::string& text) {
  const std::optional<Millis> at = moment_ms(text);
  os::LocalTime local = at ? state.local_time(*at / 1000) : os::LocalTime{};
  return local.text.empty() ? os::LocalTime{.text = text, .zone = "UTC"} : local;
}

Question* question_of(State& state, std::string_view id) {
  const auto found = std::ranges::find(state.questions, id, &Question::id);
  return found == state.questions.end() ? nullptr : &*found;
}

const Question* question_of(const State& state, std::string_view id) {
  const auto found = std::ranges::find(state.questions, id, &Question::id);
  return found == state.questions.end() ? nullptr : &*found;
}

const Question* chosen_question(const State& state) { return question_of(state, state.chosen); }

std::size_t open_count(const State& state) {
  return static_cast<std::size_t>(std::ranges::count_if(state.questions, &Question::is_open));
}

std::string not_yet(const State& state) {
  const Question* question = chosen_question(state);
  if (question == nullptr) return "nothing is open";
  if (!question->is_open()) return "it has ended: " + text_of(question->brief, "state");
  if (state.link != Link::kLive) return "the daemon is not there: nothing can be answered";
  if (!question->sending.empty()) return "the answer is on its way";
  if (question->whole.is_null()) return "the whole call is not here yet";
  if (!state.chosen_by_key && state.now - state.chosen_at < kSettleMs)
    return "it has just come: read it first";
  return "";
}

bool is_teachable(const Question& question) {
  return !member_of(question.whole, "teachable").items().empty();
}

bool is_escalation(const Question& question) {
  return text_of(question.brief, "type") == "escalation";
}

bool takes_reply(const Question& question) {
  const json::Value& input = member_of(question.whole, "toolInput");
  return !member_of(input, "questions").items().empty() || !text_of(input, "question").empty();
}

}  // namespace tollgate::cli::top
