// A file in memory that is read from its beginning, as the standard input of another program.
// The program may leave it unread, which a pipe would not forgive.
#pragma once

#include <string_view>

#include "os/descriptor.h"

namespace tollgate::os {

// None when it cannot be made; errno says why.
Descriptor memory_file(std::string_view bytes);

}  // namespace tollgate::os
