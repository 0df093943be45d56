#include "config/own_places.h"

#include <string_view>

#include "config/layers.h"

namespace tollgate::config {

std::vector<std::string> own_places(const LoadOptions& options, const std::string& home,
                                    const std::string& program) {
  const os::Environment environment =
      options.environment != nullptr ? *options.environment : os::Environment();
  const bool named = !options.config_file.empty();
  const std::string user = user_file(environment, home);
  std::vector<std::string> places = {user, default_data_dir(environment, home), options.data_dir,
                                     options.managed_file, program};
  // The two programs lie side by side, and each stands for both.
  if (const std::size_t slash = program.rfind('/'); slash != program.npos)
    for (const std::string_view name : {"tollgate", "tollgate-hook"})
      places.push_back(program.substr(0, slash + 1) + std::string(name));
  const Files files = find_files({.managed_file = options.managed_file,
                                  .user_file = named ? options.config_file : user,
                                  .named = named,
                                  .cwd = options.cwd,
                                  .home = home,
                                  .project_files = true});
  for (const ConfigFile& file : files.present) places.push_back(file.path);
  // Where a file would be heard if there were one: making it is a change of the policy as well.
  for (const ConfigFile& file : files.absent) places.push_back(file.path);
  std::erase(places, "");
  return places;
}

}  // namespace tollgate::config
