// The unit tables of the program rows: each *.cases file has a command a line, `+` where it must
// run unasked without any configuration and `-` where it must not, and below it what it comes to.
// With TOLLGATE_UPDATE set the lines below are written anew; the marks never are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/test_call.h"
#include "effects/effect_dump.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate {
namespace {

namespace fs = std::filesystem;

const Policy& without_rules() {
  static const Policy policy = compile(built_in_policy());
  return policy;
}

Decision judged(const ToolCall& call, const Effects& effects) {
  FixedWorld world;
  for (const char* directory : {"/w", "/w/.git", "/w/src", "/h"})
    world.files[directory] = {.state = PathState::kDirectory};
  const Situation situation = world.look(call, effects, {.base = "/w", .home = "/h"});
  return decide(without_rules(), call, effects, situation, {});
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TOLLGATE_SOURCE_DIR) / "tests/programs"))
    if (entry.path().extension() == ".cases") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void check_file(const fs::path& file, bool update) {
  std::vector<std::string> lines = lines_of(file), out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (!line.starts_with("+ ") && !line.starts_with("- ")) {
      if (!line.starts_with("    ")) out.push_back(line);
      continue;
    }
    const ToolCall call = bash(line.substr(2));
    const Effects effects = effects_of(call, {}, "/h");
    const Decision decision = judged(call, effects);
    const bool quiet = decision.verdict == Verdict::kAllow;
    EXPECT_EQ(quiet, line[0] == '+') << file.filename().string() << ':' << i + 1 << ": " << line
                                     << "\n    " << dump_effects(effects) << "\n    "
                                     << (decision.reasons.empty() ? "" : decision.reasons[0].text);
    out.push_back(line);
    out.push_back("    " + dump_effects(effects));
    if (update) continue;
    const std::string written = i + 1 < lines.size() ? lines[i + 1] : "";
    EXPECT_EQ(written, out.back()) << file.filename().string() << ':' << i + 1 << ": " << line;
  }
  if (!update) return;
  std::ofstream to(file);
  for (const std::string& line : out) to << line << '\n';
}

TEST(ProgramCases, EveryCommandComesToWhatItsTableSays) {
  const bool update = std::getenv("TOLLGATE_UPDATE") != nullptr;
  const char* only = std::getenv("TOLLGATE_ONLY");
  for (const fs::path& file : case_files())
    if (only == nullptr || file.stem() == only) check_file(file, update);
}

}  // namespace
}  // namespace tollgate
