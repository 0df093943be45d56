// dd: operands are KEY=VALUE, and two of the keys name files.
#include <algorithm>
#include <iterator>

#include "effects/programs/special.h"

namespace tollgate {

bool read_dd(std::span<const Word> words, const Surroundings& around, Effects& out) {
  constexpr std::string_view kKeys[] = {"bs",    "ibs",   "obs",  "cbs",   "count", "skip",  "seek",
                                        "iseek", "oseek", "conv", "iflag", "oflag", "status"};
  bool listed = true;
  for (const Word& word : words) {
    const std::size_t equals = word.text.find('=');
    const std::string_view key = std::string_view(word.text).substr(0, equals);
    if (equals != std::string::npos && (key == "if" || key == "of")) {
      Word file = word;
      file.text = word.text.substr(equals + 1);
      add_path({key == "if" ? EffectKind::kRead : EffectKind::kWrite, EffectBy::kOperand, false},
               file, around, out);
    } else if (equals == std::string::npos || std::ranges::find(kKeys, key) == std::end(kKeys)) {
      listed = false;
    }
  }
  return listed;
}

}  // namespace tollgate
