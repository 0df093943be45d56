// Modes and answerers by name, synonyms included.
// The first name of each is the one that is written; synonyms are only read.
// SAFETY: an unknown name is nothing, and the caller must refuse it.
#include "core/mode.h"

#include "core/names.h"

namespace tollgate {

std::string_view name(Mode mode) { return name_in_list(mode); }
std::string_view name(Answerer answerer) { return name_in_list(answerer); }
std::string_view name(OnTimeout on_timeout) { return name_in_list(on_timeout); }

std::optional<Mode> mode_named(std::string_view text) {
  if (text == "manual") return Mode::kDefault;
  if (text == "bypassPermissions" || text == "yolo") return Mode::kAutonomous;
  return value_named<Mode>(text);
}

std::optional<Answerer> answerer_named(std::string_view text) {
  if (text == "true") return Answerer::kYes;
  if (text == "false") return Answerer::kNo;
  return value_named<Answerer>(text);
}

std::span<const std::string_view> mode_names() { return kModeNames; }
std::span<const std::string_view> answerer_names() { return kAnswererNames; }

}  // namespace tollgate
