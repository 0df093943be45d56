#include "hook/sessions.h"

#include <cstdint>
#include <optional>

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

// What the file of a session says: nothing where there is none, "" where it is no use.
std::optional<std::string> kept_base(const std::string& file, const std::string& session) {
  const Result<std::string> text = os::read_file(file, kMostBytes);
  if (!text) return std::nullopt;
  const Result<json::Value> kept = json::parse(*text);
  const json::Value* id = kept ? kept->find("session") : nullptr;
  const json::Value* base = kept ? kept->find("base") : nullptr;
  const bool same = id != nullptr && id->is_string() && id->as_string() == session;
  if (!same || base == nullptr || !base->is_string() || !base->as_string().starts_with('/'))
    return "";
  return base->as_string();
}

}  // namespace

std::string base_of(const std::string& data_dir, std::string_view provider,
                    const std::string& session, const std::string& cwd) {
  if (session.empty() || data_dir.empty() || cwd.empty()) return cwd;
  const std::string file = file_of(data_dir, provider, session);
  std::optional<std::string> base = kept_base(file, session);
  if (!base && os::make_private_directory(data_dir + "/hook-sessions")) {
    const json::Value kept = json::Value::object(
        {{"session", json::Value::string(session)}, {"base", json::Value::string(cwd)}});
    const Result<bool> first = os::write_once(file, json::write(kept) + "\n");
    // Of two calls that begin a session at once one is the first, and both go by it.
    if (first && !*first) base = kept_base(file, session);
  }
  // Not being able to keep it costs nothing now: this is where the session begins.
  return base && !base->empty() ? *base : cwd;
}

}  // namespace tollgate::hook
