// Writes down what the gate says of the random scripts, one line each: seed, verdicts, effects.
// Two revisions that write the same are equally sound on these scripts, and bash need not run
// again. The scripts are those of running_test.cc, so a seed means the same in both.
#include <cstdio>
#include <cstdlib>

#include "bash/prediction.h"
#include "bash/run_maker.h"
#include "core/codec.h"
#include "json/json.h"

int main(int count, char** words) {
  using namespace tollgate;
  if (count != 3) {
    std::fputs("usage: bash_judgements SEED COUNT\n", stderr);
    return 2;
  }
  const std::uint64_t first = std::strtoull(words[1], nullptr, 10);
  const std::uint64_t scripts = std::strtoull(words[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + scripts; ++seed) {
    const std::string text = bash::script_of(seed).text;
    const bash::Judged said = bash::judged(text, "/w");
    std::printf("%llu %d%d", static_cast<unsigned long long>(seed), static_cast<int>(said.verdict),
                static_cast<int>(said.lenient));
    std::printf(" %s\n", json::write(to_json(said.effects)).c_str());
  }
}
