// The parts of the screen that draw.cc puts together.
#pragma once

#include <vector>

#include "cli/top/state.h"

namespace tollgate::cli::top {

// The questions around the chosen one, a row each.
std::vector<Line> list_lines(const State& state, int rows);

// Above what is read: who wants what, and how long it waits.
Line head_line(const State& state);

// `top` is told the first line to show, so that the chosen one is in the window.
std::vector<Line> session_lines(const State& state, std::size_t& top);
std::vector<Line> history_lines(const State& state, std::size_t& top);

std::vector<Line> help_lines();
std::vector<Line> nothing_lines(const State& state);

}  // namespace tollgate::cli::top
