// Where a store lies, as a word that heads of its chain can carry: the machine and the directory.
// It is a digest, so that a head which goes to somebody else names no path of this machine.
#pragma once

#include <string>

namespace tollgate {

// The same for as long as the machine and the directory are; "" where no digest can be made.
std::string place_of_store(const std::string& data_dir);

}  // namespace tollgate
