// One text for each thing that the look can find, each with what to do about it.
#include "gate/repository.h"

#include "base/path.h"

namespace tollgate {
namespace {

bool belongs_to(const Scene& scene, std::size_t effect, std::size_t run) {
  while (effect > run && scene.effects[effect].owner < effect) effect = scene.effects[effect].owner;
  return effect == run;
}

std::string told(const std::string& program, const Effect& effect, const PathLook& look) {
  const std::string allow = "allow this command by a rule";
  if (effect.path.empty())
    return program + " would follow the configuration of a repository that cannot be told (" +
           effect.why + "); name the directory, or " + allow;
  switch (look.repository) {
    case Repository::kMissing:
      return program + " would run where nothing is yet: " + look.why +
             "; run it once the directory is there, or " + allow;
    case Repository::kNamesPrograms:
      return program + " may run a program that is not its own: " + look.why +
             "; take that setting out if nobody wants it, or " + allow;
    case Repository::kOther:
      return program + " would read the configuration of another repository, which can name " +
             "programs to run: " + look.why + "; run it in the workspace's own, or " + allow;
    case Repository::kNone:
    case Repository::kOwn:
      break;
  }
  return program +
         " would follow the configuration of a repository that cannot be told: " + look.why +
         "; name a directory of the workspace, or " + allow;
}

}  // namespace

std::string repository_doubt(const Scene& scene, std::size_t index) {
  for (std::size_t i = index + 1; i < scene.effects.size(); ++i) {
    const Effect& effect = scene.effects[i];
    if (!is_repository(effect) || effect.owner >= i || !belongs_to(scene, i, index)) continue;
    const PathLook& look = look_at(scene, i);
    if (look.repository == Repository::kOwn) continue;
    const std::vector<Word>& argv = scene.effects[effect.owner].argv;
    const std::string program(argv.empty() ? "it" : base_name(argv[0].text));
    return told("`" + program + "`", effect, look);
  }
  return {};
}

}  // namespace tollgate
