// The file that the page's changes of the policy go to: the user's own, or the one of --config.
#pragma once

#include <string>

#include "config/yaml.h"
#include "server/policies.h"

namespace tollgate::server {

inline std::string policy_file(const Policies& policies) {
  const PolicyFiles& files = policies.files();
  return files.config_file.empty() ? config::user_file(files.environment, files.home)
                                   : files.config_file;
}

}  // namespace tollgate::server
