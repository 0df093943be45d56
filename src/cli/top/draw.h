// The whole screen as lines, for a state. Pure; screen.h paints it.
#pragma once

#include "cli/top/state.h"

namespace tollgate::cli::top {

// How many rows each part gets.
struct Frame {
  int list = 0;  // questions, where there are several
  int form = 0;  // what is being filled in
  int body = 0;  // what is read
};
Frame frame_of(const State& state);

// Exactly as many lines as the screen has rows, none wider than it.
Picture draw(const State& state);

// form_lines.cc: a form as lines, and where the cursor stands in them.
std::vector<Line> form_lines(const Form& form, std::size_t width, std::optional<Spot>& cursor);

}  // namespace tollgate::cli::top
