#include "hook/sessions.h"

#include <cstdint>

#include "base/text.h"
#include "json/json.h"
#include "os/files.h"

namespace tollgate::hook {
namespace {

// LIMIT: what a file of a session holds.
constexpr std::size_t kMostBytes = 16'384;

// Any id gives a name; the id itself stands in the file.
std::string file_of(const std::string& data_dir, std::string_view provider,
                    const std::string& session) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string name;
  for (std::uint64_t rest = hash_of(session), i = 0; i < 16; ++i, rest >>= 4)
    name += kDigits[rest & 15];
  return data_dir + "/hook-sessions/" + std::string(provider) + "-" + name;
}

}  // namespace

std::string base_of(const std::string& data_dir, std::string_view provider,
                    const std::string& session, const std::string& cwd) {
  if (session.empty() || data_dir.empty() || cwd.empty()) return cwd;
  const std::string file = file_of(data_dir, provider, session);
  if (const Result<std::string> text = os::read_file(file, kMostBytes)) {
    const Result<json::Value> kept = json::parse(*text);
    const json::Value* id = kept ? kept->find("session") : nullptr;
    const json::Value* base = kept ? kept->find("base") : nullptr;
    const bool same = id != nullptr && id->is_string() && id->as_string() == session;
    if (same && base != nullptr && base->is_string() && base->as_string().starts_with('/'))
      return base->as_string();
    return cwd;
  }
  const json::Value kept = json::Value::object(
      {{"session", json::Value::string(session)}, {"base", json::Value::string(cwd)}});
  // Not being able to keep it costs nothing now: this is where the session begins.
  if (os::make_private_directory(data_dir + "/hook-sessions"))
    static_cast<void>(os::write_atomically(file, json::write(kept) + "\n"));
  return cwd;
}

}  // namespace tollgate::hook
