// A question, and a row of the record, as lines to read: the gate's own reading first, the agent's
// words after it and labelled as such.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/top/state.h"

namespace tollgate::cli::top {

// `call_end` is told how many lines there are up to the end of the call.
std::vector<Line> question_lines(const Question& question, std::size_t width, Folds folds,
                                 std::size_t& call_end);

// What the call is about, in one line, raw.
std::string summary_of(const Question& question);

// The agent and those above it, nearest first: `tests < backend`.
std::string chain_of(const Question& question);

// What became of it, or how long it will wait.
Line outcome_of(const Question& question, const State& state);

// "4:05", "1:02:03", "3d 4h"; "0:00" when it is over.
std::string span_text(Millis milliseconds);

// `at` is its moment as it is to be shown.
std::vector<Line> row_lines(const json::Value& row, const std::optional<json::Value>& replayed,
                            const std::string& at, std::size_t width);
// What a row of the record is about, in one line, raw.
std::string row_summary(const json::Value& row);

}  // namespace tollgate::cli::top
