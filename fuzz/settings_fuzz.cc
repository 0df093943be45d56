// Any text as a settings file of a client: it is refused with a place, or our entries go in once,
// are found again, and come out without taking anything else along.
// The first byte chooses the client.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/scenes.h"
#include "json/json.h"
#include "providers/json_text.h"
#include "providers/provider.h"
#include "providers/toml_text.h"

namespace {

using namespace tollgate;
using namespace tollgate::providers;
using fuzz::require;

std::vector<Target> all_targets() {
  static const os::Environment kNone;
  const providers::Scene scene{.home = "/nonexistent/home",
                               .project = "/nonexistent/project",
                               .plugin = "/nonexistent/plugin",
                               .environment = kNone};
  std::vector<Target> out;
  for (const Provider& provider : providers::providers()) {
    const HookCommand command{.program = "/opt/tollgate-hook",
                              .client = std::string(provider.name),
                              .config = "/it's.yaml",
                              .agent = "",
                              .data = "/data"};
    auto targets = provider.targets(scene, Scope::kUser, command);
    require(targets.has_value());
    for (Target& each : *targets) out.push_back(std::move(each));
  }
  return out;
}

// Every member of `before` is in `after` with the same value, `hooks` aside.
void keeps_members(const std::string& before, const std::string& after) {
  const auto old = read_json(before, "", JsonForm::kWithComments);
  const auto now = read_json(after, "", JsonForm::kWithComments);
  if (!old) return;
  require(now.has_value());
  for (const auto& [key, value] : old->value.members()) {
    if (key == "hooks") continue;
    require(now->value.find(key) != nullptr);
    require(*now->value.find(key) == value);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Target> kTargets = all_targets();
  if (size == 0) return 0;
  const Target& target = kTargets[data[0] % kTargets.size()];
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);

  const Result<std::string> with = target.put(text);
  if (!with) {
    require(!with.error().code.empty() && !with.error().message.empty());
    return 0;
  }
  const Result<std::string> again = target.put(*with);
  require(again.has_value() && *again == *with);
  const auto found = target.find(*with);
  require(found.has_value());
  const Result<std::string> without = target.drop(*with);
  require(without.has_value());
  const auto left = target.find(*without);
  require(left.has_value() && left->empty());
  const bool json = target.path.ends_with(".json");
  if (json && !text.empty()) keeps_members(text, *with);
  if (json && !text.empty() && !without->empty()) keeps_members(text, *without);
  return 0;
}
