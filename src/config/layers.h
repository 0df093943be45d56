// Which files make up the configuration, most trusted first.
// Only looks; nothing is read here.
// Every place that was looked at is noted, so that a file that appears later is noticed.
#pragma once

#include <string>
#include <vector>

#include "config/fields.h"
#include "config/source.h"
#include "core/decision.h"

namespace tollgate::config {

struct ConfigFile {
  std::string path;
  ConfigSource source = ConfigSource::kProject;
  FileKind kind = FileKind::kProject;
  bool named = false;  // by --config: must be there

  bool operator==(const ConfigFile&) const = default;
};

struct Search {
  std::string managed_file;  // "" for none
  std::string user_file;     // "" for none
  bool named = false;
  std::string cwd;   // absolute
  std::string home;  // "" when unknown
  bool project_files = true;
};

struct Files {
  std::vector<ConfigFile> present;   // files to read, projects' nearest first; a named one always
  std::vector<ConfigFile> absent;    // project places without a file
  std::vector<SourceStamp> sources;  // of what is absent, and of the borders
};

Files find_files(const Search& search);

}  // namespace tollgate::config
