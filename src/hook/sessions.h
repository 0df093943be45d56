// Where sessions began, as far as hooks know: a client's own directory moves about during one.
// A file a session in the data directory, written once and never changed.
#pragma once

#include <string>
#include <string_view>

namespace tollgate::hook {

// The directory that the session began in; the first call of a session begins it, and then that is
// `cwd`. Without an id, or where nothing can be kept, it is `cwd`.
std::string base_of(const std::string& data_dir, std::string_view provider,
                    const std::string& session, const std::string& cwd);

}  // namespace tollgate::hook
