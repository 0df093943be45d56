// A text with ^^^^ under the parts that matter.
// Every line is shown in characters that do nothing to a terminal; what is left out is counted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "explain/layout.h"

namespace tollgate {

struct UnderlineOptions {
  std::size_t margin = 0;  // blanks before each line
  std::size_t width = 0;   // of the screen; 0 for no bound
};

// The lines of the text, with carets under what the spans name. An empty span is the place before
// its character, as of a command that ends too early.
std::string underlined(std::string_view text, const std::vector<Span>& spans, const Paint& paint,
                       UnderlineOptions options = {});

}  // namespace tollgate
