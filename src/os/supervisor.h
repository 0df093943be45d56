// What a daemon tells whoever started it, and what it was handed: systemd's two conventions and a
// descriptor that is told when it is ready.
#pragma once

#include <cstdint>
#include <string_view>

namespace tollgate::os {

// A listening socket that was handed over (LISTEN_FDS, LISTEN_PID); -1 for none. The variables are
// taken out of the environment, so that no child takes them for its own.
int inherited_listener();

// `READY=1` and the like, to NOTIFY_SOCKET; nothing happens where there is none.
void tell_supervisor(std::string_view state);

// Writes the line to a descriptor of the caller and closes it.
void tell_ready(int descriptor, std::string_view line);

std::int64_t process_id();

}  // namespace tollgate::os
