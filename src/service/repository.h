// Whose settings a version control program would follow in a directory, and whether that is safe;
// whether python would load a module of its own there.
// The look of world.cc asks here for every effect with the target kRepository.
// SAFETY: kOwn is said last, after everything that could stand against it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/situation.h"
#include "service/eye.h"

namespace tollgate {

// What git takes for a repository without a `.git`: by its parts, or by a file that leads to them.
template <class Has>
bool is_shaped_like_git(const std::string& directory, const Has& has) {
  return has(directory + "/HEAD") && ((has(directory + "/objects") && has(directory + "/refs")) ||
                                      has(directory + "/commondir"));
}

// LIMIT: how many directories of one call are looked at; the others stay unknown.
inline constexpr std::size_t kMaxRepositoryLooks = 64;

// Lives while one call is looked at. `eye` and `roots` outlive it.
class Repositories {
 public:
  Repositories(Eye& eye, const std::vector<Place>& roots) : eye_(eye), roots_(roots) {}

  // Fills in `repository` and `why` of a look that has its `state` and `real`.
  // `remote`: a name that the program is given for another repository, "" for none. Where no
  // setting has it, a directory of that name is meant.
  void look(std::string_view program, std::string_view remote, PathLook& look);

 private:
  struct Answer {
    Repository repository = Repository::kNone;
    std::string why;
  };
  // The directory that holds the repository's own; "" where there is none above.
  struct Nearest {
    std::string top;
    bool bare = false;
  };
  // Where git keeps what belongs to a work tree.
  struct GitDirectory {
    std::string top;        // of the work tree
    std::string directory;  // of this work tree alone
    std::string common;     // of all work trees: here is `config`
    bool linked = false;    // one of several work trees
    bool module = false;    // of a repository around it
    bool whole = false;     // git would take it; else it looks further up
    std::string why;        // not empty: it cannot be followed
  };

  Answer answer(std::string_view program, std::string_view remote, const PathLook& look);
  Answer git(const std::string& root, const std::string& directory, std::string_view remote);
  Answer mercurial(const std::string& root, const std::string& directory, std::string_view remote);
  Answer jujutsu(const std::string& root, const std::string& directory);
  Answer python(const std::string& directory);

  std::string root_of(const std::string& directory) const;
  Nearest nearest(std::string directory, std::string_view marker);
  GitDirectory git_directory(const std::string& top);
  GitDirectory pointed(const std::string& top, const std::string& file);
  bool leads_to(const std::string& file, const std::string& wanted);
  Answer git_settings(const GitDirectory& git);
  bool has_remote(const GitDirectory& git, std::string_view remote);
  Answer named(const std::string& directory, std::string_view remote);
  Answer git_setting_file(const GitDirectory& git, const std::string& file, bool& tied);
  template <class Suspect>
  Answer plain_settings(const std::string& file, const Suspect& suspect);

  Eye& eye_;
  const std::vector<Place>& roots_;
  std::map<std::array<std::string, 3>, Answer> known_;  // by program, remote and directory
};

}  // namespace tollgate
