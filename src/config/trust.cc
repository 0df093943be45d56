// The trust store: one JSON file in the data directory, 0600.
// Read whole, written whole.
// SAFETY: a store that others can write is refused, because it decides what is trusted.
#include "config/trust.h"

#include <algorithm>

#include "base/text.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

constexpr std::size_t kMaxStoreBytes = 64u << 20;

constexpr std::string_view kAgentic = "/.agentic/config.yaml";

struct Place {
  std::string directory;  // of the project, as it really is
  std::string path;       // the file's name in there, links not followed
};

Place place_of(const std::string& path) {
  const std::size_t cut = path.ends_with(kAgentic) ? path.size() - kAgentic.size()
                                                   : std::min(path.rfind('/'), path.size());
  const std::string directory = cut == 0 ? "/" : path.substr(0, cut);
  const os::RealPath found = os::real_path(directory);
  Place place{.directory = found.path.empty() ? directory : found.path, .path = {}};
  if (place.directory == "/") place.directory.clear();
  place.path = place.directory + path.substr(cut);
  return place;
}

bool leaves_project(const std::string& path) {
  const os::RealPath found = os::real_path(path);
  return found.path.empty() || !found.path.starts_with(place_of(path).directory + "/");
}

bool is_safe(const os::Stamp& stamp) {
  constexpr std::uint32_t kSticky = 01000;
  const bool mine = stamp.uid == os::effective_uid() || stamp.uid == 0;
  return mine && ((stamp.mode & 022) == 0 || (stamp.is_directory() && (stamp.mode & kSticky) != 0));
}

Error bad_store(const std::string& file, std::string code, std::string message, std::string hint) {
  return {.code = std::move(code),
          .message = "`" + file + "` " + std::move(message),
          .hint = std::move(hint),
          .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}};
}

}  // namespace

std::string TrustStore::file_in(const std::string& data_dir) { return data_dir + "/trust.json"; }

Result<TrustStore> TrustStore::open(const std::string& data_dir) {
  TrustStore store;
  store.data_dir_ = data_dir;
  const std::string file = file_in(data_dir);
  const Result<os::Stamp> directory = os::stamp_of(data_dir);
  if (directory && directory->exists && !is_safe(*directory))
    return Fail(bad_store(data_dir, "unsafe-trust-store", "can be written by somebody else",
                          "make it yours and run `chmod 700` on it"));
  Result<os::FileText> read = os::read_stamped(file, kMaxStoreBytes);
  if (!read && read.error().code == "file-missing") return store;
  if (!read) return Fail(std::move(read).error());
  if (!is_safe(read->stamp))
    return Fail(bad_store(file, "unsafe-trust-store", "can be written by somebody else",
                          "make it yours and run `chmod 600` on it"));
  const Result<json::Value> value =
      json::parse(read->text, {.max_bytes = kMaxStoreBytes, .max_depth = 8});
  const json::Value* pins = value ? value->find("pins") : nullptr;
  if (pins == nullptr || !pins->is_array())
    return Fail(bad_store(file, "bad-trust-store", "is damaged",
                          "remove it and trust your projects again"));
  for (const json::Value& pin : pins->items()) {
    const json::Value* path = pin.find("path");
    const json::Value* text = pin.find("text");
    if (path == nullptr || text == nullptr || !path->is_string() || !text->is_string())
      return Fail(bad_store(file, "bad-trust-store", "is damaged",
                            "remove it and trust your projects again"));
    store.pins_.push_back({path->as_string(), text->as_string()});
  }
  return store;
}

const TrustStore::Pin* TrustStore::find(const std::string& path) const {
  if (pins_.empty()) return nullptr;
  const std::string wanted = place_of(path).path;
  for (const Pin& pin : pins_)
    if (pin.path == wanted) return &pin;
  return nullptr;
}

Trust TrustStore::check(const std::string& path, std::string_view text) const {
  const Pin* pin = find(path);
  if (pin == nullptr) return Trust::kNone;
  return pin->text == text && !leaves_project(path) ? Trust::kPinned : Trust::kChanged;
}

std::optional<std::string> TrustStore::pinned(const std::string& path) const {
  const Pin* pin = find(path);
  if (pin == nullptr) return std::nullopt;
  return pin->text;
}

Result<void> TrustStore::pin(const std::string& path, std::string text) {
  if (leaves_project(path))
    return Fail(bad_store(path, "link-leaves-project", "is a link that leads out of its project",
                          "put the file itself there, then trust it"));
  forget(path);
  pins_.push_back({place_of(path).path, std::move(text)});
  return {};
}

bool TrustStore::forget(const std::string& path) {
  const std::string wanted = place_of(path).path;
  return std::erase_if(pins_, [&](const Pin& pin) { return pin.path == wanted; }) > 0;
}

Result<void> TrustStore::save() const {
  json::Value pins = json::Value::array();
  for (const Pin& pin : pins_) {
    if (!is_valid_utf8(pin.text) || !is_valid_utf8(pin.path))
      return Fail(
          bad_store(pin.path, "yaml-invalid-utf8", "is not valid UTF-8", "save the file as UTF-8"));
    json::Value entry = json::Value::object();
    entry.set("path", json::Value::string(pin.path));
    entry.set("text", json::Value::string(pin.text));
    pins.push(std::move(entry));
  }
  json::Value whole = json::Value::object();
  whole.set("version", json::Value::integer(1));
  whole.set("pins", std::move(pins));
  if (Result<void> made = os::make_private_directory(data_dir_); !made) return made;
  return os::write_atomically(file_in(data_dir_), json::write_pretty(whole), 0600);
}

}  // namespace tollgate::config
