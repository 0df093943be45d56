// SAFETY: links on the way are followed, so that both who writes and who verifies name one place.
#include "audit/place.h"

#include "audit/digest.h"
#include "os/addresses.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate {
namespace {

constexpr std::size_t kLongestId = 256;
constexpr std::size_t kDigits = 32;

// What tells this machine from others that send their heads to the same receiver.
std::string machine() {
  const Result<std::string> id = os::read_file("/etc/machine-id", kLongestId);
  return id && !id->empty() ? *id : os::host_name();
}

}  // namespace

std::string place_of_store(const std::string& data_dir) {
  const os::RealPath real = os::real_path(data_dir);
  const auto digest = sha256(machine() + "\n" + (real.path.empty() ? data_dir : real.path));
  return digest ? text_of(*digest).substr(0, kDigits) : "";
}

}  // namespace tollgate
