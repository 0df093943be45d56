// Any text as a configuration file: every complaint has a code and a message, and what is accepted
// compiles to a policy that opens and judges. Formatting is idempotent and keeps the meaning.
// The files' own part of loading (owners, trust, zones) is not in here: it is about the machine.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "config/fmt.h"
#include "config/resolve.h"
#include "config/statement.h"
#include "config/yaml.h"
#include "fuzz/scenes.h"
#include "gate/decide.h"
#include "policy/lint.h"
#include "policy/policy.h"

namespace {

using namespace tollgate;
using fuzz::require;

bool any_error(const std::vector<Diagnostic>& diagnostics) {
  bool error = false;
  for (const Diagnostic& each : diagnostics) {
    require(!each.error.code.empty() && !each.error.message.empty());
    require(!render(each).empty());
    error |= each.severity == Severity::kError;
  }
  return error;
}

void judges(const PolicySet& set) {
  const Policy policy = compile(set);
  require(policy.broken() == set.broken);
  for (const fuzz::Asked& asked : fuzz::asked_calls()) {
    const Decision decision = decide(policy, asked.call, asked.effects, asked.situation);
    require(!decision.reasons.empty());
    if (!set.broken) continue;
    require(decision.verdict == Verdict::kDeny);
    return;  // all calls fare alike under a broken policy
  }
}

void load_text(const std::string& text, config::FileKind kind, ConfigSource source) {
  std::vector<Diagnostic> diagnostics;
  const config::Document document =
      config::read_yaml(text, "/home/me/shop/tollgate.yaml", diagnostics);
  config::check_fields(document, kind, diagnostics);
  config::ResolveInput input;
  if (kind == config::FileKind::kUser) input.tools = config::read_tools(document);
  const config::ReadContext context{.source = source,
                                    .kind = kind,
                                    .directory = std::string(fuzz::kBase),
                                    .home = std::string(fuzz::kHome),
                                    .tools = input.tools};
  input.statements.push_back(config::read_statement(document, context, diagnostics));
  config::Settings settings;
  if (kind == config::FileKind::kUser) config::read_settings(document, context, settings);
  input.timeout_ms = settings.permission_timeout_ms;
  PolicySet set = config::resolve(std::move(input), diagnostics);
  for (const Diagnostic& each : lint(set)) diagnostics.push_back(each);
  if (any_error(diagnostics))
    set.broken = Error{.code = "broken", .message = "broken", .hint = "mend it", .where = {}};
  judges(set);
}

void formats(const std::string& text) {
  const Result<std::string> once = config::format_config(text, "tollgate.yaml");
  if (!once) {
    require(!once.error().code.empty() && !once.error().message.empty());
    return;
  }
  const Result<std::string> twice = config::format_config(*once, "tollgate.yaml");
  require(twice.has_value() && *twice == *once);
}

}  // namespace

// libfyaml 0.7 forgets a buffer when it gives up on some malformed texts.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfyaml"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 4096) return 0;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  load_text(text, config::FileKind::kUser, ConfigSource::kUser);
  load_text(text, config::FileKind::kProject, ConfigSource::kProject);
  formats(text);
  return 0;
}
