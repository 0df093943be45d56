// Settings of Mercurial and Jujutsu: whether a file says only what is known to be harmless.
// Both can name programs in more places than a table could follow, so the harmless ones are listed.
// SAFETY: a line that is not understood is not harmless.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// The first line that is not known to be harmless; "" when there is none.
std::string suspect_line_of_hgrc(std::string_view text);
std::string suspect_line_of_jj(std::string_view text);

}  // namespace tollgate
